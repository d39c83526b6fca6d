package transport_test

import (
	"context"
	"errors"
	"expvar"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"redial/ledger"
	"redial/transport"
)

// A client that sends again what may be sent again, and holds a rate window.
func Example() {
	client := &http.Client{Transport: &transport.Transport{
		Retry:   transport.Retry{Attempts: 3},
		Windows: []transport.Window{{Host: "api.example.test", Limit: 3, Per: 4500 * time.Millisecond}},
	}}
	_ = client // client.Get("https://api.example.test/…")
	// Output:
}

// A server that is busy for a moment is asked again, after as long as it said.
func ExampleTransport() {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "order accepted: %s", body)
	}))
	defer server.Close()

	client := &http.Client{Transport: &transport.Transport{Retry: transport.SafeRetry}}
	req, _ := http.NewRequest(http.MethodPost, server.URL+"/orders", strings.NewReader("3 apples"))
	req.Header.Set("Idempotency-Key", "order-8841") // without it, a POST is not repeated
	resp, err := client.Do(req)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	fmt.Println(resp.Status, string(body))
	// Output: 200 OK order accepted: 3 apples
}

// The article's policy, with the number of attempts that it leaves open.
func ExampleRetry_article() {
	retry := transport.ArticleRetry
	retry.Attempts = 6
	client := &http.Client{Transport: &transport.Transport{Retry: retry}}
	_ = client // an endpoint that always answers 500 is asked at 0, 2, 6, 14, 30 and 62 s
	// Output:
}

// Downloads from one host get a megabyte a second between them, and all uploads together
// half of that. What a call was held back for is on record as a wait.
func ExampleBandwidth() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write(make([]byte, 200_000))
	}))
	defer server.Close()

	client := &http.Client{Transport: &transport.Transport{Bandwidth: []transport.Bandwidth{
		{Host: "127.0.0.1", Down: 1_000_000},
		{Up: 500_000},
	}}}
	start := time.Now()
	resp, err := client.Get(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, resp.Body)
	fmt.Println(n, err, "in more than 100 ms:", time.Since(start) > 100*time.Millisecond)
	// Output: 200000 <nil> in more than 100 ms: true
}

// A client that there is already sends again what may be sent again, and keeps its cookies,
// its timeout and the transport that it had.
func ExampleWrap() {
	client := &http.Client{Timeout: time.Minute}
	client = transport.Wrap(client, &transport.Transport{Retry: transport.SafeRetry})
	_ = client // client.Get("https://api.example.test/…")
	// Output:
}

// Whoever makes a call can see what became of it, attempt by attempt, whether it ended with a
// response or an error.
func ExampleWatch() {
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked == 1 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer server.Close()
	client := transport.Wrap(server.Client(), &transport.Transport{
		Retry: transport.Retry{Attempts: 3, Base: 20 * time.Millisecond, Jitter: transport.NoJitter},
	})

	ctx, watched := transport.Watch(context.Background())
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/orders/8841", nil)
	resp, err := client.Do(req)
	if err == nil {
		resp.Body.Close()
	}
	for _, call := range watched.Calls() {
		fmt.Println(call.Method, call.Path, call.Outcome)
		for _, a := range call.AttemptList {
			fmt.Println(" ", a.N, a.Status, a.Decision)
		}
		for _, w := range call.Waits {
			fmt.Println("  before", w.Before, w.Kind, w.Rule.Words(w.Kind))
		}
	}
	// Output:
	// GET /orders/8841 answered
	//   1 503 again-status
	//   2 200 done
	//   before 2 backoff no jitter: 20 ms × 2⁰
}

// The numbers go wherever a service has its metrics, such as /debug/vars.
func ExampleTransport_Stats() {
	rt := &transport.Transport{Retry: transport.SafeRetry}
	expvar.Publish("vendor", expvar.Func(func() any { return rt.Stats() }))

	stats := rt.Stats()
	fmt.Println(stats.Calls, stats.Retries, stats.Waits[ledger.BackoffWait].Took)
	// Output: 0 0 0s
}

// A POST that only reads may be repeated, and a PUT that counts something may not: the API's
// contract says so, and a route does.
func ExampleRoute() {
	reads, counts := transport.SafeRetry, transport.SafeRetry
	reads.Repeat = transport.AlwaysRepeat
	counts.Repeat = transport.NeverRepeat
	rt := &transport.Transport{
		Retry: transport.SafeRetry,
		Routes: []transport.Route{
			{Methods: []string{"POST"}, Path: "/search/{index}", Retry: reads},
			{Methods: []string{"PUT"}, Path: "/stock/{item}", Retry: counts},
		},
	}
	fmt.Println(rt.Validate())
	// Output: <nil>
}

// What an API says in ways of its own, an advisor says to the transport. It cannot make a
// request repeatable that is not.
func ExampleAdvisor() {
	maintenance := func(r *transport.Result) transport.Advice {
		if r.Response != nil && r.Response.Header.Get("X-Maintenance") != "" {
			return transport.Advice{Verdict: transport.Veto} // It will last.
		}
		return transport.Advice{}
	}
	asked := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		w.Header().Set("X-Maintenance", "until tomorrow")
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer server.Close()

	retry := transport.SafeRetry
	retry.Advisors = []transport.Advisor{maintenance, transport.ShouldRetry("X-Should-Retry")}
	client := &http.Client{Transport: &transport.Transport{Retry: retry}}
	resp, err := client.Get(server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer resp.Body.Close()
	fmt.Println(resp.StatusCode, asked)
	// Output: 503 1
}

// What cannot work is found out before anything is sent.
func ExampleTransport_Validate() {
	rt := &transport.Transport{Windows: []transport.Window{{Host: "api.example.test", Limit: 0, Per: time.Second}}}
	fmt.Println(rt.Validate())
	// Output: redial: Windows[0].Limit is 0: set how many requests to api.example.test a window holds, at least 1
}

// An error says why a call ended while it waited, and what came before.
func ExampleGaveUpError() {
	shutdown := errors.New("service is shutting down")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer server.Close()

	ctx, cancel := context.WithCancelCause(context.Background())
	time.AfterFunc(50*time.Millisecond, func() { cancel(shutdown) })
	rt := &transport.Transport{Retry: transport.SafeRetry}
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
	_, err := rt.RoundTrip(req)

	var gaveUp *transport.GaveUpError
	fmt.Println(errors.As(err, &gaveUp) && gaveUp.Status == 429, errors.Is(err, context.Canceled), errors.Is(err, shutdown))
	fmt.Println(err)
	// Output:
	// true true true
	// redial: gave up waiting for attempt 2, after status 429 Too Many Requests: context canceled: service is shutting down
}
