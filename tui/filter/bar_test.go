package filter

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"redial/tui/draw"
	"redial/tui/keys"
	"redial/tui/theme"
)

func edited(text string) *Bar {
	b := New(keys.Default())
	b.Edit()
	b.Update(tea.PasteMsg{Content: text})
	return b
}

func TestTheWrongPartIsMarkedInPlace(t *testing.T) {
	th := theme.None()
	for text, want := range map[string]string{
		"status:5xx":          "",
		"status:5xx foo:3":    "foo",
		"dur:>2parsecs":       "",
		"(status:5xx":         "",
		"漢字 foo:3 status:200": "foo",
	} {
		b := edited(text)
		line, _, _ := b.View(th, 400)
		_, after, found := strings.Cut(line, th.Wrong.On(false))
		marked, _, _ := strings.Cut(after, "\x1b[m")
		if want != "" && (!found || marked != want) {
			t.Errorf("in %q %q is marked, want %q", text, marked, want)
		}
		if (b.wrong != nil) != found {
			t.Errorf("%q: wrong %v, marked %v", text, b.wrong, found)
		}
		if b.wrong != nil && !strings.Contains(ansi.Strip(line), b.wrong.Msg) {
			t.Errorf("the line does not say what is wrong: %q", ansi.Strip(line))
		}
	}
}

func TestTheCursorIsInSightInEveryWidth(t *testing.T) {
	for _, text := range []string{"", "status:5xx", strings.Repeat("status:5xx or ", 100) + "foo:1", strings.Repeat("漢", 100), "\x1b[2J\u202e" + strings.Repeat("x", 90)} {
		b := edited(text)
		for w := range 130 {
			line, x, _ := b.View(theme.None(), w)
			if draw.Width(ansi.Strip(line)) != w {
				t.Fatalf("%q in %d columns is %d wide", text, w, draw.Width(ansi.Strip(line)))
			}
			if w > 12 && (x < 0 || x >= w) {
				t.Fatalf("%q in %d columns has its cursor at %d", text, w, x)
			}
		}
		b.Update(tea.KeyPressMsg{Code: tea.KeyHome})
		if _, x, _ := b.View(theme.None(), 40); x != 3 {
			t.Errorf("at the beginning the cursor of %q is at %d", text, x)
		}
	}
}

func TestTheSummaryNamesWhatHolds(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*Bar)
		want string
	}{
		{"nothing", func(*Bar) {}, ""},
		{"a filter", func(b *Bar) { b.Update(tea.PasteMsg{Content: " status:5xx "}) }, "/ status:5xx"},
		{"one that is off", func(b *Bar) { b.Update(tea.PasteMsg{Content: "status:5xx"}); b.Toggle() }, "/ off: status:5xx"},
		{"a wrong one after a valid one", func(b *Bar) {
			b.Update(tea.PasteMsg{Content: "status:5xx"})
			b.Update(tea.PasteMsg{Content: " foo:1"})
		}, "/ status:5xx"},
		{"a wrong one", func(b *Bar) { b.Update(tea.PasteMsg{Content: "foo:1"}) }, "/ not understood"},
		{"what was cleared", func(b *Bar) { b.Update(tea.PasteMsg{Content: "status:5xx"}); b.Clear() }, ""},
	} {
		b := New(keys.Default())
		b.Edit()
		c.do(b)
		if got := b.Summary(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestOnlyAFilterThatIsUnderstoodIsKept(t *testing.T) {
	enter := tea.KeyPressMsg{Code: tea.KeyEnter}
	for text, kept := range map[string]bool{"status:5xx": true, "": true, "foo": true, "foo:bar": false, "(status:5xx": false} {
		b := New(keys.Default())
		b.Edit()
		for _, r := range text {
			b.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		if b.Update(enter); b.Editing() == kept || b.Text() != text {
			t.Errorf("%q: still edited %v, text %q", text, b.Editing(), b.Text())
		}
	}
}
