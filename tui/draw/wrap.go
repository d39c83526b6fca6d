package draw

import (
	"strings"

	"redial/tui/visible"
)

// Wrap breaks text at blanks into lines of at most so many columns, and at most so many
// lines; the last one ends in an ellipsis when more is left. A word that is longer than
// a line is cut into lines.
func Wrap(text string, room, most int) []string {
	var lines []string
	rest := visible.Text(text)
	for rest != "" && room > 0 {
		if len(lines) == most-1 {
			last, _ := Ellipsis(rest, room)
			return append(lines, last)
		}
		head, n := breakAt(rest, room)
		lines = append(lines, head)
		rest = rest[n:]
	}
	return lines
}

// breakAt returns the first line of s and how many bytes it takes.
func breakAt(s string, room int) (string, int) {
	used, blank, i := 0, -1, 0
	for i < len(s) {
		_, w, size := next(s[i:])
		if used+w > room {
			break
		}
		if s[i] == ' ' {
			blank = i
		}
		used += w
		i += size
	}
	switch {
	case i >= len(s):
		return s, len(s)
	case s[i] == ' ':
		blank = i
	case i == 0: // one character is wider than the line
		_, _, size := next(s)
		return "", size
	}
	if blank > 0 {
		return strings.TrimRight(s[:blank], " "), blank + 1
	}
	return s[:i], i
}
