package tui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"redial/db"
)

// walk is the dashboard as somebody has it before them who has just been handed a recording.
// It counts the keys.
type walk struct {
	t     *testing.T
	model *model
	msgs  chan tea.Msg
	keys  int
}

// startWalk opens the recording that the pictures are of.
func startWalk(t *testing.T) *walk {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "screenshots", "demo.db"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "demo.db")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	store, err := db.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(func() {
		cancel()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	o := Options{File: file, Theme: "none", Environ: []string{"TERM=xterm-256color"}, Zone: time.UTC, Input: strings.NewReader(""), Output: new(strings.Builder)}
	if err := o.complete(); err != nil {
		t.Fatal(err)
	}
	w := &walk{t: t, model: newModel(ctx, store, o), msgs: make(chan tea.Msg, 1000)}
	w.run(w.model.Init())
	w.update(tea.WindowSizeMsg{Width: 110, Height: 32})
	return w
}

// run runs a command as the program would.
func (w *walk) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				w.run(c)
			}
		default:
			w.msgs <- msg
		}
	}()
}

func (w *walk) update(msg tea.Msg) { w.run(w.model.Update(msg)) }

// press presses a key, and waits until texts are on the screen.
func (w *walk) press(name string, until ...string) {
	w.t.Helper()
	w.keys++
	w.update(keyPress(name))
	w.shows(until...)
}

// shows waits until texts are on the screen.
func (w *walk) shows(texts ...string) {
	w.t.Helper()
	deadline := time.After(time.Minute)
	for {
		screen, missing := ansi.Strip(w.model.View().Content), ""
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				missing = text
			}
		}
		if missing == "" {
			return
		}
		select {
		case msg := <-w.msgs:
			w.update(msg)
		case <-deadline:
			w.t.Fatalf("after %d keys %q did not come:\n%s", w.keys, missing, screen)
		}
	}
}

// few is how many keys a new user may need to find what was sent twice, and why.
const few = 10

// What the README tells of the way to a call that was sent twice.
func TestANewUserFindsWhatWasSentTwiceAndWhyInAFewKeys(t *testing.T) {
	w := startWalk(t)
	w.shows("■ RECORDED", "572 calls", "/ filter")
	w.press("/", "sent twice", "duplicate:yes")
	w.press("down", "/ duplicate:yes", "22 of 572 calls", "SENT TWICE")
	w.press("enter", "enter open")
	w.press("enter",
		"POST mail.example.test/send was sent twice without a key", "the other", "is call 1-",
		"the first got no answer; the application then asked for the same in a new call",
		"POST has no idempotency key")
	if w.keys >= few {
		t.Errorf("it took %d keys", w.keys)
	}
	t.Logf("%d keys", w.keys)
}

// The same for somebody who knows no key but the one that lists what can be done.
func TestTheListOfCommandsLeadsThereToo(t *testing.T) {
	w := startWalk(t)
	w.shows("■ RECORDED", ": commands")
	w.press(":", "Commands")
	for _, letter := range "twice" {
		w.press(string(letter))
	}
	w.shows("only sent twice")
	w.press("enter", "/ duplicate:yes", "22 of 572 calls")
	w.press("enter", "was sent twice without a key", "POST has no idempotency key")
	if w.keys >= few {
		t.Errorf("it took %d keys", w.keys)
	}
}
