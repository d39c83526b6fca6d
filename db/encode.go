package db

import (
	"encoding/binary"
	"math"
	"time"

	"redial/ledger"
)

// Blobs begin with a byte that names their format, so that a later one can be told apart.
// Numbers are varints, signed ones zigzag. An attempt, a call and a rule begin with a bit
// mask that says which fields follow: most are zero in most rows.
const blobFormat = 1

// The fields of an attempt, in the order in which they are stored.
const (
	attemptN = 1 << iota
	attemptReason
	attemptStart
	attemptTook
	attemptStatus
	attemptProto
	attemptOutcome
	attemptErr
	attemptRetryAfter // present unless negative
	attemptDNS
	attemptConnect
	attemptTLS
	attemptSend
	attemptWait
	attemptReceive
	attemptRemote
	attemptReused // is its own value
	attemptSends
	attemptSent
	attemptReceived
	attemptDecision
	attemptRequest
	attemptResponse
)

// encoder appends to a buffer.
type encoder struct {
	buf []byte
	// dict gives the id of a text in the dictionary, if it has one; nil: no text has.
	dict func(kind textKind, s string) (id int64, ok bool)
	// headers knows which headers repeat; nil: all are written out.
	headers *headerSets
}

func (e *encoder) reset() { e.buf = append(e.buf[:0], blobFormat) }

func (e *encoder) uint(n uint64) { e.buf = binary.AppendUvarint(e.buf, n) }

func (e *encoder) int(n int64) { e.buf = binary.AppendVarint(e.buf, n) }

func (e *encoder) float(f float64) {
	e.buf = binary.BigEndian.AppendUint64(e.buf, math.Float64bits(f))
}

// literal appends a text with its length.
func (e *encoder) literal(s string) {
	e.uint(uint64(len(s)))
	e.buf = append(e.buf, s...)
}

// text appends a text, or its id in the dictionary: twice the length, or twice the id
// and one.
func (e *encoder) text(kind textKind, s string) {
	if e.dict != nil && s != "" {
		if id, ok := e.dict(kind, s); ok {
			e.uint(uint64(id)<<1 | 1)
			return
		}
	}
	e.uint(uint64(len(s)) << 1)
	e.buf = append(e.buf, s...)
}

// durations appends those of a run of fields that are present.
func (e *encoder) durations(ds ...time.Duration) {
	for _, d := range ds {
		if d != 0 {
			e.int(int64(d))
		}
	}
}

// attempt appends an attempt; n is the number that it is expected to have, previous the
// attempts before it.
func (e *encoder) attempt(a *ledger.Attempt, n int, previous []ledger.Attempt) {
	mask := attemptMask(a, n)
	e.uint(mask)
	e.ints(mask, attemptN, int64(a.N))
	e.ints(mask, attemptReason, int64(a.Reason))
	e.durations(a.Start, a.Took)
	e.ints(mask, attemptStatus, int64(a.Status))
	e.texts(mask, attemptProto, textProto, a.Proto)
	e.ints(mask, attemptOutcome, int64(a.Outcome))
	e.texts(mask, attemptErr, textError, a.Err)
	e.ints(mask, attemptRetryAfter, int64(a.RetryAfter))
	p := &a.Phases
	e.durations(p.DNS, p.Connect, p.TLS, p.Send, p.Wait, p.Receive)
	e.texts(mask, attemptRemote, textRemote, a.Remote)
	e.ints(mask, attemptSends, int64(a.WireSends))
	e.ints(mask, attemptSent, a.BytesSent)
	e.ints(mask, attemptReceived, a.BytesReceived)
	e.ints(mask, attemptDecision, int64(a.Decision))
	if mask&attemptRequest != 0 {
		e.message(&a.Request, sameBody(a, previous))
	}
	if mask&attemptResponse != 0 {
		e.message(&a.Response, 0)
	}
}

func (e *encoder) ints(mask, field uint64, n int64) {
	if mask&field != 0 {
		e.int(n)
	}
}

func (e *encoder) texts(mask, field uint64, kind textKind, s string) {
	if mask&field != 0 {
		e.text(kind, s)
	}
}

// attemptMask returns which fields of a have to be stored.
func attemptMask(a *ledger.Attempt, n int) uint64 {
	m, p := mask(0), &a.Phases
	m.set(attemptN, a.N != n)
	m.set(attemptReason, a.Reason != 0)
	m.set(attemptStart, a.Start != 0)
	m.set(attemptTook, a.Took != 0)
	m.set(attemptStatus, a.Status != 0)
	m.set(attemptProto, a.Proto != "")
	m.set(attemptOutcome, a.Outcome != 0)
	m.set(attemptErr, a.Err != "")
	m.set(attemptRetryAfter, a.RetryAfter >= 0)
	m.set(attemptDNS, p.DNS != 0)
	m.set(attemptConnect, p.Connect != 0)
	m.set(attemptTLS, p.TLS != 0)
	m.set(attemptSend, p.Send != 0)
	m.set(attemptWait, p.Wait != 0)
	m.set(attemptReceive, p.Receive != 0)
	m.set(attemptRemote, a.Remote != "")
	m.set(attemptReused, a.Reused)
	m.set(attemptSends, a.WireSends != 0)
	m.set(attemptSent, a.BytesSent != 0)
	m.set(attemptReceived, a.BytesReceived != 0)
	m.set(attemptDecision, a.Decision != 0)
	m.set(attemptRequest, kept(&a.Request))
	m.set(attemptResponse, kept(&a.Response))
	return uint64(m)
}

// mask is a set of fields.
type mask uint64

func (m *mask) set(field uint64, present bool) {
	if present {
		*m |= mask(field)
	}
}

// The numbers of a rule: those of the first version come first, then its two floats, then
// what was added later, so that what was written before decodes as it did.
const (
	ruleNumbers = 9
	ruleFloats  = 2
	ruleLater   = 4
)

// rule appends the numbers behind a wait.
func (e *encoder) rule(r *ledger.Rule) {
	numbers := [ruleNumbers]int64{
		int64(r.Base), int64(r.Exponent), int64(r.Max), int64(r.Jitter),
		int64(r.Asked), flag(r.ByDate), int64(r.Limit), int64(r.Per), int64(r.Ahead),
	}
	floats := [ruleFloats]float64{r.Multiplier, r.Fraction}
	later := [ruleLater]int64{int64(r.Window), flag(r.Paused), r.Rate, flag(r.Upload)}
	present := mask(0)
	for i, n := range numbers {
		present.set(1<<i, n != 0)
	}
	for i, f := range floats {
		present.set(1<<(ruleNumbers+i), f != 0)
	}
	for i, n := range later {
		present.set(1<<(ruleNumbers+ruleFloats+i), n != 0)
	}
	e.uint(uint64(present))
	e.someInts(numbers[:])
	for _, f := range floats {
		if f != 0 {
			e.float(f)
		}
	}
	e.someInts(later[:])
}

// someInts appends those of a run of fields that are present.
func (e *encoder) someInts(ns []int64) {
	for _, n := range ns {
		if n != 0 {
			e.int(n)
		}
	}
}

// flag returns 1 for true.
func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// call appends a running call whole, but for what only an ended one has.
func (e *encoder) call(c *ledger.Call) {
	for _, s := range [...]string{c.Key, c.Method, c.Scheme, c.Host, c.Path, c.Query, c.Error, c.Policy} {
		e.literal(s)
	}
	e.int(unixNano(c.Started))
	e.int(int64(c.Took))
	e.uint(uint64(c.State))
	e.int(unixNano(c.Since))
	e.uint(uint64(len(c.AttemptList)))
	for i := range c.AttemptList {
		e.attempt(&c.AttemptList[i], i+1, nil)
	}
	e.uint(uint64(len(c.Waits)))
	for i := range c.Waits {
		w := &c.Waits[i]
		for _, n := range [...]int64{int64(w.Before), int64(w.Kind), int64(w.Start), int64(w.Planned), int64(w.Took)} {
			e.int(n)
		}
		e.rule(&w.Rule)
	}
	if c.Previous != 0 { // the first version had nothing here
		e.int(int64(c.Previous))
	}
}

// unixNano returns nanoseconds of Unix time, and 0 for the zero time.
func unixNano(t time.Time) int64 {
	n, _ := timeValue(t).(int64)
	return n
}

// histogram appends the buckets that are not empty: for each how many empty ones come
// before it, and its count.
func (e *encoder) histogram(h *ledger.Histogram) {
	skipped := uint64(0)
	for _, n := range h.Counts {
		if n == 0 {
			skipped++
			continue
		}
		e.uint(skipped)
		e.uint(uint64(n))
		skipped = 0
	}
}
