package main

import "strings"

// keyBytes returns what a terminal without any keyboard extension sends for a key, named as
// Bubble Tea names it ("enter", "ctrl+d", "shift+tab"). What is not a name is typed as it is.
func keyBytes(name string) string {
	switch name {
	case "enter":
		return "\r"
	case "esc":
		return "\x1b"
	case "tab":
		return "\t"
	case "shift+tab":
		return "\x1b[Z"
	case "space":
		return " "
	case "backspace":
		return "\x7f"
	case "up":
		return "\x1b[A"
	case "down":
		return "\x1b[B"
	case "right":
		return "\x1b[C"
	case "left":
		return "\x1b[D"
	case "home":
		return "\x1b[H"
	case "end":
		return "\x1b[F"
	case "pgup":
		return "\x1b[5~"
	case "pgdown":
		return "\x1b[6~"
	}
	if letter, ok := strings.CutPrefix(name, "ctrl+"); ok && len(letter) == 1 && letter[0] >= 'a' && letter[0] <= 'z' {
		return string(rune(letter[0] - 'a' + 1))
	}
	return name
}
