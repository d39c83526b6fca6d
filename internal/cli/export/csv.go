package export

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"time"

	"redial/ledger"
	"redial/tui/visible"
)

// CSV returns the format of spreadsheets (RFC 4180), with a line for each call below one
// with the names. A text that a spreadsheet would take for a formula has an apostrophe
// before it, and controls are shown as marks. What is not known is empty.
func CSV() Format {
	return Format{Name: "csv", New: func(w io.Writer) Writer {
		return &table{w: csv.NewWriter(w)}
	}}
}

type table struct {
	w     *csv.Writer
	began bool
}

func (t *table) begin() {
	if !t.began {
		t.began = true
		t.w.Write([]string{
			"id", "session", "started", "method", "url", "operation_key", "status", "outcome", "attempts", "wire_sends",
			"duration_ms", "waited_ms", "waited_for", "error", "running",
		})
	}
}

// Call writes a line.
func (t *table) Call(c *ledger.Call) error {
	t.begin()
	t.w.Write([]string{
		c.ID.String(), c.ID.Session().String(), c.Started.UTC().Format("2006-01-02T15:04:05.000000000Z"),
		harmless(c.Method), harmless(c.URL()), harmless(c.Key), number(c.Status), c.Outcome.String(),
		strconv.Itoa(c.Attempts), strconv.Itoa(c.WireSends), took(c), millis(c.Waited), kinds(c.WaitedFor),
		harmless(c.Error), strconv.FormatBool(c.Running()),
	})
	return t.w.Error()
}

// Close writes what is left.
func (t *table) Close() error {
	t.begin()
	t.w.Flush()
	return t.w.Error()
}

// harmless returns a text that no spreadsheet computes and no terminal acts on.
func harmless(s string) string {
	s = visible.Text(s)
	if strings.IndexAny(strings.TrimLeft(s, " "), "=+-@\t\r|＝＋－＠") == 0 {
		return "'" + s
	}
	return s
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// took returns how long a call took, "" where that is not known.
func took(c *ledger.Call) string {
	if c.Took == 0 {
		return ""
	}
	return millis(c.Took)
}

func millis(d time.Duration) string {
	return strconv.FormatFloat(float64(d)/float64(time.Millisecond), 'f', -1, 64)
}

func kinds(set ledger.WaitKinds) string {
	var names []string
	for k := range ledger.WaitKind(ledger.NumWaitKinds) {
		if set.Has(k) {
			names = append(names, k.String())
		}
	}
	return strings.Join(names, " ")
}
