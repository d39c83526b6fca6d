package keys

// Default returns the keymap as it is documented.
func Default() *Map {
	m := &Map{
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
	}
	m.writing()
	m.time()
	m.operations()
	m.dialogs()
	m.sums()
	m.sorting()
	return m
}

// writing binds the keys of the commands and of what is written.
func (m *Map) writing() {
	m.Commands = bind("commands", ":")
	m.Complete = bind("complete", "tab")
	m.CompleteBack = bind("complete back", "shift+tab")
	m.Above = bind("used before", "up")
	m.Below = bind("saved", "down")
}

// time binds what moves in time and plays it.
func (m *Map) time() {
	m.Earlier = bind("earlier", "h", "left")
	m.Later = bind("later", "l", "right")
	m.ZoomIn = bind("zoom in", "+", "=")
	m.ZoomOut = bind("zoom out", "-")
	m.Fit = bind("fit all", "0")
	m.GoTo = bind("go to a time", "@")
	m.Play = bind("play", "space")
	m.Slower = bind("slower", "<")
	m.Faster = bind("faster", ">")
	m.Group = bind("by host or operation", "b")
}

// operations binds what is done about operations.
func (m *Map) operations() {
	m.LookUp = bind("look up", "l")
	m.Replay = bind("replay…", "r")
	m.Settle = bind("settle…", "s")
	m.Undo = bind("undo at vendor…", "u")
	m.Note = bind("note…", "a")
	m.Mark = bind("mark", "space")
	m.Settled = bind("settled too", "v")
}

// dialogs binds what moves in a dialog.
func (m *Map) dialogs() {
	m.Choose = bind("choose", "tab")
	m.ChooseBack = bind("choose back", "shift+tab")
	m.Press = bind("press", "enter")
	m.Cancel = bind("cancel", "esc")
	m.Left = bind("left", "left")
	m.Right = bind("right", "right")
}

// sums binds the keys of hosts and of sessions.
func (m *Map) sums() {
	m.Range = bind("another range", "r")
	m.Calls = bind("calls", "c")
	m.Name = bind("name…", "e")
	m.Pin = bind("pin", "p")
	m.Prune = bind("prune…", "D")
}

// sorting binds the keys that sort a table by a column.
func (m *Map) sorting() {
	m.SortHost = bind("host", "H")
	m.SortCalls = bind("calls", "C")
	m.SortAttempts = bind("attempts", "A")
	m.SortAmplified = bind("attempts per call", "M")
	m.SortRetried = bind("share of calls sent again", "R")
	m.SortErrors = bind("share of errors", "E")
	m.SortTime = bind("how long calls took", "P")
	m.SortWaited = bind("time spent waiting", "W")
	m.SortService = bind("service", "S")
	m.SortStarted = bind("start", "T")
	m.SortLength = bind("length", "L")
	m.SortPending = bind("pending operations", "P")
	m.SortEnded = bind("how they ended", "E")
}
