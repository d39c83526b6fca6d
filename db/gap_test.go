package db_test

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// scribe writes calls of one session, each batch a minute after the one before.
type scribe struct {
	*testing.T
	d  *db.DB
	id ledger.SessionID
	n  int64
}

// beat returns when the batch that ends with call n is written.
func beat(n int64) time.Time { return start.Add(time.Duration(n) * time.Minute) }

func (s *scribe) write(calls int64) {
	s.Helper()
	b := &ledger.Batch{Session: s.id}
	for range calls {
		s.n++
		b.Calls = append(b.Calls, plainCall(s.id, s.n))
	}
	b.Beat, b.Counters = beat(s.n), ledger.Counters{Queued: s.n + 1, Written: s.n, QueueFull: 1}
	write(s.T, s.d, b)
}

// lost checks that so many calls are missing, and the gaps that say so: by their last calls.
func (s *scribe) lost(calls int64, ends ...int64) {
	s.Helper()
	got, err := s.d.Session(context.Background(), s.id)
	want := ledger.Counters{Queued: s.n + 1, Written: s.n - calls, QueueFull: 1, StoreFailed: calls}
	if err != nil || got.Counters != want || got.Calls != s.n-calls || len(got.Gaps) != len(ends) {
		s.Fatalf("the session is %+v (%v), want %+v and %d gaps", got, err, want, len(ends))
	}
	for i, g := range got.Gaps {
		calls -= g.Calls
		if !g.To.Equal(beat(ends[i])) || !g.From.Before(g.To) || !strings.Contains(g.Reason, "what had been written went with it") {
			s.Errorf("gap %d is %+v, want it to end at %v", i, g, beat(ends[i]))
		}
	}
	if len(ends) > 0 && calls != 0 {
		s.Errorf("%d calls are in no gap", calls)
	}
}

// TestWhatWentWithAFileIsAGapInTheNextOne takes a file away while it is written. What was
// in it is missing from the file that takes its place, and that shall say so.
func TestWhatWentWithAFileIsAGapInTheNextOne(t *testing.T) {
	all := []string{"", "-wal", "-shm"}
	for name, test := range map[string]func(s *scribe, path string){
		"deleted": func(s *scribe, path string) {
			remove(s.T, path, all)
			s.write(4)
			s.lost(10, 10)
			s.write(4)
			s.lost(10, 10)
		},
		"moved": func(s *scribe, path string) {
			replace(s.T, path+".old", path)
			s.write(0)
			s.lost(10, 10)
		},
		"replaced": func(s *scribe, path string) {
			other := recorded(s.T)
			remove(s.T, path, all)
			replace(s.T, path, other)
			s.write(4)
			s.id = 2 // as the other one has a session 1
			s.lost(10, 10)
		},
		"deleted twice": func(s *scribe, path string) {
			remove(s.T, path, all)
			s.write(4)
			remove(s.T, path, all)
			s.write(1)
			s.lost(14, 14)
		},
		"only its log": func(s *scribe, path string) {
			remove(s.T, path, []string{"-wal", "-shm"})
			s.write(4)
			s.lost(0)
		},
		"deleted, then its log": func(s *scribe, path string) {
			remove(s.T, path, all)
			s.write(4)
			remove(s.T, path, []string{"-wal", "-shm"})
			s.write(4)
			s.lost(10, 10)
		},
		"an earlier copy put back": func(s *scribe, path string) {
			sqlite(s.T, path, "VACUUM INTO '"+path+".copy'")
			s.write(4)
			remove(s.T, path, all)
			replace(s.T, path, path+".copy")
			s.write(1)
			s.lost(4, 14)
		},
		"before anything was written": func(s *scribe, path string) {
			other := newFile(s.T)
			s.d, s.n = open(s.T, other), 0
			s.id = enrol(s.T, s.d, session("early"))
			remove(s.T, other, all)
			s.write(4)
			s.lost(0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := newFile(t)
			d, checkout := open(t, path), session("checkout")
			checkout.LastSeen = start
			s := &scribe{t, d, enrol(t, d, checkout), 0}
			s.write(6)
			s.write(4)
			test(s, path)
			if err := s.d.End(context.Background(), 1, beat(s.n), ledger.Counters{Queued: s.n + 1, Written: s.n, QueueFull: 1}); err != nil {
				t.Error(err)
			}
			before, err := s.d.Session(context.Background(), s.id)
			if err != nil || before.Ended.IsZero() || before.Counters.Written != before.Calls {
				t.Errorf("the session ended as %+v (%v)", before, err)
			}
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
			checkIntegrity(t, path)
		})
	}
}
