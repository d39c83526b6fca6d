package transport_test

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redial/transport"
)

// flow remembers when bytes came by, and how many.
type flow struct {
	start time.Time

	mu    sync.Mutex
	total int64
	at    []time.Duration
	sizes []int
}

func newFlow() *flow { return &flow{start: time.Now()} }

// Write notes that bytes came by.
func (f *flow) Write(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.total += int64(len(p))
	f.at, f.sizes = append(f.at, time.Since(f.start)), append(f.sizes, len(p))
	return len(p), nil
}

// worst returns the most bytes that came by within one second.
func (f *flow) worst() (most int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	sum, from := int64(0), 0
	for i, at := range f.at {
		sum += int64(f.sizes[i])
		for at-f.at[from] >= time.Second {
			sum -= int64(f.sizes[from])
			from++
		}
		most = max(most, sum)
	}
	return most
}

// seen returns how many bytes have come by.
func (f *flow) seen() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.total
}

// restart forgets what came by.
func (f *flow) restart() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.start, f.total, f.at, f.sizes = time.Now(), 0, nil, nil
}

// took returns when the last bytes came by.
func (f *flow) took() time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.at[len(f.at)-1]
}

// check reports bytes that are missing, a second with too many, and a whole that took much
// longer or shorter than it should.
func (f *flow) check(t *testing.T, rate, total int64) {
	t.Helper()
	if n := f.seen(); n != total {
		t.Errorf("%d bytes, want %d", n, total)
	}
	if w := f.worst(); float64(w) > 1.25*float64(rate) {
		t.Errorf("%d bytes within a second at %d a second", w, rate)
	}
	atOnce := max(rate/20, 1)
	want := time.Duration(float64(total-atOnce) / float64(rate) * float64(time.Second))
	if took := f.took(); took < want-want/50 || took > want+want/50 {
		t.Errorf("%d bytes at %d a second took %v, want %v", total, rate, took, want)
	}
}

// slurp reads r with large buffers and notes what comes by.
func slurp(f *flow, r io.Reader) error {
	_, err := io.CopyBuffer(f, struct{ io.Reader }{r}, make([]byte, 256<<10))
	return err
}

// zeros is a body of n bytes that net/http does not know to be in memory.
func zeros(n int64) io.Reader { return io.LimitReader(zero{}, n) }

type zero struct{}

func (zero) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// A body takes as long as its length at the rate, however large the buffers are that it is
// read with, and no second sees much more than the rate (golang/go#16854, dumpling#275,
// wal-g#708, torrent#202, filebrowser#2648, harbor-satellite#388, clickhouse-backup#1377).
func TestBandwidthHoldsTheRate(t *testing.T) {
	for _, c := range []struct{ rate, total int64 }{
		{64 << 10, 1 << 20}, {1, 9}, {3, 40}, {19, 100}, {20, 100}, {1000, 5000}, {1 << 20, 10 << 20}, {10 << 20, 30 << 20},
	} {
		t.Run(fmt.Sprintf("up at %d", c.rate), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := newFlow()
				base := pipe(t, func(w http.ResponseWriter, r *http.Request) { slurp(f, r.Body) })
				rt := &transport.Transport{Base: base, Bandwidth: []transport.Bandwidth{{Up: c.rate}}}
				req, _ := http.NewRequest(http.MethodPut, api, zeros(c.total))
				req.ContentLength = c.total
				if _, _, err := finish(rt.RoundTrip(req)); err != nil {
					t.Fatal(err)
				}
				f.check(t, c.rate, c.total)
			})
		})
		t.Run(fmt.Sprintf("down at %d", c.rate), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				base := pipe(t, func(w http.ResponseWriter, r *http.Request) { io.Copy(w, zeros(c.total)) })
				rt := &transport.Transport{Base: base, Bandwidth: []transport.Bandwidth{{Host: "api.example.test", Down: c.rate}}}
				f := newFlow()
				download(t, rt, api, f)
				f.check(t, c.rate, c.total)
			})
		})
	}
}

// download reads the response to a GET into f.
func download(t *testing.T, rt http.RoundTripper, url string, f *flow) {
	req, _ := http.NewRequest(http.MethodGet, url, nil)
	resp, err := rt.RoundTrip(req)
	if err != nil {
		t.Error(err)
		return
	}
	defer resp.Body.Close()
	if err := slurp(f, resp.Body); err != nil {
		t.Error(err)
	}
}

// The highest rates are no limit that anybody notices, and no number overflows.
func TestBandwidthWithoutPause(t *testing.T) {
	for _, rate := range []int64{1 << 40, math.MaxInt64} {
		synctest.Test(t, func(t *testing.T) {
			base := pipe(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, sink(r)) })
			rt := &transport.Transport{Base: base, Bandwidth: []transport.Bandwidth{{Up: rate, Down: rate}}}
			start := time.Now()
			req, _ := http.NewRequest(http.MethodPut, api, zeros(8<<20))
			_, body, err := finish(rt.RoundTrip(req))
			if len(body) != 8<<20 || err != nil || time.Since(start) > 10*time.Millisecond {
				t.Errorf("rate %d: %d bytes in %v, %v", rate, len(body), time.Since(start), err)
			}
		})
	}
}

// Bodies that are under way at the same time share one limit (clickhouse-backup#934), and
// each of them gets on.
func TestBandwidthIsShared(t *testing.T) {
	const rate, total, bodies = 100_000, 50_000, 20
	for _, up := range []bool{true, false} {
		t.Run(fmt.Sprintf("up %v", up), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				all := newFlow()
				base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
					if up {
						slurp(all, r.Body)
						return
					}
					io.Copy(w, zeros(total))
				})
				rt := &transport.Transport{Base: base, Bandwidth: []transport.Bandwidth{{Up: rate, Down: rate}}}
				var group sync.WaitGroup
				for i := range bodies {
					group.Go(func() {
						url := fmt.Sprintf("http://host-%d.example.test", i)
						if !up {
							download(t, rt, url, all)
							return
						}
						req, _ := http.NewRequest(http.MethodPost, url, zeros(total))
						if _, _, err := finish(rt.RoundTrip(req)); err != nil {
							t.Error(err)
						}
					})
				}
				elapse(time.Second)
				if seen := all.seen(); seen < rate/2 || seen > rate*5/4 {
					t.Errorf("%d bytes in the first second", seen)
				}
				group.Wait()
				all.check(t, rate, total*bodies)
			})
		})
	}
}

// A limit for a host and one for all hold together: neither is exceeded by bytes that were
// allowed by one and then held up by the other, and the wide one is used in full.
func TestBandwidthsHoldTogether(t *testing.T) {
	const wide, narrow = 100_000, 2000
	synctest.Test(t, func(t *testing.T) {
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) { io.Copy(w, zeros(int64(1)<<30)) })
		rt := &transport.Transport{Base: base, Bandwidth: []transport.Bandwidth{
			{Down: wide}, {Host: "Narrow.example.test", Down: narrow}, {Host: "narrow.example.test:81", Down: narrow / 2},
		}}
		all, slow, slowest := newFlow(), newFlow(), newFlow()
		ctx := t.Context()
		var group sync.WaitGroup
		read := func(url string, into ...io.Writer) {
			group.Go(func() {
				req, _ := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
				resp, err := rt.RoundTrip(req)
				if err != nil {
					t.Error(err)
					return
				}
				defer resp.Body.Close()
				time.AfterFunc(20*time.Second, func() { resp.Body.Close() })
				io.CopyBuffer(io.MultiWriter(into...), struct{ io.Reader }{resp.Body}, make([]byte, 64<<10))
			})
		}
		for range 30 {
			read("http://wide.example.test", all)
		}
		for range 10 {
			read("http://narrow.example.test", all, slow)
			read("http://narrow.example.test:81", all, slow, slowest)
		}
		group.Wait()
		for _, f := range []struct {
			*flow
			rate int64
		}{{all, wide}, {slow, narrow}, {slowest, narrow / 2}} {
			if w := f.worst(); float64(w) > 1.25*float64(f.rate) {
				t.Errorf("%d bytes within a second at %d a second", w, f.rate)
			}
		}
		if all.total < 19*wide || slow.total < 15*narrow || slowest.total == 0 {
			t.Errorf("%d, %d and %d bytes in 20 s", all.total, slow.total, slowest.total)
		}
	})
}

// Time in which nothing is sent is not saved up.
func TestBandwidthAfterIdleTime(t *testing.T) {
	const rate = 10_000
	synctest.Test(t, func(t *testing.T) {
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) { io.Copy(w, zeros(3*rate)) })
		rt := &transport.Transport{Base: base, Bandwidth: []transport.Bandwidth{{Down: rate}}}
		for range 3 {
			f := newFlow()
			download(t, rt, api, f)
			f.check(t, rate, 3*rate)
			elapse(time.Hour)
		}
	})
}

// A body that trickles in is not slowed down beyond its own pace: only what was read counts.
func TestBandwidthDoesNotSlowATrickle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
			for range 100 {
				elapse(100 * time.Millisecond)
				io.WriteString(w, "x")
				w.(http.Flusher).Flush()
			}
		})
		j := newJournal()
		rt := &transport.Transport{Base: base, Recorder: j, Bandwidth: []transport.Bandwidth{{Down: 100}}}
		f := newFlow()
		download(t, rt, api, f)
		if f.total != 100 || f.took() > 10*time.Second || f.worst() > 11 {
			t.Errorf("%d bytes until %v", f.total, f.took())
		}
		if call := j.only(t); call.Waits != nil {
			t.Errorf("waited %+v", call.Waits)
		}
	})
}

// Nothing goes around the limit: not the body of another type that the caller or net/http
// would rather have written to or read from, not a body in memory, and not one that
// GetBody gave (rclone#1443).
func TestBandwidthCannotBeBypassed(t *testing.T) {
	const rate, total = 10_000, 40_000
	data := bytes.Repeat([]byte("x"), total)
	for name, body := range map[string]func() io.Reader{
		"bytes.Reader":   func() io.Reader { return bytes.NewReader(data) },
		"bytes.Buffer":   func() io.Reader { return bytes.NewBuffer(data) },
		"strings.Reader": func() io.Reader { return strings.NewReader(string(data)) },
		"chunked":        func() io.Reader { return zeros(total) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n, f := 0, newFlow()
				base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
					if n++; n == 1 {
						sink(r)
						w.WriteHeader(503)
						return
					}
					f.restart()
					slurp(f, r.Body)
				})
				rt := &transport.Transport{Base: base, Retry: quick, Bandwidth: []transport.Bandwidth{{Up: rate}}}
				req, _ := http.NewRequest(http.MethodPut, api, body())
				req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(body()), nil }
				if code, _, err := finish(rt.RoundTrip(req)); code != 200 || err != nil {
					t.Fatal(code, err)
				}
				f.check(t, rate, total)
			})
		})
	}
	t.Run("response", func(t *testing.T) {
		base := baseFunc(func(r *http.Request) (*http.Response, error) {
			resp := answer(r, 200, "")
			resp.Body = io.NopCloser(bytes.NewReader(data)) // It has a WriteTo.
			return resp, nil
		})
		synctest.Test(t, func(t *testing.T) {
			rt := &transport.Transport{Base: base, Bandwidth: []transport.Bandwidth{{Down: rate}}}
			req, _ := http.NewRequest(http.MethodGet, api, nil)
			resp, err := rt.RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			f := newFlow()
			if n, err := io.Copy(f, resp.Body); n != total || err != nil {
				t.Errorf("%d bytes, %v", n, err)
			}
			f.check(t, rate, total)
		})
	})
}

// A limited body is streamed: what the caller has written arrives while he writes on.
func TestBandwidthDoesNotBuffer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		got := newFlow()
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) { slurp(got, r.Body) })
		rt := &transport.Transport{Base: base, Bandwidth: []transport.Bandwidth{{Up: 1000}}}
		r, w := io.Pipe()
		req, _ := http.NewRequest(http.MethodPut, api, r)
		done := make(chan struct{})
		go func() {
			defer close(done)
			finish(rt.RoundTrip(req))
		}()
		for sent := int64(0); sent < 500; sent += 100 {
			w.Write(make([]byte, 100))
			elapse(time.Second)
			if n := got.seen(); n != sent+100 {
				t.Errorf("%d of %d bytes have arrived", n, sent+100)
			}
		}
		w.Close()
		<-done
	})
}
