package keys

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// Press returns what is matched as the first key of a binding, for doing what the key does
// without it; ok is false where there is no key. It is no key that could be written.
func Press(b key.Binding) (press tea.KeyPressMsg, ok bool) {
	if all := b.Keys(); b.Enabled() && len(all) > 0 {
		return tea.KeyPressMsg{Text: all[0]}, true
	}
	return tea.KeyPressMsg{}, false
}
