package transport

import (
	"fmt"
	"time"

	"redial/ledger"
)

// port is what a server said, on one port of a host, that concerns everybody.
type port struct {
	number string
	shown  string // host and port as in the URL that it was asked by

	until    time.Duration // it wants to be left alone until then; 0: it did not say so
	queue    queue         // who waits for that
	alarm    alarm
	declared ledger.Declared // of its own limit, where there is no window of ours
}

// maxPorts is how many ports of one host are told apart. Of further ones nothing is
// remembered, unless one of these can be forgotten.
const maxPorts = 16

// PausedError is returned for a call that was not sent because the server had asked,
// in the answer to another call, to be left alone for longer than [Retry.MaxRetryAfter].
// Calls are sent again when that is over.
type PausedError struct {
	Host  string        // and port, as in the URL
	Until time.Time     // when the pause ends
	Max   time.Duration // the longest that is waited for
}

// Error names the host and the end of the pause.
func (e *PausedError) Error() string {
	return fmt.Sprintf("redial: %s asked to be left alone until %s, and not more than %v is waited for that: "+
		"call again then, or raise Retry.MaxRetryAfter", e.Host, e.Until.UTC().Format(time.RFC3339), e.Max)
}

// Timeout reports false: no deadline passed.
func (e *PausedError) Timeout() bool { return false }

// Temporary reports that it will pass.
func (e *PausedError) Temporary() bool { return true }

// port returns what is known of a port, nil if nothing.
func (h *host) port(number string) *port {
	for _, p := range h.ports {
		if p.number == number {
			return p
		}
	}
	return nil
}

// portFor returns the same, made if need be; nil if too many are in use.
func (h *host) portFor(number, shown string, mono time.Duration) *port {
	if p := h.port(number); p != nil {
		return p
	}
	p := &port{number: number, shown: shown}
	if len(h.ports) < maxPorts {
		h.ports = append(h.ports, p)
		h.spoken.Store(true)
		return p
	}
	for i, old := range h.ports {
		if old.until <= mono && old.queue.len() == 0 {
			h.ports[i] = p
			return p
		}
	}
	return nil
}

// pausing returns the pause that a caller has to wait for, nil if there is none.
func (h *host) pausing(number string, excused, mono time.Duration) *port {
	if p := h.port(number); p != nil && p.until > mono && p.until > excused {
		return p
	}
	return nil
}

// stand puts a waiter into the line of a pause, or refuses it if that takes too long.
func (h *host) stand(q *waiter, p *port, mono time.Duration) {
	if err := h.tooLong(q, p.number, p.until, mono); err != nil {
		h.refuse(q, err)
		return
	}
	p.queue.push(q)
	h.armPause(p)
}

// tooLong returns the error for a waiter that does not wait until then.
func (h *host) tooLong(q *waiter, number string, until, mono time.Duration) error {
	switch {
	case until-mono > q.most:
		return h.pausedError(number, until, q.most)
	case until >= q.deadline:
		return errPauseLate
	}
	return nil
}

// pausedError returns the error for who does not wait until then.
func (h *host) pausedError(number string, until, most time.Duration) error {
	shown := h.name
	if p := h.port(number); p != nil {
		shown = p.shown
	}
	return &PausedError{Host: shown, Until: h.at(until), Max: most}
}

// at returns the time by the wall clock.
func (h *host) at(mono time.Duration) time.Time {
	now, began := h.all.now()
	return now.Add(mono - began).Round(0)
}

// pause lets everybody wait until then. A pause only becomes longer. It returns a ticket for
// the call whose answer said so: it has its turn before all who come later.
func (h *host) pause(p *port, until, mono time.Duration) (ticket uint64) {
	h.tickets++
	if until <= p.until || until <= mono {
		return h.tickets
	}
	p.until = until
	h.sift(&p.queue, p.number, until, mono)
	h.armPause(p)
	return h.tickets
}

// sift refuses those in a queue who do not wait until then.
func (h *host) sift(line *queue, number string, until, mono time.Duration) {
	for i := line.len() - 1; i >= 0; i-- {
		// Removing one puts another into its place that comes from further back, and was
		// looked at already.
		q := line.heap[i]
		if err := h.tooLong(q, number, until, mono); err != nil {
			h.refuse(q, err)
		}
	}
}

// unpause lets through who waited for a pause that is over.
func (h *host) unpause(p *port, mono time.Duration) {
	if p.until > mono {
		return
	}
	for p.queue.len() > 0 {
		h.walk(p.queue.pop(), mono)
	}
}

func (h *host) armPause(p *port) {
	at := time.Duration(0)
	if p.queue.len() > 0 {
		at = p.until
	}
	p.alarm.port = p
	h.set(&p.alarm, at)
}
