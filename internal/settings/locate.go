package settings

import (
	"fmt"
	"strings"
)

// The TOML library tells where a file is no TOML, but not where in it a key stands that
// it has read. So the text, which is known to be TOML by then, is gone through once more.

// place is where something stands in a file.
type place struct{ line, column, offset int }

// places has where each key and each element of an array stands, by its path, such as
// routes[1].retry.base; and for keys, where their value does, behind an equals sign.
type places map[string]place

// locator goes through a text.
type locator struct {
	text   string
	at     int
	line   int
	begin  int            // of the line
	tables map[string]int // how many [[tables]] of a path there were
	found  places
}

func locate(text string) places {
	l := &locator{text: text, line: 1, tables: map[string]int{}, found: places{}}
	prefix := ""
	for l.space("\n\r"); l.at < len(l.text); l.space("\n\r") {
		if l.text[l.at] == '[' {
			prefix = l.header()
		} else {
			l.pair(prefix)
		}
	}
	return l.found
}

// mark notes where path is, if it is not known yet.
func (l *locator) mark(path string, p place) {
	if _, ok := l.found[path]; !ok {
		l.found[path] = p
	}
}

func (l *locator) here() place { return place{l.line, l.at - l.begin + 1, l.at} }

// next goes on by n bytes.
func (l *locator) next(n int) {
	for ; n > 0 && l.at < len(l.text); n-- {
		l.at++
		if l.text[l.at-1] == '\n' {
			l.line, l.begin = l.line+1, l.at
		}
	}
}

// space goes on behind blanks, comments, and the characters given.
func (l *locator) space(also string) {
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case c == '#':
			l.until("\n")
		case c == ' ' || c == '\t' || strings.IndexByte(also, c) >= 0:
			l.next(1)
		default:
			return
		}
	}
}

// until goes on to the first of the characters given.
func (l *locator) until(stop string) {
	n := strings.IndexAny(l.text[l.at:], stop)
	if n < 0 {
		n = len(l.text) - l.at
	}
	l.next(n)
}

// header reads [a.b] or [[a.b]] and returns the path of the table.
func (l *locator) header() string {
	at := l.here()
	l.next(1)
	many := strings.HasPrefix(l.text[l.at:], "[")
	if many {
		l.next(1)
	}
	path := ""
	names := l.names()
	for i, name := range names {
		path = Join(path, name)
		n, ok := l.tables[path]
		switch {
		case many && i == len(names)-1:
			l.mark(path, at)
			l.tables[path] = n + 1
			path = fmt.Sprintf("%s[%d]", path, n)
		case ok:
			path = fmt.Sprintf("%s[%d]", path, n-1)
		}
		l.mark(path, at)
	}
	l.until("\n")
	return path
}

// pair reads a key and its value.
func (l *locator) pair(prefix string) {
	at := l.here()
	path := prefix
	for _, name := range l.names() {
		path = Join(path, name)
		l.mark(path, at)
	}
	l.space("")
	l.next(1) // the equals sign
	l.space("")
	l.mark(path+"=", l.here())
	l.value(path)
}

// names reads the names of a key with dots.
func (l *locator) names() (names []string) {
	for {
		l.space("")
		begin := l.at
		if l.at < len(l.text) && (l.text[l.at] == '"' || l.text[l.at] == '\'') {
			l.quoted()
			names = append(names, unquote(l.text[begin:l.at]))
		} else {
			l.until(" \t.=]\r\n")
			names = append(names, l.text[begin:l.at])
		}
		l.space("")
		if !strings.HasPrefix(l.text[l.at:], ".") {
			return names
		}
		l.next(1)
	}
}

// value goes on behind a value, and notes where its elements and its keys are.
func (l *locator) value(path string) {
	if l.at == len(l.text) {
		return
	}
	switch l.text[l.at] {
	case '"', '\'':
		l.quoted()
	case '[':
		l.next(1)
		for i := 0; l.inside(']'); i++ {
			element := fmt.Sprintf("%s[%d]", path, i)
			l.mark(element, l.here())
			l.mark(element+"=", l.here())
			l.value(element)
		}
	case '{':
		l.next(1)
		for l.inside('}') {
			l.pair(path)
		}
	default:
		l.until(",]}#\n")
	}
}

// inside reports whether something stands before the end of an array or a table, and goes
// on to it, or else behind the end.
func (l *locator) inside(end byte) bool {
	l.space(",\r\n")
	if l.at < len(l.text) && l.text[l.at] != end {
		return true
	}
	l.next(1)
	return false
}

// quoted goes on behind a string, of one line or of many.
func (l *locator) quoted() {
	quote := l.text[l.at : l.at+1]
	if strings.HasPrefix(l.text[l.at:], strings.Repeat(quote, 3)) {
		quote = strings.Repeat(quote, 3)
	}
	l.next(len(quote))
	for l.at < len(l.text) && !strings.HasPrefix(l.text[l.at:], quote) {
		if l.text[l.at] == '\\' && quote[0] == '"' {
			l.next(1)
		}
		l.next(1)
	}
	l.next(len(quote))
	for len(quote) == 3 && strings.HasPrefix(l.text[l.at:], quote[:1]) {
		l.next(1) // Quotes at the end belong to the text.
	}
}
