package tui

import "redial/tui/pending"

// Actions is what people do to operations from the dashboard.
type Actions = pending.Actions

// Redact says how operations are made fit to be shown.
type Redact = pending.Redact
