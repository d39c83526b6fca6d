package db

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

// interrupted writes a batch during which an errand comes that is given up soon.
func (d *DB) interrupted(b *ledger.Batch) error {
	return d.writer.do(context.Background(), func(ctx context.Context) error {
		e := &errand{ctx: ctx, result: make(chan outcome, 1)}
		e.begun.Store(true)
		if !d.writer.errands.add(e) {
			return ErrClosed
		}
		return d.writer.write(ctx, b)
	})
}

// plainCalls returns so many calls of a session, numbered on from first.
func plainCalls(s ledger.SessionID, first, n int64) (list []ledger.Call) {
	for i := first; i < first+n; i++ {
		list = append(list, ledger.Call{ID: ledger.NewCallID(s, i), Method: "GET", Host: "api.example.test", Path: "/a",
			Started: time.Unix(1_800_000_000, i), Took: time.Millisecond, Status: 200, Outcome: ledger.Answered, Attempts: 1})
	}
	return list
}

// counts returns what a file has of a session: calls as it counts them itself, as there are
// rows, and in the rollups; and how many are running.
func (d *DB) counts(t *testing.T) [4]int64 {
	t.Helper()
	var n [4]int64
	err := d.reads.read(context.Background(), func(v *view) error {
		_, err := v.one(context.Background(), `SELECT (SELECT calls FROM session), (SELECT count(*) FROM call), (SELECT sum(calls) FROM rollup), (SELECT count(*) FROM live)`,
			nil, func(r row) error {
				n = [4]int64{r.int(0), r.int(1), r.int(2), r.int(3)}
				return nil
			})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestABatchThatIsInterruptedIsWrittenOnce(t *testing.T) {
	d, err := Open(filepath.Join(t.TempDir(), "redial.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ctx := context.Background()
	s, err := d.Enrol(ctx, ledger.Session{Service: "checkout", Started: time.Unix(1_800_000_000, 0)})
	list := plainCalls(s, 1, 600)
	running := []ledger.Call{{ID: list[4].ID, Method: "GET", Started: list[4].Started}, {ID: list[550].ID, Method: "GET", Started: list[550].Started}}
	if err = errors.Join(err, d.Write(ctx, &ledger.Batch{Session: s, Running: running})); err != nil {
		t.Fatal(err)
	}
	bad := slices.Clone(list)
	bad[400].ID = 1
	if err := d.interrupted(&ledger.Batch{Session: s, Calls: bad, Running: running[1:]}); err == nil {
		t.Fatal("a call without a session is accepted")
	}
	if got, want := d.counts(t), [4]int64{maxSlice, maxSlice, maxSlice, 1}; got != want {
		t.Errorf("after the first part the file has %v, want %v", got, want)
	}
	for part := range slices.Chunk(list, 300) { // as a recorder does after an error
		if err := d.interrupted(&ledger.Batch{Session: s, Calls: part}); err != nil {
			t.Error(err)
		}
	}
	if got, want := d.counts(t), [4]int64{600, 600, 600, 0}; got != want {
		t.Errorf("in the end the file has %v, want %v", got, want)
	}
	if early := len(d.writer.sessions[s].early); early != 0 {
		t.Errorf("%d calls are still remembered", early)
	}
}

func TestOnlyOperationsAreWaitedForOnTheDisk(t *testing.T) {
	d, err := Open(filepath.Join(t.TempDir(), "redial.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	level := func() int64 {
		n, err := d.writer.c.number(context.Background(), `PRAGMA synchronous`)
		if err != nil {
			t.Error(err)
		}
		return n
	}
	for range 2 {
		_, err := d.writer.errand(context.Background(), func(context.Context) (refusal, err error) {
			if n := level(); n != 2 {
				t.Errorf("an operation is written with synchronous = %d", n)
			}
			return nil, nil
		})
		err2 := d.writer.do(context.Background(), func(ctx context.Context) error {
			return d.writer.transact(ctx, func() error {
				if n := level(); n != 1 {
					t.Errorf("a batch is written with synchronous = %d", n)
				}
				return nil
			})
		})
		if err := errors.Join(err, err2); err != nil {
			t.Error(err)
		}
	}
}

func TestAnOperationThatGoesAwayWithItsFileIsNotAcknowledged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "redial.db")
	d, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	_, err = d.writer.errand(context.Background(), func(context.Context) (refusal, err error) {
		_, err = d.writer.c.exec(`INSERT INTO ask (service, key, kind, version, state, taken) VALUES ('a', 'b', 'replay', 1, 'open', 0)`)
		return nil, errors.Join(err, os.Rename(path, path+".old"))
	})
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path+" was moved or deleted") {
		t.Errorf("the error is %v", err)
	}
}

func TestAWriteThatFailsOnTheWayLeavesNothing(t *testing.T) {
	d, err := Open(filepath.Join(t.TempDir(), "redial.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	broken := errors.New("broken")
	_, err = d.writer.errand(context.Background(), func(context.Context) (refusal, err error) {
		_, err = d.writer.c.exec(`INSERT INTO ask (service, key, kind, version, state, taken) VALUES ('a', 'b', 'replay', 1, 'open', 0)`)
		return nil, errors.Join(err, broken)
	})
	if a, err2 := d.ClaimAsk(context.Background(), "a", 1); !errors.Is(err, broken) || a != nil || err2 != nil {
		t.Errorf("the error is %v, and there is %+v (%v)", err, a, err2)
	}
}
