package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"time"

	"redial/bench/synthetic"
	"redial/ledger"
)

// traffic is the calls of one session, in order of their start.
type traffic struct {
	session ledger.SessionID
	at      time.Time
	every   time.Duration
	source  *synthetic.Source
	random  *rand.Rand
	number  int64

	twice ledger.CallID // the last call without a key that may be sent again
	body  ledger.Call   // that call
	keyed []keyed       // calls from which operations are made
}

// keyed is a call with a key.
type keyed struct {
	id  ledger.CallID
	key string
	at  time.Time
}

func newTraffic(id ledger.SessionID, at time.Time, rate int, seed uint64) *traffic {
	return &traffic{
		session: id, at: at, every: time.Second / time.Duration(rate),
		source: synthetic.New(seed), random: rand.New(rand.NewPCG(seed, 11)),
	}
}

// place is a host with its paths, and how many calls of a hundred go there.
type place struct {
	host, path string
	share      int
}

func places() []place {
	return []place{
		{"orders.example.test", "/v1/orders/%d", 20}, {"pay.example.test", "/charges/%d", 12},
		{"stock.example.test", "/sku/%d/level", 18}, {"rates.example.test", "/fx/%d", 9},
		{"search.example.test", "/products/%d/similar", 14}, {"mail.example.test", "/messages/%d", 6},
		{"quota.example.test", "/items/%d", 5}, {"geo.example.test", "/address/%d", 5},
		{"tax.example.test:8443", "/v2/quotes/%d", 4}, {"ship.example.test", "/parcels/%d/track", 4},
		{"files.example.test", "/blobs/%d", 2}, {"flaky.example.test", "/feed/%d", 1},
	}
}

// next makes the next call, and says what of it was sent twice.
func (t *traffic) next(c *ledger.Call) (twice []ledger.Duplicate) {
	t.number++
	t.source.Next(c, t.at)
	c.ID = ledger.NewCallID(t.session, t.number)
	t.direct(c)
	t.delay(c)
	t.fail(c)
	c.Summarise()
	switch {
	case c.Key != "" && t.number%64 == 0:
		t.keyed = append(t.keyed, keyed{c.ID, c.Key, t.at})
	case t.number%20_000 == 0:
		c.Method, c.Key, t.twice, t.body = "POST", "", c.ID, *c
	case t.number%20_000 == 700 && t.twice != 0:
		c.Method, c.Host, c.Path, c.Query, c.Key = "POST", t.body.Host, t.body.Path, t.body.Query, ""
		twice = append(twice, ledger.Duplicate{Call: c.ID, Other: t.twice, Kind: ledger.NoKey})
	}
	t.at = t.at.Add(t.every)
	return twice
}

// direct says where a call goes.
func (t *traffic) direct(c *ledger.Call) {
	n := t.random.IntN(100)
	for _, p := range places() {
		if n -= p.share; n >= 0 {
			continue
		}
		c.Host, c.Path = p.host, fmt.Sprintf(p.path, t.random.IntN(2000))
		break
	}
	if c.Key != "" {
		c.Host, c.Path, c.Key = "orders.example.test", "/v1/orders", fmt.Sprintf("order-%d-%d", t.session, t.number)
	} else if n%5 == 0 {
		c.Query = "page=" + strconv.Itoa(t.random.IntN(40)) + "&limit=50"
	}
	if t.random.IntN(100_000) == 0 {
		c.Host, c.Path = "legacy.example.test", "/soap/invoices"
	}
}

// delay lets some calls wait for a window, a server or bandwidth, and some take long.
func (t *traffic) delay(c *ledger.Call) {
	wait := ledger.Wait{Before: 1, Planned: time.Duration(100+t.random.IntN(4000)) * time.Millisecond}
	switch n := t.random.IntN(1000); {
	case n < 25:
		wait.Kind, wait.Rule = ledger.WindowWait, ledger.Rule{Limit: 3, Per: 4500 * time.Millisecond}
	case n < 30 && len(c.AttemptList) > 1:
		wait.Kind, wait.Before = ledger.RetryAfterWait, len(c.AttemptList)
	case n < 33:
		wait.Kind = ledger.BandwidthWait
	case n < 40:
		c.Took += time.Duration(1+t.random.IntN(7)) * time.Second
		c.AttemptList[len(c.AttemptList)-1].Took += c.Took
		return
	default:
		return
	}
	wait.Took = wait.Planned
	c.Took += wait.Took
	for i := range c.AttemptList {
		if c.AttemptList[i].N >= wait.Before {
			c.AttemptList[i].Start += wait.Took
		}
	}
	for i := range c.Waits {
		c.Waits[i].Start += wait.Took
	}
	c.Waits = append([]ledger.Wait{wait}, c.Waits...)
}

// fail lets one host answer most calls with 503 for two minutes of each hour.
func (t *traffic) fail(c *ledger.Call) {
	if t.at.Minute()/2 != 15 || c.Host != "pay.example.test" || t.random.IntN(10) < 3 {
		return
	}
	last := &c.AttemptList[len(c.AttemptList)-1]
	last.Status, last.Outcome, last.Err, last.Decision = 503, ledger.Answered, "", ledger.Done
	c.Error = ""
}

// windows returns the windows of the session.
func (t *traffic) windows() []ledger.Window {
	per := 4500 * time.Millisecond
	return []ledger.Window{
		{Host: "quota.example.test", Limit: 3, Per: per, Used: 2, Opens: t.at.Truncate(per).Add(per)},
		{Host: "orders.example.test", Limit: 100, Per: time.Second, Used: 31, Opens: t.at.Truncate(time.Second).Add(time.Second)},
	}
}
