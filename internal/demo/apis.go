package demo

import (
	"math/rand/v2"
	"net/http"
	"time"
)

// domain is what all names of the demo end with. Nobody can own it (RFC 6761).
const domain = ".example.test"

// api is one of the vendor's APIs.
type api struct {
	name  string           // the first label of its host
	limit limit            // zero: none
	takes [2]time.Duration // how long it works on a call, at least and less than
	serve func(*query) answer

	// opening is dealt once, to the first calls, so that what is worth seeing comes soon.
	// faults is dealt after it.
	opening, faults deck

	// keys is how long the API remembers an idempotency key; 0: it ignores keys.
	keys time.Duration

	// find answers who asks whether a thing was done, given its reference as far as the
	// API lets on; "" is nothing. If nil, the API cannot be asked.
	find func(q *query, found string) answer

	// undoes means that what was done can be taken back by its reference.
	undoes bool

	// closes means that each answer ends its connection. On one that was used before,
	// net/http would send again by itself what was cut off, and the shop could not show
	// its own decision.
	closes bool

	// gated means that it wants digest authentication.
	gated bool
}

// query is one request, as far as an API needs to know it.
type query struct {
	*http.Request
	body []byte
	n    int        // number of the call
	dice *rand.Rand // random numbers that belong to the call
}

// answer is what an API says to a request.
type answer struct {
	status int
	header map[string]string
	body   []byte
	effect string        // what was done, by its reference; "" nothing
	pace   time.Duration // between the lines of the body; 0: it is sent at once
}

// quotaLimit is what the shop is told in the vendor's manual.
var quotaLimit = limit{requests: 3, per: 4500 * time.Millisecond}

// ordersLimit is far from ever being reached, as most limits are.
var ordersLimit = limit{requests: 10, per: time.Second}

const (
	day        = 24 * time.Hour
	giftMemory = 35 * time.Second // what the manual of the vouchers says of its keys
)

// apis returns every API by its name. What befalls whom is said here and in decks.go, and
// nowhere else.
func apis() map[string]*api {
	ms := time.Millisecond
	list := []*api{
		{name: "orders", takes: [2]time.Duration{40 * ms, 140 * ms}, limit: ordersLimit, closes: true,
			serve: serveOrders, keys: day, find: findOrder, faults: ordersFaults()},
		{name: "pay", takes: [2]time.Duration{90 * ms, 350 * ms},
			serve: servePay, keys: day, find: findCharge, opening: payOpening(), faults: payFaults()},
		{name: "stock", takes: [2]time.Duration{10 * ms, 70 * ms},
			serve: serveStock, find: findReservation, undoes: true, opening: stockOpening(), faults: stockFaults()},
		{name: "gift", takes: [2]time.Duration{60 * ms, 160 * ms},
			serve: serveGift, keys: giftMemory, find: findVoucher, opening: giftOpening(), faults: giftFaults()},
		{name: "ship", takes: [2]time.Duration{40 * ms, 140 * ms}, closes: true, serve: serveShip, keys: day,
			faults: plans(nil, faults{dropped}, faults{busy, busyUntil}, nil, faults{cut}, nil, nil, nil)},
		{name: "quota", takes: [2]time.Duration{20 * ms, 60 * ms}, limit: quotaLimit, serve: serveQuota},
		{name: "rates", takes: [2]time.Duration{15 * ms, 90 * ms}, serve: serveRates,
			faults: plans(nil, faults{busyUntil}, faults{busy, busy, busy}, nil, faults{throttled}, nil, faults{busy}, nil)},
		{name: "flaky", takes: [2]time.Duration{60 * ms, 200 * ms}, serve: serveFeed, closes: true,
			faults: plans(faults{broken, broken, broken, broken}, faults{broken, broken}, faults{cut}, nil)},
		{name: "slow", takes: [2]time.Duration{900 * ms, 2600 * ms}, serve: serveReport},
		{name: "vault", takes: [2]time.Duration{20 * ms, 80 * ms}, serve: serveVault, gated: true},
		{name: "files", takes: [2]time.Duration{40 * ms, 120 * ms}, serve: serveExport},
		{name: "mail", takes: [2]time.Duration{30 * ms, 110 * ms}, serve: serveMail, opening: plans(faults{dropped}, faults{dropped}, faults{dropped}),
			faults: plans(nil, faults{dropped}, nil, nil, faults{busy}, nil, nil, nil)},
	}
	byName := make(map[string]*api, len(list))
	for _, a := range list {
		byName[a.name] = a
	}
	return byName
}

// fate returns what befalls call n, n from 1.
func (a *api) fate(seed uint64, n int) fate {
	if n <= len(a.opening) {
		return a.opening.fate(seed, a.name+" opening", n)
	}
	return a.faults.fate(seed, a.name, n-len(a.opening))
}

// latency returns how long the API works on a call.
func (a *api) latency(q *query) time.Duration {
	return a.takes[0] + time.Duration(q.dice.Int64N(int64(a.takes[1]-a.takes[0])))
}
