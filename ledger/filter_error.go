package ledger

import (
	"fmt"
	"strings"
)

// FilterError says what is wrong with a filter and where.
type FilterError struct {
	Start, End int    // the bytes of the text that are wrong, Start < End
	Msg        string // what is wrong with them and what to write instead
}

// Error returns the message behind the column, which is counted in bytes from 1.
func (e *FilterError) Error() string { return fmt.Sprintf("filter, column %d: %s", e.Start+1, e.Msg) }

// span is a stretch of a filter's text, in bytes.
type span struct{ start, end int }

// wrong returns the error for that stretch.
func (s span) wrong(format string, args ...any) error {
	return &FilterError{Start: s.start, End: s.end, Msg: fmt.Sprintf(format, args...)}
}

// clip shortens what a message quotes.
func clip(s string) string {
	const most = 40
	n := 0
	for i := range s {
		if n++; n > most {
			return s[:i] + "…"
		}
	}
	return s
}

// hint returns the words that offer the nearest of the names, or all of them when none
// is near.
func hint(s string, names ...string) string {
	if best := near(strings.ToLower(s), names); best != "" {
		return "did you mean " + best + "?"
	}
	return "it is " + enumerate(names, "or")
}

// enumerate joins two names or more with commas, and the last of them with a word.
func enumerate(names []string, word string) string {
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
}

// near returns the name that s was probably meant to be: the first that begins with it,
// as status does with stat, then the one with the fewest slips, else one that has s in it
// or the other way round, as duration has dur; "" for none.
func near(s string, names []string) string {
	const longest, shortest = 20, 3
	if len(s) > longest {
		return ""
	}
	if len(s) >= shortest {
		for _, name := range names {
			if strings.HasPrefix(name, s) {
				return name
			}
		}
	}
	best, least := "", 3
	for _, name := range names {
		if d := slips(s, name); d < least && d < len(name)-1 {
			best, least = name, d
		}
	}
	for _, name := range names {
		if best == "" && min(len(s), len(name)) >= shortest && (strings.Contains(s, name) || strings.Contains(name, s)) {
			best = name
		}
	}
	return best
}

// slips counts the letters to put in, leave out or exchange to make b of a.
func slips(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
