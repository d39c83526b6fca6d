package tui

import (
	"crypto/sha256"
	"fmt"
	"time"

	"redial/ledger"
)

const ms = time.Millisecond

// storyZone is the zone of the story, so that pictures do not depend on the machine.
func storyZone() *time.Location { return time.FixedZone("", 2*60*60) }

// storyNow is the moment at which the story is looked at.
func storyNow() time.Time { return time.Date(2025, 11, 29, 12, 4, 36, 250e6, storyZone()) }

// story is a shop that calls seven services, as it is at storyNow.
func story() *fakeStore {
	f := &fakeStore{version: 1}
	f.sessions = []ledger.Session{{
		ID: 3, Service: "checkout", Version: "1.4.2", Host: "web-1", PID: 4242,
		Started: storyNow().Add(-5 * time.Minute), LastSeen: storyNow().Add(-120 * ms), Calls: 6214, Running: 3,
	}}
	f.tell()
	f.windows = []ledger.Window{
		{Host: "orders.example.test", Limit: 10, Per: time.Second, Used: 3, Opens: storyNow().Add(400 * ms)},
		{Host: "quota.example.test", Limit: 3, Per: 4500 * ms, Used: 3, Opens: storyNow().Add(1200 * ms), Waiting: 4, Since: storyNow().Add(-3300 * ms)},
	}
	for i := range 60 {
		r := ledger.Rollup{Session: 3, Second: storyNow().Unix() - int64(i), Host: "orders.example.test", Calls: 10, Attempts: int64(8 + i*i%13), Retried: 1}
		if i%5 == 0 {
			r.Failed = 1
		}
		for j := range 20 {
			r.Latency.Add(time.Duration(20+j*20) * ms)
		}
		f.rollups = append(f.rollups, r)
	}
	return f
}

// tell fills in the calls.
func (f *fakeStore) tell() {
	f.add("12:04:28.9", "GET", "rates.example.test", "/fx", "").answered(200, 84*ms).ends()
	f.add("12:04:29.4", "POST", "orders.example.test", "/orders", "order-8839").answered(503, 40*ms).waits(ledger.BackoffWait, 800*ms).answered(201, 71*ms).ends()
	f.add("12:04:30.2", "GET", "quota.example.test", "/items/17", "").waits(ledger.WindowWait, 4100*ms).answered(200, 20*ms).ends()
	f.add("12:04:30.2", "GET", "quota.example.test", "/items/18", "").waits(ledger.WindowWait, 4110*ms).answered(200, 22*ms).ends()
	f.add("12:04:31.0", "PUT", "stock.example.test", "/sku/55", "").answered(204, 61*ms).ends()
	f.add("12:04:31.2", "POST", "orders.example.test", "/orders", "order-8841").answered(503, 43*ms).waits(ledger.BackoffWait, 240*ms).
		answered(503, 52*ms).waits(ledger.RetryAfterWait, 900*ms).answered(201, 75*ms).ends()
	f.add("12:04:31.9", "POST", "pay.example.test", "/charges", "order-8840").lost(5000 * ms).ends()
	f.add("12:04:33.1", "GET", "rates.example.test", "/fx", "").answered(503, 30*ms).waits(ledger.BackoffWait, 310*ms).
		answered(503, 30*ms).waits(ledger.RetryAfterWait, 2200*ms).answered(503, 30*ms).ends()
	f.add("12:04:34.0", "GET", "flaky.example.test", "/feed", "").lost(200*ms).waits(ledger.BackoffWait, 310*ms).
		lost(200*ms).waits(ledger.BackoffWait, 620*ms).answered(200, 90*ms).ends()
	f.add("12:04:35.2", "POST", "mail.example.test", "/send", "").refused(2 * ms).ends()
	f.add("12:04:35.6", "GET", "rates.example.test", "/fx", "").answered(429, 31*ms).waiting(ledger.RetryAfterWait, 3000*ms)
	f.add("12:04:35.9", "GET", "quota.example.test", "/items/19", "").waiting(ledger.WindowWait, 1550*ms)
	f.add("12:04:36.0", "GET", "slow.example.test", "/report", "").sending()
}

// telling builds one call of the story.
type telling struct {
	f  *fakeStore
	c  ledger.Call
	at time.Duration
}

func (f *fakeStore) add(clock, method, host, path, key string) *telling {
	at, err := time.ParseInLocation("2006-01-02 15:04:05.0", "2025-11-29 "+clock, storyZone())
	if err != nil {
		panic(err)
	}
	n := int64(1200 + len(f.ended) + len(f.running))
	return &telling{f: f, c: ledger.Call{
		ID: ledger.NewCallID(3, n), Method: method, Scheme: "https", Host: host, Path: path, Key: key, Started: at,
		Policy: "3 attempts, base 400ms × 2, full jitter",
	}}
}

func (t *telling) attempt(took time.Duration) *ledger.Attempt {
	a := ledger.Attempt{N: len(t.c.AttemptList) + 1, Start: t.at, Took: took, RetryAfter: -1, Remote: "127.0.0.1:44391", Proto: "HTTP/1.1", WireSends: 1}
	if a.N > 1 {
		a.Reason, a.Reused = ledger.Retry, true
	} else {
		a.Phases = ledger.Phases{DNS: took / 20, Connect: took / 10, TLS: took / 5}
	}
	a.Phases.Send, a.Phases.Wait, a.Phases.Receive = took/20, took/2, took/10
	if t.c.Method == "POST" {
		body := fmt.Appendf(nil, "{\"order\":%q,\"amount\":12900,\"currency\":\"EUR\"}", t.c.Key)
		a.BytesSent = int64(len(body))
		a.Request.Body = ledger.Body{Data: body, Size: int64(len(body)), SHA256: sha256.Sum256(body)}
	}
	a.Request.Header = []ledger.Field{{Name: "Content-Type", Value: "application/json"}, {Name: "Authorization", Value: "‹redacted›"}}
	t.at += took
	t.c.AttemptList = append(t.c.AttemptList, a)
	return &t.c.AttemptList[len(t.c.AttemptList)-1]
}

func (t *telling) answered(status int, took time.Duration) *telling {
	a := t.attempt(took)
	a.Status, a.Outcome, a.Decision = status, ledger.Answered, ledger.Done
	if status >= 429 {
		a.Decision = ledger.NoAttemptsLeft
	}
	a.Response.Header = []ledger.Field{{Name: "Content-Type", Value: "text/plain"}, {Name: "Server", Value: "vendor"}}
	body := []byte("come back later\n")
	a.Response.Body = ledger.Body{Data: body, Size: int64(len(body)), SHA256: sha256.Sum256(body)}
	a.BytesReceived = int64(len(body))
	return t
}

func (t *telling) lost(took time.Duration) *telling {
	a := t.attempt(took)
	a.Outcome, a.Decision, a.Proto = ledger.Unknown, ledger.NotRepeatable, ""
	a.Err = "read tcp 127.0.0.1:50110->127.0.0.1:44391: connection reset by peer"
	if t.c.Method == "GET" {
		a.Decision = ledger.AgainUnknown
	} else {
		t.c.Error = a.Err
	}
	return t
}

func (t *telling) refused(took time.Duration) *telling {
	a := t.attempt(took)
	*a = ledger.Attempt{N: a.N, Start: a.Start, Took: took, Outcome: ledger.NotSent, Decision: ledger.NoAttemptsLeft, RetryAfter: -1,
		Err: "dial tcp 127.0.0.1:9: connect: connection refused"}
	t.c.Error = a.Err
	return t
}

// waits puts a wait behind what there is, and turns the decision before it.
func (t *telling) waits(kind ledger.WaitKind, took time.Duration) *telling {
	w := ledger.Wait{Before: len(t.c.AttemptList) + 1, Kind: kind, Start: t.at, Planned: took, Took: took}
	switch kind {
	case ledger.WindowWait:
		w.Rule = ledger.Rule{Limit: 3, Per: 4500 * ms, Ahead: 4}
	case ledger.BackoffWait:
		w.Rule = ledger.Rule{Base: 400 * ms, Multiplier: 2, Exponent: w.Before - 2, Fraction: float64(took) / float64(400*ms) / float64(int(1)<<(w.Before-2))}
	case ledger.RetryAfterWait:
		w.Rule = ledger.Rule{Asked: took}
	}
	if n := len(t.c.AttemptList); n > 0 {
		a := &t.c.AttemptList[n-1]
		if a.Outcome == ledger.Answered {
			a.Decision = ledger.AgainStatus
		}
		if kind == ledger.RetryAfterWait {
			a.RetryAfter = took
		}
	}
	t.at += took
	t.c.Waits = append(t.c.Waits, w)
	return t
}

func (t *telling) ends() {
	t.c.Took = t.at
	t.c.Summarise()
	t.f.ended = append(t.f.ended, t.c)
}

func (t *telling) waiting(kind ledger.WaitKind, planned time.Duration) {
	t.waits(kind, planned)
	w := &t.c.Waits[len(t.c.Waits)-1]
	w.Took = 0
	t.c.State, t.c.Since = ledger.Waiting, t.c.Started.Add(w.Start)
	t.c.Summarise()
	t.f.running = append(t.f.running, t.c)
}

func (t *telling) sending() {
	a := t.attempt(0)
	*a = ledger.Attempt{N: a.N, Start: a.Start, RetryAfter: -1}
	t.c.State, t.c.Since = ledger.Sending, t.c.Started
	t.c.Summarise()
	t.f.running = append(t.f.running, t.c)
}
