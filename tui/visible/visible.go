// Package visible makes text from the network safe to print: everything in it that could
// act on a terminal, hide, or move its neighbours is shown as a mark instead.
//
// It exists because no library on the way to the terminal does it. It promises that its
// output is valid UTF-8 on one line, without control, format and bidirectional
// characters, without what is invisible or has no meaning, and with at most
// [MostMarks] combining marks on a character. Text that was harmless is returned as it
// was, and what has passed once passes again unchanged. Two different texts give two
// different results, except where one of them already has characters that look like
// marks, since those stay as they are.
//
// The marks:
//
//	␀ … ␟ ␡      a control character of ASCII, as its picture
//	‹U+202E›     any other character that is not shown as it is
//	‹0xFF›       a byte that is not UTF-8
//
// Letters that are written from right to left are text and stay; a terminal that
// reorders them may show their neighbours in another order.
package visible

import (
	"strings"
	"unicode/utf8"
)

// MostMarks is how many combining marks stay on one character. More than any language
// needs would grow over the rows above and below; those beyond it are shown beside it.
const MostMarks = 4

// Text returns s on one line with everything dangerous made visible. A line break is
// shown as a mark too.
func Text(s string) string {
	if n := harmless(s); n < len(s) {
		return mark(s, n)
	}
	return s
}

// Lines returns the lines of a text of several, each as [Text] returns it. A line ends
// with LF or CR LF; the end of the last one may be missing. Empty text has no lines.
func Lines(s string) []string {
	var lines []string
	for line := range strings.Lines(s) {
		if ended, ok := strings.CutSuffix(line, "\n"); ok {
			line = strings.TrimSuffix(ended, "\r")
		}
		lines = append(lines, Text(line))
	}
	return lines
}

// harmless returns how many bytes at the start of s are printable ASCII.
func harmless(s string) int {
	for i := range len(s) {
		if s[i]-' ' > '~'-' ' {
			return i
		}
	}
	return len(s)
}

// mark returns s with marks for everything dangerous, which does not begin before n.
func mark(s string, n int) string {
	var (
		out   []byte
		done  int // bytes of s that are in out
		marks = MostMarks
	)
	if n > 0 {
		marks = 0
	}
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		switch kind := classify(r, size); {
		case kind == joins && marks < MostMarks:
			marks++
		case kind == shows:
			marks = 0
		case kind == closes:
			marks = MostMarks
		default:
			out = append(out, s[done:n]...)
			out = appendMark(out, s[n:n+size], r)
			done, marks = n+size, MostMarks
		}
		n += size
	}
	if done == 0 {
		return s
	}
	return string(append(out, s[done:]...))
}
