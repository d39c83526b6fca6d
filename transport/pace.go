package transport

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"redial/ledger"
)

// pace holds back the bodies of one attempt in one direction: the one that is sent and, if
// net/http replays, those that are sent again. It outlives its call where net/http goes on
// reading a request's body, and so has all that it needs by itself.
type pace struct {
	lane    *lane
	upload  bool
	ctx     context.Context // the attempt's
	cancel  <-chan struct{} // the request's deprecated Cancel
	started time.Time       // when the call did

	mu    sync.Mutex    // guards what follows against those who look at the call
	first time.Duration // when the first pause began, since the call's start; never: none did
	since time.Duration // when the one under way did; never: none is
	took  time.Duration // all that are over
	spent []spent       // of them, by what they were for
}

// spent is the time that a body was held back because of one bucket.
type spent struct {
	bucket *bucket
	took   time.Duration
}

// never is a moment that has not come.
const never time.Duration = -1

// newPace returns the pace for what an attempt sends or receives, nil if nothing limits it.
func (c *call) newPace(l *lane, ctx context.Context, upload bool) *pace {
	if l == nil {
		return nil
	}
	return &pace{lane: l, upload: upload, ctx: ctx, cancel: legacyCancel(c.req), started: c.rec.Started, first: never, since: never}
}

// pay returns when a piece of n bytes may go on: they were read, and nobody has them yet.
// It returns an error if that is given up: because the attempt's context ended, or because
// the body was closed.
func (t *throttle) pay(n int) error {
	if t == nil || n == 0 {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	p := t.pace
	if p.lane.take(&t.piece, n) {
		return nil
	}
	p.pause()
	defer p.resume()
	var err error
	select {
	case <-t.piece.ready:
		return nil
	case <-p.ctx.Done():
		err = p.gaveUp(p.ctx.Err(), context.Cause(p.ctx))
	case <-p.cancel:
		err = p.gaveUp(context.Canceled, errRequestCancel)
	case <-t.stop:
		err = http.ErrBodyReadAfterClose
	}
	if !p.lane.leave(&t.piece) {
		return nil
	}
	return err
}

func (p *pace) gaveUp(err, cause error) error {
	what := "receiving the response's body"
	if p.upload {
		what = "sending the request's body"
	}
	if errors.Is(err, cause) {
		cause = nil
	}
	return &GaveUpError{Doing: fmt.Sprintf("%s at most at %.0f bytes a second", what, p.lane.why().rate), Err: err, Cause: cause}
}

// why returns what the lane waits for, or did the last time.
func (l *lane) why() *bucket {
	l.traffic.mu.Lock()
	defer l.traffic.mu.Unlock()
	return l.slow
}

// elapsed returns the time since the call's start.
func (p *pace) elapsed() time.Duration { return max(time.Since(p.started), 0) }

// pause notes that a pause begins.
func (p *pace) pause() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.since = p.elapsed()
	if p.first == never {
		p.first = p.since
	}
}

// resume notes that the pause is over.
func (p *pace) resume() {
	why := p.lane.why()
	p.mu.Lock()
	defer p.mu.Unlock()
	d := max(p.elapsed()-p.since, 1)
	p.since = never
	p.took += d
	for i := range p.spent {
		if p.spent[i].bucket == why {
			p.spent[i].took += d
			return
		}
	}
	p.spent = append(p.spent, spent{why, d})
}

// slowest returns the bucket for which the pauses were longest, with the lock held.
func (p *pace) slowest() *bucket {
	if len(p.spent) == 0 {
		return p.lane.why()
	}
	most := p.spent[0]
	for _, s := range p.spent {
		if s.took > most.took {
			most = s
		}
	}
	return most.bucket
}

// wait returns all pauses as one wait of attempt n, and whether there were any.
func (p *pace) wait(n int) (w ledger.Wait, any bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	w = ledger.Wait{Before: n, Kind: ledger.BandwidthWait, Start: p.first, Took: p.took}
	if p.since != never {
		w.Took += max(p.elapsed()-p.since, 1)
	}
	w.Rule = ledger.Rule{Rate: int64(p.slowest().rate), Upload: p.upload}
	return w, p.first != never
}

// addPauses adds to the waits what the attempt under way was held back for, with the lock
// held. A wait for the next attempt that has begun stays the last.
func (c *call) addPauses(waits []ledger.Wait) []ledger.Wait {
	n := c.last().N
	at := len(waits)
	for at > 0 && waits[at-1].Before > n {
		at--
	}
	if u := c.cur.upload; u != nil && u.pace != nil {
		if w, any := u.pace.wait(n); any {
			waits = slices.Insert(waits, at, w)
			at++
		}
	}
	if d := c.cur.down; d != nil && d.slow != nil {
		if w, any := d.slow.pace.wait(n); any {
			waits = slices.Insert(waits, at, w)
		}
	}
	return waits
}

// heldBack reports whether the attempt that has just ended had to pause for a limit.
func (c *call) heldBack() bool {
	for _, w := range c.rec.Waits {
		if w.Kind == ledger.BandwidthWait && w.Before == c.last().N {
			return true
		}
	}
	return false
}

// throttle holds back one body. Its methods may be called of nil, which holds back nothing.
type throttle struct {
	pace *pace
	stop chan struct{} // closed with the body
	once sync.Once

	mu    sync.Mutex // one piece at a time, however many goroutines read
	piece piece
}

func (p *pace) throttle() *throttle {
	if p == nil {
		return nil
	}
	for _, b := range p.lane.buckets {
		b.users.Add(1)
	}
	return &throttle{pace: p, piece: piece{ready: make(chan struct{}, 1)}, stop: make(chan struct{})}
}

// cut returns how much of p may be read at once.
func (t *throttle) cut(p []byte) []byte {
	if t == nil {
		return p
	}
	n := len(p)
	for _, b := range t.pace.lane.buckets {
		n = min(n, b.piece())
	}
	return p[:n:n]
}

// end ends a pause under way, since the body is closed or has ended.
func (t *throttle) end() {
	if t == nil {
		return
	}
	t.once.Do(func() {
		close(t.stop)
		for _, b := range t.pace.lane.buckets {
			b.users.Add(-1)
		}
	})
}
