package windows

import (
	"context"
	"fmt"
	"time"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/scene"
)

// What the file keeps of windows is their state now. How much they were used is taken from
// the attempts at their hosts, second by second.
const (
	lately    = 5 * time.Minute // of a live session
	longest   = time.Hour       // of a recording, before its end
	heatEach  = time.Second     // how often it is read again
	rateOver  = 10              // seconds that a rate is taken over
	heatFrom  = 90              // columns from which there is room for it
	heatRows  = 24              // and rows
	heatLines = 5               // of its pane
)

// heat is how many attempts there were, by host and second.
type heat struct {
	from, to int64 // seconds of Unix time; to is not in it
	hosts    map[string][]int64
}

// readHeat sums up the attempts at every host.
func readHeat(ctx context.Context, s Store, shown *scene.Shown) (heat, error) {
	to := shown.At().Unix() + 1
	h := heat{to: to, from: to - int64(lately/time.Second), hosts: map[string][]int64{}}
	if !shown.Live && len(shown.Sessions) > 0 {
		h.from = max(shown.Sessions[0].Started.Unix(), to-int64(longest/time.Second))
	}
	q := ledger.SumQuery{Sessions: shown.IDs(), From: time.Unix(h.from, 0), To: time.Unix(to, 0)}
	err := s.Sums(ctx, q, func(r *ledger.Rollup) error {
		if h.hosts[r.Host] == nil {
			h.hosts[r.Host] = make([]int64, to-h.from)
		}
		if n := r.Second - h.from; n >= 0 && n < to-h.from {
			h.hosts[r.Host][n] += r.Attempts
		}
		return nil
	})
	return h, err
}

// of returns the attempts that a window may have counted, by second.
func (h *heat) of(w *ledger.Window) []int64 {
	sum := make([]int64, max(h.to-h.from, 0))
	for host, seconds := range h.hosts {
		if !holds(w, host) {
			continue
		}
		for i, n := range seconds {
			sum[i] += n
		}
	}
	return sum
}

// slots adds seconds up into at most so many slots of equal length, each at least as long
// as a window, and returns how many seconds a slot has. The last one is whole.
func slots(seconds []int64, per time.Duration, columns int) (sums []int64, each int) {
	if len(seconds) == 0 || columns < 1 {
		return nil, 1
	}
	each = max(int((per+time.Second-1)/time.Second), (len(seconds)+columns-1)/columns, 1)
	sums = make([]int64, (len(seconds)+each-1)/each)
	skew := len(sums)*each - len(seconds)
	for i, n := range seconds {
		sums[(i+skew)/each] += n
	}
	return sums, each
}

// rate returns the attempts in a second, over the last whole seconds.
func rate(seconds []int64) float64 {
	seconds = seconds[:max(len(seconds)-1, 0)] // the last one has only begun
	seconds = seconds[max(len(seconds)-rateOver, 0):]
	var n int64
	for _, s := range seconds {
		n += s
	}
	return float64(n) / float64(max(len(seconds), 1))
}

// projection says when a window will be empty at this rate, in attempts a second. A fixed one
// has to last until it opens; what the others have used comes back all the time.
func projection(w *ledger.Window, at time.Time, rate float64) string {
	left, opens, falls := w.Limit-Used(w, at), w.Opens.Sub(at), rate
	if opens <= 0 {
		opens = w.Per // a new one opens with the next request
	}
	if w.Kind != ledger.FixedWindow && w.Per > 0 {
		falls -= float64(w.Limit) / w.Per.Seconds()
	}
	switch {
	case at.Before(w.Paused):
		return "paused: the server wants nobody to send " + draw.With("for", w.Paused.Sub(at))
	case w.Limit <= 0:
		return "no limit of ours: only what the server said"
	case w.Full(at):
		return "empty"
	case w.Name != "":
		return "no projection: it counts only some of the host's attempts"
	case rate <= 0:
		return fmt.Sprintf("%d left, and nothing was sent in the last %d s", left, rateOver)
	}
	how := fmt.Sprintf("%.1f attempts a second, %d left", rate, left)
	gone := time.Duration(float64(left) / max(falls, 1e-9) * float64(time.Second))
	if falls <= 0 || w.Kind == ledger.FixedWindow && gone >= opens {
		return "lasts at this rate: " + how
	}
	return "empty at this rate " + draw.With("in", gone) + ": " + how
}

// allows returns how many attempts a window lets through in a second: our limit, else the
// server's; 0 if there is none.
func allows(w *ledger.Window) float64 {
	switch {
	case w.Limit > 0 && w.Per > 0:
		return float64(w.Limit) / w.Per.Seconds()
	case w.Declared.Limit > 0 && w.Declared.Per > 0:
		return float64(w.Declared.Limit) / w.Declared.Per.Seconds()
	}
	return 0
}
