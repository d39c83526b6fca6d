package filter

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/keys"
	"redial/tui/scene"
	"redial/tui/theme"
	"redial/tui/visible/hostile"
)

// offering returns a bar that is edited, with filters that were used before and hosts at
// hand.
func offering(b *Bar) *Bar {
	m := NewMemory([]Saved{{"mine", "host:mine.example.test"}, {"slow", "dur:>9s"}})
	m.Recall([]string{"status:503", "state:pending", "status:5xx host:a"})
	b.Remember(m)
	b.Ask(func(k ledger.Key) []string {
		switch k {
		case ledger.KeyHost:
			return []string{"orders.example.test", "[::1]:80", "mail.example.test"}
		case ledger.KeyPath:
			return append(hostile.Strings(), "/a b", `/say"hi"`, "/x/")
		}
		return nil
	})
	b.Edit()
	return b
}

// press types text; names in angle brackets are keys.
func press(b *Bar, text string) {
	codes := map[string]tea.KeyPressMsg{
		"<up>": {Code: tea.KeyUp}, "<down>": {Code: tea.KeyDown}, "<tab>": {Code: tea.KeyTab}, "<left>": {Code: tea.KeyLeft},
		"<back>": {Code: tea.KeyTab, Mod: tea.ModShift}, "<enter>": {Code: tea.KeyEnter}, "<home>": {Code: tea.KeyHome}, "<del>": {Code: tea.KeyBackspace},
	}
	for text != "" {
		if name, _, ok := strings.Cut(text, ">"); ok && text[0] == '<' && codes[name+">"].Code != 0 {
			b.Update(codes[name+">"])
			text = text[len(name)+1:]
			continue
		}
		r := []rune(text)[0]
		b.Update(tea.KeyPressMsg{Code: r, Text: string(r)})
		text = text[len(string(r)):]
	}
}

func TestKeysTakeWhatIsOffered(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"<down>", "host:mine.example.test"},
		{"<down><down>", "dur:>9s"},
		{"<down><down><down>", "duplicate:yes"},
		{"<up>", "status:5xx host:a"},
		{"<up><up>", "status:503"},
		{"<up><down>", ""},
		{"<down><up>", ""},
		{"<up><up><up>", "running:yes"},
		{"503<up>", "status:503"},
		{"503<up><up>", "503"},
		{"sent tw<down>", "duplicate:yes"},
		{"ho<tab>", "host:"},
		{"ho<tab><tab>", "host:orders.example.test"},
		{"ho<tab>m<tab>", "host:mail.example.test"},
		{"ho<tab><tab><tab>", `host:[::1]:80`},
		{"ho<tab><back>", "host:mail.example.test"},
		{"HO<tab>", "host:"},
		{"-ho<tab>", "-host:"},
		{"status:5xx (ho<tab>m<tab>) or wait<tab>", "status:5xx (host:mail.example.test) or wait:"},
		{"wai<tab>", "wait:"},
		{"wai<tab><tab>", "waited:"},
		{"wai<tab><tab><tab>", "wai"},
		{"wai<back>", "waited:"},
		{"outcome:<tab><tab>", "outcome:not-sent"},
		{"outcome:u<tab>", "outcome:unknown"},
		{"outcome:unknown<tab>", "outcome:unknown"},
		{"duplicate:t<tab>", "duplicate:two-keys"},
		{"dur:>1s<home>stat <left><tab>", "status: dur:>1s"},
		{"<tab>", "at:"},
		{"<tab><tab>", "attempts:"},
		{"nothing<tab>", "nothing"},
		{`key:"a b<tab>`, `key:"a b`},
		{`path:/a<tab>`, `path:"/a b"`},
		{`path:/s<tab>`, `path:"/say\"hi\""`},
		{`path:/x<tab>`, `path:"/x/"`},
		{"foo:<tab>", "foo:"},
	} {
		b := offering(NewForCalls(keys.Default()))
		if press(b, c.keys); b.Text() != c.want {
			t.Errorf("%s makes %q, want %q", c.keys, b.Text(), c.want)
		}
	}
}

func TestWhatIsTakenHoldsAtOnce(t *testing.T) {
	b := offering(NewForCalls(keys.Default()))
	if press(b, "<down>"); b.InForce().Text != "host:mine.example.test" {
		t.Errorf("%q holds", b.InForce().Text)
	}
	b.Toggle()
	if press(b, "<down>"); b.Off() || b.InForce().Text != "dur:>9s" {
		t.Errorf("after one that is off, %q holds", b.InForce().Text)
	}
}

func TestAFilterOfOperationsOffersWhatTheyHave(t *testing.T) {
	b := offering(New(keys.Default()))
	if press(b, "<up><up>"); b.Text() != "state:pending" {
		t.Errorf("a filter of operations that was used is not offered: %q", b.Text())
	}
	b = offering(New(keys.Default()))
	press(b, "state:d<tab>")
	if b.Text() != "state:disputed" {
		t.Errorf("a state is completed to %q", b.Text())
	}
	b = offering(New(keys.Default()))
	if press(b, "wai<tab>"); b.Text() != "wai" {
		t.Errorf("what no operation has is completed to %q", b.Text())
	}
}

func TestAFilterThatWasKeptIsOfferedAgain(t *testing.T) {
	b := offering(NewForCalls(keys.Default()))
	press(b, "path:/charges<enter>")
	b.Edit()
	for range len("path:/charges") {
		press(b, "<del>")
	}
	press(b, "status:503<enter>")
	b.Edit()
	press(b, "<up>")
	if b.Text() != "path:/charges" {
		t.Errorf("going back leads to %q", b.Text())
	}
	if got := strings.Join(b.memory.Take(), "|"); got != "path:/charges|status:503" || b.memory.Take() != nil {
		t.Errorf("to be written down: %q", got)
	}
	b.Clear()
	b.Edit()
	if press(b, "foo:1<enter>"); b.memory.Take() != nil {
		t.Error("a filter that is not understood is remembered")
	}
	b.Clear()
	b.Edit()
	if press(b, "duplicate:yes<enter>"); b.memory.Take() != nil {
		t.Error("a filter that has a name is remembered once more")
	}
}

func TestTheMemoryIsBounded(t *testing.T) {
	var m Memory
	for i := range 3 * most {
		m.Use(strings.Repeat("x", i+1))
	}
	if len(m.past) != most || len(m.past[most-1]) != 3*most {
		t.Errorf("%d filters are remembered", len(m.past))
	}
}

func TestThePaneKeepsItsColumnsWhateverIsOffered(t *testing.T) {
	s := &scene.Scene{Theme: theme.None(), Keys: keys.Default()}
	for _, c := range []struct{ keys string }{{""}, {"<down>"}, {"<up>"}, {"path:"}, {"path:<tab>"}, {"path:<back>"}, {"<tab>"}, {"status:<tab><tab><tab><tab><tab>"}} {
		b := offering(NewForCalls(keys.Default()))
		for _, text := range hostile.Strings() {
			b.memory.Use(text)
		}
		press(b, c.keys)
		for _, w := range []int{0, 1, 10, 60, 77, 78, 200} {
			for _, h := range []int{0, 5, 12, 28} {
				pane := b.Pane(s, w, h)
				if len(pane) > h/2 {
					t.Errorf("%s: %d lines in a screen of %d", c.keys, len(pane), h)
				}
				for _, line := range pane {
					if got := draw.Width(ansi.Strip(line)); got != min(w, widest) {
						t.Errorf("%s: a line of %d columns in %d: %q", c.keys, got, w, line)
					}
				}
			}
		}
	}
}

func TestWhatCannotBeWrittenIsNotOffered(t *testing.T) {
	b := offering(NewForCalls(keys.Default()))
	press(b, "path:")
	for _, o := range b.offers.rows {
		if _, err := ledger.ParseCallFilter(o.text); err != nil {
			t.Errorf("%q is offered, and it is %v", o.text, err)
		}
	}
}

func TestPastedTextTakesNothingThatIsOffered(t *testing.T) {
	b := offering(NewForCalls(keys.Default()))
	b.Update(tea.PasteMsg{Content: "ho\t\x1b[B\n"})
	if b.offers.chosen >= 0 || !b.Editing() || !strings.HasPrefix(b.Text(), "ho") || strings.HasPrefix(b.Text(), "host:") {
		t.Errorf("pasting makes %q, chosen %d", b.Text(), b.offers.chosen)
	}
}

func TestAFilterOfOperationsRefusesWhatOnlyCallsHave(t *testing.T) {
	b := offering(New(keys.Default()))
	for _, s := range b.Saved() {
		if _, err := ledger.ParseOperationFilter(s.Expr); err != nil {
			t.Errorf("the filter %s is listed: %v", s.Name, err)
		}
	}
	for _, o := range b.offers.rows {
		if _, err := ledger.ParseOperationFilter(o.text); err != nil {
			t.Errorf("%s is offered: %v", o.text, err)
		}
	}
	press(b, "outcome:unknown")
	if b.wrong == nil || b.InForce().Text == "outcome:unknown" {
		t.Errorf("outcome:unknown holds: %+v", b.InForce())
	}
}
