package tui

import (
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

// learned is the story with what servers ask for and say of their limits, what bandwidth
// holds back, and what was sent twice.
func learned() *fakeStore {
	f := story()
	f.add("12:04:28.0", "GET", "files.example.test", "/export.csv", "").answered(200, 1900*ms).slowed(1200*ms, 64<<10).ends()
	f.add("12:04:28.2", "GET", "vault.example.test", "/secrets", "").answered(401, 40*ms).authorized(200, 55*ms).ends()
	f.add("12:04:32.0", "POST", "mail.example.test", "/send", "").answered(202, 50*ms).ends()
	f.add("12:04:33.4", "POST", "mail.example.test", "/send", "").answered(202, 50*ms).ends()
	f.add("12:04:33.9", "GET", "stock.example.test", "/old", "").answered(302, 12*ms).ends()
	f.add("12:04:34.2", "GET", "stock.example.test", "/new", "").answered(200, 14*ms).ends()
	n := len(f.ended)
	first, second, old, led := &f.ended[n-4], &f.ended[n-3], &f.ended[n-2], &f.ended[n-1]
	first.Duplicate = ledger.Duplicate{Call: first.ID, Other: second.ID, Kind: ledger.NoKey}
	second.Duplicate = ledger.Duplicate{Call: second.ID, Other: first.ID, Kind: ledger.NoKey}
	led.Previous = old.ID
	f.add("12:04:35.0", "GET", "files.example.test", "/export.csv", "").receiving(900*ms, 64<<10)
	f.windows = append(f.windows,
		ledger.Window{Host: "rates.example.test", Paused: storyNow().Add(2400 * ms), Waiting: 1, Since: storyNow().Add(-600 * ms)},
		ledger.Window{Host: "pay.example.test", Name: "POST /charges", Kind: ledger.SlidingWindow, Limit: 20, Per: time.Minute, Used: 4, Opens: storyNow().Add(20 * time.Second),
			Declared: ledger.Declared{At: storyNow(), Limit: 100, Per: time.Minute, Remaining: 12, Resets: storyNow().Add(43 * time.Second)}},
		ledger.Window{Host: "pay.example.test", Name: "tenant-7", Kind: ledger.GCRAWindow, Limit: 5, Per: time.Second, Used: 5, Opens: storyNow().Add(200 * ms), Waiting: 2, Since: storyNow().Add(-300 * ms)},
		ledger.Window{Host: "vault.example.test", Declared: ledger.Declared{At: storyNow(), Limit: 60, Remaining: 15}},
	)
	return f
}

// slowed says that the last attempt was held back by a bandwidth limit.
func (t *telling) slowed(took time.Duration, rate int64) *telling {
	a := &t.c.AttemptList[len(t.c.AttemptList)-1]
	t.c.Waits = append(t.c.Waits, ledger.Wait{Before: a.N, Kind: ledger.BandwidthWait, Start: a.Start + a.Took/4, Took: took, Rule: ledger.Rule{Rate: rate}})
	return t
}

// authorized adds an attempt with the credentials that the last answer asked for.
func (t *telling) authorized(status int, took time.Duration) *telling {
	t.c.AttemptList[len(t.c.AttemptList)-1].Decision = ledger.AgainAuth
	t.answered(status, took)
	t.c.AttemptList[len(t.c.AttemptList)-1].Reason = ledger.AuthLeg
	return t
}

// receiving leaves the call while its answer arrives, held back.
func (t *telling) receiving(held time.Duration, rate int64) {
	a := t.attempt(0)
	a.Status = 200
	t.slowed(held, rate)
	t.c.State, t.c.Since = ledger.Receiving, t.c.Started.Add(100*ms)
	t.c.Summarise()
	t.f.running = append(t.f.running, t.c)
}

func TestTheEventLineNamesBothCallsOfAPair(t *testing.T) {
	onDash(t, learned(), 110, 32, func(d *dash) {
		d.shows("POST mail.example.test/send was sent twice without a key: 12:04:32.0 and 12:04:33.4", "SENT TWICE")
		d.press("g")
		d.store.change(func(f *fakeStore) {
			f.add("12:04:36.1", "POST", "pay.example.test", "/charges", "b").answered(201, 5*ms).ends()
			c := &f.ended[len(f.ended)-1]
			c.Duplicate = ledger.Duplicate{Call: c.ID, Other: ledger.NewCallID(3, 1), Kind: ledger.TwoKeys}
		})
		d.pass(time.Second)
		d.shows("POST pay.example.test/charges was sent twice with two keys: 12:04:36.1, and as call 3-1")
	})
}

func TestACallThatTurnsOutToBeTheFirstOfAPairIsDrawnAnew(t *testing.T) {
	f := learned()
	n := len(f.ended)
	later, earlier := f.ended[n-3].Duplicate, f.ended[n-4].Duplicate
	f.ended[n-3].Duplicate, f.ended[n-4].Duplicate = ledger.Duplicate{}, ledger.Duplicate{}
	onDash(t, f, 160, 40, func(d *dash) {
		d.hides("SENT TWICE")
		d.store.change(func(f *fakeStore) { f.ended[n-3].Duplicate, f.ended[n-4].Duplicate = later, earlier })
		d.pass(time.Second)
		if got := strings.Count(d.text(), "SENT TWICE"); got < 2 {
			d.t.Errorf("%d calls are marked, want both", got)
		}
	})
}

func TestTheDetailNamesTheOtherCalls(t *testing.T) {
	onDash(t, learned(), 110, 32, func(d *dash) {
		d.press("/")
		d.write("path:/new")
		d.press("enter", "enter")
		d.shows("redirected", "from call 3-", "GET https://stock.example.test/old 302 · answered")
		d.press("esc", "esc", "/")
		d.write("duplicate:yes")
		d.press("enter", "g", "enter")
		d.shows("duplicate", "was sent twice without a key: 12:04:32.0 and 12:04:33.4", "is call 3-1216")
	})
}

func TestWhatBandwidthHeldBackStandsBehindItsAttempt(t *testing.T) {
	onDash(t, learned(), 110, 32, func(d *dash) {
		d.press("/")
		d.write("path:/export.csv running:no")
		d.press("enter")
		d.shows("bandwidth", "at most 64 KiB/s", "≈≈≈≈")
		text := d.text()
		if strings.Index(text, "1 first") > strings.Index(text, "at most 64 KiB/s") {
			d.t.Error("it stands before the attempt")
		}
	})
}

func TestAnAuthLegIsNamedWithItsReason(t *testing.T) {
	onDash(t, learned(), 110, 32, func(d *dash) {
		d.press("/")
		d.write("host:vault.example.test")
		d.press("enter")
		d.shows("1 first", "2 auth", "a 401 asks for credentials")
	})
}
