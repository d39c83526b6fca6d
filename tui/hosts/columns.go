package hosts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/keys"
	"redial/tui/phrase"
	"redial/tui/theme"
)

// column is one of the table. The host has none: it stands at the head of each row.
type column struct {
	name  string
	width int
	rank  int          // the higher, the sooner it goes where there is no room
	sort  *key.Binding // nil: it cannot be sorted by
	cell  func(*theme.Theme, *row) (string, theme.Style)
	value func(*row) float64 // what is sorted by
}

// hostColumn and callsColumn are indexes of columns. The first one is only there to be
// sorted by.
const (
	hostColumn  = 0
	callsColumn = 1
)

// columns returns all of them in the order in which they stand.
func columns(km *keys.Map) []column {
	all := []column{
		{name: "HOST", sort: &km.SortHost},
		counted(column{name: "CALLS", width: 7, sort: &km.SortCalls}, func(s *sums) int64 { return s.calls }),
		counted(column{name: "ATTEMPTS", width: 9, rank: 6, sort: &km.SortAttempts}, func(s *sums) int64 { return s.attempts }),
		{name: "AMPL", width: 5, rank: 3, sort: &km.SortAmplified, value: amplified, cell: func(th *theme.Theme, r *row) (string, theme.Style) {
			return fmt.Sprintf("%.2f", amplified(r)), th.Text
		}},
		shared(column{name: "RETRIED", width: 8, rank: 1, sort: &km.SortRetried}, func(th *theme.Theme, s *sums) (int64, theme.Style) { return s.retried, th.Warn }),
		shared(column{name: "ERRORS", width: 7, sort: &km.SortErrors}, func(th *theme.Theme, s *sums) (int64, theme.Style) { return s.failed, th.Bad }),
		timed(column{name: "P50", width: 6, rank: 5}, 0.50),
		timed(column{name: "P95", width: 6, rank: 1, sort: &km.SortTime}, 0.95),
		timed(column{name: "P99", width: 6, rank: 4}, 0.99),
		waited(column{name: "WAITED", width: 7, rank: 2, sort: &km.SortWaited}, func(th *theme.Theme, s *sums) (time.Duration, theme.Style) { return s.wait(), th.Text }),
	}
	for k := range ledger.WaitKind(ledger.NumWaitKinds) {
		name := strings.ToUpper(phrase.Kind(k))
		all = append(all, waited(column{name: name, width: max(len(name), 6), rank: 7}, func(th *theme.Theme, s *sums) (time.Duration, theme.Style) {
			return s.waited[k], phrase.KindStyle(th, k)
		}))
	}
	return all
}

// amplified returns how many attempts a call had on average.
func amplified(r *row) float64 { return float64(r.sums.attempts) / float64(max(r.sums.calls, 1)) }

// counted is a column with a number.
func counted(c column, of func(*sums) int64) column {
	c.cell = func(th *theme.Theme, r *row) (string, theme.Style) { return draw.Count(of(&r.sums)), th.Text }
	c.value = func(r *row) float64 { return float64(of(&r.sums)) }
	return c
}

// shared is a column with a part of the calls, which stands out when there is any.
func shared(c column, of func(*theme.Theme, *sums) (int64, theme.Style)) column {
	c.cell = func(th *theme.Theme, r *row) (string, theme.Style) {
		n, st := of(th, &r.sums)
		if n == 0 {
			return "-", th.Dim
		}
		return draw.Percent(n, r.sums.calls), st
	}
	c.value = func(r *row) float64 {
		n, _ := of(new(theme.Theme), &r.sums)
		return float64(n) / float64(max(r.sums.calls, 1))
	}
	return c
}

// timed is a column with a quantile of how long the calls took.
func timed(c column, q float64) column {
	c.cell = func(th *theme.Theme, r *row) (string, theme.Style) {
		return draw.Took(r.sums.latency.Quantile(q)), th.Text
	}
	c.value = func(r *row) float64 { return float64(r.sums.latency.Quantile(q)) }
	return c
}

// waited is a column with time that was spent waiting.
func waited(c column, of func(*theme.Theme, *sums) (time.Duration, theme.Style)) column {
	c.cell = func(th *theme.Theme, r *row) (string, theme.Style) {
		d, st := of(th, &r.sums)
		if d == 0 {
			return "-", th.Dim
		}
		return draw.Took(d), st
	}
	c.value = func(r *row) float64 {
		d, _ := of(new(theme.Theme), &r.sums)
		return float64(d)
	}
	return c
}

// order is what rows are sorted by.
type order struct {
	by   int // index of a column
	down bool
}

// key takes a key that sorts, and reports whether it is one. Once more turns the order.
func (o *order) key(cols []column, matches func(key.Binding) bool) bool {
	for i, c := range cols {
		if c.sort == nil || !matches(*c.sort) {
			continue
		}
		if o.by == i {
			o.down = !o.down
		} else {
			*o = order{i, i != hostColumn}
		}
		return true
	}
	return false
}

// sort puts rows in order. What is equal is in order of the hosts.
func (o *order) sort(cols []column, rows []row) {
	value := cols[o.by].value
	slices.SortFunc(rows, func(a, b row) int {
		n := 0
		if value != nil {
			n = cmp.Compare(value(&a), value(&b))
		} else {
			n = strings.Compare(a.host, b.host)
		}
		if o.down {
			n = -n
		}
		return cmp.Or(n, strings.Compare(a.host, b.host))
	})
}

// words says what rows are sorted by.
func (o *order) words(cols []column) string {
	name := strings.ToLower(cols[o.by].name)
	if o.by == callsColumn+2 {
		name = "amplification"
	}
	if o.down {
		return "by " + name + " ▼"
	}
	return "by " + name + " ▲"
}

// sorts returns the keys that sort.
func sorts(cols []column) (all []key.Binding) {
	for _, c := range cols {
		if c.sort != nil {
			all = append(all, *c.sort)
		}
	}
	return all
}

const (
	leastHost  = 16 // columns that the host has at least
	leastSpark = 6
	mostSpark  = mostSlices
)

// layout says which columns there is room for.
type layout struct {
	width, host, spark int
	shown, hidden      []int // indexes of columns
}

// lay divides a row: as many columns as there is room for besides a sparkline.
func lay(cols []column, width, longest int) layout {
	l := layout{width: width}
	limit := 8
	for ; limit > 1; limit-- {
		if need(cols, limit)+1+min(longest, max(leastHost, width/4))+leastSpark+2 <= width {
			break
		}
	}
	for i := callsColumn; i < len(cols); i++ {
		if cols[i].rank < limit {
			l.shown = append(l.shown, i)
		} else {
			l.hidden = append(l.hidden, i)
		}
	}
	free := width - need(cols, limit) - 2
	l.host = max(min(longest, free-leastSpark-1), min(leastHost, free))
	l.spark = max(min(free-l.host-1, mostSpark), 0)
	return l
}

func need(cols []column, limit int) (n int) {
	for _, c := range cols[callsColumn:] {
		if c.rank < limit {
			n += c.width + 1
		}
	}
	return n
}
