package operation_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"strings"
	"time"

	"redial/db"
	"redial/ledger"
	"redial/operation"
	"redial/recorder"
	"redial/transport"
)

// open is what a service does once, when it starts.
func open() (*operation.Operations, func()) {
	store, err := db.Open("")
	if err != nil {
		log.Fatal(err)
	}
	rec := recorder.New(store, recorder.Options{Service: "checkout"})
	client := &http.Client{Transport: &transport.Transport{Recorder: rec}}
	ops := operation.New(client, store, operation.Options{Session: rec.Session()})
	return ops, func() {
		ops.Close()
		rec.Close()
		store.Close()
	}
}

// An API that honours keys and can be asked. What is lost on the way is sent again with
// the same key, after it was looked up and not found.
func Example_honoursKeys() {
	ops, closeAll := open()
	defer closeAll()

	req, _ := http.NewRequest("POST", "https://pay.example.test/charges", strings.NewReader(`{"order":8841,"cents":1990}`))
	result, err := ops.Do(context.Background(), operation.Operation{
		Name:    "charge card",
		Key:     "charge-8841",
		Request: req,
		Policy:  ledger.KeyPolicy{Honoured: true, Lifetime: 24 * time.Hour, Conflict: ledger.InFlight},
		Lookup:  &ledger.Lookup{URL: "https://pay.example.test/charges?key={key}", Count: "/data"},
	})
	switch {
	case errors.Is(err, operation.ErrPending):
		fmt.Println("recorded; tell the customer that it is being confirmed")
	case err != nil:
		fmt.Println("not charged:", err)
	default:
		fmt.Println("charged:", string(result.Body))
	}
}

// An API that ignores keys but can be asked by a business number. Nothing is ever sent
// again by itself; a lookup settles what is in doubt, or a person does.
func Example_canBeAsked() {
	ops, closeAll := open()
	defer closeAll()

	req, _ := http.NewRequest("POST", "https://orders.example.test/orders", strings.NewReader(`{"number":"8841","sku":55}`))
	_, err := ops.Do(context.Background(), operation.Operation{
		Name:    "create order",
		Key:     "order-8841",
		Ref:     "8841",
		Request: req,
		Lookup: &ledger.Lookup{
			URL:    "https://orders.example.test/orders/{ref}",
			Match:  []ledger.Match{{Pointer: "/sku", Value: "55"}},
			Settle: 30 * time.Second, // this API shows orders late
		},
		Undo: &ledger.Undo{Method: "DELETE", URL: "https://orders.example.test/orders/{ref}"},
	})
	if errors.Is(err, operation.ErrPending) {
		fmt.Println("recorded; it is looked up until it shows, or a person settles it")
	}
}

// An API that neither honours keys nor can be asked. What gets no answer is pending at
// once, and a person finds out. The service hears of it.
func Example_canDoNeither() {
	ops, closeAll := open()
	defer closeAll()

	req, _ := http.NewRequest("POST", "https://mail.example.test/send", strings.NewReader(`{"to":"ana","text":"shipped"}`))
	_, err := ops.Do(context.Background(), operation.Operation{Name: "send letter", Key: "letter-8841", Request: req})
	if errors.Is(err, operation.ErrPending) {
		fmt.Println("recorded; waiting for a person")
	}
	for s, err := range ops.Settlements(context.Background(), 0) { // from the position that was kept
		if err != nil {
			break
		}
		fmt.Println(s.Key, s.State, "by", s.By, "because", s.Reason)
	}
}
