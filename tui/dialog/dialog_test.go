package dialog_test

import (
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/tui/dialog"
	"redial/tui/keys"
	"redial/tui/scene"
	"redial/tui/theme"
)

// asked is a dialog with a field, a harmless button and one that does something.
func asked() (*dialog.Dialog, *scene.Scene) {
	s := &scene.Scene{Theme: theme.None(), Keys: keys.Default()}
	s.Now = time.Date(2025, 11, 29, 12, 0, 0, 0, time.UTC)
	d := dialog.New(s, "Do it?")
	d.Text = func(int, bool) []string { return nil }
	d.Fields = []*dialog.Field{dialog.Text("reason", "")}
	d.Buttons = []dialog.Button{{Name: "Look", Key: &s.Keys.LookUp}, {Name: "Do it"}}
	return d, s
}

func named(b key.Binding) tea.KeyPressMsg {
	codes := map[string]rune{"enter": tea.KeyEnter, "tab": tea.KeyTab, "esc": tea.KeyEscape}
	if code, ok := codes[b.Keys()[0]]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: []rune(b.Keys()[0])[0], Text: b.Keys()[0]}
}

func TestOnlyAPressOnItsOwnConfirms(t *testing.T) {
	km := keys.Default()
	tab, enter, esc, look := named(km.Choose), named(km.Press), named(km.Cancel), named(km.LookUp)
	held := enter
	held.IsRepeat = true
	for _, c := range []struct {
		name string
		keys []tea.KeyPressMsg
		gap  time.Duration
		want dialog.Answer
		then int // the button
	}{
		{"enter on Cancel", []tea.KeyPressMsg{enter}, time.Second, dialog.Cancelled, 0},
		{"enter in flight", []tea.KeyPressMsg{enter}, 200 * time.Millisecond, dialog.Open, 0},
		{"esc in flight", []tea.KeyPressMsg{esc}, time.Millisecond, dialog.Cancelled, 0},
		{"three tabs and enter", []tea.KeyPressMsg{tab, tab, tab, enter}, time.Second, dialog.Pressed, 1},
		{"the same as fast as a paste", []tea.KeyPressMsg{tab, tab, tab, enter, tab, tab, tab, enter}, time.Millisecond, dialog.Open, 0},
		{"the same as fast as a held key", []tea.KeyPressMsg{tab, tab, tab, tab, tab, tab, tab, tab, tab, tab, tab, tab, tab, tab, tab, enter}, 30 * time.Millisecond, dialog.Open, 0},
		{"enter that is held", []tea.KeyPressMsg{tab, tab, tab, held}, time.Second, dialog.Open, 0},
		{"enter in a text goes on", []tea.KeyPressMsg{tab, enter, enter}, time.Second, dialog.Pressed, 0},
		{"the key of what has no effect", []tea.KeyPressMsg{look}, time.Second, dialog.Pressed, 0},
		{"that key in a text", []tea.KeyPressMsg{tab, look}, time.Second, dialog.Open, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, s := asked()
			answer := dialog.Open
			for _, k := range c.keys {
				s.Now = s.Now.Add(c.gap)
				if answer = d.Key(k); answer != dialog.Open {
					break
				}
			}
			if answer != c.want || answer == dialog.Pressed && d.Pressed() != c.then {
				t.Errorf("the answer is %v by button %d, want %v by %d", answer, d.Pressed(), c.want, c.then)
			}
		})
	}
}

func TestPastedTextIsTextAndNothingElse(t *testing.T) {
	d, s := asked()
	s.Now = s.Now.Add(time.Second)
	d.Paste(tea.PasteMsg{Content: "into Cancel\n"})
	d.Key(tea.KeyPressMsg{Code: tea.KeyTab})
	d.Paste(tea.PasteMsg{Content: "seen\r\nthere\n"})
	if got := d.Fields[0].Value(); got != "seen there" {
		t.Errorf("the field has %q", got)
	}
	d.Fields[0].Typed = true
	d.Paste(tea.PasteMsg{Content: "more"})
	if got := d.Fields[0].Value(); got != "seen there" {
		t.Errorf("a field that has to be typed has %q after a paste", got)
	}
}

func TestReopeningTakesTheFocusBack(t *testing.T) {
	d, s := asked()
	s.Now = s.Now.Add(time.Second)
	d.Key(tea.KeyPressMsg{Code: tea.KeyTab})
	d.Reopen()
	if !d.Focused() {
		t.Error("Cancel has not the focus")
	}
	s.Now = s.Now.Add(time.Second)
	if d.Key(tea.KeyPressMsg{Code: tea.KeyEnter}) != dialog.Cancelled {
		t.Error("enter does not cancel")
	}
}

func TestAChoiceIsMarkedWithTheKeysThatTheDialogNames(t *testing.T) {
	d, s := asked()
	choice := dialog.Choice("we know", "it happened", "it did not happen")
	d.Fields = []*dialog.Field{choice}
	s.Now = s.Now.Add(time.Second)
	d.Key(named(s.Keys.Choose))
	if marks := d.Bindings().Short[1].Help(); marks.Key != "space/j" || marks.Desc != "mark" {
		t.Errorf("the keys of a choice are shown as %+v", marks)
	}
	space, down := tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}, tea.KeyPressMsg{Code: tea.KeyDown}
	for i, want := range []int{0, 1, 0, 1, 1} {
		k := space
		if i >= 3 {
			k = down
		}
		if d.Key(k); choice.Chosen() != want {
			t.Errorf("after key %d %d is chosen, want %d", i+1, choice.Chosen(), want)
		}
	}
}
