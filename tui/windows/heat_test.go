package windows

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"redial/ledger"
	"redial/tui/scene"
)

// sums is a store of rollups.
type sums []ledger.Rollup

func (sums) Calls(context.Context, ledger.Query) ([]ledger.Call, error) { return nil, nil }
func (sums) Running(context.Context, []ledger.SessionID) ([]ledger.Call, error) {
	return nil, nil
}
func (sums) Call(context.Context, ledger.CallID) (ledger.Call, error) { return ledger.Call{}, nil }
func (sums) Windows(context.Context, []ledger.SessionID) ([]ledger.Window, error) {
	return nil, nil
}

func (s sums) Sums(_ context.Context, q ledger.SumQuery, each func(*ledger.Rollup) error) (err error) {
	for i := range s {
		if r := &s[i]; r.Second >= q.From.Unix() && r.Second < q.To.Unix() && err == nil {
			err = each(r)
		}
	}
	return err
}

func TestTheUseOfAWindowIsWhatWasSentToItsHosts(t *testing.T) {
	now := time.Unix(10_000, 0)
	s := sums{
		{Second: 9_000, Host: "api.test", Attempts: 100}, {Second: 9_990, Host: "api.test", Attempts: 1}, {Second: 9_990, Host: "api.test:8080", Attempts: 2},
		{Second: 10_000, Host: "api.test", Attempts: 4}, {Second: 10_000, Host: "other.test", Attempts: 8}, {Second: 10_001, Host: "api.test", Attempts: 16},
	}
	for name, c := range map[string]struct {
		shown   scene.Shown
		seconds int
		sum     int64
	}{
		"live":          {scene.Shown{Now: now, Live: true, Sessions: []ledger.Session{{}}}, 300, 7},
		"recorded":      {scene.Shown{Now: now.Add(time.Hour), Sessions: []ledger.Session{{Started: time.Unix(8_999, 0), Ended: now}}}, 1002, 107},
		"long recorded": {scene.Shown{Now: now.Add(time.Hour), Sessions: []ledger.Session{{Started: time.Unix(1, 0), Ended: now}}}, 3600, 107},
	} {
		h, err := readHeat(context.Background(), s, &c.shown)
		seconds := h.of(&ledger.Window{Host: "api.test"})
		var sum int64
		for _, n := range seconds {
			sum += n
		}
		if err != nil || len(seconds) != c.seconds || sum != c.sum || seconds[len(seconds)-1] != 4 {
			t.Errorf("%s: %d attempts in %d s (%v), want %d in %d", name, sum, len(seconds), err, c.sum, c.seconds)
		}
	}
}

func TestSlotsAreAsLongAsAWindowAndAsManyAsFit(t *testing.T) {
	seconds := []int64{1, 2, 3, 4, 5, 6, 7}
	for _, c := range []struct {
		per     time.Duration
		columns int
		want    []int64
		each    int
	}{
		{time.Second, 7, seconds, 1}, {100 * time.Millisecond, 60, seconds, 1}, {time.Second, 4, []int64{1, 5, 9, 13}, 2},
		{4500 * time.Millisecond, 60, []int64{3, 25}, 5}, {time.Hour, 60, []int64{28}, 3600}, {time.Second, 0, nil, 1},
	} {
		got, each := slots(seconds, c.per, c.columns)
		if !slices.Equal(got, c.want) || each != c.each {
			t.Errorf("a window of %v in %d columns is %v of %d s, want %v of %d", c.per, c.columns, got, each, c.want, c.each)
		}
	}
}

func TestAProjectionTellsWhenAWindowWillBeEmpty(t *testing.T) {
	now := time.Date(2025, 11, 29, 12, 0, 0, 0, time.UTC)
	w := ledger.Window{Host: "a", Limit: 10, Per: 10 * time.Second, Used: 4, Opens: now.Add(5 * time.Second)}
	with := func(change func(*ledger.Window)) ledger.Window {
		c := w
		change(&c)
		return c
	}
	for _, c := range []struct {
		name   string
		window ledger.Window
		rate   float64
		want   string
	}{
		{"it empties before it opens", w, 3, "empty at this rate in 2.0s: 3.0 attempts a second, 6 left"},
		{"it opens first", w, 1, "lasts at this rate"},
		{"nothing is sent", w, 0, "6 left, and nothing was sent"},
		{"it is empty", with(func(w *ledger.Window) { w.Used = 10 }), 3, "empty"},
		{"it has opened", with(func(w *ledger.Window) { w.Opens = now }), 2, "empty at this rate in 5.0s: 2.0 attempts a second, 10 left"},
		{"a sliding one gives back as much", with(func(w *ledger.Window) { w.Kind = ledger.SlidingWindow }), 1, "lasts at this rate"},
		{"a sliding one gives back less", with(func(w *ledger.Window) { w.Kind = ledger.SlidingWindow }), 3, "empty at this rate in 3.0s"},
		{"only a part of the host", with(func(w *ledger.Window) { w.Name = "/items/*" }), 3, "no projection"},
		{"the server paused it", with(func(w *ledger.Window) { w.Paused = now.Add(2400 * time.Millisecond) }), 3, "paused: the server wants nobody to send for 2.4s"},
		{"a server's own", ledger.Window{Host: "a", Per: time.Second}, 3, "no limit of ours"},
		{"one without a period", ledger.Window{Host: "a", Kind: ledger.SlidingWindow}, 3, "no limit of ours"},
	} {
		if got := projection(&c.window, now, c.rate); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	if got := rate([]int64{9, 9, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 500}); got != 1 {
		t.Errorf("the rate is %v, want that of the last whole seconds", got)
	}
	if got := rate(nil); got != 0 {
		t.Errorf("the rate of nothing is %v", got)
	}
}
