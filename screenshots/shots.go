package main

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
	keys  string // One key's name, or text to type; "" presses nothing.
	until string // "" waits only for rest.
}

// shots lists the pictures of the README.
func shots() []shot {
	start := step{until: "1 Calls"}
	return []shot{
		{name: "live.png", cols: 110, rows: 32, theme: "dark", steps: []step{start}},
		{name: "live-light.png", cols: 110, rows: 32, theme: "light", steps: []step{start}},
		{name: "windows.png", cols: 110, rows: 32, theme: "dark", steps: []step{start, {keys: "4"}}},
		{name: "detail.png", cols: 110, rows: 32, theme: "dark", steps: []step{start, {keys: "enter"}}},
	}
}
