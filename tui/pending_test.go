package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

// read is longer than a dialog drops keys for.
const read = 500 * time.Millisecond

// onPending runs a test on the screen of operations, with the one of that key selected.
func onPending(t *testing.T, key string, do func(*dash, *fakeActions)) {
	t.Helper()
	store := pendingStory()
	store.sessions[0].LastSeen = storyNow().Add(time.Minute) // it stays live
	acts := &fakeActions{store: store, answer: "it is pending"}
	onDashWith(t, store, Options{Theme: "none", Actions: acts}, 110, 32, func(d *dash) {
		d.press("3")
		d.pass(read)
		d.choose(key)
		do(d, acts)
	})
}

// choose selects an operation.
func (d *dash) choose(key string) {
	d.t.Helper()
	for range len(d.store.ops) {
		if d.selected() == key {
			return
		}
		d.press("j")
	}
	if d.selected() != key {
		d.t.Fatalf("%s is not listed:\n%s", key, d.text())
	}
}

// selected returns the key in the selected row.
func (d *dash) selected() string {
	for line := range strings.SplitSeq(d.text(), "\n") {
		if strings.Contains(line, "┃▌") || strings.Contains(line, "│▌") {
			for _, word := range strings.Fields(line) {
				if strings.HasPrefix(word, "order-") {
					return word
				}
			}
		}
	}
	return ""
}

// slowly presses keys one by one, as somebody does who reads.
func (d *dash) slowly(names ...string) {
	for _, name := range names {
		d.pass(read)
		d.press(name)
	}
	d.pass(read)
}

// does fails the test unless exactly that was done.
func (a *fakeActions) does(t *testing.T, want ...string) {
	t.Helper()
	if got := a.all(); !slices.Equal(got, want) {
		t.Errorf("done was %q, want %q", got, want)
	}
}

func TestThePendingScreenTellsWhatWaits(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, _ *fakeActions) {
		d.shows("every session in redial.db", "▲ 3 pending, oldest 6h 12m", "‼ 1 disputed", "[3 Pending ▲3]",
			"It MAY have been executed.", "Next: l look up again.", `"asked pay support"`, "POST https://pay.example.test/charges")
		first := strings.Index(d.text(), "order-8102")
		if first < 0 || first > strings.Index(d.text(), "order-8790") {
			d.t.Error("what is disputed does not come first")
		}
		d.press("1")
		d.shows("▲ 3 pending, oldest 6h 12m", "‼ 1 disputed", " 3 Pending ▲3 ")
	})
}

func TestARefusalIsShown(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, a *fakeActions) {
		a.err = errors.New("the lookup was answered with 500")
		d.press("l")
		d.pass(read)
		d.shows("lookup of order-8840 (0ms): the lookup was answered with 500")
	})
	for key, c := range map[string]struct{ press, says string }{
		"order-8843": {"l", "order-8843 is not looked up: there is no way to ask the server"},
		"order-8844": {"r", "it is checking, and only what is pending is replayed"},
		"order-8102": {"r", "it is disputed, and only what is pending is replayed"},
	} {
		onPending(t, key, func(d *dash, a *fakeActions) {
			d.press(c.press)
			d.pass(read)
			d.shows(c.says)
			a.does(d.t)
		})
	}
}

func TestWhatALiveSessionDrivesNamesIt(t *testing.T) {
	for _, press := range []string{"r", "s"} {
		onPending(t, "order-8844", func(d *dash, a *fakeActions) {
			d.store.change(func(f *fakeStore) {
				o := &f.ops[f.find(ledger.ID{Service: "checkout", Key: "order-8844"})]
				o.Owner, o.Moved = 3, storyNow().Add(-6*time.Second)
			})
			d.pass(time.Second)
			d.press(press)
			d.shows("nothing is done about order-8844: it is checking since 12:04:30, driven by checkout, pid 4242, session 3")
			a.does(d.t)
		})
	}
}

func TestALookupIsMadeFromHereWhenNobodyAnswers(t *testing.T) {
	onPending(t, "order-8790", func(d *dash, a *fakeActions) {
		a.nobody, a.answer, a.takes = true, "found (GET /orders: 200); it is pending", 200*time.Millisecond
		d.press("l")
		d.pass(time.Second)
		d.shows("looking up order-8790…", "looking up…")
		d.press("l")
		d.shows("its lookup is under way")
		d.pass(2 * time.Second)
		a.does(d.t, "here lookup order-8790 despite []")
		d.shows("looked up order-8790 (2.20s, from here): found (GET /orders: 200); it is pending")
	})
}

func TestWhatIsMarkedIsLookedUpTogether(t *testing.T) {
	onPending(t, "order-8790", func(d *dash, a *fakeActions) {
		d.press("space", "space")
		d.shows("2 marked")
		d.press("l")
		d.pass(read)
		if did := a.all(); len(did) != 2 {
			d.t.Errorf("done was %q", did)
		}
		d.shows("looked up 2 of 2: 0 found, 0 not found, 2 without an answer")
	})
}

func TestReadOnlyHasNoActions(t *testing.T) {
	store := pendingStory()
	acts := &fakeActions{store: store}
	onDashWith(t, store, Options{Theme: "none", Actions: acts, ReadOnly: true}, 110, 32, func(d *dash) {
		d.press("3")
		d.pass(read)
		d.choose("order-8840")
		d.shows("read-only", "Next: look up again.")
		d.hides("replay…", "settle…", "l look up", "note…")
		for _, name := range []string{"l", "r", "s", "u", "a"} {
			d.press(name)
			d.slowly("tab", "enter", "esc")
			d.hides("Cancel")
			d.press("3")
			d.pass(read)
		}
		acts.does(d.t)
		d.press("r")
		d.shows("this dashboard is read-only: nothing was done")
	})
}

func TestQuitAsksWhileSomethingIsDone(t *testing.T) {
	onPending(t, "order-8790", func(d *dash, a *fakeActions) {
		a.takes = 10 * time.Second
		d.press("l")
		d.press("q", "q", "enter")
		d.shows("Leave?", "redial is looking up order-8790")
		d.slowly("esc")
		d.hides("Leave?")
		d.press("1", "q")
		d.slowly("tab")
		if d.quit {
			d.t.Fatal("the dashboard ended")
		}
		d.slowly("enter")
		if !d.quit {
			d.t.Error("the dashboard did not end")
		}
	})
}

// A send whose process was killed is under way for nobody. The screen must not say that the
// service sees to it while it tells that none is live.
func TestWhatADeadServiceWasSendingIsNotSaidToBeUnderWay(t *testing.T) {
	store := pendingStory()
	store.sessions[0].LastSeen = storyNow().Add(time.Minute)
	store.tells("create order", "order-9002", "https://orders.example.test/orders", time.Minute, true).sent(0, "written down, then sent").ends()
	onDashWith(t, store, Options{Theme: "none", Actions: &fakeActions{store: store}}, 110, 32, func(d *dash) {
		d.press("3")
		d.pass(read)
		d.choose("order-9002")
		d.shows("A send is under way.", "a send is under way", "Next: nothing; checkout sees to")
		d.store.change(func(f *fakeStore) { f.sessions[0].Dead = true })
		d.pass(2 * time.Second)
		d.hides("under way", "checkout sees to")
		d.shows("sent, and nobody sees to it", "It MAY have been executed, and", "Next: l take it over from here", "No session of checkout is live")
		d.press("s")
		d.shows("nothing is done about order-9002: it is sending, but no checkout is live: l takes it over")
		d.press("r")
		d.shows("nothing is done about order-9002: it is sending, but no checkout is live")
	})
}

func TestTheSelectionStaysWithItsOperation(t *testing.T) {
	onPending(t, "order-8843", func(d *dash, _ *fakeActions) {
		for range 3 {
			d.store.change(func(f *fakeStore) {
				f.tells("create order", fmt.Sprint("order-1", len(f.ops)), "https://orders.example.test/orders", 10*time.Hour, true).
					sent(0, "sent").unknown(time.Second, "no answer").pends(time.Minute, ledger.CodeBudgetSpent, "spent").ends()
			})
			d.pass(read)
			if d.selected() != "order-8843" {
				d.t.Fatalf("%s is selected when others come", d.selected())
			}
		}
		d.store.change(func(f *fakeStore) { f.ops = slices.Delete(f.ops, 0, 2) })
		d.pass(read)
		if d.selected() != "order-8843" {
			d.t.Fatalf("%s is selected when others go", d.selected())
		}
		d.store.change(func(f *fakeStore) { f.ops = nil })
		d.pass(read)
		d.shows("every operation in the file is settled")
		d.press("j", "k", "G", "g", "l", "r", "s", "enter", "]")
		d.shows("every operation in the file is settled")
	})
}

func TestOtherScreensTellWhatBecomesPending(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, _ *fakeActions) {
		d.press("1")
		d.pass(5 * time.Second)
		d.store.change(func(f *fakeStore) {
			f.tells("create order", "order-9001", "https://orders.example.test/orders", time.Minute, true).
				sent(0, "sent").unknown(time.Second, "no answer came in 5s").pends(2*time.Second, ledger.CodeBudgetSpent, "spent").ends()
		})
		d.pass(read)
		d.shows("order-9001 became pending: no answer came in 5s; it may have happened   3 opens it", "▲ 4 pending", "3 Pending ▲4")
	})
}

func TestEnterOpensTheCallsOfAnOperation(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, _ *fakeActions) {
		d.press("enter")
		d.pass(read)
		d.shows("[1 Live]", `key:"order-8840"`, "/charges")
		d.hides("/sku/55")
	})
}

func TestOperationsAreFiltered(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, _ *fakeActions) {
		d.press("/")
		d.write("state:pending host:pay.example.test")
		d.press("enter")
		d.pass(read)
		d.shows("order-8840", "1 of 6 · by urgency")
		d.hides("order-8790")
		d.press("/")
		d.write(" nothing:")
		d.pass(read)
		d.shows("✗")
		d.press("esc")
		d.pass(read)
		d.shows("order-8790")
	})
}

func TestAFilterThatNamesASettledStateShowsThose(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, _ *fakeActions) {
		d.hides("order-8700")
		d.press("/")
		d.write("state:succeeded")
		d.press("enter")
		d.pass(read)
		d.shows("order-8700", " Operations ━", "1 of 6 · by urgency")
		d.hides("order-8840", "not settled")
		d.press("/")
		d.write(" or state:pending")
		d.press("enter")
		d.pass(read)
		d.shows("order-8700", "order-8840")
		d.press("esc")
		d.pass(read)
		d.hides("order-8700")
		d.shows("Operations that are not settled", "of 6 · by urgency")
	})
}

func TestTheLifeIsGoneThrough(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, _ *fakeActions) {
		d.press("[", "[", "[")
		d.shows("life 4/6", "GET /charges?key=order-8840: 500")
		d.press("]")
		d.shows("life 5/6", "from checking to pending by reconciler, lookup-failed")
		d.press("tab", "k", "k")
		d.shows("life 3/6")
		d.press("q")
		d.press("j")
		d.hides("life 3/6")
	})
}

func TestTroubleIsWhatWaitsForAPerson(t *testing.T) {
	onPending(t, "order-8843", func(d *dash, _ *fakeActions) {
		d.press("n")
		d.shows("no operation that waits for a person after this one")
		d.press("N")
		if d.selected() != "order-8840" {
			d.t.Errorf("%s is selected", d.selected())
		}
		d.press("space", "esc")
		d.shows("the marks are gone")
		d.hides("marked")
	})
}
