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

// shots lists the pictures of the README. Their keys find a call and an operation of the
// recording in demo.db that have something to show; another recording needs other keys. It
// was made with
//
//	redial demo --headless --for 64s --seed 4 --db demo.db
//
// and, half a minute later and meanwhile, by a person who was wrong about one operation and
// wrote a note about another:
//
//	redial ops fail reserve-8840 --as ana --reason 'stock says that it has no such reservation' --yes --db demo.db
//	redial ops note charge-8840 'asked pay support, case 77120' --as ana --db demo.db
//
// It was closed, so that nothing lies beside the file, and is looked at as of lookedAt.
func shots() []shot {
	const title = "POST /labels · label-8874"
	open := step{until: "disputed"} // What waits for a person is read last.
	label := step{keys: "G" + strings.Repeat(" ctrl+u", 3) + strings.Repeat(" j", 4), until: title}
	reason := step{until: "Sent again because"}
	find := step{keys: "/ key:label-8874 enter", until: title}
	waits := step{keys: "2 / -host:flaky* space (waited:>1s space or space outcome:unknown) enter", until: "outcome:unknown) ·"}
	sights := []struct {
		name  string
		steps []step
	}{
		{"live", []step{open, label, reason}},
		{"timeline", []step{open, waits, {keys: "@ 12:09:17 enter", until: "went to"}, {keys: "+", until: "54 calls"}, {until: "░░░░?"}}},
		{"pending", []step{open, {keys: "3", until: "CONTRADICTS"}, {keys: "j", until: "case 77120"}}},
		{"windows", []step{open, {keys: "4", until: "Waited"}, {until: "items/"}}},
		{"hosts", []step{open, {keys: "5", until: "Over time"}, {keys: "j j j", until: "Over time · rates"}, {until: "up to 9"}}},
		{"sessions", []step{open, {keys: "6", until: "it ended by itself"}, {until: "up to"}}},
		{"detail", []step{open, find, {keys: "enter", until: "request headers"}}},
	}
	var all []shot
	for _, s := range sights {
		all = append(all,
			shot{name: s.name + ".png", cols: 110, rows: 32, theme: "dark", steps: s.steps},
			shot{name: s.name + "-light.png", cols: 110, rows: 32, theme: "light", steps: s.steps},
		)
	}
	walk := func(n string, steps ...step) shot {
		return shot{name: "walk-" + n + ".png", cols: 110, rows: 32, theme: "dark", steps: append([]step{open}, steps...)}
	}
	return append(all,
		walk("1", step{keys: "/", until: "sent twice"}),
		walk("2", step{keys: "/ down", until: "22 of 572"}),
		walk("3", step{keys: "/ down enter", until: "22 of 572"}, step{keys: "enter", until: "the other"}),
	)
}
