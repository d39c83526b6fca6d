package tui

import (
	"slices"
	"strconv"
	"strings"

	"redial/tui/draw"
	"redial/tui/theme"
)

// The command and the imports that the lines of start need.
const (
	require = `go mod edit -require=redial@v0.0.0 -replace=redial=PATH`
	imports = `import ("log"; "net/http"; "redial/db"; "redial/recorder"; "redial/transport")`
)

// start are the lines of Go that get calls into a file.
func start(file string) []string {
	return []string{
		"store, err := db.Open(" + strconv.Quote(file) + ")",
		`if err != nil { log.Fatal(err) }`,
		`rec := recorder.New(store, recorder.Options{})`,
		`defer store.Close(); defer rec.Close()`,
		`client := &http.Client{Transport: &transport.Transport{Recorder: rec}}`,
	}
}

// greeting shows how to get calls into a file that has none. Where there is little room
// it does without blank lines and the hint, and then without the imports.
func (m *model) greeting(w, h int) []string {
	th := m.scene.Theme
	blank := m.line(w-2, th.Text, "")
	lines := []string{m.line(w-2, th.Strong, "  Nothing is recorded yet. A few lines get calls in here:")}
	needs, code := m.codeLines(w, require, imports), m.codeLines(w, start(m.options.Open)...)
	if len(needs)+len(code)+2 > h-2 {
		needs = m.codeLines(w, require)
	}
	lines = append(append(lines, needs...), code...)
	if len(needs)+len(code)+7 <= h-2 {
		lines = slices.Insert(lines, 1+len(needs), blank)
		lines = slices.Insert(lines, 1, blank)
		lines = append(lines, blank, m.line(w-2, th.Text, "  redial demo shows all of it with services that are made up."), blank)
	}
	return m.scene.Box("Welcome", "", false).Draw(append(lines, m.fileLine(w-2, th.Dim)), w, h)
}

// codeLines writes what is to be typed.
func (m *model) codeLines(w int, code ...string) []string {
	var lines []string
	for _, c := range code {
		for i, part := range draw.Wrap(c, w-8, 6) {
			lines = append(lines, m.line(w-2, m.scene.Theme.Accent, "    "+strings.Repeat("  ", min(i, 1))+part))
		}
	}
	return lines
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
