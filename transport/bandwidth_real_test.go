package transport_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"redial/transport"
)

// The same over real connections, over HTTP/1 and HTTP/2, from a file: it arrives whole,
// and not sooner than it may.
func TestBandwidthOverRealConnections(t *testing.T) {
	const rate, total = 4 << 20, 2 << 20
	path := filepath.Join(t.TempDir(), "body")
	if err := os.WriteFile(path, slices.Repeat([]byte("redial"), total/6+1)[:total], 0o600); err != nil {
		t.Fatal(err)
	}
	for _, h2 := range []bool{false, true} {
		t.Run(fmt.Sprintf("HTTP/2 %v", h2), func(t *testing.T) {
			s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				sum := sha256.New()
				io.Copy(sum, r.Body)
				w.Header().Set("Sum", fmt.Sprintf("%x", sum.Sum(nil)))
				http.ServeFile(w, r, path)
			}))
			s.EnableHTTP2 = h2
			s.StartTLS()
			defer s.Close()
			rt := &transport.Transport{Base: s.Client().Transport, Recorder: newJournal(), Bandwidth: []transport.Bandwidth{{Up: rate, Down: rate}}}
			file, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			req, _ := http.NewRequest(http.MethodPost, s.URL, file)
			req.ContentLength = total
			start := time.Now()
			resp, err := rt.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			sent := time.Since(start)
			sum := sha256.New()
			if n, err := io.Copy(sum, resp.Body); n != total || err != nil || fmt.Sprintf("%x", sum.Sum(nil)) != resp.Header.Get("Sum") || resp.ProtoMajor == 2 != h2 {
				t.Errorf("%d bytes, %v", n, err)
			}
			if least := 450 * time.Millisecond; sent < least-50*time.Millisecond || time.Since(start)-sent < least-50*time.Millisecond {
				t.Errorf("sent in %v, received in %v", sent, time.Since(start)-sent)
			}
		})
	}
}

// What is sent again on another connection, by net/http itself where it can, keeps to the
// limit as well.
func TestBandwidthOfHiddenReplays(t *testing.T) {
	const rate, total = 400_000, 120_000
	var requests atomic.Int32
	var whole atomic.Int64
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 2 {
			conn, _, _ := w.(http.Hijacker).Hijack()
			conn.Close()
			return
		}
		n, _ := io.Copy(io.Discard, r.Body)
		whole.Store(n)
	})
	j := newJournal()
	rt := &transport.Transport{Base: s.Client().Transport, Recorder: j, Retry: quick, Bandwidth: []transport.Bandwidth{{Up: rate}}}
	get(t, rt, s.URL)
	req, _ := http.NewRequest(http.MethodPost, s.URL, zeros(total))
	req.ContentLength = total
	var made time.Time
	req.GetBody = func() (io.ReadCloser, error) {
		made = time.Now()
		return io.NopCloser(zeros(total)), nil
	}
	if code, _, err := finish(rt.RoundTrip(keyed(req))); code != 200 || err != nil || whole.Load() != total {
		t.Fatalf("%d %v, %d bytes arrived", code, err, whole.Load())
	}
	if took := time.Since(made); took < 200*time.Millisecond {
		t.Errorf("the body was sent again in %v", took)
	}
	if c := j.all()[1]; c.WireSends != 2 {
		t.Errorf("sent %d times in %d attempts", c.WireSends, c.Attempts)
	}
}

// Calls with limits come and go, some of them given up, while others look at them: nothing
// is touched that belongs to another call, and every call ends.
func TestBandwidthWhileCallsComeAndGo(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/early" { // Net/http goes on with the request's body for a while.
			w.WriteHeader(503)
			return
		}
		sink(r)
		w.Write(make([]byte, 3000))
	})
	j := newJournal()
	base := s.Client().Transport.(*http.Transport).Clone()
	defer base.CloseIdleConnections()
	rt := &transport.Transport{Base: base, Recorder: j, Retry: quick, Bandwidth: []transport.Bandwidth{{Up: 1 << 20, Down: 1 << 20}, {Host: "127.0.0.1", Up: 800 << 10, Down: 800 << 10}}}
	const callers, each = 8, 20
	var group sync.WaitGroup
	for i := range callers {
		group.Go(func() {
			for k := range each {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+k*k)*time.Millisecond)
				path := "/late"
				if k%3 == 0 {
					path = "/early"
				}
				req, _ := http.NewRequestWithContext(ctx, http.MethodPut, s.URL+path, zeros(3000))
				req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(zeros(3000)), nil }
				if resp, err := rt.RoundTrip(req); err == nil {
					if i%2 == 0 {
						io.Copy(io.Discard, resp.Body)
					}
					resp.Body.Close()
				}
				cancel()
			}
		})
	}
	done := make(chan struct{})
	go func() { group.Wait(); close(done) }()
	for running := true; running; {
		for _, c := range j.running() {
			if !c.Running() || len(c.Waits) > 0 && len(c.AttemptList) == 0 {
				t.Errorf("pulled %+v", c)
			}
		}
		select {
		case <-done:
			running = false
		case <-time.After(time.Millisecond):
		}
	}
	for _, c := range j.all() {
		for _, w := range c.Waits {
			if w.Took <= 0 || w.Start < 0 || w.Start+w.Took > c.Took || w.Before < 1 || w.Before > c.Attempts+1 {
				t.Errorf("call of %v: %+v", c.Took, w)
			}
		}
	}
	if n := len(j.all()); n != callers*each || len(j.running()) != 0 {
		t.Errorf("%d recorded, %d running", n, len(j.running()))
	}
}
