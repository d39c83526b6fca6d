package db

import (
	"encoding/binary"
	"errors"
	"math"
	"time"

	"redial/ledger"
)

// errBlob is the error for a blob that no encoder of this package wrote.
var errBlob = errors.New("a row does not decode")

// maxList is how many attempts or waits of one call are read. Each takes a byte at least
// in the file, and a few hundred in memory.
const maxList = 1 << 16

// decoder takes from a buffer. After the first error it gives zeros, so that only the end
// needs to be checked. No count that it reads makes it allocate more than the buffer has
// bytes for.
type decoder struct {
	buf []byte
	err error
	// lookup resolves the id of a text; nil: there are no ids.
	lookup func(id int64) (string, error)
}

// decode begins to take from a blob.
func decode(blob []byte, lookup func(int64) (string, error)) *decoder {
	d := &decoder{buf: blob, lookup: lookup}
	if len(blob) == 0 || blob[0] != blobFormat {
		d.fail(errBlob)
		return d
	}
	d.buf = blob[1:]
	return d
}

func (d *decoder) fail(err error) {
	if d.err == nil {
		d.err, d.buf = err, nil
	}
}

// end returns the first error, which may be that something is left over.
func (d *decoder) end() error {
	if d.err == nil && len(d.buf) > 0 {
		d.fail(errBlob)
	}
	return d.err
}

func (d *decoder) uint() uint64 {
	n, size := binary.Uvarint(d.buf)
	if size <= 0 {
		d.fail(errBlob)
		return 0
	}
	d.buf = d.buf[size:]
	return n
}

func (d *decoder) int() int64 {
	n, size := binary.Varint(d.buf)
	if size <= 0 {
		d.fail(errBlob)
		return 0
	}
	d.buf = d.buf[size:]
	return n
}

func (d *decoder) float() float64 {
	b := d.take(8)
	if b == nil {
		return 0
	}
	f := math.Float64frombits(binary.BigEndian.Uint64(b))
	if math.IsNaN(f) || math.IsInf(f, 0) {
		d.fail(errBlob)
		return 0
	}
	return f
}

// take returns the next n bytes.
func (d *decoder) take(n uint64) []byte {
	if n > uint64(len(d.buf)) {
		d.fail(errBlob)
		return nil
	}
	b := d.buf[:n]
	d.buf = d.buf[n:]
	return b
}

// count returns how many things follow: at most limit, each of at least size bytes.
func (d *decoder) count(size, limit int) int {
	n := d.uint()
	if n > uint64(min(len(d.buf)/size, limit)) {
		d.fail(errBlob)
		return 0
	}
	return int(n)
}

func (d *decoder) literal() string { return string(d.take(d.uint())) }

func (d *decoder) text() string {
	n := d.uint()
	if n&1 == 0 {
		return string(d.take(n >> 1))
	}
	return d.entry(int64(n >> 1))
}

// entry returns a text of the dictionary.
func (d *decoder) entry(id int64) string {
	if d.err != nil {
		return ""
	}
	if d.lookup == nil {
		d.fail(errBlob)
		return ""
	}
	s, err := d.lookup(id)
	if err != nil {
		d.fail(err)
	}
	return s
}

func (d *decoder) ints(mask, field uint64) int64 {
	if mask&field == 0 {
		return 0
	}
	return d.int()
}

func (d *decoder) duration(mask, field uint64) time.Duration {
	return time.Duration(d.ints(mask, field))
}

// code returns a small number, such as an outcome.
func (d *decoder) code(mask, field uint64) uint8 {
	n := d.ints(mask, field)
	if n < 0 || n > math.MaxUint8 {
		d.fail(errBlob)
	}
	return uint8(n)
}

func (d *decoder) texts(mask, field uint64) string {
	if mask&field == 0 {
		return ""
	}
	return d.text()
}

// attempt takes an attempt that is expected to have number n. Where its bodies are is
// returned beside it.
func (d *decoder) attempt(n int) (a ledger.Attempt, request, response bodyPlace) {
	m := d.uint()
	a.N = n
	if m&attemptN != 0 {
		a.N = int(d.int())
	}
	a.Reason = ledger.Reason(d.code(m, attemptReason))
	a.Start = d.duration(m, attemptStart)
	a.Took = d.duration(m, attemptTook)
	a.Status = int(d.ints(m, attemptStatus))
	a.Proto = d.texts(m, attemptProto)
	a.Outcome = ledger.Outcome(d.code(m, attemptOutcome))
	a.Err = d.texts(m, attemptErr)
	a.RetryAfter = -1
	if m&attemptRetryAfter != 0 {
		a.RetryAfter = time.Duration(d.int())
	}
	a.Phases = ledger.Phases{
		DNS:     d.duration(m, attemptDNS),
		Connect: d.duration(m, attemptConnect),
		TLS:     d.duration(m, attemptTLS),
		Send:    d.duration(m, attemptSend),
		Wait:    d.duration(m, attemptWait),
		Receive: d.duration(m, attemptReceive),
	}
	a.Remote = d.texts(m, attemptRemote)
	a.Reused = m&attemptReused != 0
	a.WireSends = int(d.ints(m, attemptSends))
	a.BytesSent = d.ints(m, attemptSent)
	a.BytesReceived = d.ints(m, attemptReceived)
	a.Decision = ledger.Decision(d.code(m, attemptDecision))
	if m&attemptRequest != 0 {
		request = d.message(&a.Request, a.N)
	}
	if m&attemptResponse != 0 {
		response = d.message(&a.Response, a.N)
	}
	return a, request, response
}

// call takes a running call.
func (d *decoder) call() (c ledger.Call) {
	for _, s := range [...]*string{&c.Key, &c.Method, &c.Scheme, &c.Host, &c.Path, &c.Query, &c.Error, &c.Policy} {
		*s = d.literal()
	}
	c.Started = timeOf(d.int())
	c.Took = time.Duration(d.int())
	c.State = ledger.State(d.uint())
	c.Since = timeOf(d.int())
	for n := range d.count(1, maxList) {
		a, _, _ := d.attempt(n + 1)
		c.AttemptList = append(c.AttemptList, a)
	}
	for range d.count(6, maxList) {
		c.Waits = append(c.Waits, ledger.Wait{
			Before:  int(d.int()),
			Kind:    ledger.WaitKind(d.int()),
			Start:   time.Duration(d.int()),
			Planned: time.Duration(d.int()),
			Took:    time.Duration(d.int()),
			Rule:    d.rule(),
		})
	}
	if d.err == nil && len(d.buf) > 0 { // the last of a blob, where there is one
		if c.Previous = ledger.CallID(d.int()); c.Previous == 0 {
			d.fail(errBlob)
		}
	}
	return c
}

// timeOf is the inverse of unixNano.
func timeOf(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}

// rule takes the numbers behind a wait.
func (d *decoder) rule() (r ledger.Rule) {
	var fields [ruleNumbers]int64
	present := d.uint()
	for i := range fields {
		fields[i] = d.ints(present, 1<<i)
	}
	r = ledger.Rule{
		Base: time.Duration(fields[0]), Exponent: int(fields[1]), Max: time.Duration(fields[2]),
		Jitter: ledger.Jitter(fields[3]), Asked: time.Duration(fields[4]), ByDate: fields[5] != 0,
		Limit: int(fields[6]), Per: time.Duration(fields[7]), Ahead: int(fields[8]),
	}
	for i, f := range [ruleFloats]*float64{&r.Multiplier, &r.Fraction} {
		if present&(1<<(ruleNumbers+i)) != 0 {
			*f = d.float()
		}
	}
	later := func(i int) uint64 { return 1 << (ruleNumbers + ruleFloats + i) }
	r.Window = ledger.WindowKind(d.code(present, later(0)))
	r.Paused = d.ints(present, later(1)) != 0
	r.Rate = d.ints(present, later(2))
	r.Upload = d.ints(present, later(3)) != 0
	return r
}

// histogram takes the buckets that are not empty.
func (d *decoder) histogram() (h ledger.Histogram) {
	d.addHistogram(&h)
	return h
}

// addHistogram adds the buckets that are not empty to those of h. A bucket that is full
// stays full.
func (d *decoder) addHistogram(h *ledger.Histogram) {
	for i := 0; d.err == nil && len(d.buf) > 0; i++ {
		skipped, n := d.uint(), d.uint()
		if skipped >= uint64(len(h.Counts)-min(i, len(h.Counts))) || n > math.MaxUint32 {
			d.fail(errBlob)
			return
		}
		i += int(skipped)
		h.Counts[i] += min(uint32(n), math.MaxUint32-h.Counts[i])
	}
}
