package demo

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

// domain is what all names of the demo end with. Nobody can own it (RFC 6761).
const domain = ".example.test"

// api is one of the vendor's APIs.
type api struct {
	name   string           // the first label of its host
	faults deck             // of the requests that change something, or of all where nothing can be changed
	limit  limit            // zero: none
	takes  [2]time.Duration // how long it works on a call, at least and less than
	serve  func(*query) answer

	// closes means that each answer ends its connection. On one that was used before,
	// net/http would send again by itself what was cut off, and the shop could not show
	// its own decision.
	closes bool
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

// apis returns every API by its name. What befalls whom is said here, and nowhere else.
func apis() map[string]*api {
	ms := time.Millisecond
	list := []*api{
		{name: "orders", takes: [2]time.Duration{40 * ms, 140 * ms}, limit: ordersLimit, serve: serveOrders, closes: true,
			faults: deck{{}, {dropped}, {busy, busyUntil}, {}, {cut}, {}, {}, {}}},
		{name: "pay", takes: [2]time.Duration{90 * ms, 350 * ms}, serve: servePay,
			faults: deck{{}, {late}, {}, {dropped}, {}, {}, {busyUntil}, {}}},
		{name: "quota", takes: [2]time.Duration{20 * ms, 60 * ms}, limit: quotaLimit, serve: serveQuota},
		{name: "rates", takes: [2]time.Duration{15 * ms, 90 * ms}, serve: serveRates,
			faults: deck{{}, {busyUntil}, {busy, busy, busy}, {}, {throttled}, {}, {busy}, {}}},
		{name: "flaky", takes: [2]time.Duration{60 * ms, 200 * ms}, serve: serveFeed, closes: true,
			faults: deck{{broken, broken, broken, broken}, {broken, broken}, {cut}, {}}},
		{name: "slow", takes: [2]time.Duration{900 * ms, 2600 * ms}, serve: serveReport},
		{name: "mail", takes: [2]time.Duration{30 * ms, 110 * ms}, serve: serveMail,
			faults: deck{{}, {dropped}, {}, {}, {busy}, {}, {}, {}}},
		{name: "stock", takes: [2]time.Duration{10 * ms, 70 * ms}, serve: serveStock,
			faults: deck{{}, {}, {cut}, {}, {}, {busy}, {}}},
	}
	byName := make(map[string]*api, len(list))
	for _, a := range list {
		byName[a.name] = a
	}
	return byName
}

// latency returns how long the API works on a call.
func (a *api) latency(q *query) time.Duration {
	return a.takes[0] + time.Duration(q.dice.Int64N(int64(a.takes[1]-a.takes[0])))
}

func serveOrders(q *query) answer {
	if q.Method == http.MethodGet {
		number := strings.TrimPrefix(q.URL.Path, "/orders/")
		return inJSON(http.StatusOK, object{
			"order": number, "state": "accepted", "placed": "2026-11-29T11:04:31+01:00",
			"links": object{"self": "/orders/" + number, "invoice": "/orders/" + number + "/invoice.pdf"},
		})
	}
	order := reference(q.body)
	a := inJSON(http.StatusCreated, object{
		"order": order, "vendor_number": 55000 + q.n, "state": "accepted",
		"ship_to":  object{"city": "Zürich", "country": "CH", "name": "Zoë Ångström"},
		"delivery": object{"earliest": "2026-12-03", "latest": "2026-12-05", "carrier": pick(q.dice, "DHL", "Post", "GLS")},
		"links":    object{"self": "/orders/" + order},
	})
	a.header["Location"] = "/orders/" + order
	a.header["Set-Cookie"] = fmt.Sprintf("vendor_session=%016x; Path=/; HttpOnly", q.dice.Uint64())
	a.effect = "orders " + order
	return a
}

func servePay(q *query) answer {
	a := inJSON(http.StatusCreated, object{
		"charge": fmt.Sprintf("ch_%010x", q.dice.Uint64N(1<<40)), "reference": reference(q.body),
		"state": "captured", "risk": object{"score": q.dice.IntN(40), "rules": []string{"velocity", "geo"}},
	})
	a.effect = "pay " + reference(q.body)
	return a
}

func serveQuota(q *query) answer {
	g := goods[q.n%len(goods)]
	a := inJSON(http.StatusOK, object{
		"item": strings.TrimPrefix(q.URL.Path, "/items/"), "name": g.name, "tags": g.tags,
		"price":      object{"amount": g.price, "currency": "EUR"},
		"dimensions": object{"w_mm": 80 + q.dice.IntN(400), "h_mm": 20 + q.dice.IntN(300), "weight_g": 150 + q.dice.IntN(4000)},
		"stock":      []object{{"site": "Basel", "on_hand": q.dice.IntN(90)}, {"site": "Lyon", "on_hand": q.dice.IntN(90)}},
	})
	a.header["ETag"] = fmt.Sprintf("%q", fmt.Sprintf("%08x", q.dice.Uint32()))
	return a
}

func serveRates(q *query) answer {
	a := inJSON(http.StatusOK, object{
		"pair": q.URL.Query().Get("pair"), "rate": 0.8 + float64(q.dice.IntN(4000))/10000, "as_of": "2026-11-29T11:00:00Z",
	})
	a.header["Cache-Control"] = "max-age=5"
	return a
}

func serveFeed(q *query) answer {
	var entries []object
	for range 4 {
		g := goods[q.dice.IntN(len(goods))]
		entries = append(entries, object{"title": g.name, "kind": pick(q.dice, "price", "restock", "discontinued"), "eur": g.price})
	}
	return inJSON(http.StatusOK, object{"page": q.n, "entries": entries, "next": fmt.Sprintf("/feed?page=%d", q.n+1)})
}

func serveReport(q *query) answer {
	var b strings.Builder
	b.WriteString("day;orders;revenue_eur;returns\n")
	for day := 1; day <= 6+q.dice.IntN(5); day++ {
		fmt.Fprintf(&b, "2026-11-%02d;%d;%d.%02d;%d\n", day, 200+q.dice.IntN(90), 9000+q.dice.IntN(4000), q.dice.IntN(100), q.dice.IntN(9))
	}
	return answer{
		status: http.StatusOK, body: []byte(b.String()), pace: 220 * time.Millisecond,
		header: map[string]string{"Content-Type": "text/csv; charset=utf-8"},
	}
}

func serveMail(q *query) answer {
	a := inJSON(http.StatusAccepted, object{"message": reference(q.body), "queued": true})
	a.effect = "mail " + reference(q.body)
	return a
}

func serveStock(q *query) answer {
	return answer{status: http.StatusNoContent, header: map[string]string{"ETag": fmt.Sprintf(`"v%d"`, q.n)}}
}

// object is a JSON object.
type object map[string]any

// inJSON returns an answer in JSON that people can read.
func inJSON(status int, body object) answer {
	text, err := json.MarshalIndent(body, "", "  ")
	if err != nil {
		return answer{status: http.StatusInternalServerError, body: []byte(err.Error())}
	}
	return answer{status: status, body: text, header: map[string]string{"Content-Type": "application/json"}}
}

// reference returns the name that a body gives to what it asks for.
func reference(body []byte) string {
	var b struct{ Reference string }
	if json.Unmarshal(body, &b) != nil {
		return ""
	}
	return b.Reference
}

func pick[T any](dice *rand.Rand, from ...T) T { return from[dice.IntN(len(from))] }
