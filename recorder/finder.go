package recorder

import (
	"crypto/sha256"
	"hash/maphash"
	"slices"
	"time"

	"redial/ledger"
)

const (
	maxSent = 1 << 13 // requests that the finder remembers; the oldest make room
	maxKeys = 4       // keys that it remembers of one request
	maxSaid = 20      // duplicates of one request that it tells of
)

// finder finds what was sent twice: the same method, URL and body in two calls that began
// within span of each other, both without a key or with two keys, and a call without a key
// that was on the wire twice. It looks only at methods that may not be repeated (RFC 9110,
// section 9.2.2), and never at what the server certainly did not act on: a request that did
// not reach it, and one that it refused with a status from 400 to 499, except 408. So an
// authentication leg and a call that follows a redirect are none.
//
// A request that is sent all the time, such as a query that is asked by POST, is no mistake of
// that kind: after maxSaid duplicates, each within span of the one before, it says no more.
//
// What it remembers of a request is a hash, so that no secret stays in memory. A body of
// which no hash was taken, or that was not read to the same place, is never the same as
// another one. A nil finder finds nothing. It is not safe for concurrent use.
type finder struct {
	span time.Duration
	seed maphash.Seed
	sent map[uint64]*sent
	ring [maxSent]uint64 // the keys of sent, in the order in which they came
	next int             // place in ring
}

// sent is the latest call with a request.
type sent struct {
	call    ledger.CallID
	started time.Time
	acted   bool            // the server may have acted on it
	said    int             // duplicates of the request
	keys    [maxKeys]uint64 // hashes of the keys that came with the request, the latest first; 0: none
}

// sentRequest is what makes two calls the same.
type sentRequest struct {
	method, scheme, host, path, query string
	body                              [sha256.Size]byte
	keyed                             bool
}

// newFinder returns a finder, nil if span is negative.
func newFinder(span time.Duration) *finder {
	if span < 0 {
		return nil
	}
	return &finder{span: span, seed: maphash.MakeSeed(), sent: map[uint64]*sent{}}
}

// see notes in the call how it was sent twice, and remembers it. It comes before the call is
// redacted.
func (f *finder) see(c *ledger.Call) {
	c.Duplicate = ledger.Duplicate{}
	if f == nil || ledger.MayRepeat(c.Method) {
		return
	}
	c.Duplicate = f.remember(c)
	if c.Duplicate.Kind == ledger.NoDuplicate && c.Key == "" && twiceOnWire(c.AttemptList) {
		c.Duplicate = ledger.Duplicate{Call: c.ID, Other: c.ID, Kind: ledger.WireTwice}
	}
}

// remember notes that a call was sent, and returns in what way it was sent before.
func (f *finder) remember(c *ledger.Call) ledger.Duplicate {
	reached, acted := reach(c.AttemptList)
	body, known := bodyOf(c.AttemptList)
	if !reached || !known {
		return ledger.Duplicate{}
	}
	hash := maphash.Comparable(f.seed, sentRequest{c.Method, c.Scheme, c.Host, c.Path, c.Query, body, c.Key != ""})
	key := uint64(0)
	if c.Key != "" {
		key = maphash.String(f.seed, c.Key) | 1
	}
	was := f.sent[hash]
	if was == nil {
		was = &sent{}
		f.put(hash, was)
	}
	if c.Started.Sub(was.started) > f.span {
		was.said = 0
	}
	found := f.compare(was, c, key, acted)
	was.take(c, key, acted)
	if found.Kind != ledger.NoDuplicate {
		was.said++
	}
	if was.said > maxSaid {
		return ledger.Duplicate{}
	}
	return found
}

// compare returns how a call and an earlier one with the same request are one too many.
func (f *finder) compare(was *sent, c *ledger.Call, key uint64, acted bool) ledger.Duplicate {
	apart := c.Started.Sub(was.started)
	d := ledger.Duplicate{Call: c.ID, Other: was.call, Kind: ledger.NoKey}
	acted, risk := was.acted, acted
	if apart < 0 { // it ended later, and began earlier
		d.Call, d.Other, apart, acted = was.call, c.ID, -apart, risk
	}
	switch {
	case was.call == 0, was.call == c.ID, apart > f.span, !acted, c.Previous == was.call:
		return ledger.Duplicate{}
	case key != 0 && was.has(key):
		return ledger.Duplicate{}
	case key != 0:
		d.Kind = ledger.TwoKeys
	}
	return d
}

// put makes room for a request, and remembers it.
func (f *finder) put(hash uint64, s *sent) {
	if len(f.sent) >= maxSent {
		delete(f.sent, f.ring[f.next])
	}
	f.ring[f.next] = hash
	f.next = (f.next + 1) % maxSent
	f.sent[hash] = s
}

func (s *sent) has(key uint64) bool { return slices.Contains(s.keys[:], key) }

// take makes c the latest call with the request. One that the server did not act on does not
// hide an earlier one that it may have acted on.
func (s *sent) take(c *ledger.Call, key uint64, acted bool) {
	if key != 0 && !s.has(key) {
		copy(s.keys[1:], s.keys[:])
		s.keys[0] = key
	}
	if s.call == 0 || acted || !s.acted {
		s.call, s.started, s.acted = c.ID, c.Started, acted
	}
}

// reach reports whether a request may have reached the server, and whether the server may
// have acted on it.
func reach(attempts []ledger.Attempt) (reached, acted bool) {
	for i := range attempts {
		reached = reached || attempts[i].Outcome != ledger.NotSent
		acted = acted || mayHaveActed(&attempts[i])
	}
	return reached, acted
}

// mayHaveActed reports whether the server may have acted on an attempt.
func mayHaveActed(a *ledger.Attempt) bool {
	switch {
	case a.Outcome == ledger.NotSent:
		return false
	case a.Outcome == ledger.Answered && a.Status >= 400 && a.Status < 500:
		return a.Status == 408
	}
	return true
}

// twiceOnWire reports whether a request was put on a connection again after the server may
// have acted on it: by a later attempt, or by net/http within one.
func twiceOnWire(attempts []ledger.Attempt) bool {
	risk := false
	for i := range attempts {
		a := &attempts[i]
		if a.Outcome == ledger.NotSent {
			continue
		}
		if risk || a.WireSends > 1 {
			return true
		}
		risk = mayHaveActed(a)
	}
	return false
}

// bodyOf returns the hash of the request's body as far as it was sent, and whether there is
// one to go by.
func bodyOf(attempts []ledger.Attempt) (hash [sha256.Size]byte, known bool) {
	var longest, sent int64
	for i := range attempts {
		b := &attempts[i].Request.Body
		if b.Size > longest {
			longest, hash = b.Size, b.SHA256
		}
		sent = max(sent, attempts[i].BytesSent)
	}
	return hash, longest == 0 && sent == 0 || hash != [sha256.Size]byte{}
}
