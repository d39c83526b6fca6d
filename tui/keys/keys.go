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

// Default returns the keymap as it is documented.
func Default() *Map {
	return &Map{
		Up:          bind("up", "k", "up"),
		Down:        bind("down", "j", "down"),
		PageUp:      bind("half a page up", "ctrl+u", "pgup"),
		PageDown:    bind("half a page down", "ctrl+d", "pgdown"),
		Top:         bind("first", "g", "home"),
		Bottom:      bind("last", "G", "end"),
		Open:        bind("open", "enter"),
		Back:        bind("back", "esc"),
		Next:        bind("next pane", "tab"),
		Live:        bind("calls", "1"),
		Timeline:    bind("timeline", "2"),
		Pending:     bind("pending", "3"),
		Windows:     bind("windows", "4"),
		Hosts:       bind("hosts", "5"),
		Sessions:    bind("sessions", "6"),
		Filter:      bind("filter", "/"),
		Toggle:      bind("filter off/on", "ctrl+t"),
		Apply:       bind("keep the filter", "enter"),
		Clear:       bind("clear", "esc"),
		Trouble:     bind("next trouble", "n"),
		TroubleBack: bind("previous trouble", "N"),
		Attempt:     bind("next attempt", "]"),
		AttemptBack: bind("previous attempt", "["),
		Follow:      bind("follow", "F"),
		Wide:        bind("wide columns", "w"),
		Theme:       bind("theme", "t"),
		Copy:        bind("copy", "y"),
		Export:      bind("export", "x"),
		Diff:        bind("what differs", "d"),
		ToFile:      bind("to a file", "f"),
		Help:        bind("help", "?"),
		Quit:        bind("quit", "q"),
		Interrupt:   bind("quit", "ctrl+c"),
		Suspend:     bind("suspend; fg brings it back", "ctrl+z"),

		Commands:     bind("commands", ":"),
		Complete:     bind("complete", "tab"),
		CompleteBack: bind("complete back", "shift+tab"),
		Above:        bind("used before", "up"),
		Below:        bind("saved", "down"),

		Earlier: bind("earlier", "h", "left"),
		Later:   bind("later", "l", "right"),
		ZoomIn:  bind("zoom in", "+", "="),
		ZoomOut: bind("zoom out", "-"),
		Fit:     bind("fit all", "0"),
		GoTo:    bind("go to a time", "@"),
		Play:    bind("play", "space"),
		Slower:  bind("slower", "<"),
		Faster:  bind("faster", ">"),
		Group:   bind("by host or operation", "b"),

		LookUp:  bind("look up", "l"),
		Replay:  bind("replay…", "r"),
		Settle:  bind("settle…", "s"),
		Undo:    bind("undo at vendor…", "u"),
		Note:    bind("note…", "a"),
		Mark:    bind("mark", "space"),
		Settled: bind("settled too", "v"),

		Choose:     bind("choose", "tab"),
		ChooseBack: bind("choose back", "shift+tab"),
		Press:      bind("press", "enter"),
		Cancel:     bind("cancel", "esc"),
		Left:       bind("left", "left"),
		Right:      bind("right", "right"),

		Range: bind("another range", "r"),
		Calls: bind("calls", "c"),
		Name:  bind("name…", "e"),
		Pin:   bind("pin", "p"),
		Prune: bind("prune…", "D"),

		SortHost:      bind("host", "H"),
		SortCalls:     bind("calls", "C"),
		SortAttempts:  bind("attempts", "A"),
		SortAmplified: bind("attempts per call", "M"),
		SortRetried:   bind("share of calls sent again", "R"),
		SortErrors:    bind("share of errors", "E"),
		SortTime:      bind("how long calls took", "P"),
		SortWaited:    bind("time spent waiting", "W"),
		SortService:   bind("service", "S"),
		SortStarted:   bind("start", "T"),
		SortLength:    bind("length", "L"),
		SortPending:   bind("pending operations", "P"),
		SortEnded:     bind("how they ended", "E"),
	}
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
