package tui

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"redial/ledger"
	"redial/tui/visible/hostile"
)

// infected is everything with s wherever something from outside stands.
func infected(s string) *fakeStore {
	f := everything()
	f.poison(s, 0)

	f.sessions = everything().sessions
	for i := range f.sessions {
		c := &f.sessions[i]
		c.Service, c.Host, c.Version, c.Boot = s, s, s, s
		if c.Name != "" || i%2 == 1 {
			c.Name = s
		}
		c.Gaps = []ledger.Gap{{From: c.Started, To: c.Started, Calls: 1, Reason: s}}
	}
	ops := poisonedOperations(s)
	f.ops, f.lives = ops.ops, ops.lives
	for i := range f.ended {
		for j := range f.ended[i].AttemptList {
			infectBody(&f.ended[i].AttemptList[j].Response, s, i+j)
		}
	}
	return f
}

// infectBody puts s into a body of one of several kinds.
func infectBody(m *ledger.Message, s string, kind int) {
	quoted, _ := json.Marshal(map[string]any{s: s, "list": []string{s, "plain"}})
	kindOf, encoding, data := "application/json", "", quoted
	switch kind % 5 {
	case 1:
		data = []byte(`{"raw": "` + s + `", "` + s + `": [1]}`)
	case 2:
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		_, _ = w.Write(quoted)
		_ = w.Close()
		encoding, data = "gzip", b.Bytes()
	case 3:
		kindOf, data = "text/plain; charset="+s, []byte(s)
	case 4:
		kindOf, encoding, data = s, s, []byte("\x00\xff"+s)
	}
	m.Header = append(m.Header, ledger.Field{Name: "Content-Type", Value: kindOf}, ledger.Field{Name: "Content-Encoding", Value: encoding})
	m.Body = ledger.Body{Data: data, Size: int64(len(data)), Truncated: kind%2 == 1}
}

func TestNothingHostileActsAnywhere(t *testing.T) {
	const w, h, part = 110, 32, 32
	list := slices.Sorted(maps.Keys(places()))
	for p, name := range list {
		t.Run(name, func(t *testing.T) {
			emu, o := vt.NewEmulator(w, h), Options{Theme: "dark"}
			var known map[string]bool
			border := ""
			onEverything(t, infected("plain"), o, w, h, func(d *dash) {
				d.begins(places()[name])
				known, border = allowed(d.model.scene.Theme), edge(emu, d.frame())
			})
			for i, s := range hostile.Strings() {
				if (i+p)%part != int(*seed%part) {
					continue // another seed takes others, and the next place does
				}
				onEverything(t, infected(s), o, w, h, func(d *dash) {
					d.begins(places()[name])
					harmless(d.t, d.frame(), known, w, h)
					if got := edge(emu, d.frame()); got != border {
						d.t.Errorf("the last column is\n%s\nwant\n%s", got, border)
					}
					d.send(tea.PasteMsg{Content: s})
					harmless(d.t, d.frame(), known, w, h)
					if d.t.Failed() {
						d.t.Fatalf("the string was %q on\n%s", s, d.text())
					}
				})
			}
		})
	}
}

// What those say whom the dashboard asks to do something is text from outside too.
func TestHostileAnswersAreHarmless(t *testing.T) {
	for i, s := range hostile.Strings() {
		if i%4 != int(*seed%4) {
			continue
		}
		f := everything()
		onEverything(t, f, Options{Theme: "dark"}, 110, 32, func(d *dash) {
			acts, keeper := d.model.options.Actions.(*fakeActions), d.model.options.Keeper.(*fakeKeeper)
			acts.answer, acts.takes, keeper.err = s, 0, errors.New(s)
			for _, keys := range []string{"3 j j l", "6 j p", "6 j e tab enter", "6 D tab down down"} {
				d.goes(keys)
				harmless(d.t, d.frame(), nil, 110, 32)
			}
			acts.err = errors.New("ask: " + s)
			d.goes("3 j j l")
			harmless(d.t, d.frame(), nil, 110, 32)
		})
	}
}

// kinds returns the kinds of the sequences in what was written to a terminal, without their
// numbers: those that show text differ with the text.
func kinds(written string) map[string]bool {
	all := map[string]bool{}
	var state byte
	for written != "" {
		seq, _, n, next := ansi.DecodeSequence(written, state, nil)
		if seq != "" && (seq[0] < ' ' || seq[0] == 0x7f || seq[0] >= 0x80 && seq[0] < 0xa0 && len(seq) < 4 && !strings.HasPrefix(seq, "\xc2")) {
			all[strings.Map(func(r rune) rune {
				if strings.ContainsRune("0123456789;:", r) {
					return -1
				}
				return r
			}, seq)] = true
		}
		written, state = written[n:], next
	}
	return all
}

// tour goes through the screens of a dashboard on a terminal, and returns all that was
// written to it.
func tour(t *testing.T, f *fakeStore) string {
	t.Helper()
	term := onTerminal(t, f, stillOptions(), dark())
	term.shows("[1 Live]")
	for _, step := range [][2]string{
		{"g", "▌"}, {"\r", "Call 3-"}, {"G", "esc back"}, {"\x1b", "j/k move"}, {"y", "Copy ·"}, {"\x1b", "nothing was done"}, {"2", "[2 Timeline]"},
		{"n", "cursor"}, {"\r", "Call 3-"}, {"\x1b", "h/l time"}, {"3", "[3 Pending"}, {"4", "[4 Windows]"}, {"5", "[5 Hosts]"}, {"6", "[6 Sessions]"},
		{"1w", "wide"}, {"?", "Help"}, {"\x1b", "j/k move"},
	} {
		term.types(step[0])
		term.shows(step[1])
	}
	term.types("q")
	if err := term.ends(); err != nil {
		t.Error(err)
	}
	term.restored()
	_, all := term.written(0)
	return all
}

// The bytes of a real program, once with what is hostile and once with dots instead, have
// the same kinds of sequences in them, and no others.
func TestHostileTextAddsNoKindOfSequenceToTheTerminal(t *testing.T) {
	// From one cell or line to another, as the renderer finds it short.
	moves := []string{"\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[G", "\x1b[H", "\x1b[d", "\x1b[K", "\x1b[X", "\x1b[S", "\x1b[T", "\x1b[r", "\x1bM"}
	plain := kinds(tour(t, infected("····")))
	strings := hostile.Strings()
	for i := int(*seed % 24); i < len(strings); i += 24 {
		t.Run(fmt.Sprintf("%.12q", strings[i]), func(t *testing.T) {
			for kind := range kinds(tour(t, infected(strings[i]))) {
				if !plain[kind] && !slices.Contains(moves, kind) {
					t.Errorf("%q came to the terminal", kind)
				}
			}
		})
	}
}
