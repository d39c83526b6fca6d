package transport

import (
	"math/rand/v2"
	"testing"
	"time"
)

// A place that was given back is free again, once, and only while it counts.
func TestRefunds(t *testing.T) {
	for _, kind := range []WindowKind{FixedWindow, SlidingWindow, GCRA} {
		m := newMeter(&Window{Kind: kind, Limit: 3, Per: 3 * time.Second, Burst: burst(kind)})
		at := func(mono time.Duration) int {
			m.roll(int64(mono), mono)
			return m.room(mono)
		}
		free := at(0)
		first := m.spend(0)
		second := m.spend(0)
		if n := at(0); n != free-2 {
			t.Errorf("%v: %d free after two, of %d", kind, n, free)
		}
		m.refund(second, 0)
		if n := at(0); n != free-1 {
			t.Errorf("%v: %d free after one was given back, of %d", kind, n, free)
		}
		late := 10 * time.Second
		if n := at(late); n != free || !m.idle(late) {
			t.Errorf("%v: %d free in the end, of %d", kind, n, free)
		}
		m.spend(late)
		m.refund(first, late)
		if n := at(late); n != free-1 && kind != GCRA { // For GCRA it is as if the later one had not been.
			t.Errorf("%v: a place of long ago was given back: %d free, of %d", kind, n, free)
		}
	}
}

// However often places are taken and given back, and whatever the limit, the memory of a
// sliding window is bounded, and it is never less strict than an exact one.
func TestSlidingWindowIsBoundedAndStrict(t *testing.T) {
	for _, limit := range []int{1, 10, 1000, 1024, 1025, 100_000} {
		dice := rand.New(rand.NewPCG(uint64(limit), 0))
		s := newSliding(limit, time.Second)
		var exact []time.Duration // when those were let through that count
		mono := time.Duration(0)
		for range 30_000 {
			mono += time.Duration(dice.IntN(int(2 * time.Second / time.Duration(limit))))
			s.roll(0, mono)
			for len(exact) > 0 && exact[0] <= mono-time.Second {
				exact = exact[1:]
			}
			if s.count < len(exact) {
				t.Fatalf("limit %d: it counts %d, of %d", limit, s.count, len(exact))
			}
			if s.room(mono) > 0 {
				mark := s.spend(mono)
				if dice.IntN(3) == 0 {
					s.refund(mark, mono)
				} else {
					exact = append(exact, mono)
				}
			}
		}
		if n := cap(s.log) * 24; n > 64<<10 {
			t.Errorf("limit %d: %d bytes", limit, n)
		}
	}
}

// An answer knows of the requests before its own, not of those after.
func TestAllowance(t *testing.T) {
	var a allowance
	first, second := a.spend(), a.spend()
	a.tell(first, 5, time.Minute, 0)
	if n := a.narrow(100, 0); n != 4 {
		t.Errorf("%d are left of 5 after one more, want 4", n)
	}
	a.refund(second)
	a.refund(first) // The server has counted it.
	if n := a.narrow(100, 0); n != 5 {
		t.Errorf("%d are left after that was given back, want 5", n)
	}
	if n := a.narrow(3, 0); n != 3 {
		t.Errorf("what is left widens 3 to %d", n)
	}
	if n := a.narrow(100, time.Minute); n != 100 {
		t.Errorf("%d are left after the reset", n)
	}
}

// A window that somebody needs who waits elsewhere is not forgotten.
func TestNeededWindowsAreNotForgotten(t *testing.T) {
	hs := newHosts([]Window{{Host: "a.example.test", Limit: 1, Per: time.Minute}}, false, new(clock))
	w := hs.named[0].kept[0].of("", 0)
	if !w.idle(0) {
		t.Error("nobody needs it")
	}
	w.pins++
	if w.idle(0) {
		t.Error("somebody needs it")
	}
}
