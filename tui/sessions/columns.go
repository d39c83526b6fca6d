package sessions

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"charm.land/bubbles/v2/key"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/keys"
	"redial/tui/theme"
)

// column is one of the table.
type column struct {
	name    string
	width   int
	most    int  // it grows up to so many columns where there is room; 0: it does not
	rank    int  // the higher, the sooner it goes where there is no room
	right   bool // numbers stand at the right
	sort    *key.Binding
	cell    func(*look, *ledger.Session) (string, theme.Style)
	compare func(a, b *ledger.Session, now time.Time) int
}

// look is what cells are drawn with.
type look struct {
	theme *theme.Theme
	now   time.Time
	zone  *time.Location
}

// startedColumn is the index of the column that is sorted by at first.
const startedColumn = 4

// columns returns all of them in the order in which they stand.
func columns(km *keys.Map) []column {
	return []column{
		{name: "NAME", width: 8, most: 28, rank: 4, cell: func(k *look, s *ledger.Session) (string, theme.Style) {
			return s.Name, k.theme.Accent
		}},
		{name: "SERVICE", width: 10, most: 24, sort: &km.SortService, cell: func(k *look, s *ledger.Session) (string, theme.Style) {
			return s.Service, k.theme.Strong
		}, compare: func(a, b *ledger.Session, _ time.Time) int { return strings.Compare(a.Service, b.Service) }},
		{name: "HOST", width: 8, most: 20, rank: 3, sort: &km.SortHost, cell: func(k *look, s *ledger.Session) (string, theme.Style) {
			return s.Host, k.theme.Dim
		}, compare: func(a, b *ledger.Session, _ time.Time) int { return strings.Compare(a.Host, b.Host) }},
		{name: "PID", width: 7, rank: 5, right: true, cell: func(k *look, s *ledger.Session) (string, theme.Style) {
			return number(int64(s.PID), ""), k.theme.Dim
		}},
		{name: "STARTED", width: 15, sort: &km.SortStarted, cell: func(k *look, s *ledger.Session) (string, theme.Style) {
			return s.Started.In(k.zone).Format("Jan _2 15:04:05"), k.theme.Text
		}, compare: func(a, b *ledger.Session, _ time.Time) int { return a.Started.Compare(b.Started) }},
		{name: "LENGTH", width: 7, rank: 2, right: true, sort: &km.SortLength, cell: func(k *look, s *ledger.Session) (string, theme.Style) {
			return draw.Took(length(s, k.now)), k.theme.Text
		}, compare: func(a, b *ledger.Session, now time.Time) int { return cmp.Compare(length(a, now), length(b, now)) }},
		{name: "CALLS", width: 9, right: true, sort: &km.SortCalls, cell: func(k *look, s *ledger.Session) (string, theme.Style) {
			return draw.Count(s.Calls + s.Running), k.theme.Text
		}, compare: func(a, b *ledger.Session, _ time.Time) int { return cmp.Compare(a.Calls+a.Running, b.Calls+b.Running) }},
		{name: "PENDING", width: 8, rank: 1, right: true, sort: &km.SortPending, cell: func(k *look, s *ledger.Session) (string, theme.Style) {
			if s.Pending == 0 {
				return "-", k.theme.Dim
			}
			return "▲" + number(s.Pending, ""), k.theme.Doubt
		}, compare: func(a, b *ledger.Session, _ time.Time) int { return cmp.Compare(a.Pending, b.Pending) }},
		{name: "ENDED", width: 8, sort: &km.SortEnded, cell: func(k *look, s *ledger.Session) (string, theme.Style) {
			_, word, st := condition(k, s)
			return word, st
		}, compare: func(a, b *ledger.Session, now time.Time) int { return cmp.Compare(fate(a, now), fate(b, now)) }},
	}
}

func number(n int64, none string) string {
	if n == 0 {
		return none
	}
	return strconv.FormatInt(n, 10)
}

func length(s *ledger.Session, now time.Time) time.Duration { return s.End(now).Sub(s.Started) }

// fate orders sessions by how they stand, live ones first.
func fate(s *ledger.Session, now time.Time) int {
	switch {
	case s.Live(now):
		return 0
	case s.MayGoOn(now):
		return 1
	case s.Ended.IsZero() && s.Dead:
		return 2
	case s.Ended.IsZero():
		return 3
	}
	return 4
}

// condition says how a session stands: with a mark, in a word, and in a style.
func condition(k *look, s *ledger.Session) (mark, word string, st theme.Style) {
	th := k.theme
	switch fate(s, k.now) {
	case 0:
		return "●", "live", th.Good
	case 1:
		return "◐", "silent", th.Warn
	case 2:
		return "╳", "killed", th.Bad
	case 3:
		return "?", "unknown", th.Doubt
	}
	return "■", "ended", th.Dim
}

// order is what sessions are sorted by.
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
			*o = order{i, c.right || i == startedColumn}
		}
		return true
	}
	return false
}

// sort puts sessions in order. Of what is equal, the newest comes first.
func (o *order) sort(cols []column, sessions []ledger.Session, now time.Time) {
	compare := cols[o.by].compare
	slices.SortFunc(sessions, func(a, b ledger.Session) int {
		n := compare(&a, &b, now)
		if o.down {
			n = -n
		}
		return cmp.Or(n, cmp.Compare(b.ID, a.ID))
	})
}

func (o *order) words(cols []column) string {
	arrow := " ▲"
	if o.down {
		arrow = " ▼"
	}
	return "by " + strings.ToLower(cols[o.by].name) + arrow
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

// lay returns the widths of the columns in a row of that width, 0 for those that there is
// no room for.
func lay(cols []column, width int) []int {
	limit, free := 6, 0
	for ; limit > 1; limit-- {
		if free = width - head - need(cols, limit); free >= 0 {
			break
		}
	}
	if limit == 1 {
		free = width - head - need(cols, 1)
	}
	widths := make([]int, len(cols))
	for i, c := range cols {
		if c.rank >= limit {
			continue
		}
		grow := max(min(c.most-c.width, free), 0)
		widths[i] = c.width + grow
		free -= grow
	}
	return widths
}

// head is how many columns stand before those of the table: the mark of the selected row, of
// the one that is shown, of how it stands, and of a pin.
const head = 7

func need(cols []column, limit int) (n int) {
	for _, c := range cols {
		if c.rank < limit {
			n += c.width + 1
		}
	}
	return n
}
