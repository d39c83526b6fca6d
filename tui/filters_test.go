package tui

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
)

// fakeHistory keeps filters in memory.
type fakeHistory struct {
	mu   sync.Mutex
	past []string
	err  error
}

func (f *fakeHistory) Filters(context.Context) ([]string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.past, f.err
}

func (f *fakeHistory) Add(_ context.Context, filters []string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.past = append(f.past, filters...)
	}
	return f.err
}

func TestAFilterIsThereTheNextTimeUnlessNothingMayBeWritten(t *testing.T) {
	for readOnly, want := range map[bool]string{false: "status:503|method:PUT", true: "status:503"} {
		history := &fakeHistory{past: []string{"status:503"}}
		onDashWith(t, story(), Options{Theme: "none", History: history, ReadOnly: readOnly}, 110, 32, func(d *dash) {
			d.press("/", "up")
			d.shows("/ status:503", "used before")
			d.press("esc", "/")
			d.write("method:PUT")
			d.press("enter")
			if got := strings.Join(history.past, "|"); got != want {
				t.Errorf("read-only %v: %q is kept, want %q", readOnly, got, want)
			}
			d.press("esc", "/", "up")
			d.shows("/ method:PUT")
		})
	}
}

func TestWhatCannotBeKeptIsSaidAndHoldsAllTheSame(t *testing.T) {
	history := &fakeHistory{err: errors.New("keep the filter for the next time: no space left on device")}
	onDashWith(t, story(), Options{Theme: "none", History: history}, 110, 32, func(d *dash) {
		d.press("/")
		d.write("method:PUT")
		d.press("enter")
		d.shows("keep the filter for the next time: no space left", "/ method:PUT")
		d.hides("12:04:28.9")
	})
}

func TestOneFilterGoesAlongFromScreenToScreen(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("/")
		d.write("host:orders*")
		d.press("enter", "2")
		d.shows("/ host:orders*", "orders.example.test")
		d.hides("flaky.example.test")
		d.press("ctrl+t", "1")
		d.shows("/ off: host:orders*", "12:04:28.9")
		d.press("2", "ctrl+t", "1")
		d.shows("/ host:orders*")
		d.hides("12:04:28.9")
	})
}

// What waits for a person is not hidden by a filter that was written for calls.
func TestAFilterOfCallsHidesNoOperation(t *testing.T) {
	onDash(t, pendingStory(), 110, 32, func(d *dash) {
		d.press("3")
		before := d.text()
		d.press("1", "/")
		d.write("host:nowhere.example.test")
		d.press("enter", "3")
		if d.text() != before {
			t.Errorf("another screen of operations:\n%s", d.text())
		}
	})
}

func TestScreensWithoutAFilterSaySo(t *testing.T) {
	for _, screen := range []string{"6"} {
		onDash(t, story(), 110, 32, func(d *dash) {
			d.press(screen, "/")
			d.shows("nothing to filter here")
		})
	}
}

func TestHostsOfTheRecordingAreCompleted(t *testing.T) {
	onDash(t, recording(), 60, 16, func(d *dash) {
		d.press("/")
		d.write("host:fl")
		d.shows("Filters", "flaky.example.test")
		d.press("tab")
		d.shows("/ host:flaky.example.test", "12:04:34 GET", "tab complete", "esc clear")
		d.press("enter")
		d.hides("Filters")
	})
}

func TestAClickTakesWhatIsOffered(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("/")
		lines := strings.Split(d.text(), "\n")
		for y, line := range lines {
			if strings.Contains(line, "outcome:not-sent") {
				d.send(tea.MouseClickMsg{X: 5, Y: y, Button: tea.MouseLeft})
			}
		}
		d.shows("/ outcome:not-sent", "12:04:35.2")
		d.hides("12:04:28.9")
	})
}

func TestTheOperationOfTheCallThatWasGoneToIsSelected(t *testing.T) {
	for name, way := range map[string][]string{
		"from the calls":    {"g", "3"},
		"from the timeline": {"2", "g", "3"},
	} {
		t.Run(name, func(t *testing.T) {
			onDash(t, pendingStory(), 110, 32, func(d *dash) {
				d.press("3")
				d.shows("▌ ‼ disputed")
				d.press("1", "/")
				d.write("key:order-8840")
				d.press("enter")
				d.press(way...)
				d.pass(time.Second)
				d.shows("▌ ▲ pending         4m  charge card    order-8840")
				d.press("k", "1", "3")
				d.pass(time.Second)
				d.hides("▌ ▲ pending         4m  charge card    order-8840")
			})
		})
	}
}
