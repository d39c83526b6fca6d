package cli

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"redial/ledger"
)

// recording is calls as a store would give them: those that ran when they were asked for,
// and those that have ended by the time that they are read.
type recording struct {
	running, ended []ledger.Call
}

func (r recording) Sessions(context.Context) ([]ledger.Session, error) {
	now := time.Now()
	return []ledger.Session{{ID: 2, LastSeen: now, Running: 1}, {ID: 1, LastSeen: now, Running: 1}}, nil
}

func (r recording) Running(context.Context, []ledger.SessionID) ([]ledger.Call, error) {
	return slices.Clone(r.running), nil
}

func (r recording) Each(_ context.Context, _ ledger.Query, use func(*ledger.Call) error) error {
	for i := range r.ended {
		if err := use(&r.ended[i]); err != nil {
			return err
		}
	}
	return nil
}

// at makes a call that started so many seconds after another time.
func at(session ledger.SessionID, n int64, second int, state ledger.State) ledger.Call {
	return ledger.Call{ID: ledger.NewCallID(session, n), Started: time.Unix(int64(second), 0), State: state}
}

func TestEachCallIsListedOnceWhereItStarted(t *testing.T) {
	const running, ended = ledger.Sending, ledger.Ended
	for name, c := range map[string]struct {
		recording
		want []string
	}{
		"nothing":        {recording{}, nil},
		"only running":   {recording{[]ledger.Call{at(1, 2, 20, running), at(1, 1, 10, running)}, nil}, []string{"1-1", "1-2"}},
		"in between":     {recording{[]ledger.Call{at(1, 2, 20, running)}, []ledger.Call{at(1, 1, 10, ended), at(1, 3, 30, ended)}}, []string{"1-1", "1-2", "1-3"}},
		"two sessions":   {recording{[]ledger.Call{at(2, 1, 20, running)}, []ledger.Call{at(1, 1, 10, ended), at(1, 2, 30, ended)}}, []string{"1-1", "2-1", "1-2"}},
		"after the last": {recording{[]ledger.Call{at(1, 3, 30, running)}, []ledger.Call{at(1, 1, 10, ended)}}, []string{"1-1", "1-3"}},
		"ended meanwhile": {recording{[]ledger.Call{at(1, 2, 20, running)},
			[]ledger.Call{at(1, 1, 10, ended), at(1, 2, 20, ended), at(1, 3, 30, ended)}}, []string{"1-1", "1-2", "1-3"}},
		"ended meanwhile, and is given late": {recording{[]ledger.Call{at(1, 1, 10, running)},
			[]ledger.Call{at(1, 2, 20, ended), at(1, 1, 10, ended)}}, []string{"1-1", "1-2"}},
		"cut off meanwhile": {recording{[]ledger.Call{at(1, 2, 20, ledger.CutOff)}, []ledger.Call{at(1, 1, 10, ended), at(1, 2, 20, ledger.CutOff)}},
			[]string{"1-1", "1-2"}},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			a := &app{now: time.Now}
			err := a.eachCall(context.Background(), c.recording, ledger.Filter{}, func(c *ledger.Call) error {
				got = append(got, c.ID.String())
				return nil
			})
			if err != nil || !slices.Equal(got, c.want) {
				t.Errorf("listed are %q, %v; want %q", got, err, c.want)
			}
		})
	}
}

func TestAListEndsWithTheFirstErrorOfItsReader(t *testing.T) {
	a := &app{now: time.Now}
	full := errors.New("full")
	r := recording{[]ledger.Call{at(1, 1, 10, ledger.Sending), at(1, 3, 30, ledger.Sending)}, []ledger.Call{at(1, 2, 20, ledger.Ended)}}
	n := 0
	err := a.eachCall(context.Background(), r, ledger.Filter{}, func(*ledger.Call) error {
		n++
		return full
	})
	if !errors.Is(err, full) || n != 1 {
		t.Errorf("it goes on for %d calls and ends with %v", n, err)
	}
}
