package palette

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"redial/tui/draw"
	"redial/tui/keys"
	"redial/tui/scene"
	"redial/tui/theme"
	"redial/tui/visible/hostile"
)

func several() []Command {
	return []Command{
		{Does: "next trouble", Of: "Move", Key: "n"},
		{Does: "open", Of: "Calls", Key: "enter"},
		{Does: "copy", Of: "Calls", Key: "y"},
		{Does: "only never reached the server", Of: "Filters"},
		{Does: "settled too", Of: "Operations", Key: "v"},
		{Does: "settle…", Of: "Act", Key: "s"},
		{Does: "theme", Of: "Everywhere", Key: "t"},
		{Does: "look up", Of: "Act", Key: "l"},
	}
}

func opened() *Palette {
	return New(&scene.Scene{Theme: theme.None(), Keys: keys.Default()}, several())
}

func TestWhatIsWrittenFindsWhatIsMeant(t *testing.T) {
	for text, want := range map[string]string{
		"":        "next trouble",
		"c":       "copy",
		"cop":     "copy",
		"COPY":    "copy",
		"nt":      "next trouble",
		"trouble": "next trouble",
		"server":  "only never reached the server",
		"settl":   "settle…",
		"settled": "settled too",
		"lu":      "look up",
		"l up":    "look up",
		"actlook": "look up",
		"y":       "copy",
		"enter":   "open",
		"every":   "theme",
		"qqq":     "",
		"漢":       "",
	} {
		p := opened()
		p.Paste(tea.PasteMsg{Content: text})
		got := ""
		if len(p.found) > 0 {
			got = p.Command().Does
		}
		if got != want && !(text == "settl" && strings.HasPrefix(got, "settle")) {
			t.Errorf("%q finds %q, want %q", text, got, want)
		}
	}
}

func TestKeysChooseAndLeave(t *testing.T) {
	key := func(code rune) tea.KeyPressMsg { return tea.KeyPressMsg{Code: code} }
	held := tea.KeyPressMsg{Code: tea.KeyEnter, IsRepeat: true}
	for _, c := range []struct {
		name  string
		write string
		keys  []tea.KeyPressMsg
		want  Answer
		then  string
	}{
		{"enter", "", []tea.KeyPressMsg{key(tea.KeyEnter)}, Chosen, "next trouble"},
		{"down and enter", "", []tea.KeyPressMsg{key(tea.KeyDown), key(tea.KeyEnter)}, Chosen, "open"},
		{"tab and enter", "", []tea.KeyPressMsg{key(tea.KeyTab), key(tea.KeyEnter)}, Chosen, "open"},
		{"up from the first", "", []tea.KeyPressMsg{key(tea.KeyUp), key(tea.KeyEnter)}, Chosen, "next trouble"},
		{"beyond the last", "look", []tea.KeyPressMsg{key(tea.KeyDown), key(tea.KeyDown), key(tea.KeyEnter)}, Chosen, "look up"},
		{"enter that is held", "", []tea.KeyPressMsg{held}, Open, ""},
		{"enter on nothing", "qqq", []tea.KeyPressMsg{key(tea.KeyEnter)}, Open, ""},
		{"esc", "copy", []tea.KeyPressMsg{key(tea.KeyEscape)}, Left, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, answer := opened(), Open
			p.Paste(tea.PasteMsg{Content: c.write})
			for _, k := range c.keys {
				answer = p.Key(k)
			}
			if answer != c.want || answer == Chosen && p.Command().Does != c.then {
				t.Errorf("the answer is %v", answer)
			}
		})
	}
}

func TestThePaletteKeepsTheColumnsAtEverySize(t *testing.T) {
	for _, text := range append(hostile.Strings(), "", "settle", strings.Repeat("漢", 300)) {
		for _, size := range [][2]int{{0, 0}, {1, 500}, {21, 5}, {58, 12}, {110, 28}, {200, 56}} {
			p := opened()
			p.all = append(p.all, Command{Does: text, Of: text, Key: text})
			p.Paste(tea.PasteMsg{Content: text})
			p.narrow()
			lines, cursor := p.View(draw.Blank(size[0], size[1]), size[0], size[1])
			if len(lines) != size[1] {
				t.Fatalf("%q in %v has %d lines", text, size, len(lines))
			}
			for _, line := range lines {
				if w := ansi.StringWidth(line); w != size[0] {
					t.Fatalf("%q in %v has a line of %d columns: %q", text, size, w, line)
				}
			}
			if cursor != nil && (cursor.X < 0 || cursor.X >= size[0] || cursor.Y >= size[1]) {
				t.Fatalf("%q in %v has its cursor at %v", text, size, cursor)
			}
		}
	}
}
