package tui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"redial/ledger"
	"redial/tui/visible/hostile"
)

// pendingSights are how the screen of operations and its dialogs are reached.
func pendingSights() map[string]func(*dash) {
	at := func(names ...string) func(*dash) {
		return func(d *dash) {
			d.press("3")
			d.pass(read)
			d.press("j", "j")
			d.pass(read)
			d.press(names...)
			d.pass(read)
		}
	}
	return map[string]func(*dash){
		"list": at(), "life": at("[", "["), "settled": at("v"),
		"replay": at("r"), "settle": at("s"), "undo": at("u"), "note": at("a"),
	}
}

// stillActions are actions that take notice of nothing.
func stillActions(f *fakeStore) Options {
	return Options{Now: still, Actions: &fakeActions{store: f, answer: "it is pending"}}
}

func TestThePendingScreenLooksAsItDidAtThreeSizesInThreeThemes(t *testing.T) {
	for name, do := range pendingSights() {
		for _, size := range [][2]int{{60, 16}, {110, 30}, {200, 60}} {
			for _, theme := range []string{"dark", "light", "none"} {
				t.Run(fmt.Sprintf("%s/%dx%d/%s", name, size[0], size[1], theme), func(t *testing.T) {
					f := pendingStory()
					o := stillActions(f)
					o.Theme = theme
					onDashWith(t, f, o, size[0], size[1], func(d *dash) {
						do(d)
						golden.RequireEqual(d.t, d.frame())
					})
				})
			}
		}
	}
}

func TestEveryLineOfThePendingScreenIsAsWideAsTheTerminal(t *testing.T) {
	for name, do := range pendingSights() {
		f := pendingStory()
		onDashWith(t, f, stillActions(f), 110, 32, func(d *dash) {
			do(d)
			for _, size := range [][2]int{{60, 16}, {61, 17}, {80, 24}, {99, 31}, {100, 20}, {110, 30}, {149, 40}, {200, 60}, {60, 60}, {300, 16}} {
				d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				lines := strings.Split(d.frame(), "\n")
				if len(lines) != size[1] {
					t.Errorf("%s: %d lines, want %d", name, len(lines), size[1])
				}
				for i, l := range lines {
					if w := ansi.StringWidth(l); w != size[0] {
						t.Errorf("%s: line %d is %d columns wide, want %d: %q", name, i, w, size[0], l)
					}
				}
			}
			for _, size := range [][2]int{{0, 0}, {1, 1}, {5, 5}, {1, 500}, {500, 1}, {59, 16}, {60, 15}, {-1, -1}} {
				d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				fits(t, d.frame(), size[0], size[1])
			}
		})
	}
}

// poisonedOperations has s wherever something from outside stands.
func poisonedOperations(s string) *fakeStore {
	f := pendingStory()
	f.sessions[0].Service = s
	lives := map[ledger.ID][]ledger.Transition{}
	for i := range f.ops {
		o := &f.ops[i]
		rows := f.lives[o.ID()]
		o.Service, o.Name, o.Method, o.LastError = s, s, s, s
		o.Key = s + o.Key
		o.URL = "https://" + s + "/" + s
		o.Header = []ledger.Field{{Name: "Content-Type", Value: s + "/" + s}}
		o.Policy.Header = s
		if o.SettledBy.Kind == ledger.Person {
			o.SettledBy.Name = s
		}
		if o.Undo != nil {
			o.Undo = &ledger.Undo{Method: s, URL: s}
		}
		for j := range rows {
			rows[j].Service, rows[j].Reason, rows[j].Evidence = s, s, s
			rows[j].Actor.Name = s
		}
		lives[o.ID()] = rows
	}
	f.lives = lives
	return f
}

func TestNoHostileStringGetsThroughTheOperations(t *testing.T) {
	for _, s := range hostile.Strings() {
		for _, size := range [][2]int{{60, 16}, {110, 32}} {
			f := poisonedOperations(s)
			o := stillActions(f)
			o.Theme = "light"
			o.Redact.Operation = func(o *ledger.Operation) ledger.Operation { return *o }
			onDashWith(t, f, o, size[0], size[1], func(d *dash) {
				for name, do := range pendingSights() {
					do(d)
					harmless(d.t, d.frame(), nil, size[0], size[1])
					d.press("esc")
					if d.t.Failed() {
						d.t.Fatalf("%s at %v with %q", name, size, s)
					}
				}
				d.model.pending.Update(tea.KeyPressMsg{Code: 's', Text: "s"})
				d.pass(time.Second)
				d.send(tea.PasteMsg{Content: s})
				harmless(d.t, d.frame(), nil, size[0], size[1])
			})
		}
	}
}
