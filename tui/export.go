package tui

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/clip"
	"redial/tui/draw"
	"redial/tui/scene"
)

// Export writes the calls of these sessions, nil for all, that a filter selects to a new file,
// in a format that `redial export` has. It returns how many there were.
type Export func(ctx context.Context, format string, filter ledger.Filter, sessions []ledger.SessionID, file string) (int, error)

// exports is the one export that can be under way.
type exports struct {
	scene.Task
	filter   ledger.Filter // what the menu was opened for
	sessions []ledger.SessionID
}

// exportTitle is the title of the menu that asks for the format.
const exportTitle = "Export"

// exportedMsg tells what became of an export.
type exportedMsg struct {
	seq  int
	n    int
	file string
	err  error
}

// chooser is a screen that lists the calls that a filter selects.
type chooser interface {
	// InForce returns that filter.
	InForce() ledger.Filter
}

// picker is a screen that lists something that calls belong to.
type picker interface {
	// Picked names the calls of what is selected and returns their filter, whatever session
	// they are of; ok is false where nothing is selected.
	Picked() (name string, f ledger.Filter, ok bool)
}

// toExport names what is exported from the screen, and selects it; ok is false where that is
// nothing.
func (m *model) toExport() (name string, ok bool) {
	switch s := m.screen().(type) {
	case picker:
		m.exports.sessions = nil
		name, m.exports.filter, ok = s.Picked()
		return name, ok
	case chooser:
		m.exports.filter, m.exports.sessions = s.InForce(), m.scene.IDs()
		if text := s.InForce().Text; text != "" {
			return "calls that match " + text, true
		}
		return "all calls that are shown", true
	}
	return "", false
}

// startExport opens the menu of formats, or gives up the export that is under way.
func (m *model) startExport() tea.Cmd {
	if m.exports.Busy() {
		m.exports.Stop()
		m.scene.Say("the export is given up")
		return nil
	}
	name, ok := m.toExport()
	if m.options.Export == nil || !ok {
		m.scene.Say("nothing can be exported here: calls are, where they or their operations are listed")
		return nil
	}
	m.copying = clip.NewMenu(m.scene, clip.Subject{Name: name, Items: []clip.Item{
		{Name: "HAR", Text: "har", Note: "for browsers' tools and proxies"},
		{Name: "CSV", Text: "csv", Note: "for spreadsheets"},
		{Name: "JSON lines", Text: "jsonl", Note: "for scripts, with headers and bodies"},
		{Name: "curl commands", Text: "curl", Note: "for a shell; run, they send all of it again"},
	}})
	m.copying.Title = exportTitle
	m.copying.Where = "goes to a new file beside the recording"
	return nil
}

// runExport writes what is shown.
func (m *model) runExport(format string) tea.Cmd {
	name := "redial-" + m.now.In(m.scene.Zone).Format("2006-01-02T150405") + "." + format
	file := filepath.Join(filepath.Dir(m.options.File), name)
	ctx, seq := m.exports.Begin(m.ctx)
	filter, sessions, export := m.exports.filter, m.exports.sessions, m.options.Export
	m.scene.Say("exporting to " + name + "; " + m.scene.Keys.Export.Help().Key + " gives it up")
	return func() tea.Msg {
		n, err := export(ctx, format, filter, sessions, file)
		return exportedMsg{seq, n, name, err}
	}
}

// exported says what became of an export.
func (m *model) exported(msg exportedMsg) {
	m.exports.Done(msg.seq)
	switch {
	case errors.Is(msg.err, context.Canceled):
		m.scene.Say("the export was given up: nothing was left behind")
	case msg.err != nil:
		m.scene.Say("nothing was exported: " + msg.err.Error())
	default:
		m.scene.Say(fmt.Sprintf("wrote %s to %s beside the recording", draw.Plural(int64(msg.n), "call"), msg.file))
	}
}
