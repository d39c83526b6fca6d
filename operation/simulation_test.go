package operation

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"redial/ledger"
)

// whole makes the long tests as long as they are meant to be.
var whole = flag.Bool("whole", false, "run the whole of the long tests, not a part")

// world is a server as it really is, and what is on its way to it. It counts effects,
// whatever the client can see of them.
type world struct {
	r       *rand.Rand
	now     time.Time
	honours bool // the server does
	lag     time.Duration

	effects   int
	committed time.Time
	parked    int       // requests that may still land
	last      time.Time // when the last of them was sent
}

// arrive lets a request act. A server that honours keys acts once, while it remembers.
func (w *world) arrive() {
	if w.effects == 0 || !w.honours || w.now.Sub(w.committed) > ledger.DefaultLifetime {
		w.effects++
		w.committed = w.now
	}
}

// fate sends once and returns what the client sees of it, nil if its process is killed.
func (w *world) fate() *sent {
	s := &sent{traced: true, outcome: ledger.Answered, sends: 1, asked: -1}
	lost := func() *sent {
		s.outcome, s.err = ledger.Unknown, errReset
		return s
	}
	switch w.r.IntN(14) {
	case 0: // never sent
		s.outcome, s.sends, s.err = ledger.NotSent, 0, errors.New("refused")
	case 1:
		s.status = 400
	case 2:
		s.status = 429
	case 3:
		s.status = 503
	case 4: // committed, and a 500 all the same
		w.arrive()
		s.status = 500
	case 5: // on its way for long
		w.park()
		return lost()
	case 6:
		w.arrive()
		return lost()
	case 7:
		return lost()
	case 8:
		w.arrive()
		s.status, s.read = 201, io.ErrUnexpectedEOF
	case 9:
		w.park()
		s.status = 202
	case 10: // net/http sent it twice, and the second was refused
		w.arrive()
		s.status, s.sends = 409, 2
	case 11: // killed before it was sent
		return nil
	case 12: // killed after
		w.arrive()
		return nil
	default:
		w.arrive()
		s.status = 201
	}
	return s
}

// park keeps a request on its way. It lands within the hour, or is lost.
func (w *world) park() {
	w.parked++
	w.last = w.now
}

// land lets what is parked act, or be lost.
func (w *world) land() {
	switch {
	case w.parked > 0 && w.now.Sub(w.last) > time.Hour:
		w.parked = 0
	case w.parked > 0 && w.r.IntN(4) == 0:
		w.parked--
		w.arrive()
	}
}

// ask looks up. What was committed lately may not show yet.
func (w *world) ask() ledger.Finding {
	f := ledger.Finding{Asked: w.now}
	switch {
	case w.r.IntN(6) == 0:
		f.Verdict = ledger.LookupFailed
	case w.effects == 0 || w.now.Sub(w.committed) < w.lag && w.r.IntN(2) == 0:
		f.Verdict = ledger.FoundNothing
	case w.effects > 1:
		f.Verdict = ledger.FoundTwice
	default:
		f.Verdict = ledger.FoundMatching
	}
	return f
}

// life is one simulated operation.
type life struct {
	world
	o     ledger.Operation
	trace io.Writer
	steps *int
}

// newLife draws a server and an operation that is declared as the server is, or more
// carefully.
func newLife(r *rand.Rand, trace io.Writer, steps *int) *life {
	l := &life{world: world{r: r, now: noon, honours: r.IntN(3) > 0}, trace: trace, steps: steps}
	l.lag = time.Duration(r.IntN(5)) * time.Second
	l.o.Intent = ledger.Intent{Service: "shop", Key: "k", Method: "POST"}
	l.o.Policy.Honoured = l.honours && r.IntN(4) > 0
	l.o.Policy.Conflict = ledger.Meaning(r.IntN(3))
	if r.IntN(5) > 0 {
		l.o.Lookup = &ledger.Lookup{URL: "https://x.example.test/{key}", Times: 1 + r.IntN(3)}
	}
	return l
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// apply makes a transition. One that the table refuses would leave the driver stuck.
func (l *life) apply(t ledger.Transition) error {
	t.At = l.now
	if err := l.o.Apply(&t); err != nil {
		return err
	}
	*l.steps++
	fmt.Fprintf(l.trace, "%s %s %d %d\n", t.To, t.Code, l.o.Doubts, l.effects)
	return l.holds()
}

// holds checks the invariant.
func (l *life) holds() error {
	switch {
	case l.effects > 1:
		return fmt.Errorf("it happened %d times", l.effects)
	case l.o.State == ledger.OpSucceeded && l.effects == 0 && l.parked == 0:
		return errors.New("it succeeded, and it did not happen")
	case l.o.State == ledger.OpFailed && (l.effects > 0 || l.parked > 0):
		return errors.New("it failed, and it happened or may still")
	}
	return nil
}

// step lets time pass, and then one thing happen.
func (l *life) step() error {
	l.now = l.now.Add(time.Duration(l.r.IntN(1<<l.r.IntN(16))) * time.Millisecond)
	l.land()
	if l.r.IntN(400) == 0 { // asleep for a day
		l.now = l.now.Add(24 * time.Hour)
	}
	switch l.o.State {
	case ledger.OpNone:
		return l.apply(ledger.Transition{To: ledger.OpSending, Code: ledger.CodeSent})
	case ledger.OpSending:
		s := &sent{traced: true, outcome: ledger.NotSent, err: errKeyOld, asked: -1}
		if l.o.Sends == 1 || l.o.KeyYoung(l.now) { // which is checked once more, immediately before the send
			s = l.fate()
		}
		if s == nil {
			return l.apply(because(ledger.Transition{To: ledger.OpChecking}, ledger.CodeTakenOver, "gone"))
		}
		return l.apply(judge(&l.o, s, l.now))
	case ledger.OpBackingOff:
		return l.apply(afterWait(&l.o, nil, l.now))
	case ledger.OpChecking:
		return l.lookUp()
	}
	return l.person()
}

func (l *life) lookUp() error {
	if !l.o.CanLookUp() {
		return l.apply(because(ledger.Transition{To: ledger.OpPending}, ledger.CodeNoLookup, "no way to ask"))
	}
	f := l.ask()
	if err := l.apply(ledger.Transition{Code: ledger.CodeLookedUp, Finding: f.Verdict, Asked: f.Asked}); err != nil {
		return err
	}
	t, moves := afterLookup(&l.o, f, nil, l.now)
	if !moves {
		return nil
	}
	return l.apply(t)
}

// person does what people do with a pending operation: they look it up, replay it where
// that is safe, or ask the vendor, who knows.
func (l *life) person() error {
	ana := ledger.Actor{Kind: ledger.Person, Name: "ana"}
	t := ledger.Transition{Actor: ana, Reason: "asked the vendor"}
	switch n := l.r.IntN(6); {
	case l.o.State != ledger.OpPending:
		return nil
	case n == 0:
		t.To, t.Code = ledger.OpChecking, ledger.CodeLookupAsked
	case n == 1 && len(ledger.Failing(l.o.Checklist(ledger.Sender{}, l.now), []string{ledger.CheckLookedUp})) == 0:
		t.To, t.Code = ledger.OpSending, ledger.CodeReplayed
	case n == 2 && l.effects == 1:
		t.To, t.Code = ledger.OpSucceeded, ledger.CodeConfirmed
	case n == 3 && l.effects == 0 && l.parked == 0:
		t.To, t.Code = ledger.OpFailed, ledger.CodeDenied
	default:
		return nil
	}
	return l.apply(t)
}

// simulate runs lives until so many steps have been made, and returns a hash of the trace
// and how often lives ended in which state.
func simulate(seed uint64, least int) (hash uint64, ends map[ledger.OperationState]int, err error) {
	r := rand.New(rand.NewPCG(seed, seed))
	trace, steps := fnv.New64a(), 0
	ends = make(map[ledger.OperationState]int)
	for n := 0; steps < least; n++ {
		l := newLife(r, trace, &steps)
		for range 120 {
			if err := l.step(); err != nil {
				return 0, nil, fmt.Errorf("seed %d, life %d, step %d: %w", seed, n, steps, err)
			}
			if l.o.Settled() {
				break
			}
		}
		ends[l.o.State]++
	}
	return trace.Sum64(), ends, nil
}

func TestNoSimulatedLifeBreaksThePromise(t *testing.T) {
	steps := 100_000
	if *whole {
		steps = 1_000_000
	}
	const seed = 20261130
	hash, ends, err := simulate(seed, steps)
	t.Logf("seed %d, at least %d steps, ends: %v", seed, steps, ends)
	if err != nil {
		t.Fatal(err)
	}
	again, _, _ := simulate(seed, steps)
	if again != hash {
		t.Errorf("seed %d gave two different traces", seed)
	}
	for _, s := range []ledger.OperationState{ledger.OpSucceeded, ledger.OpFailed} {
		if ends[s] < 100 {
			t.Errorf("only %d lives ended as %s", ends[s], s)
		}
	}
}
