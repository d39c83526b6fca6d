package settings

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"redial/ledger"
)

// Fields says what is done with each key of a table.
type Fields map[string]Field

// Field takes the value of a key. At is the path where it stands.
type Field func(r *Reader, at string, value any) error

// table reads the keys in the order in which they stand in the file.
func (r *Reader) table(at string, tree Tree, known Fields) error {
	for _, k := range r.order(at, tree) {
		path := Join(at, k)
		f, ok := known[k]
		if !ok {
			return r.Key(path, "is unknown", "use "+or(slices.Sorted(maps.Keys(known))))
		}
		if err := f(r, path, tree[k]); err != nil {
			return err
		}
	}
	return nil
}

// order returns the keys of a table in the order in which they stand in the file.
func (r *Reader) order(at string, tree Tree) []string {
	return slices.SortedFunc(maps.Keys(tree), func(a, b string) int {
		p, q := r.places[Join(at, a)], r.places[Join(at, b)]
		return cmp.Or(cmp.Compare(p.line, q.line), cmp.Compare(p.column, q.column), cmp.Compare(a, b))
	})
}

// or lists words.
func or(words []string) string {
	last := len(words) - 1
	if last == 0 {
		return words[0]
	}
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

// Not returns the [Error] for a value that is not what it should be.
func (r *Reader) Not(at string, value any, advice string) error {
	switch value.(type) {
	case Tree, []Tree:
		return r.Wrong(at, "is a table", advice)
	case []any:
		return r.Wrong(at, "is an array", advice)
	}
	return r.Wrong(at, "is "+show(value), advice)
}

// Table takes a table with these keys.
func Table(known Fields) Field {
	return func(r *Reader, at string, value any) error {
		t, ok := value.(Tree)
		if !ok {
			return r.Not(at, value, "make it a table")
		}
		return r.table(at, t, known)
	}
}

// Each takes a table whose keys are names of the user's. It reads them in the order in
// which they stand in the file.
func Each(entry func(name string) Field) Field {
	return func(r *Reader, at string, value any) error {
		t, ok := value.(Tree)
		if !ok {
			return r.Not(at, value, "make it a table")
		}
		for _, name := range r.order(at, t) {
			if err := entry(name)(r, Join(at, name), t[name]); err != nil {
				return err
			}
		}
		return nil
	}
}

// Tables takes an array of tables, each into an element of its own.
func Tables[T any](to *[]T, known func(*T) Fields) Field {
	return func(r *Reader, at string, value any) error {
		all, ok := value.([]Tree)
		if !ok {
			list, isList := value.([]any)
			if !isList {
				return r.Not(at, value, "make it tables, each under [["+at+"]]")
			}
			for i, v := range list {
				t, isTable := v.(Tree)
				if !isTable {
					return r.Not(Element(at, i), v, "make it a table")
				}
				all = append(all, t)
			}
		}
		*to = make([]T, len(all))
		for i, t := range all {
			if err := r.table(Element(at, i), t, known(&(*to)[i])); err != nil {
				return err
			}
		}
		return nil
	}
}

// List takes an array. The result is not nil, also if it is empty.
func List[T any](to *[]T, element func(*T) Field) Field {
	return func(r *Reader, at string, value any) error {
		all, ok := value.([]any)
		if !ok {
			return r.Not(at, value, "make it an array")
		}
		*to = make([]T, len(all))
		for i, v := range all {
			if err := element(&(*to)[i])(r, Element(at, i), v); err != nil {
				return err
			}
		}
		return nil
	}
}

// Text takes a string.
func Text(to *string) Field {
	return func(r *Reader, at string, value any) error {
		s, ok := value.(string)
		if !ok {
			return r.Not(at, value, "make it a string")
		}
		*to = s
		return nil
	}
}

// Boolean takes true or false.
func Boolean(to *bool) Field {
	return func(r *Reader, at string, value any) error {
		b, ok := value.(bool)
		if !ok {
			return r.Not(at, value, "use true or false")
		}
		*to = b
		return nil
	}
}

// Integer takes a whole number.
func Integer[T int | int64](to *T) Field {
	return func(r *Reader, at string, value any) error {
		n, ok := value.(int64)
		if !ok || int64(T(n)) != n {
			return r.Not(at, value, "use a whole number")
		}
		*to = T(n)
		return nil
	}
}

// Number takes a number.
func Number(to *float64) Field {
	return func(r *Reader, at string, value any) error {
		switch n := value.(type) {
		case int64:
			*to = float64(n)
		case float64:
			*to = n
		default:
			return r.Not(at, value, "use a number")
		}
		return nil
	}
}

// Duration takes a string of a number with a unit.
func Duration(to *time.Duration) Field {
	return func(r *Reader, at string, value any) error {
		s, ok := value.(string)
		d, err := ledger.ParseDuration(s)
		if !ok || err != nil {
			return r.Not(at, value, `use a string of a number with a unit, such as "150ms", "4.5s", "2h30m" or "14d"`)
		}
		*to = d
		return nil
	}
}

// OneOf takes one of the names.
func OneOf[T any](to *T, names map[string]T) Field {
	return func(r *Reader, at string, value any) error {
		s, ok := value.(string)
		v, known := names[s]
		if !ok || !known {
			return r.Not(at, value, "use "+or(slices.Sorted(maps.Keys(names))))
		}
		*to = v
		return nil
	}
}

// Choice is [OneOf] for the elements of a list.
func Choice[T any](names map[string]T) func(*T) Field {
	return func(to *T) Field { return OneOf(to, names) }
}
