package tui

import (
	"context"
	"maps"
	"slices"
	"time"

	"redial/ledger"
	"redial/tui/scene"
)

const (
	rateSpan  = 60               // seconds that the rates of a live session cover
	rateAgain = 3                // seconds that are read again, since calls may still end in them
	sparks    = 10               // columns of the sparkline
	atOnce    = 1000 * time.Hour // how much of a recording is added up
)

// sums adds up rollups.
type sums struct {
	calls, attempts, retried, failed int64
	latency                          ledger.Histogram
	hosts                            map[string]bool // some that were called
}

// mostHosts is how many hosts are remembered.
const mostHosts = 500

func (s *sums) host(name string) {
	if s.hosts == nil {
		s.hosts = map[string]bool{}
	}
	if len(s.hosts) < mostHosts {
		s.hosts[name] = true
	}
}

func (s *sums) add(r *ledger.Rollup) {
	s.calls += r.Calls
	s.attempts += r.Attempts
	s.retried += r.Retried
	s.failed += r.Failed
	s.latency.Merge(&r.Latency)
	s.host(r.Host)
}

func (s *sums) merge(o *sums) {
	s.calls += o.calls
	s.attempts += o.attempts
	s.retried += o.retried
	s.failed += o.failed
	s.latency.Merge(&o.latency)
	for name := range o.hosts {
		s.host(name)
	}
}

// rates holds the last seconds of what is shown, or the whole of a recording.
type rates struct {
	sessions []ledger.SessionID // what they are of
	seconds  map[int64]*sums    // by Unix time, while live
	read     time.Time          // up to when they were read
	total    sums               // of all seconds, or of the recording
	known    bool               // total was read
}

// span returns the stretch to read so that the rates are complete up to now.
func (r *rates) span(ids []ledger.SessionID, now time.Time) (from, to time.Time) {
	from = now.Truncate(time.Second).Add(-rateSpan * time.Second)
	if slices.Equal(ids, r.sessions) && r.read.After(from) {
		from = r.read.Truncate(time.Second).Add(-rateAgain * time.Second)
	}
	return from, now.Add(time.Second)
}

// take puts in what was read of a live session.
func (r *rates) take(ids []ledger.SessionID, from, now time.Time, rollups []ledger.Rollup) {
	if !slices.Equal(ids, r.sessions) {
		*r = rates{sessions: ids}
	}
	if r.seconds == nil {
		r.seconds = map[int64]*sums{}
	}
	for s := range r.seconds {
		if s >= from.Unix() || s < now.Unix()-rateSpan {
			delete(r.seconds, s)
		}
	}
	for i := range rollups {
		s := r.seconds[rollups[i].Second]
		if s == nil {
			s = new(sums)
			r.seconds[rollups[i].Second] = s
		}
		s.add(&rollups[i])
	}
	r.read, r.known = now, true
	r.total = sums{}
	for _, s := range r.seconds {
		r.total.merge(s)
	}
}

// hosts returns the hosts that were called, by name.
func (r *rates) hosts() []string { return slices.Sorted(maps.Keys(r.total.hosts)) }

// spark returns the attempts of the last seconds, as of the last reading, in as many
// columns as it has.
func (r *rates) spark() []int64 {
	out := make([]int64, sparks)
	const each = rateSpan / sparks
	for s, v := range r.seconds {
		if age := r.read.Unix() - s; age >= 0 && age < rateSpan {
			out[sparks-1-age/each] += v.attempts
		}
	}
	return out
}

// perSecond returns the attempts in a second, over the part of the span that the
// session has lived, as of the last reading.
func (r *rates) perSecond(s *scene.Shown) float64 {
	lived := time.Duration(0)
	for i := range s.Sessions {
		lived = max(lived, r.read.Sub(s.Sessions[i].Started))
	}
	span := min(max(lived.Seconds(), 1), rateSpan)
	return float64(r.total.attempts) / span
}

// readTotals sums up a whole recording.
func readTotals(ctx context.Context, s Store, session ledger.Session, now time.Time) (total sums, err error) {
	q := ledger.SumQuery{
		Sessions: []ledger.SessionID{session.ID}, From: session.Started, To: session.End(now).Add(time.Second),
		Step: atOnce, Latency: true,
	}
	err = s.Sums(ctx, q, func(r *ledger.Rollup) error {
		total.add(r)
		return nil
	})
	return total, err
}
