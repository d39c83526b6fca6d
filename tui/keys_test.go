package tui

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"redial/tui/keys"
)

// otherKeys returns a keymap in which nothing has the key that it has by itself: Greek and
// Cyrillic letters, and ctrl with a letter for what is in force while text is typed.
func otherKeys(t *testing.T) *keys.Map {
	t.Helper()
	km := keys.Default()
	controls := map[string]string{
		"toggle": "ctrl+f", "apply": "ctrl+y", "clear": "ctrl+l", "interrupt": "ctrl+q", "suspend": "ctrl+s",
		"choose": "ctrl+n", "choose_back": "ctrl+p", "press": "ctrl+o", "cancel": "ctrl+g",
		"complete": "ctrl+e", "complete_back": "ctrl+r", "above": "ctrl+a", "below": "ctrl+b",
	}
	letter := 'α'
	for _, e := range km.Entries() {
		to, ok := controls[e.Name]
		if !ok {
			to = string(letter)
			if letter++; letter == 'ω'+1 {
				letter = 'а'
			}
		}
		if err := km.Set(e.Name, []string{to}); err != nil {
			t.Fatal(err)
		}
	}
	if err := km.Check(); err != nil {
		t.Fatal(err)
	}
	return km
}

// TestChangedKeysWorkAndAreShownEverywhere walks the screens with them. What was bound
// before must do nothing, and stand nowhere.
func TestChangedKeysWorkAndAreShownEverywhere(t *testing.T) {
	km, before := otherKeys(t), map[string]bool{}
	for _, e := range keys.Default().Entries() {
		before[e.Key.Help().Key] = true
	}
	onDashWith(t, pendingStory(), Options{Theme: "none", Keys: km}, 200, 60, func(d *dash) {
		for i, b := range []string{km.Live.Keys()[0], km.Timeline.Keys()[0], km.Pending.Keys()[0], km.Windows.Keys()[0], km.Hosts.Keys()[0], km.Sessions.Keys()[0]} {
			d.press(b)
			if d.model.active != i {
				t.Errorf("%s does not open screen %d", b, i+1)
			}
			d.shows("[" + b + " ")
			bound := d.model.screen().Bindings()
			for _, group := range append(bound.Full, keys.Named{Keys: d.model.shortKeys()}) {
				for _, k := range group.Keys {
					if before[k.Help().Key] && k.Help().Desc != "" {
						t.Errorf("screen %d: %s is shown for %q", i+1, k.Help().Key, k.Help().Desc)
					}
				}
			}
			d.press(km.Help.Keys()[0])
			d.shows(km.Help.Keys()[0]+"         help", km.Interrupt.Keys()[0])
			d.press(km.Back.Keys()[0])
			d.hides("Everywhere")
		}
	})
}

func TestWhatWasBoundBeforeDoesNothing(t *testing.T) {
	onDashWith(t, pendingStory(), Options{Theme: "none", Keys: otherKeys(t)}, 110, 32, func(d *dash) {
		frame := d.text()
		for _, name := range []string{"2", "3", "/", "?", "enter", "t", "w", "n", "j", "k", "tab", "y", "x", "q", "ctrl+c", "up", "pgdown"} {
			if d.press(name); d.text() != frame || d.quit {
				t.Errorf("%s does something:\n%s", name, d.text())
			}
		}
	})
}

func TestChangedKeysWriteAFilterAndAnswerAQuestion(t *testing.T) {
	km := otherKeys(t)
	onDashWith(t, pendingStory(), Options{Theme: "none", Keys: km, Actions: new(fakeActions)}, 110, 32, func(d *dash) {
		d.press(km.Toggle.Keys()[0])
		d.shows("there is no filter: " + km.Filter.Keys()[0] + " writes one")
		d.press(km.Filter.Keys()[0])
		d.write("qj/")
		d.shows("/ qj/", "ctrl+y keep the filter")
		d.press("ctrl+l")
		d.hides("qj/")

		d.press(km.Pending.Keys()[0], km.Settle.Keys()[0])
		d.shows("▐ Cancel ▌", "ctrl+o press", "ctrl+g cancel")
		d.press("esc")
		d.shows("▐ Cancel ▌")
		d.press("ctrl+g")
		d.hides("▐ Cancel ▌")
		if d.press("ctrl+q"); !d.quit {
			t.Error("ctrl+q does not end it")
		}
	})
}

// TestNoTextOfTheDashboardNamesAKeyByItself looks for keys in the string literals of the
// dashboard: each has to come from the keymap, since it can be changed.
func TestNoTextOfTheDashboardNamesAKeyByItself(t *testing.T) {
	named := regexp.MustCompile(`\b(esc|ctrl\+[a-z]|shift\+tab|j/k)\b|\b(enter|tab|space) [a-z]+s\b` +
		`|(^|[;:,.] )[A-Za-z@/?+0-9-] (opens|brings|shows|clears|goes|follows|switches|writes|breaks|gives|leaves|looks|settles|scrolls|copies)\b`)
	seen := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		if slices.Contains([]string{"keys", "visible"}, strings.Split(filepath.ToSlash(path), "/")[0]) || path == "torn.go" {
			return nil // the keymap itself, and what takes escape sequences apart
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				seen++
				if text, err := strconv.Unquote(lit.Value); err == nil && named.MatchString(text) {
					t.Errorf("%s: %q names a key", path, text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil || seen < 500 {
		t.Fatalf("%d literals: %v", seen, err)
	}
}

func TestWideColumnsCanBeThereFromTheStart(t *testing.T) {
	onDashWith(t, pendingStory(), Options{Theme: "none", Wide: true}, 120, 32, func(d *dash) {
		d.hides("┓╭ Windows", "╮╭ Windows")
		d.press("w")
		d.shows("╭ Windows")
	})
}
