package main_test

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
	"redial/transport/policy"
)

// A service opens the file that redial reads, makes a recorder for its run, and puts a
// Transport into its client. It has no output, so that it is compiled and not run: it
// would record into the reader's own file.
func Example() {
	store, err := db.Open("") // "" is the file that redial opens
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()
	rec := recorder.New(store, recorder.Options{Service: "checkout"})
	defer rec.Close()

	client := &http.Client{Transport: &transport.Transport{
		Recorder: rec,
		Retry:    transport.Retry{Attempts: 3, AttemptTimeout: 5 * time.Second},
		Windows:  []transport.Window{{Host: "api.example.test", Limit: 3, Per: 4500 * time.Millisecond}},
	}}

	req, err := http.NewRequest("POST", "https://api.example.test/orders", strings.NewReader(`{"sku":"A-55"}`))
	if err != nil {
		log.Fatal(err)
	}
	req.Header.Set("Idempotency-Key", "order-8841") // so that it may be sent again
	resp, err := client.Do(req)
	if err != nil {
		log.Fatal(err)
	}
	defer resp.Body.Close()
	fmt.Println(resp.Status)

	ops := operation.New(client, store, operation.Options{Session: rec.Session()})
	defer ops.Close()

	ctx, req := context.Background(), newOrder()
	result, err := ops.Do(ctx, operation.Operation{
		Name:    "create order",
		Key:     "order-8841", // one for each intent; the same key is never done twice
		Request: req,
		Policy:  ledger.KeyPolicy{Honoured: true, Lifetime: 24 * time.Hour}, // what the API's contract says
		Lookup:  &ledger.Lookup{URL: "https://api.example.test/orders?key={key}"},
	})
	switch {
	case errors.Is(err, operation.ErrPending):
		fmt.Println("it may have happened: tell the customer that it is being confirmed")
	case err != nil:
		fmt.Println("it did not happen:", err)
	default:
		fmt.Println("it happened once:", result.Status)
	}

	calm, err := policy.File("checkout.toml")
	if err != nil {
		log.Fatal(err) // such as: redial: checkout.toml:6:11: routes[0].path is "stock": …
	}
	rt := &transport.Transport{Recorder: rec}
	calm.Apply(rt)
}

func newOrder() *http.Request {
	req, err := http.NewRequest("POST", "https://api.example.test/orders", strings.NewReader(`{"sku":"A-55"}`))
	if err != nil {
		log.Fatal(err)
	}
	return req
}
