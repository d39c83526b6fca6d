package pending

import (
	tea "charm.land/bubbletea/v2"

	"redial/tui/clip"
)

// Copy returns what can be copied of the selected operation, as it may be shown.
func (s *Screen) Copy() (clip.Subject, bool, tea.Cmd) {
	switch o := s.list.selected(); {
	case o == nil:
		s.scene.Say("no operation is selected: there is nothing to copy")
	case !s.life.read || s.life.op.ID() != o.ID():
		s.scene.Say("the operation is being read: once more, and it can be copied")
	default:
		return clip.OfOperation(&s.life.op, s.life.size), true, nil
	}
	return clip.Subject{}, false, nil
}
