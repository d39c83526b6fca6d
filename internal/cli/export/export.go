// Package export writes recorded calls in formats that other tools read: HAR for those
// that look at HTTP, CSV for spreadsheets, and commands for curl.
//
// Calls are written one after the other as they come, so that a recording of any size
// takes the memory of its largest call. They are written as they were recorded: what was
// redacted stays so.
package export

import (
	"io"

	"redial/ledger"
)

// Writer writes calls. No call may be written after Close, which writes what belongs to
// the end and does not close what is written to.
type Writer interface {
	// Call writes a call. Whether it has to be read whole, with its lists, is what
	// [Format.Whole] says.
	Call(*ledger.Call) error
	Close() error
}

// Format is how calls are written.
type Format struct {
	Name  string
	Whole bool // calls are written with their attempts and waits, headers and bodies
	New   func(io.Writer) Writer
}
