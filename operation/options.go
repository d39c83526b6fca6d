package operation

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"redial/ledger"
)

// Options say who runs the operations and how. The zero value works beside a recorder.
type Options struct {
	// Session is the session that drives the operations: recorder.Recorder.Session. Its
	// service is theirs, and its beat is how others see that they are cared for. If 0, as
	// with a recorder whose store was not ready yet, it is the one that is enrolled through
	// the store of the operations, as soon as there is one.
	Session ledger.SessionID

	// Lookups has the functions by which operations are looked up after a restart, by the
	// name of the operation.
	Lookups map[string]LookupFunc

	// Credentials puts into the header what [ledger.Intent.Withheld] names, for sends and
	// lookups that the caller of Do is not part of: after a restart, or when a person asked.
	// They go to the origin of the intent's URL alone. What undoes an operation has an intent
	// of its own, whose URL may be of another origin. If nil, operations with withheld
	// credentials are only looked up then.
	Credentials func(ctx context.Context, in ledger.Intent, h http.Header) error

	// OneShot is for programs that run and end: nothing goes on beside the calls of Do,
	// nothing is recovered at the start, and no asks are served.
	OneShot bool

	// CloseTimeout is how long [Operations.Close] lets sends that are under way go on. If
	// 0, 5 seconds.
	CloseTimeout time.Duration
}

// Operations does operations: each once, or with an honest "nobody knows". All its methods
// are safe for concurrent use.
type Operations struct {
	client *http.Client
	store  Store
	o      Options

	self  identity
	began time.Time // with both clocks, by which it is seen that the wall clock was set back
	life  context.Context
	end   context.CancelFunc // ends waits, lookups and the reconciler
	sends context.Context
	cut   context.CancelFunc // ends sends, too

	heard  atomic.Bool // it is noted that the service wants to know of settlements
	leases leases
	turns  chan struct{} // one for each lookup or send that the reconciler makes

	mu     sync.Mutex
	runs   map[ledger.ID]*run
	left   map[ledger.ID]bool // this session's own that a run had to leave unfinished
	closed bool
	work   sync.WaitGroup
}

// New returns operations that send through client and are kept in store. Unless they are
// for a one-shot program, what earlier runs of the service left behind is taken up at once.
//
// The client's transport has to be redial's, which tells what became of each send; with
// another one every effect stays unknown until it is looked up. The client's own Timeout
// is not used, since each operation has a budget, and redirects are not followed.
func New(client *http.Client, store Store, o Options) *Operations {
	if client == nil {
		client = http.DefaultClient
	}
	if o.CloseTimeout <= 0 {
		o.CloseTimeout = 5 * time.Second
	}
	own := *client
	own.Timeout = 0
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	ops := &Operations{client: &own, store: store, o: o, self: identity{session: o.Session}, runs: make(map[ledger.ID]*run), left: make(map[ledger.ID]bool), turns: make(chan struct{}, maxTurns)}
	ops.began = time.Now()
	ops.life, ops.end = context.WithCancel(context.Background())
	ops.sends, ops.cut = context.WithCancel(context.Background())
	if !o.OneShot {
		ops.work.Go(ops.reconcile)
	}
	return ops
}

// Close ends the operations of this process: waits and lookups stop at once, and sends
// that are under way are given the time of the options. What is not settled stays on
// record, and goes on when the service starts again. Closing again does nothing.
func (ops *Operations) Close() error {
	ops.mu.Lock()
	ops.closed = true
	ops.mu.Unlock()
	ops.end()
	late := time.AfterFunc(ops.o.CloseTimeout, ops.cut)
	ops.work.Wait()
	late.Stop()
	ops.cut()
	return nil
}
