// Command overhead measures what recording costs a service at full speed: requests per
// second over loopback through a bare http.Transport, and through redial with every call
// recorded to SQLite, in turns in one run:
//
//	go -C bench run ./overhead
package main

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"redial/db"
	"redial/recorder"
	"redial/transport"
)

func main() {
	rounds := flag.Int("rounds", 7, "rounds of each kind")
	length := flag.Duration("for", 4*time.Second, "length of a round")
	callers := flag.Int("callers", 16, "goroutines that call")
	flag.Parse()
	if err := run(*rounds, *length, *callers); err != nil {
		fmt.Fprintln(os.Stderr, "overhead:", err)
		os.Exit(1)
	}
}

func run(rounds int, length time.Duration, callers int) error {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"id":55120,"state":"created","lines":[{"sku":"A-55","count":2},{"sku":"B-7","count":1}]}`)
	}))
	defer server.Close()
	dir, err := os.MkdirTemp("", "redial-overhead")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	store, err := db.Open(filepath.Join(dir, "overhead.db"))
	if err != nil {
		return err
	}
	defer store.Close()
	rec := recorder.New(store, recorder.Options{Service: "overhead"})

	base := &http.Transport{MaxIdleConnsPerHost: callers}
	recorded := &transport.Transport{Base: base, Recorder: rec, Retry: transport.Retry{Attempts: 3}}
	var bare, through, ratios []float64
	for round := range rounds + 1 {
		b := measure(base, server.URL, length, callers)
		t := measure(recorded, server.URL, length, callers)
		if round == 0 {
			continue // warms both up
		}
		bare, through, ratios = append(bare, b), append(through, t), append(ratios, t/b)
		fmt.Printf("round %d: bare %.0f/s, recorded %.0f/s, ratio %.3f\n", round, b, t, t/b)
	}
	if err := rec.Close(); err != nil {
		return err
	}
	c := rec.Counters()
	fmt.Printf("median: bare %.0f/s, recorded %.0f/s, ratio %.3f (lowest %.3f, highest %.3f)\n",
		median(bare), median(through), median(ratios), slices.Min(ratios), slices.Max(ratios))
	fmt.Printf("recorded calls: %d made, %d written, %d not written\n", c.Queued, c.Written, c.NotWritten())
	return nil
}

// measure returns the requests per second of callers goroutines that call one after another.
func measure(rt http.RoundTripper, url string, length time.Duration, callers int) float64 {
	client := &http.Client{Transport: rt}
	var done atomic.Int64
	var group sync.WaitGroup
	begun := time.Now()
	for range callers {
		group.Go(func() {
			for time.Since(begun) < length {
				if call(client, url) == nil {
					done.Add(1)
				}
			}
		})
	}
	group.Wait()
	return float64(done.Load()) / time.Since(begun).Seconds()
}

func call(client *http.Client, url string) error {
	resp, err := client.Post(url+"/orders", "application/json", strings.NewReader(`{"order":8841,"sku":"A-55"}`))
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
