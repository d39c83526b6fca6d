package tui

import (
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"redial/tui/clip"
)

// copier is a screen of which something can be copied.
type copier interface {
	// Copy returns what can be copied of what is selected. If there is nothing it has said
	// why, and may have something to do first.
	Copy() (subject clip.Subject, ok bool, cmd tea.Cmd)
}

// startCopy opens the menu of what can be copied.
func (m *model) startCopy() tea.Cmd {
	c, ok := m.screen().(copier)
	if !ok {
		m.scene.Say("nothing can be copied here")
		return nil
	}
	subject, ok, cmd := c.Copy()
	if ok {
		m.copying = clip.NewMenu(m.scene, subject)
	}
	return cmd
}

// copyKey handles a key while the menu is open.
func (m *model) copyKey(k tea.KeyPressMsg) tea.Cmd {
	menu := m.copying
	switch menu.Key(k) {
	case clip.Left:
		m.copying = nil
		m.scene.Say("nothing was done: the menu is closed")
	case clip.Chosen:
		m.copying = nil
		if menu.Title == exportTitle {
			return m.runExport(menu.Item().Text)
		}
		board := clip.Clipboard{Environ: m.options.Environ, Folder: filepath.Dir(m.options.File)}
		return board.Put(m.ctx, menu.Subject.Name, *menu.Item(), menu.ToFile)
	}
	return nil
}

// copied says what became of a copy.
func (m *model) copied(msg clip.PutMsg) {
	if msg.Err != nil {
		m.scene.Say("nothing was copied: " + msg.Err.Error())
		return
	}
	m.scene.Say(msg.Said)
}
