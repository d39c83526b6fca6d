package tui

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
)

func TestReplayNeedsTheButtonAndTheEndOfTheKey(t *testing.T) {
	for _, c := range []struct {
		name  string
		press func(*dash)
		want  []string
		shows string
	}{
		{"enter cancels, since Cancel has the focus", func(d *dash) { d.slowly("enter") }, nil, "nothing was done about order-8840"},
		{"esc cancels", func(d *dash) { d.slowly("esc") }, nil, "nothing was done about order-8840"},
		{"tab, enter goes past the field", func(d *dash) { d.slowly("tab", "enter", "tab", "enter") }, nil, "type the last characters of the key first"},
		{"another end of the key", func(d *dash) { d.slowly("tab"); d.write("r-8841"); d.slowly("tab", "tab", "enter") }, nil, "type the last characters of the key first"},
		{"a pasted end of the key", func(d *dash) {
			d.slowly("tab")
			d.send(tea.PasteMsg{Content: "r-8840"})
			d.slowly("tab", "tab", "enter")
		}, nil, "type the last characters of the key first"},
		{"the end of the key", func(d *dash) { d.slowly("tab"); d.write("r-8840"); d.slowly("tab", "tab", "enter") },
			[]string{"ask replay order-8840 despite [looked-up]"}, "replay of order-8840 (0ms): it is pending"},
		{"l looks up first", func(d *dash) { d.slowly("l") }, []string{"ask lookup order-8840 despite []"}, "looked up order-8840 (0ms): it is pending"},
		{"enter right behind tab", func(d *dash) {
			d.slowly("tab")
			d.write("r-8840")
			d.slowly("tab")
			d.press("tab", "enter")
		}, nil, "too fast to be meant"},
	} {
		t.Run(c.name, func(t *testing.T) {
			onPending(t, "order-8840", func(d *dash, a *fakeActions) {
				d.press("r")
				d.pass(read)
				d.shows("Replay charge card", "POST https://pay.example.test/charges", "▐ Cancel ▌", "✗ looked up, and not found")
				c.press(d)
				a.does(d.t, c.want...)
				d.shows(c.shows)
			})
		})
	}
}

func TestWhatNobodyCanOverrideIsNotSent(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, a *fakeActions) {
		d.store.change(func(f *fakeStore) { f.ops[2].Body = []byte("something else") })
		d.press("r")
		d.pass(read)
		d.shows("✗ the bytes are the same", "Nobody", "- Replay -")
		d.hides("type the last")
		d.slowly("tab", "tab", "enter")
		d.shows("it cannot be sent")
		a.does(d.t)
	})
}

func TestAChecklistThatHoldsNeedsNoKey(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, a *fakeActions) {
		d.store.change(func(f *fakeStore) {
			o := &f.ops[2]
			o.Finding, o.NotFound, o.LookedUp = ledger.FoundNothing, 2, storyNow().Add(-time.Minute)
		})
		d.pass(read)
		d.shows("Next: r replay, same key, same")
		d.press("r")
		d.pass(read)
		d.shows("All checks hold", "[ Replay ]")
		d.slowly("tab", "tab", "enter")
		a.does(d.t, "ask replay order-8840 despite []")
	})
}

// Bubble Tea tells of pasted text as keys where a terminal has no bracketed paste.
func TestStrayKeysAndPastedTextConfirmNothing(t *testing.T) {
	page := strings.Repeat("r-8840\t\t\n\ty\n\t \r\nit happened\t\n\n", 20)
	for _, opens := range []string{"r", "s", "u", "a"} {
		for _, gap := range []time.Duration{0, 5 * time.Millisecond, 30 * time.Millisecond} {
			t.Run(fmt.Sprint(opens, " every ", gap), func(t *testing.T) {
				onPending(t, "order-8840", func(d *dash, a *fakeActions) {
					r := rand.New(rand.NewPCG(1, uint64(gap)))
					d.press(opens)
					for range 50 {
						names := []string{"tab", "enter", "down", "up", "y", "0", "space", "tab", "enter", "s", "r", "u", "a"}
						d.press(names[r.IntN(len(names))])
						d.pass(gap)
					}
					for _, c := range page[:100] {
						name := map[rune]string{'\t': "tab", '\n': "enter", '\r': "enter"}[c]
						if name == "" {
							name = string(c)
						}
						if name != "l" {
							d.press(name)
							d.pass(gap)
						}
					}
					d.send(tea.PasteMsg{Content: page})
					a.does(d.t)
				})
			})
		}
	}
}

func TestKeysInFlightAreDropped(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, a *fakeActions) {
		d.press("r", "enter")
		d.pass(read)
		d.shows("Replay charge card")
		d.slowly("esc")
		d.press("a")
		d.write("xyz")
		d.pass(read)
		d.write("asked them")
		d.slowly("enter", "enter")
		a.does(d.t, `note order-8840 "asked them"`)
		d.shows("note of order-8840 (0ms): written down", `"asked them"`)
	})
}

func TestSettlingNeedsAChoiceAndAReason(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, a *fakeActions) {
		d.press("s")
		d.slowly("tab", "tab", "tab", "tab", "enter")
		d.shows("choose what is known first")
		d.slowly("tab", "tab", "down", "tab", "tab", "tab", "enter")
		d.shows("a reason is needed")
		d.slowly("tab", "tab", "tab")
		d.write("seen at the vendor")
		d.slowly("tab", "tab", "enter")
		a.does(d.t, `settle order-8840 true "seen at the vendor" "Nov 29 12:00:31 GET /charges?key=order-8840: 500"`)
		d.shows("settlement of order-8840 (0ms): it is succeeded, and checkout looks once more", "✓ succeeded")
		d.pass(time.Second) // the header counts once a second
		d.shows("▲ 2 pending")
		if d.selected() != "order-8840" {
			d.t.Errorf("%s is selected after order-8840 was settled", d.selected())
		}
		d.press("j")
		d.pass(read)
		d.hides("✓ succeeded")
	})
}

func TestAfterSettlingRedialLooksOnceMoreWhenNoServiceDoes(t *testing.T) {
	onPending(t, "order-8790", func(d *dash, a *fakeActions) {
		d.store.change(func(f *fakeStore) { f.sessions[0].Dead = true })
		d.pass(time.Second)
		d.press("s")
		d.slowly("tab", "down", "down", "tab")
		d.write("not there")
		d.slowly("tab", "tab", "enter")
		a.does(d.t, `settle order-8790 false "not there" ""`, "here lookup order-8790 despite []")
		d.shows("it is failed; looked up once more")
	})
}

func TestTheSlowerOfTwoPeopleIsTold(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, a *fakeActions) {
		d.press("s")
		d.slowly("tab", "down", "tab")
		d.write("seen")
		a.err = errors.New("nothing was changed: bob made it failed at 12:04:30")
		d.slowly("tab", "tab", "enter")
		d.shows("settlement of order-8840 (0ms): nothing was changed: bob made it failed at 12:04:30")
	})
	onPending(t, "order-8840", func(d *dash, a *fakeActions) {
		d.press("r")
		d.pass(read)
		_, err := a.Settle(d.t.Context(), &ledger.Operation{Intent: ledger.Intent{Service: "checkout", Key: "order-8840"}}, false, "bob said so", "")
		if err != nil {
			d.t.Fatal(err)
		}
		d.pass(time.Second)
		d.shows("Somebody was faster: ana made it failed at 12:04:36", "- Replay -")
	})
}

func TestALookupThatBringsTheSameDoesNotTakeAPersonsWordAway(t *testing.T) {
	for _, finding := range []ledger.Verdict{ledger.LookupFailed, ledger.FoundOther} {
		onPending(t, "order-8840", func(d *dash, a *fakeActions) {
			d.press("s")
			d.pass(read)
			o := &ledger.Operation{Intent: ledger.Intent{Service: "checkout", Key: "order-8840"}}
			for _, step := range []ledger.Transition{
				{To: ledger.OpChecking, Code: ledger.CodeLookupDue},
				{Code: ledger.CodeLookedUp, Finding: finding},
				{To: ledger.OpPending, Code: ledger.CodeLookupFailed, Reason: "the lookup failed"},
			} {
				if _, err := a.step(o, step); err != nil {
					d.t.Fatal(err)
				}
				d.pass(time.Second)
			}
			if told := strings.Contains(d.text(), "Somebody was faster"); told != (finding != ledger.LookupFailed) {
				d.t.Errorf("after a lookup that brought %s:\n%s", finding, d.text())
			}
		})
	}
}

func TestAReplayThatNobodyTakesIsOfferedFromHere(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, a *fakeActions) {
		a.nobody = true
		d.press("r")
		d.slowly("tab")
		d.write("r-8840")
		d.slowly("tab", "tab", "enter")
		d.pass(3 * time.Second)
		a.does(d.t)
		d.shows("No live session of checkout took it", "Send from here?", "▐ Cancel ▌", "from the environment", "✗ looked up, and not found")
		d.slowly("tab")
		d.write("r-8840")
		d.slowly("tab", "tab", "enter")
		a.does(d.t, "here replay order-8840 despite [looked-up]")
		d.shows("replay of order-8840 (0ms, from here): it is pending")
	})
}

func TestUndoingAsks(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, a *fakeActions) {
		d.press("u")
		d.pass(read)
		d.shows("Undo charge card", "DELETE https://pay.example.test/charges/order-8840", "▐ Cancel ▌")
		d.slowly("tab", "enter")
		a.does(d.t, "ask undo order-8840 despite []")
	})
}

func TestAnUndoThatFailsIsToldWithWhereItIsListed(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, a *fakeActions) {
		a.err = errors.New("order-8840-undo failed")
		d.press("u")
		d.pass(read)
		d.slowly("tab", "enter")
		a.does(d.t, "ask undo order-8840 despite []")
		d.shows("order-8840-undo failed; v lists undos that failed, too")
	})
}

func TestAWordCanBeTakenBack(t *testing.T) {
	onPending(t, "order-8840", func(d *dash, a *fakeActions) {
		d.hides("order-8700")
		d.press("v")
		d.pass(read)
		d.choose("order-8700")
		d.pass(read)
		d.shows("s reopen…", "It happened: the word of ana.")
		d.store.read("order-8700", ledger.Reading{State: ledger.WasRead, At: storyNow(), Listens: true})
		d.press("s")
		d.pass(read)
		d.shows("read by checkout at "+storyNow().Format("Jan 2 15:04:05"), "checkout may have acted on the word")
		d.slowly("tab")
		d.write("it was another one")
		d.slowly("tab", "enter")
		a.does(d.t, `reopen order-8700 "it was another one"`)
		d.shows("reopening of order-8700 (0ms): it is pending; the word: read by checkout at")
		d.pass(time.Second)
		d.shows("▲ 4 pending")
	})
}

func TestADialogSaysWhoReadsTheWord(t *testing.T) {
	for want, r := range map[string]ledger.Reading{
		"it is only a note there":                 {},
		"checkout is told what you know":          {Listens: true},
		"read by checkout at":                     {State: ledger.WasRead, At: storyNow(), Listens: true},
		"it is not on record whether checkout ha": {State: ledger.ReadUnknown, Listens: true},
	} {
		t.Run(want, func(t *testing.T) {
			onPending(t, "order-8840", func(d *dash, _ *fakeActions) {
				d.store.read("order-8840", r)
				d.press("s")
				d.pass(read)
				d.shows(want)
			})
		})
	}
}
