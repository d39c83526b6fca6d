package export

import (
	"fmt"
	"io"

	"redial/ledger"
	"redial/tui/curl"
)

// Curl returns the format of shells: a command for the last attempt of each call, below a
// comment that says which it is. What cannot be sent again is a comment alone.
func Curl() Format {
	return Format{Name: "curl", Whole: true, New: func(w io.Writer) Writer { return commands{w} }}
}

type commands struct{ w io.Writer }

// Call writes a command.
func (c commands) Call(call *ledger.Call) error {
	head := fmt.Sprintf("call %s, %s, attempts %d, status %d", call.ID, call.Started.UTC().Format("2006-01-02T15:04:05.000Z"), call.Attempts, call.Status)
	r := curl.OfCall(call, 0)
	command, err := r.Command()
	if err != nil {
		command = curl.Comment(err.Error())
	}
	_, err = fmt.Fprintf(c.w, "%s\n%s\n\n", curl.Comment(head), command)
	return err
}

// Close does nothing.
func (c commands) Close() error { return nil }
