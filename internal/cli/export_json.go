package cli

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"unicode/utf8"

	"redial/internal/cli/export"
	"redial/ledger"
)

// jsonLines returns the format of scripts: a line for each call, as it is shown, with what
// was sent and received.
func jsonLines() export.Format {
	return export.Format{Name: "jsonl", Whole: true, New: func(w io.Writer) export.Writer { return lineWriter{w} }}
}

type lineWriter struct{ w io.Writer }

// wholeCallJSON is a call with everything that is kept of it.
type wholeCallJSON struct {
	callDetailJSON
	AttemptList []wholeAttemptJSON `json:"attempt_list"`
}

type wholeAttemptJSON struct {
	attemptJSON
	Request  messageJSON `json:"request"`
	Response messageJSON `json:"response"`
}

// messageJSON is what is kept of a message; headers are null if they were not kept.
type messageJSON struct {
	Headers []headerJSON `json:"headers"`
	Body    *bodyJSON    `json:"body"`
}

type headerJSON struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// bodyJSON is a body: text, or base64 where it is none. Both are null if nothing was kept.
type bodyJSON struct {
	Size      int64   `json:"size"`
	SHA256    *string `json:"sha256"`
	Truncated bool    `json:"truncated"`
	Text      *string `json:"text"`
	Base64    *string `json:"base64"`
}

// Call writes a line.
func (l lineWriter) Call(c *ledger.Call) error {
	out := wholeCallJSON{callDetailJSON: encodeCallDetail(c), AttemptList: []wholeAttemptJSON{}}
	for i := range c.AttemptList {
		a := &c.AttemptList[i]
		out.AttemptList = append(out.AttemptList, wholeAttemptJSON{encodeAttempt(c, a), encodeMessage(&a.Request), encodeMessage(&a.Response)})
	}
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(out); err != nil {
		return fmt.Errorf("encode call %s: %w", c.ID, err)
	}
	_, err := l.w.Write(escapeControls(line.Bytes()))
	return err
}

// Close does nothing.
func (l lineWriter) Close() error { return nil }

func encodeMessage(m *ledger.Message) messageJSON {
	var out messageJSON
	for _, f := range m.Header {
		out.Headers = append(out.Headers, headerJSON(f))
	}
	b := &m.Body
	if b.Size == 0 && len(b.Data) == 0 {
		return out
	}
	out.Body = &bodyJSON{Size: b.Size, Truncated: b.Truncated}
	if b.SHA256 != [32]byte{} {
		out.Body.SHA256 = known(hex.EncodeToString(b.SHA256[:]))
	}
	switch {
	case len(b.Data) == 0:
	case utf8.Valid(b.Data):
		out.Body.Text = known(string(b.Data))
	default:
		out.Body.Base64 = known(base64.StdEncoding.EncodeToString(b.Data))
	}
	return out
}
