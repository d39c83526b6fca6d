package settings

import (
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// Join returns the path of a key in what stands at a path. A name that TOML would quote is
// quoted, so that no two keys have one path.
func Join(path, name string) string {
	if name == "" || strings.ContainsFunc(name, func(c rune) bool {
		return c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
	}) {
		name = strconv.Quote(name)
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// Element returns the path of an element of the array at a path.
func Element(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// parent returns the path of what the element or key at a path is in.
func parent(path string) string {
	last, quoted := 0, false
	for i := 0; i < len(path); i++ {
		switch c := path[i]; {
		case c == '\\' && quoted:
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && (c == '.' || c == '['):
			last = i
		}
	}
	return path[:last]
}

// unquote returns what a quoted name of a key says.
func unquote(quoted string) string {
	var v struct{ Name string }
	if _, err := toml.Decode("name = "+quoted, &v); err != nil {
		return quoted
	}
	return v.Name
}
