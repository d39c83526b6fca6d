package keys

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"charm.land/bubbles/v2/key"
)

// Entry is a binding with the name by which it can be changed, such as page_down.
type Entry struct {
	Name string
	Key  *key.Binding
}

// Entries returns all bindings of the map, in the order in which they are declared. A
// binding that is added to Map has a name by that alone.
func (m *Map) Entries() []Entry {
	v := reflect.ValueOf(m).Elem()
	all := make([]Entry, v.NumField())
	for i := range all {
		all[i] = Entry{snake(v.Type().Field(i).Name), v.Field(i).Addr().Interface().(*key.Binding)}
	}
	return all
}

// snake returns the name of a field in the spelling of the configuration.
func snake(field string) string {
	var b strings.Builder
	for i, c := range field {
		if unicode.IsUpper(c) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// named returns the binding of that name, nil if there is none.
func (m *Map) named(name string) *key.Binding {
	for _, e := range m.Entries() {
		if e.Name == name {
			return e.Key
		}
	}
	return nil
}

// nameOf returns the name of a binding of the map.
func (m *Map) nameOf(b *key.Binding) string {
	for _, e := range m.Entries() {
		if e.Key == b {
			return e.Name
		}
	}
	return ""
}

// modifiers in the order in which a terminal's keys are spelled.
var modifiers = [...]string{"ctrl+", "alt+", "shift+"}

// read returns a key in the spelling in which terminals report it. The error says what is
// wrong with it and what to write.
func read(text string) (string, error) {
	mods, base := split(text)
	runes := []rune(base)
	switch {
	case text == "" || base == "" || len(runes) > 1 && !plainName(base):
		return "", fmt.Errorf("there is no such key: use a character, or enter, esc, tab, space, backspace, delete, insert, home, end, pgup, pgdown, up, down, left, right, f1 to f12, with ctrl+, alt+ or shift+ before it")
	case len(runes) == 1:
		return readCharacter(mods, runes[0])
	}
	if mods != "" && slices.Contains([]string{"enter", "esc", "tab", "space", "backspace"}, base) &&
		!slices.Contains([]string{"shift+tab", "ctrl+space", "alt+enter", "alt+backspace"}, mods+base) {
		return "", fmt.Errorf("most terminals cannot tell it from %s: use another key", base)
	}
	return mods + base, nil
}

// split takes the modifiers off a key, in whatever order they stand.
func split(text string) (mods, base string) {
	has, base := [len(modifiers)]bool{}, text
	for again := true; again; {
		again = false
		for i, m := range modifiers {
			if rest, ok := strings.CutPrefix(base, m); ok && rest != "" && !has[i] {
				has[i], base, again = true, rest, true
			}
		}
	}
	for i, m := range modifiers {
		if has[i] {
			mods += m
		}
	}
	return mods, base
}

// plainName reports whether text is the name of a key without modifiers.
func plainName(text string) bool {
	for i := range 12 {
		if text == fmt.Sprintf("f%d", i+1) {
			return true
		}
	}
	return isArrow(text) || slices.Contains([]string{
		"enter", "esc", "tab", "space", "backspace", "delete", "insert", "home", "end", "pgup", "pgdown",
	}, text)
}

// readCharacter reads a key that is one character. What a terminal sends for ctrl+i is
// what it sends for tab, and so with some others.
func readCharacter(mods string, c rune) (string, error) {
	same := map[rune]string{'i': "tab", 'm': "enter", '[': "esc", 'h': "backspace", '@': "ctrl+space", '?': "backspace"}[c]
	switch {
	case c == ' ':
		return "", fmt.Errorf(`write "%sspace"`, mods)
	case !unicode.IsPrint(c) || unicode.IsMark(c):
		return "", fmt.Errorf("it is no character that a key types: use another key")
	case mods == "":
		return string(c), nil
	case mods == "shift+" && unicode.ToUpper(c) != c:
		return "", fmt.Errorf("write %q", unicode.ToUpper(c))
	case strings.Contains(mods, "shift+"):
		return "", fmt.Errorf("terminals send the character that shift makes of it: write that, without shift+")
	case unicode.IsUpper(c):
		return "", fmt.Errorf(`write "%s%c"`, mods, unicode.ToLower(c))
	case mods == "alt+" && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9'):
		return mods + string(c), nil
	case mods == "ctrl+" && same != "":
		return "", fmt.Errorf("most terminals cannot tell it from %s: use another key", same)
	case mods == "ctrl+" && (c >= 'a' && c <= 'z' || strings.ContainsRune(`\]^_`, c)):
		return mods + string(c), nil
	}
	return "", fmt.Errorf("most terminals cannot send it: use ctrl+ or alt+ with a letter")
}

// types reports whether a key writes into a text, or takes from it.
func types(name string) bool {
	return name == "space" || name == "backspace" || len([]rune(name)) == 1
}
