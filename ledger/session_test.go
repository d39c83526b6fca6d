package ledger

import (
	"testing"
	"time"
)

func TestSessionIsLiveWhileItBeats(t *testing.T) {
	now := time.Date(2026, 11, 29, 14, 31, 0, 0, time.UTC)
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	for _, test := range []struct {
		name    string
		session Session
		live    bool
		end     time.Time
	}{
		{"beats", Session{LastSeen: ago(time.Second)}, true, now},
		{"has just been enrolled", Session{LastSeen: now}, true, now},
		{"has a clock that is ahead", Session{LastSeen: ago(-time.Minute)}, true, now},
		{"has been silent for almost too long", Session{LastSeen: ago(BeatTimeout - 1)}, true, now},
		{"has been silent for too long", Session{LastSeen: ago(BeatTimeout)}, false, ago(BeatTimeout)},
		{"has been silent for a day", Session{LastSeen: ago(24 * time.Hour)}, false, ago(24 * time.Hour)},
		{"is known to be gone", Session{LastSeen: ago(time.Second), Dead: true}, false, ago(time.Second)},
		{"has said goodbye", Session{LastSeen: ago(2 * time.Second), Ended: ago(time.Second)}, false, ago(time.Second)},
		{"has said goodbye long ago", Session{LastSeen: ago(time.Hour), Ended: ago(time.Hour)}, false, ago(time.Hour)},
		{"has said goodbye and is gone", Session{LastSeen: ago(3 * time.Second), Ended: ago(time.Second), Dead: true}, false, ago(time.Second)},
	} {
		if got := test.session.Live(now); got != test.live {
			t.Errorf("a session that %s: live is %v", test.name, got)
		}
		if got := test.session.End(now); !got.Equal(test.end) {
			t.Errorf("a session that %s ends at %v, want %v", test.name, got, test.end)
		}
	}
}

func TestMissingCallsAreCountedTogether(t *testing.T) {
	if got := (Counters{Queued: 100, Written: 90, QueueFull: 7, StoreFailed: 3}).NotWritten(); got != 10 {
		t.Errorf("%d are missing, want 10", got)
	}
}

func TestWindowIsFullWhenANewCallerWouldWait(t *testing.T) {
	now := time.Date(2026, 11, 29, 14, 31, 0, 0, time.UTC)
	later := now.Add(time.Second)
	for _, test := range []struct {
		name   string
		window Window
		want   bool
	}{
		{"has room", Window{Limit: 3, Used: 2, Opens: later}, false},
		{"is used up", Window{Limit: 3, Used: 3, Opens: later}, true},
		{"was used up and has opened", Window{Limit: 3, Used: 3, Opens: now}, false},
		{"has room but a queue", Window{Limit: 3, Used: 0, Opens: later, Waiting: 1, Since: now}, true},
		{"has opened for a queue", Window{Limit: 3, Used: 3, Opens: now, Waiting: 1, Since: now}, true},
	} {
		if got := test.window.Full(now); got != test.want {
			t.Errorf("a window that %s: full is %v", test.name, got)
		}
	}
}
