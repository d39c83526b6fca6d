package keys_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"redial/tui/keys"
)

func TestTheKeysOfTheManualFitTogether(t *testing.T) {
	if err := keys.Default().Check(); err != nil {
		t.Fatal(err)
	}
}

// TestEveryBindingIsInForceSomewhere gives each binding a key that clashes with the one that
// always ends the dashboard: it is only found where the check knows of both.
func TestEveryBindingIsInForceSomewhere(t *testing.T) {
	for _, e := range keys.Default().Entries() {
		if e.Name == "interrupt" {
			continue
		}
		km := keys.Default()
		if err := km.Set(e.Name, []string{"ctrl+c"}); err != nil {
			t.Fatalf("%s: %v", e.Name, err)
		}
		var clash *keys.ConflictError
		if err := km.Check(e.Name); !errors.As(err, &clash) || clash.Name != e.Name || clash.Other != "interrupt" {
			t.Errorf("%s on ctrl+c: %v", e.Name, err)
		}
	}
}

func TestKeysAreTakenAsTerminalsSpellThem(t *testing.T) {
	for text, want := range map[string]string{
		"a": "a", "A": "A", "ö": "ö", "ж": "ж", "/": "/", "enter": "enter", "f12": "f12", "ctrl+t": "ctrl+t",
		"alt+3": "alt+3", "shift+tab": "shift+tab", "shift+ctrl+left": "ctrl+shift+left", "ctrl+space": "ctrl+space", "+": "+",
	} {
		km := keys.Default()
		if err := km.Set("note", []string{text}); err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := km.Note.Keys(); !slices.Equal(got, []string{want}) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestAKeyThatNoTerminalSendsIsRefusedWithAdvice(t *testing.T) {
	for text, want := range map[string]string{
		"":             "there is no such key",
		"return":       "there is no such key",
		"ab":           "there is no such key",
		"ctrl+":        "there is no such key",
		"f13":          "there is no such key",
		"ctrl+ctrl+a":  "there is no such key",
		" ":            `write "space"`,
		"\x1b":         "no character that a key types",
		"\u202e":       "no character that a key types",
		"\u0301":       "no character that a key types",
		"shift+k":      "write 'K'",
		"shift+K":      "without shift+",
		"ctrl+shift+k": "without shift+",
		"ctrl+T":       `write "ctrl+t"`,
		"ctrl+i":       "cannot tell it from tab",
		"ctrl+m":       "cannot tell it from enter",
		"ctrl+enter":   "cannot tell it from enter",
		"ctrl+1":       "cannot send it",
		"ctrl+alt+a":   "cannot send it",
	} {
		km := keys.Default()
		var wrong *keys.KeyError
		err := km.Set("note", []string{"a", text})
		if !errors.As(err, &wrong) || wrong.Index != 1 || !strings.Contains(wrong.Text, want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if got := km.Note.Keys(); !slices.Equal(got, []string{"a"}) {
			t.Errorf("%q changed the keys to %q", text, got)
		}
	}
}

func TestWhatCannotBeBoundIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		set  map[string][]string
		want string
	}{
		"a key of another binding": {map[string][]string{"down": {"n"}},
			`"n" is also trouble (next trouble) in the calls: give one of them another key`},
		"two that were changed": {map[string][]string{"pin": {"0"}, "prune": {"0"}}, `"0" is also`},
		"a character in a text": {map[string][]string{"apply": {"a"}}, `"a" types text in the filter: use a key that types nothing`},
		"one that always holds": {map[string][]string{"interrupt": {"0"}}, `"0" is also fit`},
		"the way to delete":     {map[string][]string{"cancel": {"backspace"}}, `"backspace" types text in a field of a dialog`},
	} {
		t.Run(name, func(t *testing.T) {
			km, changed := keys.Default(), []string{}
			for n, k := range c.set {
				if err := km.Set(n, k); err != nil {
					t.Fatal(err)
				}
				changed = append(changed, n)
			}
			err := km.Check(changed...)
			var clash *keys.ConflictError
			if !errors.As(err, &clash) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("%v, want %q", err, c.want)
			}
			if !slices.Contains(changed, clash.Name) {
				t.Errorf("%s is told to be at fault, which nobody has changed", clash.Name)
			}
		})
	}
}

func TestABindingWithoutAKeyIsRefused(t *testing.T) {
	km := keys.Default()
	if err := km.Set("help", nil); !errors.Is(err, keys.ErrNoKey) {
		t.Errorf("no key: %v", err)
	}
	if err := km.Set("helpp", []string{"a"}); err == nil || !strings.Contains(err.Error(), "page_down") {
		t.Errorf("an unknown name: %v", err)
	}
}

func TestTwoKeysCanBeExchanged(t *testing.T) {
	km := keys.Default()
	if err := errors.Join(km.Set("replay", []string{"s"}), km.Set("settle", []string{"r"}), km.Check("replay", "settle")); err != nil {
		t.Fatal(err)
	}
	if got := km.Replay.Help().Key; got != "s" {
		t.Errorf("help names %q", got)
	}
}

func TestHelpNamesTheFirstKeyAndAnArrowBehindIt(t *testing.T) {
	for want, set := range map[string][]string{
		"e/↑": {"e", "up"}, "↑": {"up"}, "f1": {"f1", "e"}, "ctrl+p": {"ctrl+p", "pgup"},
	} {
		km := keys.Default()
		if err := km.Set("up", set); err != nil {
			t.Fatal(err)
		}
		if got := km.Up.Help().Key; got != want {
			t.Errorf("%q: %q, want %q", set, got, want)
		}
	}
}
