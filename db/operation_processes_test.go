package db_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"redial/db"
	"redial/ledger"
)

// operate is a service with four callers: it takes operations to pending, and prints a line
// for each step that is acknowledged: the key and the version.
func operate(path, most string) error {
	d, err := db.Open(path)
	if err != nil {
		return err
	}
	limit, _ := strconv.Atoi(most)
	errs := make([]error, 4)
	var callers sync.WaitGroup
	for i := range errs {
		callers.Go(func() {
			for n := 0; (limit == 0 || n < limit) && errs[i] == nil; n++ {
				errs[i] = operateOnce(d, fmt.Sprintf("order-%d-%d-%d", os.Getpid(), i, n))
			}
		})
	}
	callers.Wait()
	return errors.Join(append(errs, d.Close())...)
}

func operateOnce(d *db.DB, key string) error {
	o, err := d.Create(context.Background(), plainIntent(key), sent(), 1)
	for _, step := range []ledger.Transition{unanswered(), stuck()} {
		if err != nil {
			return err
		}
		fmt.Println(key, o.Version)
		o, err = d.Move(context.Background(), o.ID(), o.Seen(), step)
	}
	if err == nil {
		fmt.Println(key, o.Version)
	}
	return err
}

// compete is somebody who settles the operations that others settle too. It prints how many
// it was first with.
func compete(path, most string) error {
	d, err := db.Open(path)
	if err != nil {
		return err
	}
	limit, _ := strconv.Atoi(most)
	won, err := settleAll(d, limit)
	fmt.Println(won)
	return errors.Join(err, d.Close())
}

// settleAll settles operations that stand at version 3, and returns how many it was first
// with.
func settleAll(d *db.DB, n int) (won int, err error) {
	for i := range n {
		o, err := d.Move(context.Background(), ledger.ID{Service: "checkout", Key: fmt.Sprint("order-", i)}, ledger.Seen{Version: 3},
			person(ledger.OpSucceeded, ledger.CodeConfirmed))
		switch {
		case err == nil:
			won++
		case !errors.Is(err, ledger.ErrMoved) || o.State != ledger.OpSucceeded || o.SettledBy.Name != "Mia":
			return won, fmt.Errorf("%s is %+v: %w", o.Key, o, err)
		}
	}
	return won, nil
}

func TestOfTwoProcessesThatSettleAnOperationOneWins(t *testing.T) {
	const n = 100
	path := newFile(t)
	d := open(t, path)
	for i := range n {
		pend(t, d, fmt.Sprint("order-", i))
	}
	p := startProcess(t, "compete", path, n)
	won, err := settleAll(d, n)
	if err != nil {
		t.Error(err)
	}
	theirs, err := strconv.Atoi(p.line())
	if err != nil || won+theirs != n {
		t.Errorf("this process settled %d, the other one %d (%v), want %d together", won, theirs, err, n)
	}
	p.end(t)
	list, err := d.Settlements(context.Background(), "checkout", 0, 0)
	if err != nil || len(list) != n {
		t.Errorf("there are %d settlements (%v), want %d", len(list), err, n)
	}
}

func TestWhatWasAcknowledgedOutlivesTheProcess(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	said := map[string]int64{}
	for round := range 10 {
		p := startProcess(t, "operate", path, 0)
		for range 20 + 7*round {
			hear(t, p.line(), said)
		}
		_ = p.Process.Kill()
		for p.lines.Scan() { // what it said before it was killed
			if strings.Count(p.lines.Text(), " ") == 1 {
				hear(t, p.lines.Text(), said)
			}
		}
		_ = p.Wait()
	}
	for key, version := range said {
		o := operation(t, d, ledger.ID{Service: "checkout", Key: key})
		list := transitions(t, d, o.ID())
		if o.Version < version || int64(len(list)) != o.Version || list[len(list)-1].To != o.State {
			t.Errorf("%s was acknowledged at version %d, and is %+v with %d transitions", key, version, o, len(list))
		}
	}
	all, err := d.Operations(context.Background(), ledger.OperationQuery{})
	if err != nil || len(all) < len(said) || len(said) < 50 {
		t.Errorf("there are %d operations (%v), %d were acknowledged", len(all), err, len(said))
	}
	checkIntegrity(t, path)
}

// hear takes note of a line that a process printed.
func hear(t *testing.T, line string, said map[string]int64) {
	t.Helper()
	var key string
	var version int64
	if _, err := fmt.Sscan(line, &key, &version); err != nil {
		t.Fatalf("the process said %q: %v", line, err)
	}
	said[key] = max(said[key], version)
}
