package recorder

import (
	"sync/atomic"
	"time"

	"redial/ledger"
)

// The defaults of [Options].
const (
	DefaultBodyLimit    = 64 << 10
	DefaultQueueSize    = 1 << 16
	DefaultQueueBytes   = 64 << 20
	DefaultCloseTimeout = 5 * time.Second

	DefaultDuplicateSpan = 10 * time.Minute
)

// enrolBound is how long [New] waits for the first try to enrol, so that a service whose
// store works has its session number at once, and one whose store hangs still starts.
const enrolBound = 250 * time.Millisecond

// Options say what is recorded and how much of it may wait. The zero value works.
type Options struct {
	// Service names the process in the file. If "", the base name of the executable.
	Service string
	// Version is the version of the service; "" is unknown.
	Version string

	// BodyLimit is how many bytes of each request's and response's body are kept. If 0,
	// DefaultBodyLimit; if negative, none, and no hash is taken.
	BodyLimit int64

	// QueueSize is how many calls may wait to be written. If 0, DefaultQueueSize, which
	// takes about 50 MB when it is full, and next to nothing while it is not.
	QueueSize int
	// QueueBytes is how many bytes of bodies, headers and texts may wait along with them.
	// If 0, DefaultQueueBytes.
	QueueBytes int64

	// DuplicateSpan is how far apart in time two calls may start and be taken for one that
	// was sent twice: see [ledger.Duplicate]. If 0, DefaultDuplicateSpan; if negative,
	// duplicates are not looked for.
	DuplicateSpan time.Duration

	// CloseTimeout bounds [Recorder.Close]. If 0, DefaultCloseTimeout.
	CloseTimeout time.Duration

	// RedactHeaders names headers that are redacted besides those that always are.
	RedactHeaders []string
	// RedactFields names query parameters, JSON fields and form fields that are redacted
	// besides those that always are. Case and punctuation do not matter.
	RedactFields []string
}

// Recorder takes ended calls from the request path and writes them to a [Store] from a
// goroutine of its own. All methods are safe for concurrent use, and a nil Recorder
// records nothing.
type Recorder struct {
	bodyLimit int64
	timeout   time.Duration // of Close
	calls     atomic.Int64  // ids given out
	queue     *queue
	lives     *lives
	writer    *writer
	closing   atomic.Bool
	closed    chan struct{} // closed when Close has done its work
	closeErr  error         // of Close; set before closed is
}

// New returns a recorder that writes to store, and never fails: while the store cannot
// enrol the session, calls wait in the queue and enrolment is tried again each second.
// It waits for the first try, at most a quarter of a second.
func New(store Store, o Options) *Recorder {
	o = o.withDefaults()
	r := &Recorder{
		bodyLimit: max(o.BodyLimit, 0),
		timeout:   o.CloseTimeout,
		queue:     newQueue(o.QueueSize, o.QueueBytes),
		lives:     &lives{},
		closed:    make(chan struct{}),
	}
	r.writer = newWriter(store, describe(o), r)
	r.writer.redact = newRedactor(o)
	r.writer.finder = newFinder(o.DuplicateSpan)
	go r.writer.run()

	bound := time.NewTimer(enrolBound)
	defer bound.Stop()
	select {
	case <-r.writer.tried:
	case <-bound.C:
	}
	return r
}

func (o Options) withDefaults() Options {
	if o.Service == "" {
		o.Service = executable()
	}
	if o.BodyLimit == 0 {
		o.BodyLimit = DefaultBodyLimit
	}
	if o.QueueSize <= 0 {
		o.QueueSize = DefaultQueueSize
	}
	if o.QueueBytes <= 0 {
		o.QueueBytes = DefaultQueueBytes
	}
	if o.DuplicateSpan == 0 {
		o.DuplicateSpan = DefaultDuplicateSpan
	}
	if o.CloseTimeout <= 0 {
		o.CloseTimeout = DefaultCloseTimeout
	}
	return o
}

// NewID returns the id for a call that begins now. Its session part is zero until the
// session is enrolled, and filled in before the call is written.
func (r *Recorder) NewID() ledger.CallID {
	if r == nil {
		return 0
	}
	return ledger.NewCallID(r.Session(), r.calls.Add(1))
}

// BodyLimit returns how many bytes of each body are to be kept; 0 is none.
func (r *Recorder) BodyLimit() int64 {
	if r == nil {
		return 0
	}
	return r.bodyLimit
}

// Record takes a call that has ended. It copies the call and its lists and keeps the Data
// of its bodies, and never waits for the store. A call for which there is no room, or
// that comes after [Recorder.Close], is counted as not written.
func (r *Recorder) Record(c *ledger.Call) {
	if r == nil {
		return
	}
	if r.queue.put(c) {
		r.writer.nudge()
	}
}

// Watch tells the recorder where to pull running calls and windows from. It holds on to
// live until it is closed.
func (r *Recorder) Watch(live ledger.Live) {
	if r != nil && live != nil {
		r.lives.watch(live)
	}
}

// Session returns the session's number, 0 until it is enrolled.
func (r *Recorder) Session() ledger.SessionID {
	if r == nil {
		return 0
	}
	return ledger.SessionID(r.writer.session.Load())
}

// Counters returns the totals so far. What is in none of Written, QueueFull and
// StoreFailed waits to be written; after Close nothing does.
func (r *Recorder) Counters() ledger.Counters {
	if r == nil {
		return ledger.Counters{}
	}
	return r.queue.totals()
}

// Close writes what waits, ends the session and returns within the timeout of the
// options, whatever the store does. The error tells how many calls could not be written
// and why; they are counted as not written, even if a store that hung writes them in the
// end. Closing again waits for the first Close and returns the same.
//
// A store that takes nothing at all until then, since its disk stays full or its file stays
// locked, cannot keep what it is told: there the session stands as one that was killed, with
// the counters of its last beat, and only the error and [Recorder.Counters] say what is missing.
func (r *Recorder) Close() error {
	if r == nil {
		return nil
	}
	if r.closing.CompareAndSwap(false, true) {
		r.closeErr = r.writer.close(r.timeout)
		close(r.closed)
	}
	<-r.closed
	return r.closeErr
}
