package tui

import (
	"redial/tui/pending"
	"redial/tui/sessions"
)

// Actions is what people do to operations from the dashboard.
type Actions = pending.Actions

// Redact says how operations are made fit to be shown.
type Redact = pending.Redact

// Keeper is what people do to recorded sessions from the dashboard.
type Keeper = sessions.Keeper
