package tui

import (
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"
)

// tornFor is how late the rest of a sequence may be.
const tornFor = time.Second

// torn recognises the rest of an escape sequence whose beginning came so much earlier
// that the library has given it up, as happens on slow lines and busy machines. The rest
// looks like keys: a wheel would type "2;5M" into the filter, or open another screen.
type torn struct {
	in   sequence
	last time.Time // when the last part came
}

// sequence is what a key may be the rest of.
type sequence int

const (
	none    sequence = iota
	escape           // an escape: what follows may be the rest of anything
	bracket          // escape and [
	control          // parameters of a control sequence, which end with a letter
	words            // text of a command to the terminal, which ends with BEL or ST
)

// begin takes a sequence that was given up.
func (t *torn) begin(e uv.UnknownEvent, now time.Time) {
	t.last = now
	switch s := string(e); {
	case strings.HasPrefix(s, "\x1b["):
		t.in = control
	case strings.HasPrefix(s, "\x1b]"), strings.HasPrefix(s, "\x1bP"), strings.HasPrefix(s, "\x1b_"):
		t.in = words
	}
}

// swallow reports whether a key is the rest of a sequence, and no key at all.
func (t *torn) swallow(k tea.KeyPressMsg, now time.Time) bool {
	if now.Sub(t.last) > tornFor {
		t.in = none
	}
	t.last = now
	was := t.in
	t.in = none
	switch key := k.String(); was {
	case control:
		if len(k.Text) == 1 && k.Text[0] >= ' ' && k.Text[0] < '@' {
			t.in = control
		}
		return k.Text != ""
	case words:
		if key == "ctrl+g" || key == `alt+\` {
			return true
		}
		t.in = words
		return k.Text != ""
	case bracket:
		if key == "<" || key == "?" { // no key: only the terminal sends it after escape and [
			t.in = control
			return true
		}
	case escape:
		if key == "[" {
			t.in = bracket
		}
	}
	switch k.String() {
	case "esc":
		t.in = escape
	case "alt+[":
		t.in = bracket
	}
	return false
}
