package transport

import (
	"time"

	"redial/ledger"
)

// maxShown is how many keys of a window, and how many hosts of one for every host, are all
// shown. Of more than that, only those that have not all of their places are.
const maxShown = 64

// AppendWindows appends the state of each window that has been used, and of each host that
// said something that concerns everybody.
func (e *engine) AppendWindows(buf []ledger.Window) []ledger.Window {
	if e.hosts == nil {
		return buf
	}
	return e.hosts.appendState(buf)
}

func (hs *hosts) appendState(buf []ledger.Window) []ledger.Window {
	for _, h := range hs.named {
		buf = h.appendState(buf, true)
	}
	hs.mu.Lock()
	met := make([]*host, 0, len(hs.met.list)+1)
	for _, e := range hs.met.list {
		met = append(met, e.value)
	}
	if hs.rest != nil {
		met = append(met, hs.rest)
	}
	hs.mu.Unlock()
	for _, h := range met {
		buf = h.appendState(buf, len(met) <= maxShown)
	}
	return buf
}

// appendState appends the state of the host's windows, also of those that have all of their
// places if so asked.
func (h *host) appendState(buf []ledger.Window, all bool) []ledger.Window {
	h.mu.Lock()
	defer h.mu.Unlock()
	now, mono := h.tick()
	h.due(mono)
	h.settle(mono)
	first := len(buf)
	for _, k := range h.shown {
		all := all && len(k.keys.list) <= maxShown
		k.each(func(w *window) bool {
			w.roll(h.wall, mono)
			if all || !w.idle(mono) {
				buf = append(buf, h.state(k, w, now, mono))
			}
			return true
		})
	}
	for _, p := range h.ports {
		at, declared := h.pausedAt(p, mono), !p.declared.At.IsZero()
		if (declared || !at.IsZero()) && !anyOf(buf[first:], p.shown, declared) {
			buf = append(buf, ledger.Window{Host: p.shown, Declared: p.declared, Paused: at, Waiting: p.queue.len(), Since: since(&p.queue)})
		}
	}
	return buf
}

// anyOf reports whether there is a window with that host, or a row for what it said if only
// that will do.
func anyOf(windows []ledger.Window, host string, said bool) bool {
	for i := range windows {
		if w := &windows[i]; w.Host == host && (!said || w.Limit == 0) {
			return true
		}
	}
	return false
}

// state returns what a window looks like, to be shown.
func (h *host) state(k *kept, w *window, now time.Time, mono time.Duration) ledger.Window {
	used, opens := w.used(mono)
	s := ledger.Window{
		Host: k.host, Name: w.name, Kind: w.spec.Kind, Limit: w.spec.Limit, Per: w.spec.Per,
		Used: used, Opens: now.Add(opens - mono).Round(0),
		Waiting: w.queue.len(), Since: since(&w.queue),
		Declared: w.declared,
	}
	for _, p := range h.ports {
		if at := h.pausedAt(p, mono); k.spec.holds(p.number) && at.After(s.Paused) {
			s.Paused = at
		}
	}
	if mono < w.server.until {
		s.Declared.Remaining = min(s.Declared.Remaining, w.server.left)
		if w.server.left == 0 && s.Declared.Resets.After(s.Paused) {
			s.Paused = s.Declared.Resets
		}
	}
	return s
}

// pausedAt returns until when a port is paused, the zero time if it is not.
func (h *host) pausedAt(p *port, mono time.Duration) time.Time {
	if p.until <= mono {
		return time.Time{}
	}
	return h.at(p.until)
}

// since returns since when the first in the queue waits, the zero time if nobody does.
func since(q *queue) time.Time {
	if first := q.first(); first != nil {
		return first.since.Round(0)
	}
	return time.Time{}
}
