package demo

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"
)

func TestTheSameSeedGivesTheSameFaults(t *testing.T) {
	for name, a := range apis() {
		for n := 1; n <= 50; n++ {
			one, two := a.fate(7, n), apis()[name].fate(7, n)
			if !slices.Equal(one.sends, two.sends) || !slices.Equal(one.lookups, two.lookups) {
				t.Errorf("call %d of %s: %v, then %v", n, name, one, two)
			}
		}
	}
}

func TestAnotherSeedGivesOtherFaults(t *testing.T) {
	deal := func(seed uint64) string {
		var all string
		for n := 1; n <= 24; n++ {
			all += fmt.Sprint(apis()["orders"].fate(seed, n).sends, apis()["pay"].fate(seed, n).sends)
		}
		return all
	}
	if deal(1) == deal(2) {
		t.Error("seeds 1 and 2 deal the same faults")
	}
}

func TestTheOpeningIsDealtOnceAndFirst(t *testing.T) {
	for name, a := range apis() {
		var dealt deck
		for n := range a.opening {
			dealt = append(dealt, a.fate(5, n+1))
		}
		if got, want := counted(dealt), counted(a.opening); !maps.Equal(got, want) {
			t.Errorf("the first calls of %s were dealt %v, want %v", name, got, want)
		}
	}
}

func TestEachRoundHasEveryPlanOnce(t *testing.T) {
	for name, a := range apis() {
		want := counted(a.faults)
		for round := range 5 {
			var dealt deck
			for place := range a.faults {
				dealt = append(dealt, a.fate(3, len(a.opening)+round*len(a.faults)+place+1))
			}
			if got := counted(dealt); !maps.Equal(got, want) {
				t.Errorf("round %d of %s dealt %v, want %v", round, name, got, want)
			}
		}
	}
}

func counted(d deck) map[string]int {
	n := map[string]int{}
	for _, f := range d {
		n[fmt.Sprint(f)]++
	}
	return n
}

func TestACallWithoutANumberIsSpared(t *testing.T) {
	if f := apis()["flaky"].fate(1, callNumber("who-knows")); f.sends != nil || f.lookups != nil {
		t.Errorf("got %v, want nothing", f)
	}
}

func TestALimitHoldsInEachAlignedWindow(t *testing.T) {
	l := limiter{limit: limit{requests: 3, per: 4500 * time.Millisecond}}
	boundary := time.Unix(0, 400_000_000*int64(4500*time.Millisecond))
	for _, step := range []struct {
		at    time.Duration
		ok    bool
		left  int
		opens time.Duration
	}{
		{4400 * time.Millisecond, true, 2, 100 * time.Millisecond},
		{4499 * time.Millisecond, true, 1, time.Millisecond},
		{4500 * time.Millisecond, true, 2, 4500 * time.Millisecond},
		{4501 * time.Millisecond, true, 1, 4499 * time.Millisecond},
		{5 * time.Second, true, 0, 4 * time.Second},
		{8999 * time.Millisecond, false, 0, time.Millisecond},
		{9 * time.Second, true, 2, 4500 * time.Millisecond},
		{time.Hour, true, 2, 4500 * time.Millisecond},
	} {
		ok, left, opens := l.take(boundary.Add(step.at))
		if ok != step.ok || left != step.left || opens != step.opens {
			t.Errorf("at %v: %v, %d left, opens in %v; want %v, %d, %v",
				step.at, ok, left, opens, step.ok, step.left, step.opens)
		}
	}
}
