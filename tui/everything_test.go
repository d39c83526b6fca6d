package tui

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"redial/ledger"
	"redial/tui/keys"
)

// everything is a file with all that the screens can show: calls of a live session with
// what was sent twice, sessions from before it, windows, and operations that wait for a person.
func everything() *fakeStore {
	f, learned, ops := archive(), learned(), pendingStory()
	f.ended = append(learned.ended, f.ended[len(f.ended)-1])
	f.running, f.windows, f.ops, f.lives = learned.running, learned.windows, ops.ops, ops.lives
	f.sessions[0].LastSeen = storyNow().Add(time.Hour) // it stays live
	return f
}

// onEverything runs a test on a dashboard on which nothing is missing.
func onEverything(t *testing.T, f *fakeStore, o Options, w, h int, do func(*dash)) {
	t.Helper()
	o.Actions = &fakeActions{store: f, answer: "it is pending", takes: 3 * time.Second}
	o.Keeper = &fakeKeeper{f: f}
	o.Export = func(context.Context, string, ledger.Filter, []ledger.SessionID, string) (int, error) { return 7, nil }
	o.Redact.Operation = func(o *ledger.Operation) ledger.Operation { return *o }
	onDashWith(t, f, o, w, h, func(d *dash) {
		d.model.options.File = t.TempDir() + "/redial.db" // copies go beside it
		do(d)
	})
}

// places says by which keys every screen, pane, menu, line and dialog is reached.
func places() map[string]string {
	return map[string]string{
		"calls": "1", "calls, wide": "w g j", "calls, filter": "/", "calls, timeline": "g j j tab tab ]", "calls, copy": "g j y", "calls, export": "x",
		"detail": "g j enter ] ]", "detail, end": "G k k k enter G", "detail, folded": "g j enter tab tab space", "detail, copy": "g j enter y",
		"two calls": "g space j j j j d", "two attempts": "g j d",
		"timeline": "2", "timeline, by operation": "2 b n", "timeline, time": "2 @", "timeline, filter": "2 /", "timeline, call": "2 n enter",
		"timeline, near": "2 n + + + h", "timeline, playing": "2 g space", "timeline, copy": "2 n y",
		"pending": "3", "pending, life": "3 j j [ [", "pending, settled": "3 v", "pending, filter": "3 /", "pending, copy": "3 y", "pending, marked": "3 space space",
		"replay": "3 j j r", "replay, the key": "3 j j r tab", "settle": "3 j j s", "settle, reason": "3 j j s tab down tab", "undo": "3 j j u", "note": "3 j j a",
		"windows": "4", "windows, waiting": "4 tab j", "hosts": "5", "hosts, routes": "5 j enter", "hosts, sorted": "5 E r r",
		"sessions": "6", "sessions, another": "6 j enter", "session's name": "6 j e", "prune": "6 j j D tab down", "prune by age": "6 D tab down down tab", "prune by size": "6 D tab down down tab tab",
		"commands": ":", "commands, found": ": f i l", "calls, completed": "/ h o s t :", "help, looked through": "? / w",
		"help": "?", "help of the hosts": "5 ?", "leave": "3 j j l q",
	}
}

// goes goes to a place from wherever the dashboard is.
func (d *dash) goes(keys string) {
	d.home()
	d.begins(keys)
}

// begins goes to a place from where the dashboard begins.
func (d *dash) begins(keys string) {
	for _, key := range strings.Fields(keys) {
		d.pass(read) // dialogs hear nothing before they can be read
		d.press(key)
	}
	d.pass(read)
}

// home leaves all that is open, and goes to the first screen as it was at first.
func (d *dash) home() {
	for range 8 {
		d.press("esc")
		d.pass(100 * ms)
	}
	if d.model.scene.Wide {
		d.press("w")
	}
	d.press("1", "F")
}

// everyKey returns every key that does anything anywhere.
func everyKey() []string {
	all := map[string]bool{}
	v := reflect.ValueOf(*keys.Default())
	for i := range v.NumField() {
		if b, ok := v.Field(i).Interface().(key.Binding); ok {
			for _, k := range b.Keys() {
				all[k] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// exact fails the test unless a frame fills the terminal, and nothing more.
func exact(t *testing.T, frame string, w, h int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != max(h, 1) {
		t.Errorf("%d lines at %d×%d", len(lines), w, h)
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n != max(w, 0) && h > 0 {
			t.Errorf("line %d is %d columns wide at %d×%d: %q", i, n, w, h, l)
		}
	}
}

// Every place of the table is another one, so that what is tested there is tested.
func TestThePlacesAreReached(t *testing.T) {
	seen := map[string]string{}
	for name, keys := range places() {
		onEverything(t, everything(), Options{Theme: "none"}, 120, 40, func(d *dash) {
			d.begins(keys)
			screen := d.text()
			if other, ok := seen[screen]; ok {
				d.t.Errorf("%s and %s are the same:\n%s", name, other, screen)
			}
			if seen[screen] = name; d.quit {
				d.t.Errorf("%s is outside", name)
			}
		})
	}
}

// at returns a message of the mouse.
func at(x, y int, b tea.MouseButton) tea.Mouse { return tea.Mouse{X: x, Y: y, Button: b} }
