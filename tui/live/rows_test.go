package live

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/scene"
	"redial/tui/theme"
)

// mail returns two calls whose hosts differ at the end.
func mail() []ledger.Call {
	cs := calls(1, 2)
	for i, host := range []string{"mail.example.test", "mail.example.test:2525"} {
		cs[i].Method, cs[i].Host, cs[i].Path, cs[i].Status, cs[i].State = "POST", host, "/send", 202, ledger.Ended
	}
	return cs
}

func rowsOf(cs []ledger.Call, width int) []string {
	s := &scene.Scene{Theme: theme.None(), Zone: time.UTC}
	var need widths
	need.grow(cs)
	cols := layColumns(width, need, s)
	out := make([]string, len(cs))
	for i := range cs {
		out[i] = ansi.Strip(drawRow(s, &cs[i], cols, look{}))
	}
	return out
}

func TestHostsThatDifferAtTheirEndsAreToldApartAtEveryWidth(t *testing.T) {
	for _, width := range []int{56, 58, 66, 68, 75, 78, 98, 158} {
		rows := rowsOf(mail(), width)
		if a, b := rows[0], rows[1]; a[12:] == b[12:] || !strings.Contains(b, "2525") {
			t.Errorf("in %d columns the rows are\n%s\n%s", width, a, b)
		}
		for _, r := range rows {
			if draw.Width(r) != width {
				t.Errorf("in %d columns a row is %d wide: %q", width, draw.Width(r), r)
			}
		}
	}
}

func TestACallThatWasSentTwiceIsMarkedAlsoWhereNobodyAnsweredIt(t *testing.T) {
	cs := mail()
	for i := range cs {
		cs[i].Status, cs[i].Outcome, cs[i].Duplicate.Kind = 0, ledger.Unknown, ledger.NoKey
	}
	for _, width := range []int{58, 66, 75, 98, 158} {
		for _, r := range rowsOf(cs, width) {
			if !strings.Contains(strings.ToUpper(r), "SENT TWICE") || !strings.Contains(r, "▲") {
				t.Errorf("in %d columns a row says nothing of the other sending, or of the doubt: %q", width, r)
			}
		}
	}
}

func TestNothingIsCutThatThereIsRoomFor(t *testing.T) {
	cs := mail()
	cs[0].Path, cs[1].Key = "/charges", "charge-8840"
	for _, width := range []int{75, 98, 158} { // beside the windows on 110 and on 200 columns, and without them
		for i, r := range rowsOf(cs, width) {
			if !strings.Contains(r, cs[i].Host+" ") || !strings.Contains(r, cs[i].Path+" ") || strings.Contains(r, "…") {
				t.Errorf("in %d columns a row is cut: %q", width, r)
			}
		}
	}
}

func TestColumnsNeverShrinkWhileCallsGo(t *testing.T) {
	var need widths
	need.grow(mail())
	before := need
	need.grow(mail()[:1])
	if need != before {
		t.Errorf("the columns went from %+v to %+v", before, need)
	}
}

func TestColumnsThatAreNotWantedAreNotShown(t *testing.T) {
	calls := mail()[:1]
	calls[0].Key = "mail-1"
	for name, c := range map[string]struct {
		wanted []string
		note   bool
	}{
		"nothing said": {nil, true}, "none": {[]string{}, false}, "the note": {[]string{"note"}, true}, "the service": {[]string{"service"}, false},
	} {
		s := &scene.Scene{Theme: theme.None(), Zone: time.UTC, Calls: c.wanted}
		s.Sessions = []ledger.Session{{ID: 1, Service: "postman"}}
		var need widths
		need.grow(calls)
		cols := layColumns(120, need, s)
		row := ansi.Strip(drawRow(s, &calls[0], cols, look{}))
		if got := strings.Contains(row, "mail-1"); got != c.note {
			t.Errorf("%s: the note is shown: %v: %s", name, got, row)
		}
		if got, want := strings.Contains(row, "postman"), slices.Contains(c.wanted, "service"); got != want {
			t.Errorf("%s: the service is shown: %v: %s", name, got, row)
		}
		if !strings.Contains(row, calls[0].Path) || draw.Width(row) > 120 {
			t.Errorf("%s: %s", name, row)
		}
	}
}
