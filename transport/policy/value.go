package policy

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"redial/ledger"
)

// reader reads a tree of TOML values, and knows where in the file they stand.
type reader struct {
	file   string
	places places
}

// wrong returns the error for the value at a path: what it is, and what it should be.
func (r *reader) wrong(at, is, advice string) error {
	e := &Error{File: r.file, Field: at, Text: is + ": " + advice, Line: 1, Column: 1}
	for path := at; path != ""; path = parent(path) {
		p, ok := r.places[path+"="]
		if !ok {
			p, ok = r.places[path]
		}
		if ok {
			e.Line, e.Column = p.line, p.column
			break
		}
	}
	return e
}

// parent returns the path of what the element or key at a path is in.
func parent(path string) string { return path[:max(strings.LastIndexAny(path, ".["), 0)] }

// key returns the path that the name of a Go field has in a file.
func key(field string) string {
	var b strings.Builder
	for i, c := range field {
		if unicode.IsUpper(c) && i > 0 && field[i-1] != '.' {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// table reads the keys in the order in which they stand in the file.
func (r *reader) table(at string, tree map[string]any, known fields) error {
	keys := slices.SortedFunc(maps.Keys(tree), func(a, b string) int {
		p, q := r.places[join(at, a)], r.places[join(at, b)]
		return cmp.Or(cmp.Compare(p.line, q.line), cmp.Compare(p.column, q.column), cmp.Compare(a, b))
	})
	for _, k := range keys {
		path := join(at, k)
		f, ok := known[k]
		if !ok {
			return r.unknown(path, slices.Sorted(maps.Keys(known)))
		}
		if err := f(r, path, tree[k]); err != nil {
			return err
		}
	}
	return nil
}

// unknown returns the error for a key that is not known, which is where the key stands.
func (r *reader) unknown(path string, known []string) error {
	e := r.wrong(path, "is unknown", "use "+or(known)).(*Error)
	if p, ok := r.places[path]; ok {
		e.Line, e.Column = p.line, p.column
	}
	return e
}

// or lists words.
func or(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// show returns a value as it stands in a file, cut off if it is long.
func show(value any) string {
	s, ok := value.(string)
	if !ok {
		s = fmt.Sprint(value)
	}
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:60], "") + "…"
	}
	if ok {
		return strconv.Quote(s)
	}
	return s
}

func (r *reader) not(at string, value any, advice string) error {
	switch value.(type) {
	case map[string]any, []map[string]any:
		return r.wrong(at, "is a table", advice)
	case []any:
		return r.wrong(at, "is an array", advice)
	}
	return r.wrong(at, "is "+show(value), advice)
}

func table(known fields) field {
	return func(r *reader, at string, value any) error {
		t, ok := value.(map[string]any)
		if !ok {
			return r.not(at, value, "make it a table")
		}
		return r.table(at, t, known)
	}
}

// tables reads an array of tables, each into an element of its own.
func tables[T any](to *[]T, known func(*T) fields) field {
	return func(r *reader, at string, value any) error {
		all, ok := value.([]map[string]any)
		if !ok {
			list, isList := value.([]any)
			if !isList {
				return r.not(at, value, "make it tables, each under [["+at+"]]")
			}
			for i, v := range list {
				t, isTable := v.(map[string]any)
				if !isTable {
					return r.not(fmt.Sprintf("%s[%d]", at, i), v, "make it a table")
				}
				all = append(all, t)
			}
		}
		*to = make([]T, len(all))
		for i, t := range all {
			if err := r.table(fmt.Sprintf("%s[%d]", at, i), t, known(&(*to)[i])); err != nil {
				return err
			}
		}
		return nil
	}
}

// list reads an array. The result is not nil, also if it is empty.
func list[T any](to *[]T, element func(*T) field) field {
	return func(r *reader, at string, value any) error {
		all, ok := value.([]any)
		if !ok {
			return r.not(at, value, "make it an array")
		}
		*to = make([]T, len(all))
		for i, v := range all {
			if err := element(&(*to)[i])(r, fmt.Sprintf("%s[%d]", at, i), v); err != nil {
				return err
			}
		}
		return nil
	}
}

func text(to *string) field {
	return func(r *reader, at string, value any) error {
		s, ok := value.(string)
		if !ok {
			return r.not(at, value, "make it a string")
		}
		*to = s
		return nil
	}
}

func boolean(to *bool) field {
	return func(r *reader, at string, value any) error {
		b, ok := value.(bool)
		if !ok {
			return r.not(at, value, "use true or false")
		}
		*to = b
		return nil
	}
}

func integer[T int | int64](to *T) field {
	return func(r *reader, at string, value any) error {
		n, ok := value.(int64)
		if !ok || int64(T(n)) != n {
			return r.not(at, value, "use a whole number")
		}
		*to = T(n)
		return nil
	}
}

func number(to *float64) field {
	return func(r *reader, at string, value any) error {
		switch n := value.(type) {
		case int64:
			*to = float64(n)
		case float64:
			*to = n
		default:
			return r.not(at, value, "use a number")
		}
		return nil
	}
}

func duration(to *time.Duration) field {
	return func(r *reader, at string, value any) error {
		s, ok := value.(string)
		d, err := ledger.ParseDuration(s)
		if !ok || err != nil {
			return r.not(at, value, `use a string of a number with a unit, such as "150ms", "4.5s", "2h30m" or "14d"`)
		}
		*to = d
		return nil
	}
}

// oneOf reads one of the names.
func oneOf[T any](to *T, names map[string]T) field {
	return func(r *reader, at string, value any) error {
		s, ok := value.(string)
		v, known := names[s]
		if !ok || !known {
			return r.not(at, value, "use "+or(slices.Sorted(maps.Keys(names))))
		}
		*to = v
		return nil
	}
}

// choice is oneOf for the elements of a list.
func choice[T any](names map[string]T) func(*T) field {
	return func(to *T) field { return oneOf(to, names) }
}
