package cli_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"redial/db"
	"redial/ledger"
	"redial/recorder"
	"redial/tui/visible/hostile"
)

// A file remembers what earlier sessions left for those that come.
var _ recorder.Historian = (*db.DB)(nil)

// record makes a recording: of a shop by default, of calls that are hostile in every
// field with -hostile, of many plain ones with -many N, of a service that runs right now
// with -live, of operations as well with -ops, of what was sent twice with -twice, and of a file that was opened and nothing
// more with -empty.
func record(ts *testscript.TestScript, _ bool, args []string) {
	flags := flag.NewFlagSet("record", flag.ContinueOnError)
	nasty := flags.Bool("hostile", false, "")
	many := flags.Int("many", 0, "")
	live := flags.Bool("live", false, "")
	empty := flags.Bool("empty", false, "")
	ops := flags.Bool("ops", false, "")
	twice := flags.Bool("twice", false, "")
	ts.Check(flags.Parse(args))
	ts.Check(withStore(ts.MkAbs(flags.Arg(0)), func(store *db.DB) error {
		switch {
		case *empty:
			return nil
		case *ops:
			return recordOperations(store)
		case *twice:
			return recordTwice(store)
		case *nasty:
			return recordHostile(store)
		case *many > 0:
			return recordMany(store, *many)
		case *live:
			return recordLive(store)
		}
		return recordShop(store)
	}))
}

func withStore(path string, use func(*db.DB) error) error {
	store, err := db.Open(path)
	if err != nil {
		return err
	}
	if err := use(store); err != nil {
		return err
	}
	return store.Close()
}

// noon is when the recordings of the tests begin.
func noon() time.Time { return time.Date(2026, 11, 29, 12, 4, 31, 250_000_000, time.UTC) }

// recordShop records two sessions: one with a call of each kind that ended and said how
// many calls it could not write, and one that fell silent while a call was under way.
func recordShop(store *db.DB) error {
	ctx := context.Background()
	start := noon()
	s := ledger.Session{Service: "checkout", Version: "1.4.2", Host: "web-1", PID: 4242, Boot: "b", Started: start, LastSeen: start}
	id, err := store.Enrol(ctx, s)
	if err != nil {
		return err
	}
	lost := ledger.Counters{Queued: 9, Written: 4, QueueFull: 3, StoreFailed: 2}
	batch := ledger.Batch{
		Session: id, Beat: start.Add(time.Minute), Counters: lost,
		Calls: []ledger.Call{plainCall(id, 1), orderCall(id, 2), lostCall(id, 3), refusedCall(id, 4)},
		Gaps:  []ledger.Gap{{From: start.Add(30 * time.Second), To: start.Add(32 * time.Second), Calls: 5, Reason: "disk full"}},
	}
	if err := store.Write(ctx, &batch); err != nil {
		return err
	}
	if err := store.End(ctx, id, start.Add(90*time.Second), lost); err != nil {
		return err
	}
	start = start.Add(time.Hour)
	id, err = store.Enrol(ctx, ledger.Session{Service: "stock", Host: "web-2", PID: 7, Boot: "b", Started: start, LastSeen: start})
	if err != nil {
		return err
	}
	cut := plainCall(id, 1)
	cut.Started, cut.Took, cut.State, cut.Since = start, 0, ledger.Sending, start
	cut.AttemptList[0].Took, cut.AttemptList[0].Status, cut.AttemptList[0].Outcome = 0, 0, ledger.NoOutcome
	cut.AttemptList[0].Decision = ledger.Undecided
	cut.Summarise()
	return store.Write(ctx, &ledger.Batch{Session: id, Beat: start.Add(time.Second), Running: []ledger.Call{cut}})
}

// recordTwice records a pair, a call that was on the wire twice, and one that is neither.
func recordTwice(store *db.DB) error {
	id, err := store.Enrol(context.Background(), ledger.Session{Service: "checkout", Started: noon(), LastSeen: noon()})
	if err != nil {
		return err
	}
	b := ledger.Batch{Session: id, Beat: noon()}
	for n := range int64(4) {
		b.Calls = append(b.Calls, plainCall(id, n+1))
	}
	slow := &b.Calls[2]
	slow.Previous = b.Calls[1].ID
	slow.Waits = []ledger.Wait{{Before: 1, Kind: ledger.BandwidthWait, Took: 1200 * time.Millisecond, Rule: ledger.Rule{Rate: 64 << 10}}}
	slow.Summarise()
	b.Duplicates = []ledger.Duplicate{
		{Call: b.Calls[1].ID, Other: b.Calls[0].ID, Kind: ledger.NoKey},
		{Call: b.Calls[3].ID, Other: b.Calls[3].ID, Kind: ledger.WireTwice},
	}
	return store.Write(context.Background(), &b)
}

// plainCall is a GET that was answered at once.
func plainCall(id ledger.SessionID, n int64) ledger.Call {
	c := ledger.Call{
		ID: ledger.NewCallID(id, n), Method: "GET", Scheme: "https", Host: "rates.example.test",
		Path: "/fx", Query: "base=EUR", Started: noon().Add(time.Duration(n) * time.Second), Took: 84 * time.Millisecond,
		AttemptList: []ledger.Attempt{{
			N: 1, Took: 84 * time.Millisecond, Status: 200, Proto: "HTTP/1.1", Outcome: ledger.Answered,
			RetryAfter: -1, Remote: "192.0.2.7:443", WireSends: 1, BytesReceived: 512, Decision: ledger.Done,
			Phases: ledger.Phases{DNS: 2 * time.Millisecond, Connect: 10 * time.Millisecond, TLS: 20 * time.Millisecond,
				Send: time.Millisecond, Wait: 50 * time.Millisecond, Receive: time.Millisecond},
		}},
	}
	c.Summarise()
	return c
}

// orderCall is a POST with a key that was answered at the third attempt.
func orderCall(id ledger.SessionID, n int64) ledger.Call {
	const ms = time.Millisecond
	again := func(i int, start, took time.Duration, status int, d ledger.Decision) ledger.Attempt {
		return ledger.Attempt{N: i, Reason: ledger.Retry, Start: start, Took: took, Status: status, Outcome: ledger.Answered,
			RetryAfter: -1, Remote: "192.0.2.8:443", Reused: true, WireSends: 1, BytesSent: 112, BytesReceived: 40, Decision: d}
	}
	c := ledger.Call{
		ID: ledger.NewCallID(id, n), Key: "order-8841", Method: "POST", Scheme: "https", Host: "orders.example.test",
		Path: "/orders", Started: noon().Add(2 * time.Second), Took: 1310 * ms, Policy: "3 attempts",
		AttemptList: []ledger.Attempt{again(1, 0, 43*ms, 503, ledger.AgainStatus), again(2, 283*ms, 52*ms, 503, ledger.AgainStatus),
			again(3, 1235*ms, 75*ms, 201, ledger.Done)},
		Waits: []ledger.Wait{
			{Before: 2, Kind: ledger.BackoffWait, Start: 43 * ms, Planned: 240 * ms, Took: 240 * ms,
				Rule: ledger.Rule{Base: 400 * ms, Multiplier: 2, Jitter: ledger.FullJitter, Fraction: 0.6}},
			{Before: 3, Kind: ledger.RetryAfterWait, Start: 335 * ms, Planned: 900 * ms, Took: 900 * ms, Rule: ledger.Rule{Asked: 900 * ms}},
		},
	}
	c.AttemptList[0].Reason = ledger.First
	c.Summarise()
	return c
}

// lostCall is a POST whose answer never came.
func lostCall(id ledger.SessionID, n int64) ledger.Call {
	c := plainCall(id, n)
	c.Method, c.Host, c.Path, c.Query, c.Key = "POST", "pay.example.test", "/charges", "", "order-8840"
	c.Took, c.Error = 5*time.Second, "read: connection reset by peer"
	a := &c.AttemptList[0]
	a.Took, a.Status, a.Proto, a.Outcome, a.Err = 5*time.Second, 0, "", ledger.Unknown, c.Error
	a.Decision, a.BytesReceived = ledger.NoAttemptsLeft, 0
	c.Summarise()
	return c
}

// refusedCall is a POST that never left.
func refusedCall(id ledger.SessionID, n int64) ledger.Call {
	c := lostCall(id, n)
	c.Host, c.Path, c.Key, c.Took, c.Error = "mail.example.test", "/send", "", 2*time.Millisecond, "connection refused"
	c.AttemptList[0] = ledger.Attempt{N: 1, Took: 2 * time.Millisecond, Outcome: ledger.NotSent, RetryAfter: -1,
		Err: c.Error, Decision: ledger.NotRepeatable}
	c.Summarise()
	return c
}

// recordHostile records a session for each hostile string, with a call that has it in
// every field that can come from elsewhere.
func recordHostile(store *db.DB) error {
	ctx := context.Background()
	for _, bad := range hostile.Strings() {
		s := ledger.Session{Service: bad, Version: bad, Host: bad, PID: 1, Boot: bad, Started: noon(), LastSeen: noon()}
		id, err := store.Enrol(ctx, s)
		if err != nil {
			return err
		}
		c := orderCall(id, 1)
		c.Method, c.Scheme, c.Host, c.Path, c.Query, c.Key, c.Error, c.Policy = bad, bad, bad, bad, bad, bad, bad, bad
		for i := range c.AttemptList {
			a := &c.AttemptList[i]
			a.Proto, a.Err, a.Remote, a.Outcome = bad, bad, bad, ledger.Unknown
			a.Request.Header = []ledger.Field{{Name: bad, Value: bad}}
			a.Response.Header = []ledger.Field{{Name: bad, Value: bad}}
		}
		c.Summarise()
		counters := ledger.Counters{Queued: 2, Written: 1, StoreFailed: 1}
		batch := ledger.Batch{Session: id, Beat: noon(), Counters: counters, Calls: []ledger.Call{c},
			Gaps: []ledger.Gap{{From: noon(), To: noon(), Calls: 1, Reason: bad}}}
		if err := store.Write(ctx, &batch); err != nil {
			return fmt.Errorf("write %+q: %w", bad, err)
		}
	}
	return nil
}

// recordMany records n plain calls in one session.
func recordMany(store *db.DB, n int) error {
	ctx := context.Background()
	id, err := store.Enrol(ctx, ledger.Session{Service: "busy", Started: noon(), LastSeen: noon()})
	if err != nil {
		return err
	}
	const slice = 4096
	for next := 1; next <= n; {
		batch := ledger.Batch{Session: id, Beat: noon()}
		for ; next <= n && len(batch.Calls) < slice; next++ {
			batch.Calls = append(batch.Calls, plainCall(id, int64(next)))
		}
		if err := store.Write(ctx, &batch); err != nil {
			return err
		}
	}
	return store.End(ctx, id, noon(), ledger.Counters{Queued: int64(n), Written: int64(n)})
}

// recordLive records a session of this very process, with a call that ended, one that
// waits and was begun before it, and one that is being sent.
func recordLive(store *db.DB) error {
	ctx := context.Background()
	now := time.Now()
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	id, err := store.Enrol(ctx, ledger.Session{Service: "checkout", Host: host, PID: os.Getpid(), Started: now, LastSeen: now})
	if err != nil {
		return err
	}
	waiting, sending, ended := orderCall(id, 1), plainCall(id, 3), plainCall(id, 2)
	waiting.Started, ended.Started, sending.Started = now.Add(-4*time.Second), now.Add(-3*time.Second), now.Add(-2*time.Second)
	waiting.AttemptList, waiting.Waits[1].Took = waiting.AttemptList[:2], 0
	waiting.Took, waiting.State, waiting.Since = 0, ledger.Waiting, now
	sending.AttemptList[0] = ledger.Attempt{N: 1, RetryAfter: -1}
	sending.Took, sending.State, sending.Since = 0, ledger.Sending, now
	waiting.Summarise()
	sending.Summarise()
	return store.Write(ctx, &ledger.Batch{
		Session: id, Beat: now.Add(time.Hour), // It must look alive for as long as the script runs.
		Counters: ledger.Counters{Queued: 1, Written: 1},
		Calls:    []ledger.Call{ended}, Running: []ledger.Call{waiting, sending},
	})
}
