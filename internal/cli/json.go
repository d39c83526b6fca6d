package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"redial/ledger"
	"redial/tui/visible"
)

// printJSON writes v as one line of JSON. Everything that a terminal could take for a
// command is written as an escape, which means the same to whoever parses it.
func (a *app) printJSON(v any) error {
	var line bytes.Buffer
	enc := json.NewEncoder(&line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("encode JSON: %w", err)
	}
	_, err := a.out.Write(escapeControls(line.Bytes()))
	return err
}

// escapeControls writes every character of a line of JSON that may not reach a terminal
// as a \u escape. Outside of its strings JSON has only ASCII, so that all of it stands
// in strings; and in those the encoder has escaped what is below U+0020.
func escapeControls(line []byte) []byte {
	out := make([]byte, 0, len(line))
	for i := 0; i < len(line); {
		r, n := utf8.DecodeRune(line[i:])
		switch {
		case r < 0x7f || visible.Text(string(r)) == string(r):
			out = append(out, line[i:i+n]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		i += n
	}
	return out
}

// callJSON is a call as scripts read it. A pointer is null where a value is unknown or
// there is none.
type callJSON struct {
	ID           string   `json:"id"`
	Session      string   `json:"session"`
	OperationKey *string  `json:"operation_key"`
	Method       string   `json:"method"`
	URL          string   `json:"url"`
	Started      *string  `json:"started"`
	DurationMS   *float64 `json:"duration_ms"`
	Attempts     int      `json:"attempts"`
	WireSends    *int     `json:"wire_sends"`
	WaitedMS     float64  `json:"waited_ms"`
	Status       *int     `json:"status"`
	Outcome      *string  `json:"outcome"`
	Error        *string  `json:"error"`
	Running      bool     `json:"running"`
	Duplicate    *string  `json:"duplicate"`
	DuplicateOf  *string  `json:"duplicate_of"`
}

// callDetailJSON is a call with its attempts and waits.
type callDetailJSON struct {
	callJSON
	RedirectOf  *string       `json:"redirect_of"`
	AttemptList []attemptJSON `json:"attempt_list"`
	Waits       []waitJSON    `json:"waits"`
}

type attemptJSON struct {
	N             int        `json:"n"`
	Reason        string     `json:"reason"`
	Started       *string    `json:"started"`
	DurationMS    *float64   `json:"duration_ms"`
	Status        *int       `json:"status"`
	Outcome       *string    `json:"outcome"`
	Error         *string    `json:"error"`
	PhasesMS      phasesJSON `json:"phases_ms"`
	Remote        *string    `json:"remote"`
	Reused        *bool      `json:"reused"`
	BytesSent     int64      `json:"bytes_sent"`
	BytesReceived int64      `json:"bytes_received"`
	Decision      *string    `json:"decision"`
}

type phasesJSON struct {
	DNS     *float64 `json:"dns"`
	Connect *float64 `json:"connect"`
	TLS     *float64 `json:"tls"`
	Send    *float64 `json:"send"`
	Wait    *float64 `json:"wait"`
	Receive *float64 `json:"receive"`
}

type waitJSON struct {
	BeforeAttempt int      `json:"before_attempt"`
	Kind          string   `json:"kind"`
	Started       *string  `json:"started"`
	PlannedMS     float64  `json:"planned_ms"`
	WaitedMS      *float64 `json:"waited_ms"`
	Rule          string   `json:"rule"`
}

type sessionJSON struct {
	ID       string  `json:"id"`
	Service  *string `json:"service"`
	Version  *string `json:"version"`
	Host     *string `json:"host"`
	PID      *int    `json:"pid"`
	Started  *string `json:"started"`
	LastSeen *string `json:"last_seen"`
	Ended    *string `json:"ended"`
	Live     bool    `json:"live"`
	Calls    int64   `json:"calls"`
	Pending  int64   `json:"pending"`
	Name     *string `json:"name"`
	Pinned   bool    `json:"pinned"`
}

func encodeCall(c *ledger.Call) callJSON {
	out := callJSON{
		ID: c.ID.String(), Session: c.ID.Session().String(), OperationKey: known(c.Key),
		Method: c.Method, URL: c.URL(), Started: stamp(c.Started), DurationMS: millisIf(c.Took),
		Attempts: c.Attempts, WireSends: wireSends(c), WaitedMS: millis(c.Waited),
		Status: known(c.Status), Outcome: known(c.Outcome.String()), Error: known(c.Error),
		Running: c.Running(), Duplicate: known(c.Duplicate.Kind.String()),
	}
	if d := &c.Duplicate; d.Kind != ledger.NoDuplicate && d.Other != c.ID {
		out.DuplicateOf = known(d.Other.String())
	}
	return out
}

// wireSends returns how often the call was put on a connection. Nothing, although
// something may have reached a server, means that the base transport does not tell.
func wireSends(c *ledger.Call) *int {
	if c.WireSends == 0 && (c.Outcome == ledger.Answered || c.Outcome == ledger.Unknown) {
		return nil
	}
	return &c.WireSends
}

func encodeCallDetail(c *ledger.Call) callDetailJSON {
	out := callDetailJSON{callJSON: encodeCall(c), AttemptList: []attemptJSON{}, Waits: []waitJSON{}}
	if c.Previous != 0 {
		out.RedirectOf = known(c.Previous.String())
	}
	for i := range c.AttemptList {
		out.AttemptList = append(out.AttemptList, encodeAttempt(c, &c.AttemptList[i]))
	}
	for i := range c.Waits {
		w := &c.Waits[i]
		out.Waits = append(out.Waits, waitJSON{
			BeforeAttempt: w.Before, Kind: w.Kind.String(), Started: stamp(c.Started.Add(w.Start)),
			PlannedMS: millis(w.Planned), WaitedMS: millisIf(w.Took), Rule: w.Rule.Words(w.Kind),
		})
	}
	return out
}

func encodeAttempt(c *ledger.Call, t *ledger.Attempt) attemptJSON {
	out := attemptJSON{
		N: t.N, Reason: t.Reason.String(), Started: stamp(c.Started.Add(t.Start)),
		DurationMS: millisIf(t.Took), Status: known(t.Status), Outcome: known(t.Outcome.String()),
		Error: known(t.Err), Remote: known(t.Remote), BytesSent: t.BytesSent,
		BytesReceived: t.BytesReceived, Decision: known(t.Decision.String()),
		PhasesMS: phasesJSON{
			DNS: millisIf(t.Phases.DNS), Connect: millisIf(t.Phases.Connect), TLS: millisIf(t.Phases.TLS),
			Send: millisIf(t.Phases.Send), Wait: millisIf(t.Phases.Wait), Receive: millisIf(t.Phases.Receive),
		},
	}
	if t.WireSends > 0 || t.Remote != "" {
		out.Reused = &t.Reused
	}
	return out
}

func encodeSession(s *ledger.Session, now time.Time) sessionJSON {
	return sessionJSON{
		ID: s.ID.String(), Service: known(s.Service), Version: known(s.Version), Host: known(s.Host),
		PID: known(s.PID), Started: stamp(s.Started), LastSeen: stamp(s.LastSeen), Ended: stamp(s.Ended),
		Live: s.Live(now), Calls: s.Calls + s.Running,
		Pending: s.Pending, Name: known(s.Name), Pinned: s.Pinned,
	}
}

// known returns a pointer to v, or nil where the zero value stands for none.
func known[T comparable](v T) *T {
	var none T
	if v == none {
		return nil
	}
	return &v
}

// stamp writes a time as RFC 3339 in UTC, always with nine digits so that stamps sort as
// text; nil for the zero time.
func stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := t.UTC().Format("2006-01-02T15:04:05.000000000Z")
	return &s
}

// millis returns a duration in milliseconds.
func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// millisIf is millis, with nil for 0 where that stands for a duration that is not known.
func millisIf(d time.Duration) *float64 {
	if d == 0 {
		return nil
	}
	return known(millis(d))
}
