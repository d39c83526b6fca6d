// Package settings reads the settings of a TOML file, and says where in the file one stands
// that is wrong.
//
// Whoever reads a file says which keys there are and what each of them takes, as [Fields].
// Nothing is guessed: a key that is not known and a value of another type are an [Error]
// that names the line, the column, and what to write.
package settings

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// Error says what is wrong with a file, and where. It takes one line.
type Error struct {
	File   string // its name
	Line   int    // from 1
	Column int    // in bytes, from 1
	Field  string // such as routes[1].retry.base; "" for what is no TOML
	Text   string // what it is, and what it should be
}

// Error names the file, the place in it, the field, and what to do.
func (e *Error) Error() string {
	text := e.Text
	if e.Field != "" {
		text = e.Field + " " + text
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, text)
}

// Read reads the text of a file of that name and hands it to take, which calls
// [Reader.Take]. What has been taken when there is an error must not be used.
func Read(file, text string, take func(*Reader, Tree) error) error {
	tree, err := decode(file, text)
	if err != nil {
		return err
	}
	return take(&Reader{file: file, text: text, places: locate(text)}, tree)
}

// Tree is what a table holds.
type Tree = map[string]any

func decode(file, text string) (tree Tree, err error) {
	if err := check(file, text); err != nil {
		return nil, err
	}
	if at := tooDeep(text); at >= 0 {
		return nil, wrongAt(file, text, at, "there are too many tables or arrays in each other here: no setting needs them")
	}
	if _, err = toml.Decode(text, &tree); err == nil {
		return tree, nil
	}
	at := toml.ParseError{}
	if !errors.As(err, &at) {
		return nil, &Error{File: file, Line: 1, Column: 1, Text: err.Error()}
	}
	return nil, wrongAt(file, text, at.Position.Start, at.Message)
}

// wrongAt returns the error for a byte of the text. The line that the library counts is the
// next one where it stands at a line's end.
func wrongAt(file, text string, at int, says string) error {
	before := text[:min(max(at, 0), len(text))]
	return &Error{File: file, Line: strings.Count(before, "\n") + 1, Column: len(before) - strings.LastIndex(before, "\n"), Text: says}
}

// check returns the error for a byte that no TOML may have. The library's own is not
// always where the byte is.
func check(file, text string) error {
	for i, c := range text {
		switch {
		case c == utf8.RuneError && !strings.HasPrefix(text[i:], string(utf8.RuneError)):
			return wrongAt(file, text, i, fmt.Sprintf("the byte 0x%02x is no UTF-8: write the file as UTF-8 text", text[i]))
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' || c == 0x7f:
			return wrongAt(file, text, i, fmt.Sprintf("the control character 0x%02x may not stand here: leave it out", c))
		}
	}
	return nil
}

// Reader knows where in a file its values stand.
type Reader struct {
	file   string
	text   string
	places places
}

// Take reads the keys of a file's top level, in the order in which they stand in it.
func (r *Reader) Take(tree Tree, known Fields) error { return r.table("", tree, known) }

// Wrong returns the [Error] for the value at a path: what it is, and what it should be.
func (r *Reader) Wrong(at, is, advice string) *Error {
	line, column := r.Place(at)
	return &Error{File: r.file, Field: at, Text: is + ": " + advice, Line: line, Column: column}
}

// Place returns where the value at a path stands, or else what it is in.
func (r *Reader) Place(at string) (line, column int) {
	for path := at; path != ""; path = parent(path) {
		p, ok := r.places[path+"="]
		if !ok {
			p, ok = r.places[path]
		}
		if ok {
			return p.line, p.column
		}
	}
	return 1, 1
}

// Element returns the [Error] for an element of the list at a path, or for what stands there
// in place of a list of one.
func (r *Reader) Element(at string, i int, is, advice string) *Error {
	e := r.Wrong(at, is, advice)
	if p, ok := r.places[Element(at, i)]; ok {
		e.Line, e.Column = p.line, p.column
	}
	return e
}

// Inside returns the [Error] for a byte of the string at a path, where it is written as it
// is; else for the string.
func (r *Reader) Inside(at, text string, offset int, is, advice string) *Error {
	e := r.Wrong(at, is, advice)
	if p, ok := r.places[at+"="]; ok && offset <= len(text) && strings.HasPrefix(r.text[p.offset+1:], text) {
		e.Column += 1 + offset
	}
	return e
}

// Key returns the [Error] for a key, which stands where the key does and not its value.
func (r *Reader) Key(at, is, advice string) *Error {
	line, column := r.Place(at)
	if p, ok := r.places[at]; ok {
		line, column = p.line, p.column
	}
	return &Error{File: r.file, Field: at, Text: is + ": " + advice, Line: line, Column: column}
}
