package main

import "strings"

// shot describes one picture.
type shot struct {
	name       string // The picture's file name, in this folder.
	cols, rows int
	theme      string // The terminal's colours, "dark" or "light"; redial asks the terminal for them.
	steps      []step
	// live allows a screen that never comes to rest, such as that of a service at work. A
	// picture that must be the same tomorrow is not live: if its screen does not rest, that
	// is an error.
	live bool
}

// step presses keys and then waits until a text is on the screen and the screen is at rest.
type step struct {
	// keys are keys and words to type, with blanks between them; "space" is a blank. What
	// follows an esc belongs in the next step, or it would be alt and a key.
	keys  string
	until string // "" waits only for rest.
}

// shots lists the pictures of the README. Their keys find a call of the recording in demo.db
// that has something to show; another recording needs other keys. It was made with
//
//	redial demo --headless --for 64s --seed 4 --db screenshots/demo.db
//
// and closed with it, so that nothing lies beside the file.
func shots() []shot {
	const title = "POST /orders · order-8903"
	open := step{until: "p95"} // The sums of the header are read last.
	order := step{keys: "G" + strings.Repeat(" ctrl+u", 9) + strings.Repeat(" j", 6), until: title}
	reason := step{until: "Sent again because"}
	find := step{keys: "/ key:order-8903 enter", until: title}
	return []shot{
		{name: "live.png", cols: 110, rows: 32, theme: "dark", steps: []step{open, order, reason}},
		{name: "live-light.png", cols: 110, rows: 32, theme: "light", steps: []step{open, order, reason}},
		{name: "windows.png", cols: 110, rows: 32, theme: "dark", steps: []step{open, {keys: "4", until: "Waited"}, {until: "items/65"}}},
		{name: "detail.png", cols: 110, rows: 32, theme: "dark", steps: []step{open, find, {keys: "enter", until: "request headers"}}},
	}
}
