package tui

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/scene"
)

// show chooses the sessions that are shown: the one that the user has chosen, else all live
// ones, else the one that was live last.
func show(all []ledger.Session, now time.Time, chosen ledger.SessionID) scene.Shown {
	s := scene.Shown{Now: now}
	if i := slices.IndexFunc(all, func(c ledger.Session) bool { return c.ID == chosen }); i >= 0 {
		s.Sessions, s.Live = []ledger.Session{all[i]}, all[i].Live(now)
		return s
	}
	for i := range all {
		if all[i].Live(now) {
			s.Sessions, s.Live = append(s.Sessions, all[i]), true
		}
	}
	if s.Live || len(all) == 0 {
		return s
	}
	last := all[0]
	for _, c := range all[1:] {
		if c.End(now).After(last.End(now)) {
			last = c
		}
	}
	s.Sessions = []ledger.Session{last}
	return s
}

// choose shows one session on all screens, or for 0 again what is live, or else the newest.
func (m *model) choose(id ledger.SessionID) tea.Cmd {
	m.chosen, m.read = id, time.Time{}
	m.pledge = "what is live is shown again, or else the newest session"
	if id != 0 {
		m.pledge = "session " + id.String() + " is shown; " + m.scene.Keys.Back.Help().Key + " goes back to what is live"
		m.active = 0
	}
	return m.watch(-1, 0, 0)
}

// missed says which sessions are shown from now on, or that the chosen one is gone.
func (m *model) missed() {
	if m.chosen != 0 && (len(m.scene.Sessions) != 1 || m.scene.Sessions[0].ID != m.chosen) {
		m.pledge = "session " + m.chosen.String() + " is not in the file any more"
		m.chosen = 0
	}
	if m.pledge != "" {
		m.scene.Say(m.pledge)
		m.pledge = ""
	}
}

// chosenName names the session that the user has chosen, "" without one.
func (m *model) chosenName() string {
	if m.chosen == 0 || len(m.scene.Sessions) == 0 {
		return ""
	}
	if name := m.scene.Sessions[0].Name; name != "" {
		return name
	}
	return "session " + m.chosen.String()
}

// news notes which sessions are live, and tells which have begun and which have ended
// since the last time.
func (m *model) news(all []ledger.Session, first bool) {
	for i := range all {
		s := &all[i]
		live := m.watched[s.ID] // in another file at the same path the number can be that of an older one
		switch now := s.Live(m.scene.Now); {
		case now && !live:
			m.watched[s.ID] = true
			if !first {
				m.scene.Report(who(s) + " has begun")
			}
		case live && !s.Ended.IsZero():
			m.watched[s.ID] = false
			m.scene.Report(who(s) + " has ended")
		case live && s.Dead:
			m.watched[s.ID] = false
			m.scene.Report(who(s) + " is gone without a word; what it was doing is cut off")
		}
	}
}

// who names a session on the event line.
func who(s *ledger.Session) string {
	name := s.Service
	if s.PID != 0 {
		name += fmt.Sprintf(", pid %d,", s.PID)
	}
	return name
}

// silentAfter is how old the beat of a session may be before the header says so. It
// beats each second.
const silentAfter = 2500 * time.Millisecond

// forgotten is how long a session that neither ended nor is known to be gone counts as
// silent. After that it is a recording.
const forgotten = time.Hour

// status is what the header says of the sessions that are shown.
type status struct {
	word  string // ● LIVE
	since string // last beat 12s ago
	kind  statusKind
}

type statusKind int

const (
	isLive statusKind = iota
	isSilent
	isGone
	isRecorded
)

// statusOf tells whether what is shown is live. watched holds the sessions that were seen
// live since the dashboard was started.
func statusOf(s *scene.Shown, zone *time.Location, watched map[ledger.SessionID]bool) status {
	if len(s.Sessions) == 0 {
		return status{kind: isRecorded}
	}
	last := s.Sessions[0]
	for _, c := range s.Sessions[1:] {
		if c.LastSeen.After(last.LastSeen) {
			last = c
		}
	}
	age := s.Now.Sub(last.LastSeen)
	_, seen := watched[last.ID]
	switch {
	case s.Live && age < silentAfter:
		return status{"● LIVE", "beat <3s ago", isLive} // the clock of the screen may be late by half a second
	case last.Ended.IsZero() && !last.Dead && age < forgotten:
		return status{"◐ SILENT", "last beat " + draw.Long(age) + " ago", isSilent}
	case last.Ended.IsZero() && seen:
		return status{"■ WRITER GONE", "since " + last.LastSeen.In(zone).Format("15:04:05"), isGone}
	}
	return status{"■ RECORDED", span(&last, s.Now, zone), isRecorded}
}

// span is when a session was recorded, and how it ended.
func span(s *ledger.Session, now time.Time, zone *time.Location) string {
	from, to := s.Started.In(zone), s.End(now).In(zone)
	layout := "15:04"
	if to.Sub(from) < time.Minute {
		layout = "15:04:05"
	}
	text := from.Format("Jan 2 "+layout) + "–" + to.Format(layout)
	switch {
	case !s.Ended.IsZero():
		return text
	case s.Dead:
		return text + ", killed"
	}
	return text + ", never ended"
}

// missing says how many calls of the sessions are known not to be in the file, and why;
// "" when none are.
func missing(sessions []ledger.Session) string {
	var full, failed int64
	for i := range sessions {
		full += sessions[i].Counters.QueueFull
		failed += sessions[i].Counters.StoreFailed
	}
	switch {
	case full > 0 && failed > 0:
		return fmt.Sprintf("%s not written: queue full, store failed", draw.Count(full+failed))
	case full > 0:
		return draw.Count(full) + " not written: queue full"
	case failed > 0:
		return draw.Count(failed) + " not written: store failed"
	}
	return ""
}

// counts returns how many calls the sessions have, and how many of them have not ended.
func counts(sessions []ledger.Session) (all, open int64) {
	for i := range sessions {
		all += sessions[i].Calls + sessions[i].Running
		open += sessions[i].Running
	}
	return all, open
}

// names returns who is shown.
func names(s *scene.Shown) (service, process string) {
	switch len(s.Sessions) {
	case 0:
		return "", ""
	case 1:
		only := &s.Sessions[0]
		if only.PID != 0 {
			process = fmt.Sprintf("pid %d", only.PID)
		}
		return only.Service, process
	}
	same := true
	for i := range s.Sessions {
		same = same && s.Sessions[i].Service == s.Sessions[0].Service
	}
	if same {
		return s.Sessions[0].Service, fmt.Sprintf("%d processes", len(s.Sessions))
	}
	return s.Sessions[0].Service, fmt.Sprintf("and %d more", len(s.Sessions)-1)
}
