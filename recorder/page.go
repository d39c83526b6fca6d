package recorder

import "redial/ledger"

const (
	pageCalls = 128     // calls in a page
	pageBytes = 2 << 20 // weight at which a page is full, however few calls are in it
	maxSpare  = 64      // pages that are kept for use again
)

// page is a stretch of the queue: calls one after the other, and their lists in arrays
// that they share, so that recording a call allocates nothing once a page has been used.
type page struct {
	calls    []ledger.Call
	attempts []ledger.Attempt
	waits    []ledger.Wait
	fields   []ledger.Field
	bytes    int64
}

func newPage() *page {
	return &page{
		calls:    make([]ledger.Call, 0, pageCalls),
		attempts: make([]ledger.Attempt, 0, pageCalls+pageCalls/4),
	}
}

func (p *page) full() bool { return len(p.calls) == pageCalls || p.bytes >= pageBytes }

// add copies c with its lists. Bodies are shared: nobody writes to them any more.
func (p *page) add(c *ledger.Call, bytes int64) {
	p.bytes += bytes
	p.calls = append(p.calls, *c)
	to := &p.calls[len(p.calls)-1]
	to.AttemptList = keep(&p.attempts, c.AttemptList)
	to.Waits = keep(&p.waits, c.Waits)
	for i := range to.AttemptList {
		a := &to.AttemptList[i]
		a.Request.Header = keep(&p.fields, a.Request.Header)
		a.Response.Header = keep(&p.fields, a.Response.Header)
	}
}

// keep copies list to the end of arena and returns the copy. An arena that has to grow
// leaves its old array to the lists that are in it.
func keep[T any](arena *[]T, list []T) []T {
	if list == nil {
		return nil
	}
	from := len(*arena)
	*arena = append(*arena, list...)
	to := len(*arena)
	return (*arena)[from:to:to]
}

// reset empties the page and lets go of what its calls pointed to.
func (p *page) reset() {
	clear(p.calls)
	clear(p.attempts)
	clear(p.waits)
	clear(p.fields)
	p.calls, p.attempts, p.waits, p.fields = p.calls[:0], p.attempts[:0], p.waits[:0], p.fields[:0]
	p.bytes = 0
}

// weight returns how many bytes a call keeps alive besides its own fixed part.
func weight(c *ledger.Call) int64 {
	n := len(c.Path) + len(c.Query) + len(c.Error)
	for i := range c.AttemptList {
		a := &c.AttemptList[i]
		n += len(a.Err) + weigh(&a.Request) + weigh(&a.Response)
	}
	return int64(n)
}

func weigh(m *ledger.Message) int {
	n := cap(m.Body.Data)
	for i := range m.Header {
		n += len(m.Header[i].Name) + len(m.Header[i].Value)
	}
	return n
}
