package tui

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// dash is the dashboard without a terminal: messages go in, frames come out. It lives in
// a bubble of fake time, so that what is under way can be waited for.
type dash struct {
	t     *testing.T
	model *model
	store *fakeStore
	msgs  chan tea.Msg
	quit  bool
}

// onDash runs a test on a dashboard of that size that has read the store.
func onDash(t *testing.T, store *fakeStore, w, h int, do func(*dash)) {
	t.Helper()
	onDashWith(t, store, Options{Theme: "none"}, w, h, do)
}

func onDashWith(t *testing.T, store *fakeStore, o Options, w, h int, do func(*dash)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		defer func() {
			cancel()
			time.Sleep(2 * time.Second) // what waits for a moment in time ends
			synctest.Wait()
		}()
		began := time.Now()
		o.File, o.Environ, o.Zone = "/home/ana/redial.db", []string{"TERM=xterm-256color"}, storyZone()
		if o.Now == nil {
			o.Now = func() time.Time { return storyNow().Add(time.Since(began)) }
		}
		o.Input, o.Output = strings.NewReader(""), new(strings.Builder)
		if err := o.complete(); err != nil {
			t.Fatal(err)
		}
		d := &dash{t: t, model: newModel(ctx, store, o), store: store, msgs: make(chan tea.Msg, 1000)}
		d.run(d.model.Init())
		d.send(tea.WindowSizeMsg{Width: w, Height: h})
		do(d)
	})
}

// run runs a command as the program would.
func (d *dash) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	go func() {
		switch msg := cmd().(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				d.run(c)
			}
		default:
			d.msgs <- msg
		}
	}()
}

// send gives the model a message and waits until all that comes of it at once is done.
func (d *dash) send(msg tea.Msg) {
	d.run(d.model.Update(msg))
	d.settle()
}

func (d *dash) settle() {
	for {
		synctest.Wait()
		select {
		case msg := <-d.msgs:
			if _, ok := msg.(tea.QuitMsg); ok {
				d.quit = true
				continue
			}
			d.run(d.model.Update(msg))
		default:
			return
		}
	}
}

// pass lets time pass.
func (d *dash) pass(t time.Duration) {
	for end := time.Now().Add(t); time.Now().Before(end); {
		time.Sleep(min(t, pollEach))
		d.settle()
	}
}

// press presses keys by their names, as a terminal would tell of them.
func (d *dash) press(names ...string) {
	for _, name := range names {
		d.send(keyPress(name))
	}
}

// write types text.
func (d *dash) write(text string) {
	for _, r := range text {
		d.send(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func keyPress(name string) tea.KeyPressMsg {
	special := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
		"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "home": tea.KeyHome, "end": tea.KeyEnd, "backspace": tea.KeyBackspace, "left": tea.KeyLeft, "right": tea.KeyRight, "delete": tea.KeyDelete,
	}
	if code, ok := special[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	if name == "shift+tab" {
		return tea.KeyPressMsg{Code: tea.KeyTab, Mod: tea.ModShift}
	}
	if letter, ok := strings.CutPrefix(name, "ctrl+"); ok {
		return tea.KeyPressMsg{Code: rune(letter[0]), Mod: tea.ModCtrl}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// frame returns what is drawn, with styles.
func (d *dash) frame() string { return d.model.View().Content }

// text returns what is drawn, without styles.
func (d *dash) text() string { return ansi.Strip(d.frame()) }

// line returns one line of the screen, counted from 0.
func (d *dash) line(i int) string {
	lines := strings.Split(d.text(), "\n")
	if i < 0 {
		i += len(lines)
	}
	return lines[i]
}

// shows fails the test unless every text is on the screen.
func (d *dash) shows(texts ...string) {
	d.t.Helper()
	screen := d.text()
	for _, s := range texts {
		if !strings.Contains(screen, s) {
			d.t.Errorf("the screen does not show %q:\n%s", s, screen)
		}
	}
}

// hides fails the test if a text is on the screen.
func (d *dash) hides(texts ...string) {
	d.t.Helper()
	screen := d.text()
	for _, s := range texts {
		if strings.Contains(screen, s) {
			d.t.Errorf("the screen shows %q:\n%s", s, screen)
		}
	}
}
