// Command overhead measures what recording costs a service at full speed: requests per
// second over loopback, and the processor time that each takes, through a bare
// http.Transport and through redial with every call recorded to SQLite, in turns in one
// run:
//
//	go -C bench run ./overhead
//
// With -parts it also measures what is in between: redial without a recorder, and with one
// whose store throws everything away. Client, server and recorder share the process, so
// with more than a few callers no processor is idle, and every microsecond spent on
// recording is one that requests do not get.
package main

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"redial/db"
	"redial/recorder"
	"redial/transport"
)

func main() {
	var o options
	flag.IntVar(&o.rounds, "rounds", 7, "rounds of each kind")
	flag.DurationVar(&o.length, "for", 4*time.Second, "length of a round")
	flag.IntVar(&o.callers, "callers", 16, "goroutines that call")
	flag.BoolVar(&o.get, "get", false, "send GETs that are answered by 204, without bodies")
	flag.BoolVar(&o.parts, "parts", false, "measure redial's parts too")
	flag.StringVar(&o.profile, "cpuprofile", "", "`file` for a profile of the last recorded round")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "overhead:", err)
		os.Exit(1)
	}
}

type options struct {
	rounds, callers int
	length          time.Duration
	get, parts      bool
	profile         string
}

func run(o options) error {
	server := httptest.NewServer(http.HandlerFunc(answer))
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
	defer rec.Close()

	base := &http.Transport{MaxIdleConnsPerHost: o.callers}
	bare := &kind{name: "bare", transport: base}
	recorded := &kind{name: "recorded", transport: through(base, rec)}
	kinds := []*kind{bare, recorded}
	if o.parts {
		blind := recorder.New(nowhere{}, recorder.Options{})
		defer blind.Close()
		kinds = []*kind{bare, {name: "transport", transport: through(base, nil)}, {name: "recorder", transport: through(base, blind)}, recorded}
	}
	for round := range o.rounds + 1 { // the first one warms up
		for _, k := range kinds {
			profiling := k == recorded && round == o.rounds && o.profile != ""
			if err := profile(profiling, o.profile, func() { k.measure(server.URL, o) }); err != nil {
				return err
			}
		}
		if round > 0 {
			report(os.Stdout, fmt.Sprintf("round %d", round), kinds, last)
		}
	}
	report(os.Stdout, "median", kinds, median)
	if err := rec.Close(); err != nil {
		return err
	}
	c := rec.Counters()
	fmt.Printf("recorded calls: %d made, %d written, %d not written\n", c.Queued, c.Written, c.NotWritten())
	return nil
}

// through returns a redial transport. Without a recorder its parameter is nil.
func through(base http.RoundTripper, rec *recorder.Recorder) *transport.Transport {
	t := &transport.Transport{Base: base, Retry: transport.Retry{Attempts: 3}}
	if rec != nil {
		t.Recorder = rec
	}
	return t
}

func answer(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	io.Copy(io.Discard, r.Body)
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"id":55120,"state":"created","lines":[{"sku":"A-55","count":2},{"sku":"B-7","count":1}]}`)
}

// measure adds a round of calls, each caller's one after another.
func (k *kind) measure(url string, o options) {
	client := &http.Client{Transport: k.transport}
	var done atomic.Int64
	var group sync.WaitGroup
	begun, busy := time.Now(), processorTime()
	for range o.callers {
		group.Go(func() {
			for time.Since(begun) < o.length {
				if call(client, url, o.get) == nil {
					done.Add(1)
				}
			}
		})
	}
	group.Wait()
	n := float64(done.Load())
	k.rates = append(k.rates, n/time.Since(begun).Seconds())
	k.costs = append(k.costs, float64((processorTime()-busy).Nanoseconds())/1000/n)
}

func call(client *http.Client, url string, get bool) error {
	var resp *http.Response
	var err error
	if get {
		resp, err = client.Get(url + "/orders/8841")
	} else {
		resp, err = client.Post(url+"/orders", "application/json", strings.NewReader(`{"order":8841,"sku":"A-55"}`))
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

// profile calls do, and writes a profile of it if that is wanted.
func profile(wanted bool, path string, do func()) error {
	if !wanted {
		do()
		return nil
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	defer pprof.StopCPUProfile()
	do()
	return nil
}
