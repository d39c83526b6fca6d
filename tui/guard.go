package tui

import (
	"context"
	"fmt"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
)

// crash is a panic that was caught. The program is ended through its context, so that
// the terminal is restored before anyone reads about it.
type crash struct {
	value any
	stack []byte
}

func (c *crash) Error() string {
	return fmt.Sprintf("the dashboard crashed: %v\n\n%s", c.value, c.stack)
}

// guard catches what panics in the model, in its commands and in the goroutines of the
// dashboard. The library would print
// it from another goroutine, perhaps after the process has ended.
type guard struct {
	model  *model
	cancel context.CancelCauseFunc
}

func (g *guard) Init() tea.Cmd {
	defer g.catch()
	return g.command(g.model.Init())
}

func (g *guard) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	defer g.catch()
	return g, g.command(g.model.Update(msg))
}

func (g *guard) View() (v tea.View) {
	defer g.catch()
	return g.model.View()
}

// goes runs do in a goroutine of its own.
func (g *guard) goes(do func()) {
	go func() {
		defer g.catch()
		do()
	}()
}

func (g *guard) catch() {
	if r := recover(); r != nil {
		g.cancel(&crash{r, debug.Stack()})
	}
}

// command wraps a command, and those that it returns.
func (g *guard) command(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		defer g.catch()
		msg := cmd()
		if batch, ok := msg.(tea.BatchMsg); ok {
			for i := range batch {
				batch[i] = g.command(batch[i])
			}
		}
		return msg
	}
}
