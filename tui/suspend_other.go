//go:build !unix

package tui

import (
	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
)

// suspender does nothing where no process can be suspended.
type suspender struct{}

func newSuspender(key.Binding, func(error)) suspender { return suspender{} }

func (suspender) filter(_ tea.Model, msg tea.Msg) tea.Msg { return msg }

func (suspender) watch(func(func()), func(tea.Msg)) (end func()) { return func() {} }
