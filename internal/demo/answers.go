package demo

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

func serveOrders(q *query) answer {
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
	a := inJSON(http.StatusCreated, object{"reservation": fmt.Sprintf("r-%06d", q.n), "reference": reference(q.body), "site": pick(q.dice, "Basel", "Lyon")})
	a.effect = "stock " + reference(q.body)
	return a
}

func serveGift(q *query) answer {
	a := inJSON(http.StatusCreated, object{"voucher": fmt.Sprintf("GIFT-%06d", q.dice.IntN(1e6)), "reference": reference(q.body), "eur": 25})
	a.effect = "gift " + reference(q.body)
	return a
}

func serveShip(q *query) answer {
	a := inJSON(http.StatusCreated, object{"label": fmt.Sprintf("CH%09d", q.dice.IntN(1e9)), "reference": reference(q.body), "carrier": pick(q.dice, "DHL", "Post", "GLS")})
	a.effect = "ship " + reference(q.body)
	return a
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
