package filter

import "slices"

// most is how many filters that were used are remembered.
const most = 200

// Memory is what filters there are to go back to: those that have a name, and those that
// were used. Bars share it. The zero value has none.
type Memory struct {
	saved []Saved
	past  []string // used ones, the latest last, each once
	fresh []string // those of past that nobody has written down
}

// NewMemory returns a memory with these filters, and after them those that come with the
// dashboard; one of the same name takes the place of such a one.
func NewMemory(saved []Saved) *Memory {
	m := &Memory{saved: slices.Clone(saved)}
	for _, s := range builtIn() {
		named := func(o Saved) bool { return o.Name == s.Name }
		if !slices.ContainsFunc(saved, named) {
			m.saved = append(m.saved, s)
		}
	}
	return m
}

// builtIn returns the filters that come with the dashboard. Those that only operations take
// stand first; a bar of calls leaves them out.
func builtIn() []Saved {
	return []Saved{
		{"waits for a person", "state:pending or state:disputed"},
		{"failed", "state:failed"},
		{"sent twice", "duplicate:yes"},
		{"unknown outcome", "outcome:unknown"},
		{"server errors", "status:5xx"},
		{"client errors", "status:4xx"},
		{"never reached the server", "outcome:not-sent"},
		{"sent again", "attempts:>1"},
		{"slow", "dur:>2s"},
		{"waited", "waited:>1s"},
		{"still running", "running:yes"},
	}
}

// Recall puts filters that were used earlier, the latest last, before those that were used
// since.
func (m *Memory) Recall(past []string) {
	since := m.past
	m.past = nil
	for _, text := range append(slices.Clone(past), since...) {
		m.add(text)
	}
}

// Use notes that a filter was used. One that has a name is at hand as it is.
func (m *Memory) Use(text string) {
	named := func(s Saved) bool { return s.Expr == text }
	if text == "" || slices.ContainsFunc(m.saved, named) {
		return
	}
	m.add(text)
	m.fresh = append(m.fresh, text)
}

func (m *Memory) add(text string) {
	same := func(s string) bool { return s == text }
	m.past = append(slices.DeleteFunc(m.past, same), text)
	m.past = m.past[max(0, len(m.past)-most):]
}

// Take returns the filters that were used since the last time, to be written down.
func (m *Memory) Take() []string {
	fresh := m.fresh
	m.fresh = nil
	return fresh
}
