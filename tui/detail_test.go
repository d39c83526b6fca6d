package tui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
)

// ordered returns a recording of an order whose answer was lost, and of what came of it.
func ordered() *fakeStore {
	f := &fakeStore{version: 1, sessions: []ledger.Session{{
		ID: 3, Service: "checkout", PID: 4242, Started: storyNow().Add(-time.Minute), LastSeen: storyNow(), Calls: 5,
	}}}
	add := func(method, path, key string, status int, body string) *ledger.Attempt {
		n := int64(len(f.ended) + 1)
		a := ledger.Attempt{N: 1, Status: status, Outcome: ledger.Answered, Took: 40 * time.Millisecond, RetryAfter: -1, Decision: ledger.Done}
		a.Response.Body = ledger.Body{Data: []byte(body), Size: int64(len(body))}
		a.Response.Header = []ledger.Field{{Name: "Content-Type", Value: "application/json"}}
		c := ledger.Call{
			ID: ledger.NewCallID(3, n), Method: method, Scheme: "https", Host: "orders.example.test", Path: path, Key: key,
			Started: storyNow().Add(time.Duration(n)*time.Second - time.Minute), Took: 40 * time.Millisecond, AttemptList: []ledger.Attempt{a},
		}
		c.Summarise()
		f.ended = append(f.ended, c)
		return &f.ended[n-1].AttemptList[0]
	}
	add("POST", "/orders", "order-1", 503, `{"error":"busy"}`)
	add("GET", "/fx", "", 200, `{}`)
	add("GET", "/orders/order-1", "order-1", 404, `{"error":"none","at":1}`)
	add("POST", "/orders", "order-1", 201, `{"id":7,"lines":[`+strings.Repeat(`{"sku":1},`, 50)+`{}]}`)
	add("POST", "/orders", "order-2", 201, `{"id":8}`)
	f.ops = []ledger.Operation{{Intent: ledger.Intent{Service: "checkout", Key: "order-1"}, State: ledger.OpSucceeded, Sends: 2, Lookups: 1}}
	return f
}

func TestTheOtherCallsOfAnOperationAreAKeyAway(t *testing.T) {
	onDash(t, ordered(), 110, 40, func(d *dash) {
		d.press("g", "enter")
		d.shows("Call 3-1 ", "operation  succeeded · 2 sends · 1 lookup", "POST /orders   ", "503    40ms", "this one", "GET  /orders/order-1 ", "201    40ms")
		d.hides("/fx", "order-2")
		d.press("tab", "enter")
		d.shows("Call 3-3 ", "call 3-3; esc goes back")
		d.press("tab", "tab", "enter")
		d.shows("Call 3-4 ", "this one")
		d.press("esc")
		d.shows("Call 3-3 ")
		d.press("esc")
		d.shows("Call 3-1 ")
		d.press("esc")
		d.hides("Call 3-1 ·")
		d.shows("/fx")
	})
}

func TestACallThatWasGoneToIsWhatIsCopied(t *testing.T) {
	onDash(t, ordered(), 110, 40, func(d *dash) {
		d.press("g", "enter", "tab", "tab", "enter", "y")
		d.shows("Copy · call 3-4")
	})
}

func TestTheNextTroubleLeavesWhereOneHasGone(t *testing.T) {
	onDash(t, ordered(), 110, 40, func(d *dash) {
		d.press("g", "enter", "tab", "tab", "enter")
		d.shows("Call 3-4 ")
		d.press("n")
		d.shows("Call 3-3 ")
		d.press("esc")
		d.hides("Call 3-3 ·", "Call 3-4 ·")
	})
}

func TestPartsOfACallFold(t *testing.T) {
	onDash(t, ordered(), 110, 60, func(d *dash) {
		d.press("g", "j", "j", "j", "enter")
		d.shows(`"id": 7,`, `▸ "lines": [ 51 … ]`)
		for range 6 {
			d.press("tab")
		}
		d.shows(`▌`)
		d.press("enter")
		d.shows(`▾ "lines": [`, `"sku": 1`)
		d.press("enter")
		d.hides(`"sku": 1`)
		d.press("shift+tab", "shift+tab", "enter")
		d.shows("▸ response body")
		d.hides(`"id": 7`)
	})
}

func TestTwoCallsAndTwoAttemptsAreCompared(t *testing.T) {
	onDash(t, ordered(), 110, 40, func(d *dash) {
		d.press("g", "d")
		d.shows("there is nothing to compare this attempt with: space on a call marks it for that")
		d.press("space")
		d.shows("call 3-1 is marked: d on another one shows what differs")
		d.press("j", "j", "d")
		d.shows("What differs · call 3-1 → call 3-3", "≠ status", "503 → 404", "≠ response body", `-   "error": "busy"`, `+   "error": "none",`,
			"response headers · the same, 1 line", "took")
		d.press("esc")
		d.hides("What differs", "Call 3-3 ·")
		d.press("enter", "d", "esc")
		d.shows("Call 3-3 ·")
	})
	onDash(t, story(), 110, 40, func(d *dash) {
		d.press("g", "j", "enter", "d")
		d.shows("What differs · attempt 1 → attempt 2", "≠ status", "503 → 201", "≠ reason", "first → retry")
		d.press("q")
		d.shows("Call 3-1201 ·")
	})
}

func TestTheEarlierCallIsBeforeWhicheverIsMarkedAndThePolicyReadsAsInTheDetail(t *testing.T) {
	f := ordered()
	f.ended[2].Policy = "3 attempts, base 400ms × 2^n up to 1m0s"
	onDash(t, f, 110, 40, func(d *dash) {
		d.press("g", "j", "j", "space", "k", "k", "d")
		d.shows("What differs · call 3-1 → call 3-3", "503 → 404", "sends once → 3 attempts, base 400ms × 2ⁿ up to 1m ")
		d.hides("2^n")
	})
}

func TestAnOperationThatMovesIsFollowed(t *testing.T) {
	f := ordered()
	f.ops[0].State = ledger.OpPending
	f.sessions[0].LastSeen = storyNow().Add(time.Hour)
	onDash(t, f, 110, 40, func(d *dash) {
		d.press("g", "enter")
		d.shows("operation  pending")
		f.change(func(f *fakeStore) { f.ops[0].State = ledger.OpSucceeded })
		d.pass(3 * time.Second)
		d.shows("operation  succeeded")
	})
}

func TestAPartIsFoldedByAClick(t *testing.T) {
	onDash(t, ordered(), 110, 60, func(d *dash) {
		d.press("g", "j", "j", "j", "enter")
		for i, line := range strings.Split(d.text(), "\n") {
			if strings.Contains(line, "▾ response body") {
				d.send(tea.MouseClickMsg{Button: tea.MouseLeft, X: 5, Y: i})
			}
		}
		d.shows("▸ response body")
	})
}

// The list of operations shows with the same mark which ones are marked.
func TestAMarkedCallHasAMarkInTheList(t *testing.T) {
	onDash(t, ordered(), 110, 40, func(d *dash) {
		d.press("g", "j")
		d.hides("•")
		d.press("space")
		d.shows("▌ •12:0")
		d.press("j")
		d.shows("  •12:0")
		d.press("k", "k", "space")
		d.shows("▌✗•12:0", "┃   12:03:38")
	})
}
