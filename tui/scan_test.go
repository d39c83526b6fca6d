package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
)

// recordingWithOperations is a recorded session, and operations that wait for a person.
func recordingWithOperations() *fakeStore {
	f := pendingStory()
	f.sessions = recording().sessions
	return f
}

// endless is a store in which what a filter with "endless" asks for takes for ever: it has
// gone through 37 percent, has found some, and waits to be given up.
type endless struct{ *fakeStore }

func asksForAll(f ledger.Filter) bool { return strings.Contains(f.Text, "endless") }

func stall(ctx context.Context, endless bool, tell func(seen, total int64)) error {
	if !endless {
		return nil
	}
	if tell != nil {
		tell(37, 100)
	}
	<-ctx.Done()
	return ctx.Err()
}

func (s *endless) Calls(ctx context.Context, q ledger.Query) ([]ledger.Call, error) {
	trouble := q.Limit == 16 // a few at a time
	err := stall(ctx, trouble || asksForAll(q.Filter), q.Progress)
	if err != nil {
		q.Filter, q.Limit = ledger.Filter{}, 2
	}
	calls, _ := s.fakeStore.Calls(context.Background(), q)
	return calls, err
}

func (s *endless) During(ctx context.Context, q ledger.Query) ([]ledger.Call, error) {
	err := stall(ctx, asksForAll(q.Filter), q.Progress)
	if err != nil {
		q.Filter, q.Limit = ledger.Filter{}, 2
	}
	calls, _ := s.fakeStore.During(context.Background(), q)
	return calls, err
}

func (s *endless) Operations(ctx context.Context, q ledger.OperationQuery) ([]ledger.Operation, error) {
	err := stall(ctx, asksForAll(q.Filter), q.Progress)
	if err != nil {
		q.Filter, q.Limit = ledger.Filter{}, 2
	}
	ops, _ := s.fakeStore.Operations(context.Background(), q)
	return ops, err
}

func TestAScanTellsHowFarItIsAnswersKeysAndCanBeGivenUp(t *testing.T) {
	for _, c := range []struct {
		name, screen  string
		before, after []string // of the screen: while it goes on, and when it was given up
		cleared       string
	}{
		{"calls", "1", []string{"/ endless · reading… 37%, esc gives up"}, []string{"given up at 37%, 2+ of", "12:04:35.2"}, "■ RECORDED"},
		{"timeline", "2", []string{"/ endless · reading… 12%, esc gives up"}, []string{"given up at 12%, 2 calls"}, "by host"},
		{"pending", "3", []string{"/ endless · reading… 37%, esc gives up"}, []string{"given up at 37%, 2"}, "by urgency"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := recordingWithOperations()
			onDash(t, f, 110, 32, func(d *dash) {
				d.over(&endless{f})
				d.press(c.screen, "/")
				d.write("endless")
				d.press("enter")
				d.pass(300 * time.Millisecond)
				d.shows(c.before...)
				d.press("?")
				d.shows(" Help ")
				d.press("?", "esc")
				d.shows("reading was given up: what had been found is shown", "/ endless")
				d.shows(c.after...)
				d.store.change(func(*fakeStore) {})
				d.pass(3 * time.Second)
				d.shows(c.after...) // it does not begin again by itself
				d.press("esc")
				d.hides("endless", "given up at")
				d.shows("the filter is cleared", c.cleared)
			})
		})
	}
}

// over replaces the store of a dashboard that has not begun to read it.
func (d *dash) over(store Store) {
	d.model = newModel(d.model.ctx, store, d.model.options)
	d.run(d.model.Init())
	d.send(tea.WindowSizeMsg{Width: 110, Height: 32})
}

func TestLookingForTroubleTellsHowFarItIsAndCanBeGivenUp(t *testing.T) {
	for name, screen := range map[string]string{"calls": "1", "timeline": "2"} {
		t.Run(name, func(t *testing.T) {
			f := recordingWithOperations()
			for i := range 300 {
				f.add("12:03:00.0", "GET", "old.example.test", fmt.Sprintf("/%d", i), "").answered(200, ms).ends()
				f.ended[len(f.ended)-1].ID = ledger.NewCallID(3, int64(i+1))
			}
			onDash(t, f, 110, 32, func(d *dash) {
				d.over(&endless{f})
				d.press(screen)
				for range 20 { // those at hand come first
					d.press("N")
				}
				d.pass(300 * time.Millisecond)
				d.shows("reading… 5%, esc gives up")
				d.press("esc")
				d.shows("looking for the next call with trouble was given up", "["+screen)
				d.hides("reading")
			})
		})
	}
}
