// Package palette is the list of everything that can be done where the user is, to be found
// by a few of its letters.
//
// It does nothing itself: it tells its owner what was chosen, which then happens as if its
// key had been pressed. What asks before it does something asks here, too.
package palette

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/tui/choice"
	"redial/tui/entry"
	"redial/tui/keys"
	"redial/tui/scene"
)

// Command is something that can be done.
type Command struct {
	Does string         // what it does
	Of   string         // where it belongs, as help names the group
	Key  string         // what does it, as help names it; "" without a key
	Run  func() tea.Cmd // does it
}

// Palette asks what to do. Make it with [New].
type Palette struct {
	scene *scene.Scene
	all   []Command
	found []hit // those that are listed
	list  choice.List
	entry *entry.Entry
}

// Answer is what a key made of the palette.
type Answer int

// The answers.
const (
	Open   Answer = iota // it still asks
	Left                 // nothing is to be done
	Chosen               // [Palette.Command] is to be done
)

// New returns a palette of commands, in this order as long as nothing is written.
func New(s *scene.Scene, all []Command) *Palette {
	p := &Palette{scene: s, all: all, entry: entry.New()}
	p.narrow()
	return p
}

// Command returns the selected command. There is one once a key has chosen it.
func (p *Palette) Command() *Command { return &p.all[p.found[p.list.Cursor()].command] }

// Key handles a key.
func (p *Palette) Key(k tea.KeyPressMsg) Answer {
	km := p.scene.Keys
	switch {
	case key.Matches(k, km.Cancel):
		return Left
	case key.Matches(k, km.Apply):
		if len(p.found) > 0 && !k.IsRepeat { // one that is held would go on to do what comes next
			return Chosen
		}
	case key.Matches(k, km.Above, km.CompleteBack):
		p.list.Move(-1)
	case key.Matches(k, km.Below, km.Complete):
		p.list.Move(1)
	default:
		p.take(k)
	}
	return Open
}

// Move selects the command n rows further down, or the last one.
func (p *Palette) Move(n int) { p.list.Move(n) }

// Paste adds pasted text to what is looked for, and chooses nothing.
func (p *Palette) Paste(m tea.PasteMsg) { p.take(m) }

func (p *Palette) take(msg tea.Msg) {
	if p.entry.Update(msg) {
		p.narrow()
	}
}

// narrow lists the commands that have what is written, and selects the best.
func (p *Palette) narrow() {
	p.found = find(p.all, p.entry.Text())
	names := make([]string, len(p.found))
	p.list.Set(nil)
	p.list.Set(names)
}

// Bindings returns the keys of the palette.
func (p *Palette) Bindings() scene.Bindings {
	km := p.scene.Keys
	list := []key.Binding{keys.Pair(km.Above, km.Below, "choose"), keys.Does(km.Apply, "do it"), keys.Does(km.Cancel, "do nothing")}
	return scene.Bindings{Short: list, Full: []keys.Named{{Title: "Commands", Keys: list}}}
}
