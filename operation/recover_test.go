package operation

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
)

var orderID = ledger.ID{Service: "shop", Key: "order-8841"}

// stand returns the operation as it stands in the store.
func (b *bench) stand() ledger.Operation {
	o, _ := b.store.Operation(context.Background(), orderID)
	return o
}

// until waits in fake time until the operation is in the state.
func (b *bench) until(t *testing.T, s ledger.OperationState, within time.Duration) {
	t.Helper()
	for end := time.Now().Add(within); b.stand().State != s; time.Sleep(max(within/1000, 10*time.Millisecond)) {
		if time.Now().After(end) {
			t.Fatalf("it is %s and not %s after %s: %v", b.stand().State, s, within, b.store.life(orderID.Key))
		}
	}
}

// left writes an operation of an earlier run whose process was killed in the state.
func (b *bench) left(t *testing.T, op Operation, steps ...ledger.Transition) {
	t.Helper()
	b.leftAt(t, op, time.Now(), steps...)
}

// leftAt is left with the time that the earlier run's clock told.
func (b *bench) leftAt(t *testing.T, op Operation, at time.Time, steps ...ledger.Transition) {
	t.Helper()
	in, _, err := op.intent("shop")
	if err != nil {
		t.Fatal(err)
	}
	gone := b.store.enrol()
	b.store.sessions[gone].Dead = true
	first := ledger.Transition{To: ledger.OpSending, Code: ledger.CodeSent, At: at, Actor: ledger.Actor{Kind: ledger.Service}}
	if _, err := b.store.Create(t.Context(), in, first, gone); err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		s.At = at
		if _, err := b.store.Move(t.Context(), orderID, ledger.Seen{}, s); err != nil {
			t.Fatal(err)
		}
	}
}

// after returns whether a POST was among the requests.
func (b *bench) posts() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.seen {
		if strings.HasPrefix(r, "POST") {
			n++
		}
	}
	return n
}

func TestWhatAKilledRunLeftIsLookedUpAndNotSent(t *testing.T) {
	checking := ledger.Transition{To: ledger.OpChecking, Code: ledger.CodeNoAnswer}
	for _, test := range []struct {
		name  string
		steps []ledger.Transition
		gap   time.Duration // until the first request at the earliest
	}{
		{"in sending", nil, ledger.DefaultAttemptTimeout},
		{"in checking", []ledger.Transition{checking}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, reply{status: 200})
				b.left(t, order("order-8841"), test.steps...)
				b.until(t, ledger.OpSucceeded, time.Minute)
				if b.posts() > 0 {
					t.Errorf("it was sent: %v", b.seen)
				}
				if b.at[0] < test.gap {
					t.Errorf("looked up after %s, while the send may still be under way", b.at[0])
				}
				b.ops.Close()
			})
		})
	}
}

func TestABackoffGoesOnAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, reply{})
		b.left(t, order("order-8841"), ledger.Transition{To: ledger.OpBackingOff, Code: ledger.CodeNotSent, NoEffect: true, Due: time.Now().Add(3 * time.Second)})
		b.until(t, ledger.OpSucceeded, 10*time.Second)
		if b.at[0] < 3*time.Second {
			t.Errorf("sent after %s, before its time", b.at[0])
		}
		b.ops.Close()
	})
}

func TestAnOperationOfALiveSessionIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, reply{status: 200})
		b.left(t, order("order-8841"))
		owner := b.stand().Owner
		b.store.mu.Lock()
		b.store.sessions[owner].Dead = false
		b.store.mu.Unlock()
		time.Sleep(time.Minute)
		if o := b.stand(); o.State != ledger.OpSending || o.Owner != owner || len(b.seen) > 0 {
			t.Fatalf("it is %s of session %s after %v", o.State, o.Owner, b.seen)
		}
		b.store.stop(owner) // its beat stands still from here
		stopped := time.Since(b.start)
		b.until(t, ledger.OpSucceeded, time.Minute)
		if b.at[0] < stopped+leaseTimeout {
			t.Errorf("taken over %s after its last beat", b.at[0]-stopped)
		}
		b.ops.Close()
	})
}

func TestAKeyIsNotUsedBeyondItsLife(t *testing.T) {
	for _, test := range []struct {
		name  string
		sleep time.Duration
		sent  bool
	}{
		{"after 23 hours and 58 minutes", 23*time.Hour + 58*time.Minute, true},
		{"after 24 hours and a minute", 24*time.Hour + time.Minute, false},
		{"after three days", 72 * time.Hour, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, reply{})
				op := order("order-8841")
				op.Budget.For = 100 * 24 * time.Hour
				b.left(t, op, ledger.Transition{To: ledger.OpBackingOff, Code: ledger.CodeNotSent, NoEffect: true, Due: time.Now().Add(test.sleep)})
				want := ledger.OpFailed
				if test.sent {
					want = ledger.OpSucceeded
				}
				b.until(t, want, test.sleep+time.Minute)
				if (b.posts() == 1) != test.sent {
					t.Errorf("sent %d times: %v", b.posts(), b.store.life(orderID.Key))
				}
				b.ops.Close()
			})
		})
	}
}

func TestAnAnswerThatComesAfterTheLeaseIsLostIsEvidence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, reply{after: 20 * time.Second}, reply{status: 404}, reply{status: 404})
		op := order("order-8841")
		op.Policy.Honoured = false
		done := make(chan error)
		go func() {
			_, err := b.ops.Do(t.Context(), op)
			done <- err
		}()
		time.Sleep(time.Second)
		other := b.store.enrol()
		o, err := b.store.Claim(t.Context(), orderID, ledger.Seen{}, other, "test")
		if err == nil {
			o, err = b.store.Move(t.Context(), orderID, o.Seen(), ledger.Transition{To: ledger.OpChecking, Code: ledger.CodeTakenOver, At: time.Now()})
		}
		if err == nil {
			_, err = b.store.Move(t.Context(), orderID, o.Seen(), ledger.Transition{To: ledger.OpPending, Code: ledger.CodeNotHonoured, At: time.Now()})
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := <-done; !errors.Is(err, ErrPending) {
			t.Errorf("the caller is told: %v", err)
		}
		if life := b.store.life(orderID.Key); !slices.Contains(life, "evidence") || b.stand().State != ledger.OpPending {
			t.Errorf("it is %s after %v", b.stand().State, life)
		}
		b.ops.Close()
	})
}

func TestALateAnswerAgainstAFinalWordIsADispute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, reply{after: 20 * time.Second})
		go b.ops.Do(t.Context(), order("order-8841"))
		time.Sleep(time.Second)
		other := b.store.enrol()
		o, _ := b.store.Claim(t.Context(), orderID, ledger.Seen{}, other, "test")
		for _, step := range []ledger.Transition{
			{To: ledger.OpChecking, Code: ledger.CodeTakenOver},
			{To: ledger.OpPending, Code: ledger.CodeNoLookup},
			{To: ledger.OpFailed, Code: ledger.CodeDenied, Actor: ledger.Actor{Kind: ledger.Person, Name: "ana"}, Reason: "the vendor says no"},
		} {
			step.At = time.Now()
			var err error
			if o, err = b.store.Move(t.Context(), orderID, o.Seen(), step); err != nil {
				t.Fatal(err)
			}
		}
		b.until(t, ledger.OpDisputed, time.Minute)
		b.ops.Close()
	})
}

func TestASessionWithoutASignOfLifeSendsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, reply{})
		b.store.stop(1)
		time.Sleep(beatMissed + time.Second)
		op := order("order-8841")
		op.Budget.Sends = 1
		_, err := b.ops.Do(t.Context(), op)
		if !errors.Is(err, ErrFailed) || len(b.seen) > 0 {
			t.Errorf("got %v, sent %v", err, b.seen)
		}
		b.ops.Close()
	})
}

// pend makes an operation pending: it was sent without an answer, and nobody can be asked.
func (b *bench) pend(t *testing.T, op Operation) ledger.Operation {
	t.Helper()
	if _, err := b.ops.Do(t.Context(), op); !errors.Is(err, ErrPending) {
		t.Fatalf("it should be pending: %v", err)
	}
	return b.stand()
}

func TestAReplayGoesOutOnceAndOnlyPastTheChecklist(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, reply{err: errReset}, reply{header: http.Header{"Idempotent-Replayed": {"true"}}})
		op := order("order-8841")
		op.Lookup = nil
		o := b.pend(t, op)
		ask := ledger.Ask{Service: "shop", Key: o.Key, Kind: ledger.AskReplay, By: "ana", At: time.Now(), Version: o.Version}
		b.answered(t, ask, ledger.AskRefused, "not sent: it does not hold that looked up, and not found (there is no way to ask)")
		ask.Despite = []string{ledger.CheckLookedUp}
		ask.Version--
		b.answered(t, ask, ledger.AskRefused, "nothing was done: the service made it pending at "+b.stand().Moved.Local().Format("15:04:05"))
		ask.Version++
		b.answered(t, ask, ledger.AskDone, "it is succeeded")
		b.answered(t, ask, ledger.AskRefused, "nothing was done: the service made it succeeded at "+b.stand().Moved.Local().Format("15:04:05"))
		if b.posts() != 2 {
			t.Errorf("sent %v", b.seen)
		}
		b.ops.Close()
	})
}

// answered asks, and checks what the service answers.
func (b *bench) answered(t *testing.T, a ledger.Ask, state ledger.AskState, want string) {
	t.Helper()
	id := b.store.ask(a)
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if got := b.store.answer(id); got.State == ledger.AskDone || got.State == ledger.AskRefused {
			if got.State != state || got.Answer != want {
				t.Errorf("%s: %s\nwant %s: %s", got.State, got.Answer, state, want)
			}
			return
		}
	}
	t.Errorf("nobody answered")
}

func TestALookupThatAPersonAsksForMovesAPendingOperation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, reply{err: errReset}, reply{status: 500}, reply{status: 500}, reply{status: 500}, reply{status: 200})
		o := b.pend(t, order("order-8841"))
		b.answered(t, ledger.Ask{Service: "shop", Key: o.Key, Kind: ledger.AskLookup, By: "ana"}, ledger.AskDone, "it is succeeded")
		b.ops.Close()
	})
}

// Many APIs lag: what was undone is still found for a while. Whoever asks again must not have
// to settle by hand what a lookup shows by then.
func TestAnUndoingThatIsAskedForAgainLooksAgainAndTellsWhoAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		missing := reply{status: 404}
		b := newBench(t, reply{}, reply{status: 204}, reply{status: 200}, missing, missing, missing, missing, missing, missing) // the last two come late enough to count
		op := order("order-8841")
		op.Undo = &ledger.Undo{Method: "DELETE", URL: "https://orders.example.test/orders/{key}"}
		if _, err := b.ops.Do(t.Context(), op); err != nil {
			t.Fatal(err)
		}
		o := b.stand()
		ask := ledger.Ask{Service: "shop", Key: o.Key, Kind: ledger.AskUndo, By: "ana", Reason: "ordered twice", Version: o.Version}
		b.answered(t, ask, ledger.AskDone, "the server took it back; the operation stays succeeded until a lookup finds nothing any more")
		ask.Version = b.stand().Version
		b.answered(t, ask, ledger.AskDone, "undone, and a lookup finds nothing any more")
		if n := strings.Count(strings.Join(b.seen, "\n"), "DELETE"); n != 1 {
			t.Errorf("undone %d times", n)
		}
		rows, err := b.store.Transitions(t.Context(), ledger.ID{Service: "shop", Key: "order-8841-undo"})
		if err != nil || len(rows) == 0 || rows[0].Actor.String() != "ana" || rows[0].Reason != "asked for an undo: ordered twice" {
			t.Errorf("it begins with %+v (%v)", rows, err)
		}
		b.ops.Close()
	})
}

func TestAPendingOperationIsLookedUpByItselfAndNeverSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		replies := []reply{{err: errReset}}
		for range 60 {
			replies = append(replies, reply{status: 404})
		}
		b := newBench(t, replies...)
		op := order("order-8841")
		op.Policy.Honoured = false
		b.pend(t, op)
		time.Sleep(12 * time.Hour)
		lookups := b.stand().Lookups
		if b.posts() != 1 || lookups < 15 || lookups > 40 {
			t.Errorf("%d sends and %d lookups in 12 hours", b.posts(), lookups)
		}
		b.ops.Close()
	})
}

func TestAfterASettlementByHandRedialLooksOnceMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBench(t, reply{err: errReset}, reply{status: 500}, reply{status: 500}, reply{status: 500}, reply{status: 200})
		o := b.pend(t, order("order-8841"))
		_, err := b.store.Move(t.Context(), orderID, ledger.Seen{Version: o.Version}, ledger.Transition{To: ledger.OpFailed, Code: ledger.CodeDenied,
			Actor: ledger.Actor{Kind: ledger.Person, Name: "ana"}, At: time.Now(), Due: time.Now(), Reason: "the vendor says no"})
		if err != nil {
			t.Fatal(err)
		}
		b.until(t, ledger.OpDisputed, 10*time.Second)
		b.ops.Close()
	})
}

// The clock of the run before stood ahead of this one's. Soon this one's has caught up, and
// nothing would be seen any more.
func TestAKeyWhoseClockWasSetBackOverARestartIsNotUsedAgain(t *testing.T) {
	for _, test := range []struct {
		name  string
		ahead time.Duration
		sent  bool
	}{
		{"as much as clocks differ", time.Second, true},
		{"by a little", 5 * time.Second, false},
		{"by a minute", time.Minute, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, slices.Repeat([]reply{{status: 404}}, 400)...)
				op := order("order-8841")
				op.Budget.For = 100 * 24 * time.Hour
				b.leftAt(t, op, time.Now().Add(test.ahead), ledger.Transition{To: ledger.OpChecking, Code: ledger.CodeNoAnswer})
				b.until(t, ledger.OpPending, test.ahead+10*time.Minute)
				o := b.stand()
				if (b.posts() > 0) != test.sent || o.Ageless == test.sent || o.KeyYoung(time.Now()) != test.sent {
					t.Errorf("it is %s, sent %d times, Ageless is %t: %v", o.State, b.posts(), o.Ageless, b.store.life(orderID.Key))
				}
				if life := b.store.life(orderID.Key); slices.Contains(life, "key-too-old") == test.sent {
					t.Errorf("it went through %v", life)
				}
				checks := o.Checklist(ledger.Sender{}, time.Now())
				if c := checks[2]; c.OK != test.sent || !test.sent && c.Facts != "the clock was set back in its life, so its age is unknown" {
					t.Errorf("the checklist says %+v", c)
				}
				b.ops.Close()
			})
		})
	}
}
