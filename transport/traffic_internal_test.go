package transport

import (
	"testing"
	"testing/synctest"
	"time"
)

// queueUp has a piece of n bytes wait in a lane whose buckets are empty.
func queueUp(t *testing.T, l *lane, n int) *piece {
	t.Helper()
	p := &piece{ready: make(chan struct{}, 1)}
	if l.take(p, n) {
		t.Fatalf("%d bytes did not have to wait", n)
	}
	return p
}

// through reports whether the piece has been let through.
func through(p *piece) bool { return len(p.ready) == 1 }

// twoLanes returns an empty limit of 1000 bytes a second for all hosts, the lane of most of
// them, and the lane of one that has a limit of its own, which has room.
func twoLanes() (most, one *lane) {
	way := newBandwidths([]Bandwidth{{Up: 1000}, {Host: "a.example.test", Up: 1000}}).up
	most, one = way.rest, way.hosts["a.example.test"].rest
	most.take(&piece{ready: make(chan struct{}, 1)}, 50)
	return most, one
}

// A small piece does not overtake a large one that came before it and waits for the same
// limit, whatever other limits either has.
func TestPiecesGoInTheOrderOfTheirArrival(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		most, one := twoLanes()
		large := queueUp(t, most, 50)
		small := queueUp(t, one, 1)
		<-time.After(49 * time.Millisecond)
		synctest.Wait()
		if through(large) || through(small) {
			t.Errorf("too early: large %v, small %v", through(large), through(small))
		}
		<-time.After(time.Millisecond)
		synctest.Wait()
		if !through(large) || through(small) {
			t.Errorf("after 50 ms: large %v, small %v", through(large), through(small))
		}
		<-time.After(time.Millisecond)
		synctest.Wait()
		if !through(small) {
			t.Error("the small piece still waits")
		}
	})
}

// A piece that waits for a limit of its own host holds up no other host.
func TestAPieceThatWaitsElsewhereHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		way := newBandwidths([]Bandwidth{{Up: 1000}, {Host: "slow.example.test", Up: 1}}).up
		slow := way.hosts["slow.example.test"].rest
		slow.take(&piece{ready: make(chan struct{}, 1)}, 1)
		queueUp(t, slow, 1)
		if !way.rest.take(&piece{ready: make(chan struct{}, 1)}, 40) {
			t.Error("another host had to wait")
		}
	})
}

// When the first in a lane is given up, those behind it go as soon as there is enough for
// them.
func TestWhoLeavesALaneIsNotWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		most, one := twoLanes()
		large, small, other := queueUp(t, most, 50), queueUp(t, most, 5), queueUp(t, one, 5)
		<-time.After(10 * time.Millisecond)
		if !most.leave(large) {
			t.Error("the large piece was let through")
		}
		if !through(small) || !through(other) || most.traffic.waiting != 0 {
			t.Errorf("small %v, other %v, %d wait", through(small), through(other), most.traffic.waiting)
		}
		if most.leave(small) {
			t.Error("a piece that was let through can be given up")
		}
	})
}

// With many bodies each reads less at a time, so that all of them get on, but not so little
// that it costs more than it serves.
func TestPiecesShrinkWithTheNumberOfBodies(t *testing.T) {
	for _, c := range []struct{ rate, bodies, want int }{
		{1 << 20, 0, 52428}, {1 << 20, 1, 52428}, {1 << 20, 10, 5242}, {1 << 20, 1000, 512}, {1000, 1000, 50}, {1, 1, 1}, {19, 5, 1},
	} {
		b := newBucket(int64(c.rate))
		b.users.Store(int64(c.bodies))
		if got := b.piece(); got != c.want {
			t.Errorf("%d bodies at %d a second read %d at a time, want %d", c.bodies, c.rate, got, c.want)
		}
	}
}
