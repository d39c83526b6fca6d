// Package scene is what all screens of the dashboard have in common: the look, the
// keys, the time that is shown and the sessions that are shown.
//
// The root model changes it between messages; screens read it, and write only to the
// event line and to the cursor. What a screen derives from it and keeps must be dropped when Rev has
// changed.
package scene

import (
	"context"
	"errors"
	"slices"
	"time"

	"charm.land/bubbles/v2/key"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/keys"
	"redial/tui/theme"
)

// Shown says which sessions are shown, and when.
type Shown struct {
	Sessions []ledger.Session // all live ones, else the newest; never changed in place
	Now      time.Time        // the moment that the frame shows
	Live     bool             // one of them is live
}

// At returns the moment whose state is shown: now while a session is live, else the end
// of the recording.
func (s *Shown) At() time.Time {
	if s.Live || len(s.Sessions) == 0 {
		return s.Now
	}
	return s.Sessions[0].End(s.Now)
}

// IDs returns the sessions that are shown.
func (s *Shown) IDs() []ledger.SessionID {
	ids := make([]ledger.SessionID, len(s.Sessions))
	for i := range s.Sessions {
		ids[i] = s.Sessions[i].ID
	}
	return ids
}

// Env returns what a filter needs to know about a call of that session.
func (s *Shown) Env(id ledger.SessionID, zone *time.Location) ledger.Env {
	env := ledger.Env{End: s.At(), Zone: zone}
	for i := range s.Sessions {
		if s.Sessions[i].ID == id {
			env.End, env.Service = s.Sessions[i].End(s.Now), s.Sessions[i].Service
		}
	}
	return env
}

// Event is what stands on the event line: what happened last, or the answer to what the
// user did.
type Event struct {
	At     time.Time
	Text   string
	Answer bool // to what the user did, or as important
	News   bool // nobody asked: it stays until another screen is opened or more happens
	Wrong  bool // the file could not be read
	Stays  bool // it is true whichever sessions are shown
}

// readable is how long an answer stays before an event may take its place.
const readable = 4 * time.Second

// Cursor is the moment at which all screens look.
type Cursor struct {
	At   time.Time     // zero: none, what is newest is looked at
	Call ledger.CallID // the call that was selected there; 0: none

	Operation ledger.ID // what that call was for, if that is an operation and known; zero: not
}

// CursorAt returns the cursor at a call.
func (s *Scene) CursorAt(c *ledger.Call) Cursor {
	at := Cursor{At: c.Started, Call: c.ID}
	if c.Key != "" {
		at.Operation = ledger.ID{Service: s.Env(c.ID.Session(), s.Zone).Service, Key: c.Key}
	}
	return at
}

// Scene is shared by all screens.
type Scene struct {
	Shown
	Theme *theme.Theme
	Keys  *keys.Map
	Zone  *time.Location

	Stale bool     // the file cannot be read; what is shown is old
	Wide  bool     // wide columns instead of side panes
	Calls []string // which of the optional columns of calls are shown; nil: those that there is a use for
	Rev   int      // grows when the look changes
	Event Event

	Cursor Cursor
}

// Say puts the answer to what the user did on the event line.
func (s *Scene) Say(text string) { s.Event = Event{At: s.Now, Text: text, Answer: text != ""} }

// Report is Say of what happened by itself, which the next key does not take away.
func (s *Scene) Report(text string) {
	s.Say(text)
	s.Event.News = true
}

// Acted takes an answer away as the user goes on to something else: it spoke of what was
// done before. A screen that is left takes the news with it.
func (s *Scene) Acted(left bool) {
	if e := &s.Event; e.Answer && !e.Wrong && (left || !e.News) {
		*e = Event{}
	}
}

// Answer is Say of what was done to sessions themselves, which may not be shown any more.
func (s *Scene) Answer(text string) {
	s.Say(text)
	s.Event.Stays = true
}

// Complain says on the event line what could not be read, unless it was given up on purpose.
func (s *Scene) Complain(err error) {
	if !errors.Is(err, context.Canceled) {
		s.Event = Event{At: s.Now, Text: err.Error(), Answer: true, Wrong: true}
	}
}

// Recovered takes back what was complained of, as the file can be read again.
func (s *Scene) Recovered() {
	if s.Event.Wrong {
		s.Event = Event{}
	}
}

// Turn shows other sessions, or the same as they are now. What was said of others is over.
func (s *Scene) Turn(to Shown) {
	same := slices.EqualFunc(s.Sessions, to.Sessions, func(a, b ledger.Session) bool {
		return a.ID == b.ID && a.Started.Equal(b.Started)
	})
	s.Shown = to
	if same {
		return
	}
	if s.Cursor = (Cursor{}); !s.Event.Stays {
		s.Event = Event{}
	}
}

// Tell puts what has happened on the event line, unless the user still reads an answer.
func (s *Scene) Tell(text string) {
	if !s.Event.Answer || s.Now.Sub(s.Event.At) > readable {
		s.Event = Event{At: s.Now, Text: text}
	}
}

// Clock puts a time of day into words, in tenths of a second.
func (s *Scene) Clock(t time.Time) string { return t.In(s.Zone).Format("15:04:05.0") }

// Box returns an empty pane. One that has the focus is marked by a heavy border where
// there is no colour.
func (s *Scene) Box(title, note string, focused bool) *draw.Box {
	b := &draw.Box{Title: title, Note: note, Line: s.Theme.Faint, Name: s.Theme.Strong, Side: s.Theme.Dim}
	if focused {
		b.Line, b.Name = s.Theme.Accent, s.Theme.Accent
		b.Heavy = s.Theme.Name == "none"
	}
	if s.Stale {
		b.Note, b.Side = "old data", s.Theme.Bad
	}
	return b
}

// Bindings is what a screen tells about its keys.
type Bindings struct {
	Short []key.Binding // for the last line of the screen
	Full  []keys.Named  // for the help
}
