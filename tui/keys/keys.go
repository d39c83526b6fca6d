// Package keys holds the one keymap of the dashboard. Screens match against it and
// never against a literal key, and every help text is made from it.
package keys

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
)

// Map binds every key of the dashboard.
type Map struct {
	Up, Down, PageUp, PageDown, Top, Bottom key.Binding
	Open, Back, Next                        key.Binding
	Live, Timeline, Pending, Windows, Hosts key.Binding
	Sessions                                key.Binding
	Filter, Toggle, Apply, Clear            key.Binding
	Trouble, TroubleBack                    key.Binding
	Attempt, AttemptBack                    key.Binding
	Follow, Wide, Theme                     key.Binding
	Copy, ToFile, Diff, Export              key.Binding
	Help, Quit, Interrupt, Suspend          key.Binding
	Commands                                key.Binding
	Complete, CompleteBack, Above, Below    key.Binding // where something is written

	Earlier, Later, ZoomIn, ZoomOut, Fit, GoTo key.Binding // in time
	Play, Slower, Faster, Group                key.Binding

	LookUp, Replay, Settle, Undo, Note, Mark, Settled key.Binding // on operations
	Choose, ChooseBack, Press, Cancel, Left, Right    key.Binding // in dialogs

	Range, Calls     key.Binding // of sums
	Name, Pin, Prune key.Binding // of sessions

	SortHost, SortCalls, SortAttempts, SortAmplified key.Binding
	SortRetried, SortErrors, SortTime, SortWaited    key.Binding
	SortService, SortStarted, SortLength             key.Binding
	SortPending, SortEnded                           key.Binding
}

// Named is a group of bindings with a title, as help shows them.
type Named struct {
	Title string
	Keys  []key.Binding
}

// Pair returns a binding that only stands in help: two keys that belong together.
func Pair(a, b key.Binding, does string) key.Binding {
	between := "/"
	if strings.ContainsAny(short(a), "[]") {
		between = " "
	}
	return key.NewBinding(key.WithKeys(a.Keys()...), key.WithHelp(short(a)+between+short(b), does))
}

// Does returns a binding with other words for what it does.
func Does(b key.Binding, does string) key.Binding {
	b.SetHelp(b.Help().Key, does)
	return b
}

// Says returns a binding without a key, which only says something among the others: what
// stands where a key would, and what it does, "" for nothing.
func Says(what, does string) key.Binding { return key.NewBinding(key.WithHelp(what, does)) }

// Sorts returns a binding that says which keys sort: shift and a letter, as long as nobody
// has changed that.
func Sorts(all []key.Binding) key.Binding {
	names := make([]string, len(all))
	shifted := true
	for i, b := range all {
		names[i] = short(b)
		shifted = shifted && len(names[i]) == 1 && names[i] >= "A" && names[i] <= "Z"
	}
	if shifted {
		return Says("shift+letter", "sort")
	}
	return Says(strings.Join(names, " "), "sort")
}

// short returns the key of a binding as help names it, without its second name.
func short(b key.Binding) string {
	name := b.Help().Key
	if first, _, ok := strings.Cut(name, "/"); ok && first != "" {
		return first
	}
	return name
}

func bind(does string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(title(keys), does))
}

// title is how help names keys: the first of them, and an arrow if that is the second.
func title(keys []string) string {
	arrows := strings.NewReplacer("up", "↑", "down", "↓", "left", "←", "right", "→")
	name := keys[0]
	if isArrow(name) {
		name = arrows.Replace(name)
	}
	if len(keys) > 1 && isArrow(keys[1]) {
		name += "/" + arrows.Replace(keys[1])
	}
	return name
}

func isArrow(name string) bool { return slices.Contains([]string{"up", "down", "left", "right"}, name) }
