package tui

import (
	"strings"

	"redial/tui/draw"
	"redial/tui/theme"
)

// greeting shows how to get calls into a file that has none.
func (m *model) greeting(w, h int) []string {
	th := m.scene.Theme
	code := []string{
		`go mod edit -require=redial@v0.0.0 -replace=redial=PATH`,
		``,
		`store, err := db.Open("")`,
		`rec := recorder.New(store, recorder.Options{Service: "checkout"})`,
		`defer rec.Close()`,
		`client := &http.Client{Transport: &transport.Transport{Recorder: rec}}`,
	}
	lines := []string{
		m.line(w-2, th.Strong, "  Nothing has been recorded yet."),
		m.line(w-2, th.Text, "  A few lines get a service's calls in here:"),
		m.line(w-2, th.Text, ""),
	}
	for _, c := range code {
		for i, part := range draw.Wrap(c, w-8, 3) {
			lines = append(lines, m.line(w-2, th.Accent, "    "+strings.Repeat("  ", min(i, 1))+part))
		}
		if c == "" {
			lines = append(lines, m.line(w-2, th.Text, ""))
		}
	}
	lines = append(lines,
		m.line(w-2, th.Text, ""), m.line(w-2, th.Text, "  redial demo shows all of it with services that are made up."),
		m.line(w-2, th.Text, ""), m.fileLine(w-2, th.Dim))
	return m.scene.Box("Welcome", "", false).Draw(lines, w, h)
}

func (m *model) fileLine(w int, st theme.Style) string {
	return m.line(w, st, "  file: "+m.options.File)
}

// unreadable says that there is nothing to show, and why.
func (m *model) unreadable(w, h int) []string {
	lines := []string{m.fileLine(w-2, m.scene.Theme.Text), m.line(w-2, m.scene.Theme.Text, "")}
	for _, part := range draw.Wrap(m.trouble, w-6, 6) {
		lines = append(lines, m.line(w-2, m.scene.Theme.Bad, "  "+part))
	}
	lines = append(lines, m.line(w-2, m.scene.Theme.Dim, "  It is tried again each second."))
	return m.scene.Box("The file cannot be read", "", false).Draw(lines, w, h)
}
