package tui

import (
	"context"
	"testing"
	"time"

	"redial/ledger"
	"redial/tui/scene"
)

func rollup(at time.Time, calls int64) ledger.Rollup {
	return ledger.Rollup{Session: 3, Second: at.Unix(), Calls: calls, Attempts: 2 * calls, Retried: calls / 2, Failed: calls / 4}
}

func TestRatesCoverTheLastMinuteAndReadOnlyWhatMayHaveChanged(t *testing.T) {
	ids := []ledger.SessionID{3}
	now := storyNow()
	var r rates
	from, to := r.span(ids, now)
	if now.Sub(from) < rateSpan*time.Second || !to.After(now) {
		t.Fatalf("at first %v to %v is read", from, to)
	}
	r.take(ids, from, now, []ledger.Rollup{rollup(now.Add(-50*time.Second), 100), rollup(now, 4)})
	if r.total.calls != 104 || r.total.attempts != 208 {
		t.Errorf("the sums are %+v", r.total)
	}
	now = now.Add(time.Second)
	from, _ = r.span(ids, now)
	if age := now.Sub(from); age > (rateAgain+3)*time.Second {
		t.Errorf("%v are read again", age)
	}
	r.take(ids, from, now, []ledger.Rollup{rollup(now.Add(-time.Second), 6), rollup(now, 1)})
	if r.total.calls != 107 {
		t.Errorf("%d calls, want 107: a second that was read again counts once", r.total.calls)
	}
	now = now.Add(30 * time.Second)
	r.take(ids, now, now, nil)
	if r.total.calls != 7 {
		t.Errorf("%d calls, want 7: what is older than a minute does not count", r.total.calls)
	}
	r.take([]ledger.SessionID{4}, now, now, []ledger.Rollup{rollup(now, 2)})
	if r.total.calls != 2 {
		t.Errorf("%d calls, want 2: another session begins anew", r.total.calls)
	}
}

func TestTheRateOfAYoungSessionIsNotDilutedByTimeBeforeIt(t *testing.T) {
	s := &scene.Shown{Now: storyNow(), Live: true, Sessions: []ledger.Session{{ID: 3, Started: storyNow().Add(-10 * time.Second)}}}
	r := rates{total: sums{attempts: 50}, read: storyNow()}
	if got := r.perSecond(s); got != 5 {
		t.Errorf("%v a second, want 5", got)
	}
	s.Sessions[0].Started = storyNow().Add(-time.Hour)
	if got := r.perSecond(s); got < 0.8 || got > 0.9 {
		t.Errorf("%v a second, want 50 in a minute", got)
	}
}

func TestARecordingIsSummedUpWholeWithoutCountingTwice(t *testing.T) {
	f := &fakeStore{}
	session := ledger.Session{ID: 3, Started: storyNow().Add(-time.Hour), LastSeen: storyNow(), Dead: true}
	for at := session.Started; !at.After(storyNow()); at = at.Add(time.Second) {
		f.rollups = append(f.rollups, rollup(at, 1))
	}
	total, err := readTotals(context.Background(), f, session, storyNow())
	if err != nil || total.calls != 3601 {
		t.Errorf("%d calls, want 3601; error %v", total.calls, err)
	}
}
