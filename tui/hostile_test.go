package tui

import (
	"errors"
	"maps"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"redial/ledger"
	"redial/tui/theme"
	"redial/tui/visible/hostile"
)

// poisoned is the story with s wherever something from outside stands.
func poisoned(s string) *fakeStore {
	f := story()
	f.poison(s, 0)
	return f
}

// poison tells the story again with s wherever something from outside stands. Its calls
// are others each time, with numbers of that generation.
func (f *fakeStore) poison(s string, generation int64) {
	clean := learned()
	f.sessions, f.ended, f.running, f.windows, f.rollups = clean.sessions, clean.ended, clean.running, clean.windows, clean.rollups
	for _, list := range [][]ledger.Call{f.ended, f.running} {
		for i := range list {
			list[i].ID = ledger.NewCallID(3, list[i].ID.N()+1000*generation)
		}
	}
	f.sessions[0].Service, f.sessions[0].Host, f.sessions[0].Version, f.sessions[0].Name = s, s, s, s
	for _, list := range [][]ledger.Call{f.ended, f.running} {
		for i := range list {
			c := &list[i]
			c.Host, c.Path, c.Query, c.Key, c.Method = s+c.Host, "/"+s, s, s, c.Method+s
			c.Policy, c.Scheme = s, "https"
			if c.Error != "" {
				c.Error = s
			}
			for j := range c.AttemptList {
				a := &c.AttemptList[j]
				a.Remote, a.Proto, a.Err = s, s, s
				for _, m := range []*ledger.Message{&a.Request, &a.Response} {
					m.Header = []ledger.Field{{Name: s, Value: s}, {Name: "X-Plain", Value: s}, {Name: s, Value: "plain"}}
					m.Body = ledger.Body{Data: []byte(s + "\n" + s), Size: int64(2*len(s) + 1)}
				}
			}
		}
	}
	for i := range f.windows {
		f.windows[i].Host, f.windows[i].Name = s+f.windows[i].Host, s
	}
	for i := range f.rollups {
		f.rollups[i].Host = s + f.rollups[i].Host
	}
}

// sights are the screens and moods in which text from outside is drawn.
func sights() map[string]func(*dash) {
	all := maps.Clone(opened())
	all["detail, further down"] = func(d *dash) { d.press("g", "j", "enter", "]", "]") }
	all["detail, at the end"] = func(d *dash) { d.press("G", "k", "k", "k", "enter", "G") }
	all["windows, waiting"] = func(d *dash) { d.press("4", "tab", "j") }
	all["timeline, by operation"] = func(d *dash) { d.press("2", "b", "n", "k") }
	all["copy"] = func(d *dash) { d.press("g", "j", "y") }
	all["what differs"] = func(d *dash) { d.press("g", "j", "d") }
	all["sessions"] = func(d *dash) { d.press("6"); d.pass(time.Second) }
	all["hosts"] = func(d *dash) { d.press("5"); d.pass(time.Second) }
	all["hosts, routes"] = func(d *dash) { d.press("5"); d.pass(time.Second); d.press("enter") }
	all["wide"] = func(d *dash) { d.press("w", "g", "j") }
	return all
}

// sgr is the only kind of escape sequence that a frame has.
func sgr() *regexp.Regexp { return regexp.MustCompile(`\x1b\[[0-9;]*m`) }

// styles returns the sequences of a frame.
func styles(frame string) map[string]bool {
	all := map[string]bool{}
	for _, s := range sgr().FindAllString(frame, -1) {
		all[s] = true
	}
	return all
}

// harmless fails the test unless a frame has nothing in it that could act on a terminal,
// and every line is exactly as wide as the screen however characters are measured.
func harmless(t *testing.T, frame string, known map[string]bool, w, h int) {
	t.Helper()
	for s := range styles(frame) {
		if known != nil && !known[s] {
			t.Errorf("the sequence %q is not one of the theme's", s)
		}
	}
	text := sgr().ReplaceAllString(frame, "")
	if !utf8.ValidString(text) {
		t.Error("the frame is not UTF-8")
	}
	for _, r := range text {
		if r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)) {
			t.Errorf("the frame has %U in it", r)
		}
	}
	lines := strings.Split(text, "\n")
	if len(lines) != h {
		t.Errorf("the frame has %d lines, want %d", len(lines), h)
	}
	for i, l := range lines {
		if a, b := ansi.StringWidth(l), ansi.StringWidthWc(l); a != w || b != w {
			t.Errorf("line %d is %d or %d columns wide, want %d: %q", i, a, b, w, l)
		}
	}
}

// edge returns what stands in the last columns of a frame on a terminal.
func edge(emu *vt.Emulator, frame string) string {
	_, _ = emu.WriteString("\x1b[H" + strings.ReplaceAll(frame, "\n", "\r\n"))
	var b strings.Builder
	for y := range emu.Height() {
		if c := emu.CellAt(emu.Width()-1, y); c != nil {
			b.WriteString(c.Content)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestNoHostileStringGetsThroughOrBendsARow(t *testing.T) {
	const w, h = 110, 32
	for name, do := range sights() {
		t.Run(name, func(t *testing.T) {
			emu := vt.NewEmulator(w, h)
			onDashWith(t, poisoned("plain"), Options{Theme: "dark", Now: still}, w, h, func(d *dash) {
				do(d)
				known, border := allowed(d.model.scene.Theme), edge(emu, d.frame())
				_, all := opened()[name]
				for i, s := range hostile.Strings() {
					if !all && i%4 != 0 {
						continue // the other sights draw with the same parts
					}
					d.press("esc", "esc", "1")
					if d.model.scene.Wide {
						d.press("w")
					}
					d.press("F")
					d.store.change(func(f *fakeStore) { f.poison(s, int64(i+1)) })
					d.pass(pollEach)
					do(d)
					frame := d.frame()
					harmless(d.t, frame, known, w, h)
					if got := edge(emu, frame); got != border {
						d.t.Errorf("the last column is\n%s\nwant\n%s", got, border)
					}
					if d.t.Failed() {
						d.t.Fatalf("the string was %q", s)
					}
				}
			})
		})
	}
}

// allowed returns the sequences that a theme has.
func allowed(th *theme.Theme) map[string]bool {
	all := map[string]bool{"\x1b[m": true}
	v := reflect.ValueOf(*th)
	for i := range v.NumField() {
		if st, ok := v.Field(i).Interface().(theme.Style); ok {
			all[st.On(false)], all[st.On(true)] = true, true
		}
	}
	return all
}

// charmbracelet/bubbletea#1668: a title with half-width characters moved the border.
func TestWideCharactersKeepTheColumnsStraight(t *testing.T) {
	for _, s := range []string{"ﾉ｀Д´ ノ", "漢字", "한국어", "🙂🙂", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "👍🏽", "❤️", "ﾊﾞ", "नि", "e\u0301", "﷽", "ก็็็็็็็็"} {
		for name, do := range sights() {
			for _, size := range [][2]int{{60, 16}, {80, 24}, {110, 32}} {
				onDashWith(t, poisoned(s), Options{Theme: "light", Now: still}, size[0], size[1], func(d *dash) {
					do(d)
					harmless(d.t, d.frame(), nil, size[0], size[1])
					if d.t.Failed() {
						d.t.Fatalf("%s at %v with %q", name, size, s)
					}
				})
			}
		}
	}
}

func TestHostileTextIsHarmlessWhereverItIsTyped(t *testing.T) {
	onDashWith(t, story(), Options{Theme: "dark", Now: still}, 80, 24, func(d *dash) {
		for _, s := range hostile.Strings() {
			d.press("/")
			d.send(tea.PasteMsg{Content: s})
			harmless(d.t, d.frame(), nil, 80, 24)
			if c := d.model.View().Cursor; c == nil || c.X < 0 || c.X >= 80 || c.Y != 22 {
				d.t.Errorf("the cursor is at %+v", c)
			}
			d.press("enter")
			harmless(d.t, d.frame(), nil, 80, 24)
			d.press("esc")
			if d.quit {
				d.t.Error("the dashboard ended")
			}
			if d.t.Failed() {
				d.t.Fatalf("the string was %q", s)
			}
		}
	})
}

func TestHostileErrorsAreHarmless(t *testing.T) {
	onDashWith(t, story(), Options{Theme: "dark", Now: still}, 80, 24, func(d *dash) {
		for _, s := range hostile.Strings() {
			d.store.change(func(f *fakeStore) { f.err = errors.New("read sessions: " + s) })
			d.pass(retryEach)
			d.shows("CANNOT READ")
			harmless(d.t, d.frame(), nil, 80, 24)
			if d.t.Failed() {
				d.t.Fatalf("the string was %q", s)
			}
		}
	})
}

// fits fails the test unless a frame is within the terminal.
func fits(t *testing.T, frame string, w, h int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) > max(h, 1) {
		t.Errorf("%d lines at %d×%d", len(lines), w, h)
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n > max(w, 0) {
			t.Errorf("line %d is %d columns wide at %d×%d: %q", i, n, w, h, l)
		}
	}
}
