package tui

import (
	"slices"
	"strconv"
	"strings"

	"redial/tui/draw"
	"redial/tui/theme"
)

// greeting shows how to get calls into a file that has none. Where there is little room
// it does without blank lines and the hint.
func (m *model) greeting(w, h int) []string {
	th := m.scene.Theme
	blank := m.line(w-2, th.Text, "")
	lines := []string{m.line(w-2, th.Strong, "  Nothing is recorded yet. A few lines get calls in here:")}
	for _, c := range []string{
		`go mod edit -require=redial@v0.0.0 -replace=redial=PATH`,
		"store, err := db.Open(" + strconv.Quote(m.options.Open) + ")",
		`rec := recorder.New(store, recorder.Options{Service: "checkout"})`,
		`defer rec.Close()`,
		`client := &http.Client{Transport: &transport.Transport{Recorder: rec}}`,
	} {
		for i, part := range draw.Wrap(c, w-8, 6) {
			lines = append(lines, m.line(w-2, th.Accent, "    "+strings.Repeat("  ", min(i, 1))+part))
		}
	}
	if len(lines)+6 <= h-2 {
		lines = slices.Insert(lines, 2, blank)
		lines = slices.Insert(lines, 1, blank)
		lines = append(lines, blank, m.line(w-2, th.Text, "  redial demo shows all of it with services that are made up."), blank)
	}
	return m.scene.Box("Welcome", "", false).Draw(append(lines, m.fileLine(w-2, th.Dim)), w, h)
}

func (m *model) fileLine(w int, st theme.Style) string {
	return m.line(w, st, "  file: "+m.options.File)
}

// unreadable says that there is nothing to show, and why.
func (m *model) unreadable(w, h int) []string {
	lines := []string{m.fileLine(w-2, m.scene.Theme.Text), m.line(w-2, m.scene.Theme.Text, "")}
	for _, part := range draw.Wrap(m.trouble(), w-6, 6) {
		lines = append(lines, m.line(w-2, m.scene.Theme.Bad, "  "+part))
	}
	lines = append(lines, m.line(w-2, m.scene.Theme.Dim, "  It is tried again each second."))
	return m.scene.Box("The file cannot be read", "", false).Draw(lines, w, h)
}
