package curl

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quote returns s as one word of a shell that stands for exactly its bytes. A text that
// only shows is put between single quotes. Everything else needs the escapes of $'…', in
// three octal digits so that what follows cannot belong to them; the exclamation mark is
// among them, since interactive shells look for it there.
func quote(s string) string {
	if shows(s) {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return "$'" + escape(s, `'\!`) + "'"
}

// shows reports whether all of s is text that a terminal only shows.
func shows(s string) bool {
	for i, r := range s {
		if !shown(r, s[i:]) {
			return false
		}
	}
	return true
}

// shown reports whether a character, with which s begins, is one that a terminal only shows.
func shown(r rune, s string) bool {
	if r == utf8.RuneError {
		if _, n := utf8.DecodeRuneInString(s); n == 1 {
			return false
		}
	}
	return unicode.IsPrint(r)
}

// escape writes in octal every byte that does not show, and those of also.
func escape(s, also string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if shown(r, s[i:]) && !strings.ContainsRune(also, r) {
			b.WriteString(s[i : i+n])
		} else {
			for _, c := range []byte(s[i : i+n]) {
				fmt.Fprintf(&b, `\%03o`, c)
			}
		}
		i += n
	}
	return b.String()
}

// word returns one word of a shell: the parts as they are, with the value of a variable
// between each two of them.
func word(parts, names []string) string {
	var b strings.Builder
	for i, part := range parts {
		if part != "" || len(parts) == 1 {
			b.WriteString(quote(part))
		}
		if i < len(names) {
			b.WriteString(`"$` + names[i] + `"`)
		}
	}
	return b.String()
}

// Comment returns text as one line that no shell acts on.
func Comment(s string) string { return "# " + plain(s) }

// plain returns text that is a comment to every shell, also to one that knows no comments
// while it is interactive.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf && (r == ' ' || strings.ContainsRune(alnum+",.:_/-", r)) {
			return r
		}
		return '.'
	}, s[:min(len(s), 200)])
}
