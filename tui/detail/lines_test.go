package detail

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestWhatDiffersIsShownWithLittleOfWhatDoesNot(t *testing.T) {
	for _, c := range []struct{ before, after, want string }{
		{"", "", ""},
		{"a b c", "a b c", "~3"},
		{"a", "", "-a"},
		{"", "a", "+a"},
		{"a b c", "a x c", " a -b +x  c"},
		{"a b c d e f g", "a b c X e f g", "~1  b  c -d +X  e  f ~1"},
		{"a b c d", "b c d e", "-a  b  c  d +e"},
		{"a b", "b a", "-a  b +a"},
		{"1 2 3 4 5 6 7 8 9", "0 1 2 3 4 5 6 7 8 9", "+0  1  2 ~7"},
	} {
		var got []string
		for _, l := range compare(strings.Fields(c.before), strings.Fields(c.after)) {
			if l.mark == '~' {
				l.text = fmt.Sprint(l.n)
			}
			got = append(got, string(l.mark)+l.text)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%q to %q: %q, want %q", c.before, c.after, strings.Join(got, " "), c.want)
		}
	}
}

func TestAComparisonLosesNoLine(t *testing.T) {
	long := func(n, seed int) (lines []string) {
		for i := range n {
			lines = append(lines, fmt.Sprint(i*seed%17))
		}
		return lines
	}
	for _, c := range [][2][]string{{long(40, 3), long(35, 5)}, {long(3000, 3), long(2900, 7)}} {
		var before, after []string
		for _, l := range middle(c[0], c[1]) {
			if l.mark != '+' {
				before = append(before, l.text)
			}
			if l.mark != '-' {
				after = append(after, l.text)
			}
		}
		if !slices.Equal(before, c[0]) || !slices.Equal(after, c[1]) {
			t.Errorf("%d and %d lines come out as %d and %d", len(c[0]), len(c[1]), len(before), len(after))
		}
	}
}
