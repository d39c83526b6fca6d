package filter

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/theme"
)

// Take handles a key that is about the filter, for a screen that shows the filter of another
// one. It reports whether the key was one of those, and whether another filter holds than
// before, or it was switched off or on; say answers the user.
func (b *Bar) Take(k tea.KeyPressMsg, say func(string)) (taken, changed bool) {
	switch {
	case b.editing:
		return true, b.Update(k)
	case key.Matches(k, b.keys.Filter):
		b.Edit()
	case !key.Matches(k, b.keys.Toggle):
		return false, false
	case b.Text() == "":
		say("there is no filter: " + b.keys.Filter.Help().Key + " writes one")
	default:
		b.Toggle()
		say(map[bool]string{true: "the filter is off; its text is kept", false: "the filter is on"}[b.off])
		return true, true
	}
	return true, false
}

// Paste takes pasted text if the filter is being written, and else says that it was not
// taken. It reports whether another filter holds than before.
func (b *Bar) Paste(m tea.PasteMsg, say func(string)) (changed bool) {
	if !b.editing {
		say("nothing was pasted: " + b.keys.Filter.Help().Key + " opens the filter")
		return false
	}
	return b.Update(m)
}

// Prompt returns the line in which the filter is written, its cursor, and what there was no
// room for of what is wrong with it; ok is false while nothing is written.
func (b *Bar) Prompt(th *theme.Theme, width int) (line string, cursor *tea.Cursor, wrong string, ok bool) {
	if !b.editing {
		return "", nil, "", false
	}
	line, x, wrong := b.View(th, width)
	cursor = tea.NewCursor(min(x, max(width-1, 0)), 0)
	cursor.Shape = tea.CursorBar
	return line, cursor, wrong, true
}

// ByHost returns what of a filter can be told from a host alone: the parts of it that name
// nothing else. whole reports whether that is all of it.
func ByHost(f ledger.Filter) (keep func(host string) bool, whole bool) {
	parts, ok := f.Root.(ledger.And)
	if !ok && f.Root != nil {
		parts = ledger.And{f.Root}
	}
	var known ledger.And
	for _, x := range parts {
		if ofHost(x) {
			known = append(known, x)
		}
	}
	only := ledger.Filter{Root: known}
	return func(host string) bool {
		return only.Match(&ledger.Call{Host: host}, ledger.Env{})
	}, len(known) == len(parts)
}

// ofHost reports whether an expression asks for nothing but the host.
func ofHost(x ledger.Expr) bool {
	all := func(parts []ledger.Expr) bool {
		for _, p := range parts {
			if !ofHost(p) {
				return false
			}
		}
		return true
	}
	switch x := x.(type) {
	case ledger.And:
		return all(x)
	case ledger.Or:
		return all(x)
	case ledger.Not:
		return ofHost(x.X)
	case *ledger.Term:
		return x.Key == ledger.KeyHost
	}
	return false
}
