package main_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"time"

	"redial/db"
	"redial/ledger"
	"redial/operation"
	"redial/recorder"
	"redial/transport"
	"redial/transport/digest"
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
		log.Fatal(err) // such as: redial: checkout.toml:6:8: routes[0].path is "stock": …
	}
	rt := &transport.Transport{Recorder: rec}
	calm.Apply(rt)

	files := &http.Client{Transport: &transport.Transport{
		Recorder: rec,
		Auth: &digest.Digest{
			Username: "shop",
			Password: os.Getenv("FILES_PASSWORD"),
			Origins:  []string{"https://files.example.test"}, // nobody else is shown a digest of it
		},
		Bandwidth: []transport.Bandwidth{{Host: "files.example.test", Up: 500_000, Down: 1_000_000}}, // bytes a second
	}}

	ctx, watched := transport.Watch(ctx)
	answer, err := files.Do(req.WithContext(ctx))
	if call, ok := watched.Last(); ok { // it is still running while its body is open
		log.Println(call.Method, call.Host, call.Attempts, "attempts, waited", call.Waited)
	}
	stats := rt.Stats()
	log.Println(stats.Calls, stats.Retries, stats.Waits[ledger.BandwidthWait].Took)
	if err == nil {
		answer.Body.Close()
	}
}

func newOrder() *http.Request {
	req, err := http.NewRequest("POST", "https://api.example.test/orders", strings.NewReader(`{"sku":"A-55"}`))
	if err != nil {
		log.Fatal(err)
	}
	return req
}
