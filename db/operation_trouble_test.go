package db_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// keys returns the keys of all operations in their order.
func keys(t testing.TB, d *db.DB) []string {
	t.Helper()
	list, err := d.Operations(context.Background(), ledger.OperationQuery{})
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, o := range list {
		names = append(names, o.Key)
	}
	return names
}

func TestAnIntentThatFindsTheDiskFullIsNotWritten(t *testing.T) {
	path, free := smallDisk(t)
	d := open(t, path)
	if free == nil { // no disk of our own: the file gets a limit
		if err := d.LimitPages(100); err != nil {
			t.Fatal(err)
		}
		free = func() {
			if err := d.LimitPages(0); err != nil {
				t.Fatal(err)
			}
		}
	}
	pending := pend(t, d, "pending")
	written := []string{"pending"}
	var err error
	for n := 0; err == nil; n++ {
		if n == 10_000 {
			t.Fatal("the disk does not fill up")
		}
		in := plainIntent(fmt.Sprint("order-", n))
		in.Body = make([]byte, 3000)
		var o ledger.Operation
		if o, err = d.Create(context.Background(), in, sent(), 1); err == nil {
			written = append(written, in.Key)
		} else if !reflect.DeepEqual(o, ledger.Operation{}) {
			t.Errorf("what was not written is returned: %+v", o)
		}
	}
	checkRefusal(t, "Create", err, path, db.ErrFull, "disk is full")
	if got := keys(t, d); !reflect.DeepEqual(got, written) {
		t.Errorf("there are %d operations, want the %d that were acknowledged", len(got), len(written))
	}
	big := person(ledger.OpSucceeded, ledger.CodeConfirmed)
	big.Result = &ledger.Result{Body: make([]byte, 1<<20)}
	_, err = d.Move(context.Background(), pending.ID(), pending.Seen(), big)
	checkRefusal(t, "Move", err, path, db.ErrFull, "disk is full")
	if got := operation(t, d, pending.ID()); !reflect.DeepEqual(got, pending) || len(transitions(t, d, pending.ID())) != 3 {
		t.Errorf("after a move that failed the operation is\n%+v, want\n%+v", got, pending)
	}
	free()
	create(t, d, plainIntent("again"))
	checkIntegrity(t, path)
}

func TestAFileThatIsOnlyReadTakesNoOperation(t *testing.T) {
	path := newFile(t)
	o := pend(t, open(t, path), "order-1")
	d := openExisting(t, path)
	ctx := context.Background()
	_, err := d.Create(ctx, plainIntent("order-2"), sent(), 1)
	_, err2 := d.Move(ctx, o.ID(), o.Seen(), person(ledger.OpFailed, ledger.CodeDenied))
	_, err3 := d.Ask(ctx, ledger.Ask{Service: "checkout", Key: "order-1"})
	_, err4 := d.Withdraw(ctx, 1)
	for _, err := range []error{err, err2, err3, err4} {
		checkRefusal(t, "it", err, path, db.ErrNotWritable, "opened for reading")
	}
}

func TestALockedFileTakesNoOperation(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	release := lock(t, path)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if _, err := d.Create(ctx, plainIntent("order-1"), sent(), 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Create with a deadline says %v", err)
	}
	_, err := d.Create(context.Background(), plainIntent("order-2"), sent(), 1)
	checkRefusal(t, "Create", err, path, db.ErrLocked, "locked by another process")
	release()
	create(t, d, plainIntent("order-3"))
	if got := keys(t, d); !reflect.DeepEqual(got, []string{"order-3"}) {
		t.Errorf("there are %v", got)
	}
}

// TestWhatIsRefusedHoldsUpNobody has many callers write at the same time, of which every
// other one is refused.
func TestWhatIsRefusedHoldsUpNobody(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	create(t, d, plainIntent("taken"))
	release := lock(t, path) // so that they gather
	const n = 64
	var all sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		all.Go(func() {
			key := "taken"
			if i%2 == 0 {
				key = fmt.Sprint("order-", i)
			}
			_, errs[i] = d.Create(context.Background(), plainIntent(key), sent(), 1)
		})
	}
	release()
	all.Wait()
	for i, err := range errs {
		if i%2 == 0 && err != nil || i%2 == 1 && !errors.Is(err, ledger.ErrExists) {
			t.Errorf("caller %d: %v", i, err)
		}
	}
	if got := keys(t, d); len(got) != 1+n/2 {
		t.Errorf("there are %d operations", len(got))
	}
}

func TestAnOperationOfAFileThatIsGoneIsMissed(t *testing.T) {
	for name, suffixes := range map[string][]string{"alone": {""}, "with its log": {"", "-wal", "-shm"}} {
		t.Run(name, func(t *testing.T) {
			path := newFile(t) + "/redial.db"
			d := open(t, path)
			s := enrol(t, d, session("checkout"))
			o, err := d.Create(context.Background(), plainIntent("order-1"), sent(), s)
			if err != nil {
				t.Fatal(err)
			}
			remove(t, path, suffixes)
			if _, err := d.Move(context.Background(), o.ID(), o.Seen(), unanswered()); !errors.Is(err, ledger.ErrNoOperation) {
				t.Errorf("Move says %v", err)
			}
			if o, err := d.Create(context.Background(), plainIntent("order-2"), sent(), s); err != nil || o.Owner != s {
				t.Errorf("a new operation is %+v (%v)", o, err)
			}
			if got := keys(t, openExisting(t, path)); !reflect.DeepEqual(got, []string{"order-2"}) {
				t.Errorf("the new file has %v", got)
			}
		})
	}
}

// TestAnOwnerIsNamedByItsNumberInTheFile has a file in whose place another one was put, in
// which the number of the session is somebody else's.
func TestAnOwnerIsNamedByItsNumberInTheFile(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	s := enrol(t, d, session("checkout"))
	other := recorded(t)
	remove(t, path, []string{"", "-wal", "-shm"})
	replace(t, path, other)
	o, err := d.Create(context.Background(), plainIntent("order-1"), sent(), s)
	if err != nil {
		t.Fatal(err)
	}
	owner, err := d.Session(context.Background(), o.Owner)
	if err != nil || owner.Service != "checkout" || o.Owner == s {
		t.Errorf("the owner of %+v is %+v (%v)", o, owner, err)
	}
}

func TestAfterCloseNothingIsTaken(t *testing.T) {
	d, err := db.Open(newFile(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Create(context.Background(), plainIntent("order-1"), sent(), 1); !errors.Is(err, db.ErrClosed) {
		t.Errorf("Create says %v", err)
	}
}

func TestSettlementsFromAPositionMissNoneAndRepeatNone(t *testing.T) {
	d := open(t, newFile(t))
	const callers, each = 8, 25
	var all sync.WaitGroup
	for c := range callers {
		all.Go(func() {
			for n := range each {
				o := pend(t, d, fmt.Sprintf("order-%d-%d", c, n))
				o = move(t, d, o, person(ledger.OpSucceeded, ledger.CodeConfirmed))
				if n%5 == 0 {
					move(t, d, o, person(ledger.OpPending, ledger.CodeReopened))
				}
			}
		})
	}
	done := make(chan struct{})
	go func() { all.Wait(); close(done) }()
	seen := map[int64]bool{}
	position := int64(0)
	for last := false; !last; {
		select {
		case <-done:
			last = true // one more round reads the rest
		default:
		}
		for {
			list, err := d.Settlements(context.Background(), "checkout", position, 7)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range list {
				if seen[s.N] || s.N <= position {
					t.Errorf("position %d came twice", s.N)
				}
				if !final(s.From) && !final(s.To) {
					t.Errorf("a settlement is %+v", s)
				}
				seen[s.N], position = true, s.N
			}
			if len(list) < 7 {
				break
			}
		}
	}
	if want := callers * (each + each/5); len(seen) != want {
		t.Errorf("there were %d settlements, want %d", len(seen), want)
	}
	if list, err := d.Settlements(context.Background(), "search", 0, 0); err != nil || len(list) != 0 {
		t.Errorf("another service has %v (%v)", list, err)
	}
}

func final(s ledger.OperationState) bool { return s == ledger.OpSucceeded || s == ledger.OpFailed }

// TestNothingChangesOrRemovesATransition reads the statements of this package. Triggers,
// which could forbid it, are not allowed in a file.
func TestNothingChangesOrRemovesATransition(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	forbidden := regexp.MustCompile(`(?is)(UPDATE|DELETE\s+FROM|REPLACE\s+INTO|DROP\s+TABLE|ALTER\s+TABLE)\s+"?transition\b`)
	inserts := 0
	for _, f := range files {
		if strings.HasSuffix(f.Name(), "_test.go") || f.IsDir() {
			continue
		}
		text, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		if found := forbidden.Find(text); found != nil {
			t.Errorf("%s has %q", f.Name(), found)
		}
		inserts += strings.Count(string(text), "INSERT INTO transition")
	}
	if inserts != 1 {
		t.Errorf("transitions are inserted in %d places", inserts)
	}
	for _, text := range []string{"UPDATE transition SET", "delete  from \"transition\" WHERE", "INSERT OR REPLACE INTO transition"} {
		if !forbidden.MatchString(text) {
			t.Errorf("%q would not be found", text)
		}
	}
}
