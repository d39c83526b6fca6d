// Package synthetic makes calls that look like those of a busy service, for load and for
// large files. The same seed makes the same calls.
package synthetic

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"redial/ledger"
)

// Source makes calls, one after another. It is not safe for concurrent use.
type Source struct {
	random *rand.Rand
	hosts  []string
	header []ledger.Field
	answer []ledger.Field
	made   int64
}

// New returns a source that draws from seed.
func New(seed uint64) *Source {
	s := &Source{random: rand.New(rand.NewPCG(seed, 7))}
	for i := range 12 {
		s.hosts = append(s.hosts, fmt.Sprintf("api-%02d.example.test", i))
	}
	s.header = []ledger.Field{
		{Name: "Accept", Value: "application/json"},
		{Name: "User-Agent", Value: "checkout/1.4"},
		{Name: "Content-Type", Value: "application/json"},
	}
	s.answer = []ledger.Field{
		{Name: "Content-Type", Value: "application/json"},
		{Name: "Cache-Control", Value: "no-store"},
		{Name: "Server", Value: "vendor"},
	}
	return s
}

// Next fills call with a new call that started at the time given. It reuses call's lists.
// Of a hundred calls eight are retried, two fail in the end and one has an unknown outcome.
func (s *Source) Next(call *ledger.Call, started time.Time) {
	s.made++
	n := s.random.IntN(100)
	took := time.Duration(1+s.random.ExpFloat64()*40) * time.Millisecond
	attempts, waits := call.AttemptList[:0], call.Waits[:0]
	*call = ledger.Call{
		Method: "GET", Scheme: "https", Host: s.hosts[s.random.IntN(len(s.hosts))],
		Path:    "/items/" + strconv.Itoa(s.random.IntN(2000)),
		Started: started, Policy: "3 attempts, full jitter",
	}
	if n%4 == 0 {
		call.Method, call.Path = "POST", "/orders"
		call.Key = "order-" + strconv.FormatInt(s.made, 10)
	}
	at := time.Duration(0)
	if n < 8 {
		attempts = append(attempts, s.attempt(1, at, took, 503, ledger.AgainStatus))
		at += took
		pause := time.Duration(50+s.random.IntN(200)) * time.Millisecond
		waits = append(waits, ledger.Wait{
			Before: 2, Kind: ledger.BackoffWait, Start: at, Planned: pause, Took: pause,
			Rule: ledger.Rule{Base: 100 * time.Millisecond, Multiplier: 2, Fraction: 0.5},
		})
		at += pause
	}
	attempts = append(attempts, s.last(n, len(attempts)+1, at, took))
	call.Took, call.AttemptList, call.Waits = at+took, attempts, waits
	call.Error = attempts[len(attempts)-1].Err
	call.Summarise()
}

// last returns the attempt that ends the call.
func (s *Source) last(n, number int, at, took time.Duration) ledger.Attempt {
	switch {
	case n == 99:
		a := s.attempt(number, at, took, 0, ledger.NotRepeatable)
		a.Outcome, a.Err = ledger.Unknown, "EOF"
		return a
	case n >= 97:
		return s.attempt(number, at, took, 500, ledger.Done)
	}
	return s.attempt(number, at, took, 200, ledger.Done)
}

func (s *Source) attempt(n int, at, took time.Duration, status int, decision ledger.Decision) ledger.Attempt {
	a := ledger.Attempt{
		N: n, Start: at, Took: took, Status: status, Proto: "HTTP/1.1", Outcome: ledger.Answered,
		RetryAfter: -1, Remote: "192.0.2.10:443", Reused: true, WireSends: 1,
		BytesReceived: 900, Decision: decision,
		Phases:   ledger.Phases{Send: took / 10, Wait: took / 2, Receive: took / 5},
		Request:  ledger.Message{Header: s.header},
		Response: ledger.Message{Header: s.answer},
	}
	if n > 1 {
		a.Reason = ledger.Retry
	}
	return a
}
