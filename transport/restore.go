package transport

import (
	"strings"
	"time"

	"redial/ledger"
)

// longestRestored is the longest pause that is taken over from another session. Clocks may
// have been set in between, and what a file says may be wrong.
const longestRestored = 24 * time.Hour

var _ ledger.Restorer = (*engine)(nil)

// RestoreWindows narrows the windows by what a session before this one used of them: those
// that have the same host, name, kind, limit and period and still run. What was used then and
// what has been used since add up, so it is to be called once for each such session. Pauses
// and what servers declared are taken over as well. No age that cannot be is believed: a
// window is full for one period at most, and a pause lasts a day.
func (e *engine) RestoreWindows(windows []ledger.Window) {
	if e.hosts == nil {
		return
	}
	for i := range windows {
		e.hosts.restore(&windows[i])
	}
}

func (hs *hosts) restore(w *ledger.Window) {
	name, number, ok := splitHost(w.Host)
	if !ok {
		return // Such as what hosts beyond the bound share.
	}
	h := hs.fixed[name]
	if h != nil {
		h.mu.Lock()
	} else if h = hs.lockMet(name, hs.listens || len(hs.every) > 0); h == nil {
		return
	}
	defer h.mu.Unlock()
	now, mono := h.tick()
	if h.name == overflow {
		return
	}
	h.due(mono)
	r := restored{w, now.Round(0), mono}
	for _, k := range h.kept {
		if w.Limit > 0 && k.host == w.Host && k.spec.Kind == w.Kind && k.spec.Limit == w.Limit && k.spec.Per == w.Per {
			h.restoreWindow(k, r)
		}
	}
	if hs.listens {
		h.restorePause(number, r)
	}
	h.settle(mono)
}

// restored is a window of another session, and the time at which it is taken over.
type restored struct {
	*ledger.Window
	now  time.Time
	mono time.Duration
}

// left returns how long it is from now until at, at most so long, and not less than 0.
func (r *restored) left(at time.Time, most time.Duration) time.Duration {
	return min(max(at.Sub(r.now), 0), most)
}

// restoreWindow narrows the window of the same name.
func (h *host) restoreWindow(k *kept, r restored) {
	key, ok := k.keyOf(r.Name)
	if !ok {
		return
	}
	w := k.of(key, r.mono)
	w.roll(h.wall, r.mono)
	if r.Used > 0 {
		opens := r.mono + max(r.Opens.Sub(r.now), -maxWait/2)
		w.restore(min(r.Used, r.Limit), min(opens, maxWait/2), r.mono)
	}
	if until := r.left(r.Declared.Resets, longestRestored); until > 0 && h.all.listens && !r.Declared.At.IsZero() {
		w.declared = r.Declared
		w.server.tell(0, max(r.Declared.Remaining, 0), r.mono+until, r.mono)
	}
	h.work = append(h.work, w)
}

// keyOf returns the key of the window with that name, which may be none of these.
func (k *kept) keyOf(name string) (key string, ok bool) {
	if k.spec.Key == nil {
		return "", name == k.spec.Path
	}
	if k.spec.Path != "" {
		if name, ok = strings.CutPrefix(name, k.spec.Path+" "); !ok {
			return "", false
		}
	}
	return name, name != "" && name != overflow
}

// restorePause takes over a pause, and what a server declared where there is no window. A
// host without a port is one that was asked at the port of http or of https.
func (h *host) restorePause(number string, r restored) {
	pause := r.left(r.Paused, longestRestored)
	if r.Limit > 0 && r.Paused.Equal(r.Declared.Resets) {
		pause = 0 // It is the window that is closed, not the host.
	}
	declared := r.Limit == 0 && !r.Declared.At.IsZero()
	if pause == 0 && !(declared && r.Declared.Resets.After(r.now)) {
		return
	}
	numbers := []string{number}
	if number == "" {
		numbers = []string{"80", "443"}
	}
	for _, n := range numbers {
		p := h.portFor(n, r.Host, r.mono)
		if p == nil {
			return
		}
		if declared && p.declared.At.Before(r.Declared.At) {
			p.declared = r.Declared
		}
		h.pause(p, r.mono+pause, r.mono)
	}
}
