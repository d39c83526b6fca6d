package books

import "time"

// Options are how a server behaves. The zero value is a plain HTTP server without faults.
type Options struct {
	TLS   bool  // TLS, with HTTP/2 for those who ask for it
	Clock Clock // nil: the wall clock

	Modes  func(id string) Mode          // the mode of an id under /by-id/; nil: drawn from L1 to L9
	Lookup func(id string) LookupFailure // how the lookups of L9 fail; nil: drawn

	Faults     []Fault // those that are drawn from, as far as they fit the connection; nil: all
	Rate       float64 // share of POSTs and DELETEs that have one
	LookupRate float64 // share of lookups that have one
	RefuseRate float64 // share of connections that are closed unread, drawn from the number of the connection

	Lifetime time.Duration // of a key, for L4; 0: 100 ms
	Stale    time.Duration // for L5; 0: 100 ms
	Land     time.Duration // for L6; 0: 300 ms
	Work     time.Duration // for L7; 0: 50 ms
	Hang     time.Duration // at most, if the client does not give up; 0: 10 s
	Tick     time.Duration // between two bytes of OneByte; 0: 1 ms

	KeyHeader  string // "" is Idempotency-Key. Without the header the body's idempotency_key counts
	RetryAfter string // the value of Retry-After; "" is 1

	// OnPoint, if not nil, is called at each point of each request, and the request waits
	// for it. A lookup by a key that never came with an order has the id "".
	OnPoint func(id string, p Point)
}

func (o Options) withDefaults() Options {
	if o.Clock == nil {
		o.Clock = wallClock{}
	}
	if o.Faults == nil {
		o.Faults = Faults()
	}
	for d, def := range map[*time.Duration]time.Duration{
		&o.Lifetime: 100 * time.Millisecond, &o.Stale: 100 * time.Millisecond, &o.Land: 300 * time.Millisecond,
		&o.Work: 50 * time.Millisecond, &o.Hang: 10 * time.Second, &o.Tick: time.Millisecond,
	} {
		if *d == 0 {
			*d = def
		}
	}
	if o.KeyHeader == "" {
		o.KeyHeader = "Idempotency-Key"
	}
	if o.RetryAfter == "" {
		o.RetryAfter = "1"
	}
	return o
}
