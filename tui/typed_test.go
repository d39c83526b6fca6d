package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"redial/tui/visible/hostile"
)

// inputs are the places in which text is written.
func inputs() []string {
	return []string{
		"calls, filter", "timeline, filter", "timeline, time", "pending, filter", "note", "settle, reason", "replay, the key",
		"session's name", "prune by age", "prune by size", "commands", "help, looked through",
	}
}

// state is what pasted text and torn sequences must not change.
type state struct {
	tab      int
	quit     bool
	theme    string
	wide     bool
	actions  string
	sessions string
	ops      string
}

func (d *dash) state() state {
	d.store.mu.Lock()
	defer d.store.mu.Unlock()
	s := state{tab: d.model.active, quit: d.quit, theme: d.model.scene.Theme.Name, wide: d.model.scene.Wide}
	s.actions = strings.Join(d.model.options.Actions.(*fakeActions).all(), " ")
	for i := range d.store.sessions {
		s.sessions += d.store.sessions[i].ID.String() + d.store.sessions[i].Name
	}
	for i := range d.store.ops {
		s.ops += d.store.ops[i].Key + d.store.ops[i].State.String()
	}
	return s
}

// charmbracelet/bubbletea#404 and #800: pasted text was taken for keys, line by line.
func TestPastedTextIsTextWhereverItIsPasted(t *testing.T) {
	texts := append([]string{"GET\nq\ny\n", "\r\r\r", "\t\r\ty", "\x03", "\x1a", "\x1b\x1b\x1b", "\x1b[B\r", strings.Repeat("q\n", 5000), "6\nD\t\t\t\r"}, hostile.Strings()...)
	all := append(inputs(), "calls", "detail", "timeline", "pending", "settle", "undo", "windows", "hosts", "sessions", "prune", "calls, copy", "calls, export", "help", "leave", "two calls")
	for _, name := range all {
		t.Run(name, func(t *testing.T) {
			onEverything(t, everything(), Options{Theme: "none"}, 110, 32, func(d *dash) {
				d.begins(places()[name])
				want := d.state()
				for i, s := range texts {
					if i > 9 && i%7 != int(*seed%7) {
						continue
					}
					d.send(tea.PasteMsg{Content: s})
					harmless(d.t, d.frame(), nil, 110, 32)
					if got := d.state(); got != want {
						d.t.Fatalf("after %.40q it is %+v, and was %+v", s, got, want)
					}
				}
				d.pass(time.Second)
				if got := d.state(); got != want {
					d.t.Errorf("a second later it is %+v, and was %+v", got, want)
				}
			})
		})
	}
}

// tornSequences are sequences of which the library gave up the first part.
func tornSequences() map[string][]tea.Msg {
	keys := func(s string) (all []tea.Msg) {
		for _, r := range s {
			all = append(all, tea.KeyPressMsg{Code: r, Text: string(r)})
		}
		return all
	}
	bell := tea.KeyPressMsg{Code: 'g', Mod: tea.ModCtrl}
	return map[string][]tea.Msg{
		"a mouse report in the middle":    append([]tea.Msg{uv.UnknownEvent("\x1b[<65;1")}, keys("4;5M")...),
		"a click in the middle":           append([]tea.Msg{uv.UnknownEvent("\x1b[<0;3")}, keys("0;2m")...),
		"an answer about a mode":          append([]tea.Msg{uv.UnknownEvent("\x1b[?20")}, keys("26;2$y")...),
		"an answer about a colour":        append(append([]tea.Msg{uv.UnknownEvent("\x1b]11;r")}, keys("gb:1e1e/1e1e/4444q")...), bell),
		"an arrow with a modifier":        append([]tea.Msg{uv.UnknownEvent("\x1b[1;")}, keys("5D")...),
		"the answer to who a terminal is": append([]tea.Msg{uv.UnknownEvent("\x1bP>|xt")}, append(keys("erm(390)qD"), tea.KeyPressMsg{Code: '\\', Mod: tea.ModAlt})...),
	}
}

// marcus/sidecar PR 161: what was left of a mouse report was typed into a form.
func TestATornSequenceTypesNothingAnywhere(t *testing.T) {
	for _, name := range append(inputs(), "calls", "timeline", "pending", "settle", "hosts", "sessions", "prune", "calls, copy", "detail", "help") {
		t.Run(name, func(t *testing.T) {
			onEverything(t, everything(), Options{Theme: "none", Now: still}, 110, 32, func(d *dash) {
				d.begins(places()[name])
				d.pass(5 * time.Second) // what has happened is told
				before, want := d.text(), d.state()
				for what, msgs := range tornSequences() {
					for _, m := range msgs {
						d.send(m)
					}
					if got := d.text(); got != before || d.state() != want {
						d.t.Fatalf("%s made\n%s\nof\n%s", what, got, before)
					}
				}
			})
		})
	}
}

// The same through the real reader of keys, whose patience is short.
func TestAReportInTwoPartsReachesNoLineToWriteIn(t *testing.T) {
	f := everything()
	o := stillOptions()
	o.Now = nil
	o.Actions, o.Keeper = &fakeActions{store: f}, &fakeKeeper{f: f}
	f.sessions[0].LastSeen = time.Now().Add(time.Hour)
	term := onTerminal(t, f, o, dark())
	term.shows("[1 Live]")
	for _, in := range []struct{ keys, shows, written string }{
		{"/", "keep the filter", "/ abc"}, {"2", "[2 Timeline]", ""}, {"@", "a time:", "@ abc"}, {"3", "[3 Pending", ""}, {"/", "keep the filter", "/ abc"},
		{"6", "[6 Sessions]", ""}, {":", "Commands", "abc"},
	} {
		term.types(in.keys)
		term.shows(in.shows)
		if in.written == "" {
			continue
		}
		for range 3 {
			term.types("\x1b[<65;12")
			<-time.After(5 * time.Millisecond)
			term.types(";5M")
		}
		term.types("abc")
		term.shows(in.written)
		for _, wrong := range []string{"65;", ";5M", "<65"} {
			if strings.Contains(term.text(), wrong) {
				t.Errorf("%q was written:\n%s", wrong, term.text())
			}
		}
		term.types("\x15")
		term.types("\x1b")
		term.until("the end of writing", func() bool { return !strings.Contains(term.text(), in.written) })
		<-time.After(60 * time.Millisecond) // or the escape belongs to the next key
	}
	term.types("\x03")
	if err := term.ends(); err != nil {
		t.Error(err)
	}
	term.restored()
}

// charmbracelet/bubbles#782 and PR 1003: rows went and the cursor stayed beyond them, or
// before the first. Evertras/bubble-table#76: a filter left other rows than the selected one.
func TestTheSelectionOfEveryListIsARowThatIsThere(t *testing.T) {
	for _, name := range []string{"calls", "timeline", "timeline, by operation", "pending", "windows", "windows, waiting", "hosts", "hosts, routes", "sessions"} {
		t.Run(name, func(t *testing.T) {
			onEverything(t, everything(), Options{Theme: "none", Now: still}, 110, 40, func(d *dash) {
				d.begins(places()[name])
				d.press("down", "down", "down", "down", "down")
				for _, n := range []int{3, 0, 2, 1, 0, 100} {
					d.store.change(func(f *fakeStore) { f.shrink(n) })
					d.pass(3 * time.Second)
					d.shown(n)
					d.press("down", "enter", "esc", "up", "y", "esc", "G", "g")
					d.shown(n)
					d.begins(places()[name])
				}
			})
		})
	}
}

// shrink leaves at most n of everything that is listed, a session excepted.
func (f *fakeStore) shrink(n int) {
	all := everything()
	f.ended, f.running, f.windows = first(all.ended, n), first(all.running, n), first(all.windows, n)
	f.ops, f.rollups, f.sessions = first(all.ops, n), first(all.rollups, n), first(all.sessions, max(n, 1))
}

func first[T any](list []T, n int) []T { return slices.Clone(list[:min(n, len(list))]) }

// shown fails the test unless the frame is whole, and the selected rows of its panes have
// something in them.
func (d *dash) shown(n int) {
	d.t.Helper()
	exact(d.t, d.frame(), 110, 40)
	for line := range strings.SplitSeq(d.text(), "\n") {
		if _, row, selected := strings.Cut(line, "▌"); selected {
			row, _, _ = strings.Cut(row, "│")
			row, _, _ = strings.Cut(row, "┃")
			if strings.TrimSpace(row) == "" {
				d.t.Errorf("a row is selected that is empty: %q", line)
			}
		}
	}
	if d.t.Failed() {
		d.t.Fatalf("with %d rows:\n%s", n, d.text())
	}
}
