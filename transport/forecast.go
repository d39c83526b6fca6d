package transport

import "time"

// forecast is what will have become of a window when those who wait have been let through.
type forecast struct {
	end  time.Duration // of the window that the last of them gets a place in
	used int           // places of that window
}

// forecast returns how long the last in the queue, q, will wait if none ahead of it gives
// up, and the window that makes it wait longest. That can be one that q needs no place in:
// nobody overtakes, so q also waits for what those ahead of it wait for. It costs as much
// as there are callers ahead, but in a host with one window.
func (h *host) forecast(q *waiter, mono time.Duration) (longest *window, wait time.Duration) {
	line := q.places[0].window
	if len(q.places) == 1 && (line.port != "" || len(h.windows) == 1) {
		return line, line.opensFor(line.queue.len-1, mono)
	}
	for _, w := range h.windows {
		w.forecast = forecast{w.end, w.used}
		if w.port == "" {
			line = w // All who wait for this host stand here, in one order.
		}
	}
	at := mono
	longest = line
	for p := line.queue.first; p != nil; p = p.next {
		if w, t := p.waiter.passes(at); w != nil {
			longest, at = w, t
		}
	}
	return longest, at - mono
}

// passes takes the waiter's places in the forecast, not before at, and returns when that
// is. The window is the last one that it had to wait for, nil for none.
func (q *waiter) passes(at time.Duration) (last *window, t time.Duration) {
	for again := true; again; {
		again = false
		for i := range q.places {
			w := q.places[i].window
			if t := w.foreseen(at); t > at {
				last, at, again = w, t, true
			}
		}
	}
	for i := range q.places {
		q.places[i].window.forecast.used++
	}
	return last, at
}

// foreseen returns when there is room in the forecast, not before at, and moves it there.
func (w *window) foreseen(at time.Duration) time.Duration {
	f := &w.forecast
	if at >= f.end {
		f.end, f.used = later(f.end+(at-f.end)/w.per*w.per, w.per), 0
	}
	if f.used < w.limit {
		return at
	}
	return f.end
}
