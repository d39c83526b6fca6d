package detail

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

const (
	mostJSON  = 256 << 10 // bytes of JSON that are laid out
	deepest   = 64        // levels of JSON that are laid out
	mostNodes = 20_000    // values of JSON that are laid out
)

// node is a value of JSON.
type node struct {
	key  string  // as it is written, with a colon and a space; "" in arrays
	text string  // a value that holds no others; "" for one that does
	open string  // { or [, "" for a value that holds no others
	kids []*node // in the order in which they came
	cut  bool    // the rest of it is missing
}

// errDeep is JSON that is laid out better as the text that it is.
var errDeep = errors.New("too deep or too much")

// parser reads JSON that may be cut off.
type parser struct {
	*json.Decoder
	nodes int
}

// parseJSON returns the values of a text of JSON, one after the other, or none if it is
// no JSON as far as it goes.
func parseJSON(data []byte) []*node {
	start := bytes.TrimLeft(data, " \t\r\n")
	if len(start) == 0 || start[0] != '{' && start[0] != '[' {
		return nil
	}
	p := parser{Decoder: json.NewDecoder(bytes.NewReader(data[:min(len(data), mostJSON)]))}
	p.UseNumber()
	var all []*node
	for {
		n, err := p.value(0)
		if n != nil {
			all = append(all, n)
		}
		switch {
		case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
			return all
		case err != nil:
			return nil
		}
	}
}

// value reads a value. One that is cut off comes with the error.
func (p *parser) value(depth int) (*node, error) {
	if p.nodes++; depth > deepest || p.nodes > mostNodes {
		return nil, errDeep
	}
	token, err := p.Token()
	if err != nil {
		return nil, err
	}
	delim, ok := token.(json.Delim)
	if !ok {
		return &node{text: literal(token)}, nil
	}
	n := &node{open: delim.String()}
	for p.More() {
		key := ""
		if n.open == "{" {
			token, err := p.Token()
			if err != nil {
				n.cut = true
				return n, err
			}
			key = literal(token) + ": "
		}
		kid, err := p.value(depth + 1)
		if kid != nil {
			kid.key = key
			n.kids = append(n.kids, kid)
		}
		if err != nil {
			n.cut = true
			return n, err
		}
	}
	_, err = p.Token()
	n.cut = err != nil
	return n, err
}

// literal returns a value as JSON writes it.
func literal(token json.Token) string {
	switch v := token.(type) {
	case string:
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if enc.Encode(v) != nil {
			return strconv.Quote(v)
		}
		return string(bytes.TrimSpace(b.Bytes()))
	case json.Number:
		return v.String()
	case nil:
		return "null"
	}
	return fmt.Sprint(token)
}

// close returns what ends a value that holds others.
func (n *node) close() string {
	switch {
	case n.cut:
		return "… cut off"
	case n.open == "{":
		return "}"
	}
	return "]"
}

// lines returns how many lines a value takes when nothing in it is folded.
func (n *node) lines() int {
	if len(n.kids) == 0 {
		return 1
	}
	sum := 2
	for _, k := range n.kids {
		sum += k.lines()
	}
	return sum
}

// plain appends the lines of a value with nothing folded, for comparing.
func (n *node) plain(lines []string, indent, comma string) []string {
	switch {
	case n.open == "":
		return append(lines, indent+n.key+n.text+comma)
	case len(n.kids) == 0:
		return append(lines, indent+n.key+n.open+n.close()+comma)
	}
	lines = append(lines, indent+n.key+n.open)
	for i, k := range n.kids {
		next := ","
		if i == len(n.kids)-1 {
			next = ""
		}
		lines = k.plain(lines, indent+"  ", next)
	}
	return append(lines, indent+n.close()+comma)
}
