package demo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"redial/db"
	"redial/ledger"
	"redial/operation"
)

// The names of the shop's operations.
const (
	createOrder  = "create order"
	reserveStock = "reserve stock"
	chargeCard   = "charge card"
	issueVoucher = "issue voucher"
)

const (
	// orderPatience is how long a customer waits for the order, without which nothing else
	// can begin; deedPatience is how long for the rest. Operations go on without them.
	orderPatience = 10 * time.Second
	deedPatience  = 3 * time.Second
	// drainPatience is how long operations that are under way may take to come to rest when
	// the shop's time is up.
	drainPatience = 15 * time.Second
)

// newOperations returns the operations of the shop, over the client and the file of its
// other calls.
func newOperations(c clients, store *db.DB, session ledger.SessionID) *operation.Operations {
	return operation.New(c.safe, store, operation.Options{
		Session: session, CloseTimeout: time.Second,
		Credentials: func(_ context.Context, _ ledger.Intent, h http.Header) error {
			h.Set("Authorization", bearer)
			return nil
		},
	})
}

// do does what an operation is for, and reports whether it is known to have happened. One
// that has to be confirmed is left to redial; the shop goes on as shops do.
func (s *shop) do(e errand, op operation.Operation, patience time.Duration) bool {
	r, err := e.request(s.calls)
	if err != nil {
		return false
	}
	ctx, cancel := context.WithTimeout(s.calls, patience)
	defer cancel()
	op.Request, op.Ref = r, e.reference
	_, err = s.ops.Do(ctx, op)
	if err == nil || errors.Is(err, operation.ErrPending) || errors.Is(err, operation.ErrFailed) {
		s.mu.Lock()
		s.deeds++
		s.mu.Unlock()
	}
	return err == nil
}

// place orders one good, and reports whether the vendor has accepted it.
func (s *shop) place(n, item int) bool {
	g := goods[item]
	name := orderName(n)
	return s.do(errand{
		method: http.MethodPost, host: "orders" + domain, target: "/orders", id: callID("orders", n), reference: name,
		body: object{
			"reference": name, "lines": []object{{"sku": 40 + item, "name": g.name, "quantity": 1 + n%3, "price": g.price}},
			"currency": "EUR", "customer": object{"name": "Zoë Ångström", "email": "zoe@example.test", "password": "hunter2"},
			"note": "please ring twice · bitte zweimal klingeln",
		},
	}, operation.Operation{
		Name: createOrder, Key: name,
		Policy: ledger.KeyPolicy{Honoured: true, Conflict: ledger.InFlight},
		Lookup: lookup("orders", n, "/orders/{ref}", time.Second, &ledger.Lookup{Match: []ledger.Match{{Pointer: "/order", Value: "{ref}"}}}),
		Budget: budget(4),
	}, orderPatience)
}

// reserve sets aside what was ordered. The stock's API ignores keys, and takes back what was
// set aside.
func (s *shop) reserve(n int) {
	s.do(errand{
		method: http.MethodPost, host: "stock" + domain, target: "/reservations", id: callID("stock", n), reference: orderName(n),
		body: object{"reference": orderName(n), "sku": 40 + n%len(goods), "quantity": 1 + n%3},
	}, operation.Operation{
		Name: reserveStock, Key: fmt.Sprintf("reserve-%d", firstOrder+n),
		Lookup: lookup("stock", n, "/reservations/{ref}", 1500*time.Millisecond, &ledger.Lookup{}),
		Undo:   &ledger.Undo{Method: http.MethodDelete, URL: "http://stock" + domain + "/reservations/{ref}"},
		Budget: budget(4),
	}, deedPatience)
}

// charge takes the money for an order.
func (s *shop) charge(n int) {
	s.do(errand{
		method: http.MethodPost, host: "pay" + domain, target: "/charges", id: callID("pay", n), reference: orderName(n),
		body: object{"reference": orderName(n), "amount": goods[n%len(goods)].price, "currency": "EUR", "card": object{"token": "tok_4242", "last4": "4242"}},
	}, operation.Operation{
		Name: chargeCard, Key: fmt.Sprintf("charge-%d", firstOrder+n),
		Policy: ledger.KeyPolicy{Honoured: true, Conflict: ledger.InFlight},
		Lookup: lookup("pay", n, "/charges?reference={ref}", 1200*time.Millisecond,
			&ledger.Lookup{Count: "/data", Match: []ledger.Match{{Pointer: "/data/0/reference", Value: "{ref}"}}}),
		Budget: budget(2),
	}, deedPatience)
}

// give issues a voucher with an order. The API forgets keys soon, as its manual says, so
// what is not settled within seconds is not sent again.
func (s *shop) give(n int) {
	v := n/voucherEach + 1
	s.do(errand{
		method: http.MethodPost, host: "gift" + domain, target: "/vouchers", id: callID("gift", v), reference: orderName(n),
		body: object{"reference": orderName(n), "eur": 25},
	}, operation.Operation{
		Name: issueVoucher, Key: fmt.Sprintf("voucher-%d", firstOrder+n),
		Policy: ledger.KeyPolicy{Honoured: true, Lifetime: giftMemory},
		Lookup: lookup("gift", v, "/vouchers/{ref}", time.Second, &ledger.Lookup{}),
		Budget: budget(3),
	}, deedPatience)
}

// voucherEach says that each order of so many comes with a voucher.
const voucherEach = 3

// lookup completes how an API is asked whether call n of it happened.
func lookup(api string, n int, target string, settle time.Duration, l *ledger.Lookup) *ledger.Lookup {
	l.URL, l.Settle = "http://"+api+domain+target, settle
	l.Header = []ledger.Field{{Name: idHeader, Value: callID("find-"+api, n)}}
	return l
}

func budget(sends int) ledger.Budget {
	return ledger.Budget{Sends: sends, AttemptTimeout: 2500 * time.Millisecond}
}

// lastOrder returns how many orders the shop has placed in earlier sessions of the file,
// since a new intent needs a new key.
func lastOrder(ctx context.Context, store *db.DB) (last int, err error) {
	q := ledger.OperationQuery{Service: shopService}
	err = store.EachOperation(ctx, q, func(o *ledger.Operation) error {
		if n, err := strconv.Atoi(o.Key[strings.LastIndex(o.Key, "-")+1:]); err == nil {
			last = max(last, n-firstOrder)
		}
		return nil
	})
	return last, err
}

// drain waits until no operation of the shop moves by itself any more, or time is up.
func (s *shop) drain(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, drainPatience)
	defer cancel()
	q := ledger.OperationQuery{Service: shopService, Limit: 1,
		States: []ledger.OperationState{ledger.OpSending, ledger.OpBackingOff, ledger.OpChecking}}
	for {
		changed := s.store.Changed()
		moving, err := s.store.Operations(ctx, q)
		if err != nil || len(moving) == 0 {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}
