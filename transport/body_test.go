package transport_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

const api = "http://api.example.test/orders"

// The same bytes and the same length at each attempt, also with a timeout for each
// (bdd/runitor#181, PuerkitoBio/rehttp#14, sethgrid/pester#45).
func TestEachAttemptSendsTheWholeBody(t *testing.T) {
	for _, timeout := range []time.Duration{0, time.Minute} {
		var mu sync.Mutex
		var got []string
		var lengths []int64
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, sink(r))
			lengths = append(lengths, r.ContentLength)
			if len(got) == 1 {
				w.WriteHeader(500)
			}
		}))
		retry := quick
		retry.Statuses = []int{500}
		retry.AttemptTimeout = timeout
		rt := &transport.Transport{Base: s.Client().Transport, Retry: retry}
		req, _ := http.NewRequest(http.MethodPost, s.URL, strings.NewReader(payload))
		status, _, err := finish(rt.RoundTrip(keyed(req)))
		mu.Lock()
		if status != 200 || err != nil || !slices.Equal(got, []string{payload, payload}) || !slices.Equal(lengths, []int64{9, 9}) {
			t.Errorf("timeout %v: %d %v, server got %q of lengths %v", timeout, status, err, got, lengths)
		}
		mu.Unlock()
		s.Close()
	}
}

// closeCase is one way for a call to end.
type closeCase struct {
	name   string
	base   func(n int, r *http.Request) (*http.Response, error)
	change func(*transport.Transport)
	ctx    func(context.Context) context.Context
	bodies int // how many the transport takes
}

// cancelled, soon and inAWhile are contexts that end.
func cancelled(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx
}

func soon(ctx context.Context) context.Context {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	context.AfterFunc(ctx, cancel)
	return ctx
}

func inAWhile(ctx context.Context) context.Context {
	ctx, cancel := context.WithCancel(ctx)
	time.AfterFunc(time.Second, cancel)
	return ctx
}

// read answers with a status, after it has read and closed the body.
func read(status int, header ...string) func(int, *http.Request) (*http.Response, error) {
	return func(_ int, r *http.Request) (*http.Response, error) {
		sink(r)
		return answer(r, status, "x", header...), nil
	}
}

// lose fails after it has read and closed the body.
func lose(_ int, r *http.Request) (*http.Response, error) {
	sink(r)
	return nil, errLost
}

// closeCases are the ways for a call to end.
func closeCases() []closeCase {
	return append(carelessBases(), []closeCase{
		{name: "answered", base: read(200), bodies: 1},
		{name: "attempts used up", base: read(503), bodies: 3},
		{name: "errors to the end", base: lose, bodies: 3},
		{name: "cancelled before", base: lose, ctx: cancelled, bodies: 1},
		{name: "cancelled in a wait", base: read(503, "Retry-After", "5"), ctx: inAWhile, bodies: 2},
		{name: "deadline too soon", base: read(503, "Retry-After", "5"), ctx: soon, bodies: 1},
		{name: "Retry-After too long", base: read(503, "Retry-After", "3600"), bodies: 1},
		{name: "cancelled in a window", base: read(503), ctx: inAWhile, bodies: 2, change: func(rt *transport.Transport) {
			rt.Windows = []transport.Window{{Host: "api.example.test", Limit: 1, Per: time.Hour}}
		}},
		{name: "invalid transport", base: lose, bodies: 1, change: func(rt *transport.Transport) {
			rt.Windows = []transport.Window{{Host: "api.example.test"}}
		}},
	}...)
}

// carelessBases do not treat the body as they should.
func carelessBases() []closeCase {
	return []closeCase{
		{name: "base leaves the body alone", base: func(_ int, r *http.Request) (*http.Response, error) {
			return answer(r, 200, "x"), nil
		}, bodies: 1},
		{name: "base fails and leaves the body alone", base: func(int, *http.Request) (*http.Response, error) {
			return nil, errLost
		}, bodies: 3},
		{name: "base answers in the middle of the body", base: func(n int, r *http.Request) (*http.Response, error) {
			if n == 3 {
				sink(r)
				return answer(r, 200, ""), nil
			}
			r.Body.Read(make([]byte, 3))
			return answer(r, 503, ""), nil
		}, bodies: 3},
		{name: "base closes it thrice", base: func(_ int, r *http.Request) (*http.Response, error) {
			sink(r)
			r.Body.Close()
			r.Body.Close()
			return answer(r, 503, ""), nil
		}, bodies: 3},
		{name: "no answer at all", base: func(_ int, r *http.Request) (*http.Response, error) {
			sink(r)
			return nil, nil
		}, bodies: 1},
	}
}

func TestEveryBodyIsClosedExactlyOnce(t *testing.T) {
	for _, c := range closeCases() {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := 0
				rt := &transport.Transport{Retry: quick, Recorder: newJournal()}
				rt.Base = baseFunc(func(r *http.Request) (*http.Response, error) {
					n++
					return c.base(n, r)
				})
				if c.change != nil {
					c.change(rt)
				}
				bs := &bodies{text: payload}
				req := bs.request(t, http.MethodPut, api, true)
				if c.ctx != nil {
					req = req.WithContext(c.ctx(req.Context()))
				}
				finish(rt.RoundTrip(req))
				synctest.Wait()
				if len(bs.made) != c.bodies {
					t.Errorf("%d bodies were taken, want %d", len(bs.made), c.bodies)
				}
				bs.closedOnce(t)
			})
		})
	}
}

// (hashicorp/go-retryablehttp#121, #207: a wrapper dropped GetBody.)
func TestCallersRequestIsUntouched(t *testing.T) {
	v := newVendor(t)
	rt := &transport.Transport{Base: v.Client().Transport, Recorder: newJournal(), Retry: quick}
	bs := &bodies{text: payload}
	req := keyed(bs.request(t, http.MethodPost, v.URL+"/503/untouched", true))
	body, header, ctx := req.Body, req.Header.Clone(), req.Context()
	resp, err := rt.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.Request != req {
		t.Error("resp.Request is not the caller's request")
	}
	if req.Body != body || req.GetBody == nil || req.Context() != ctx || req.ContentLength != 9 || len(req.Header) != len(header) {
		t.Errorf("the request was changed: %+v", req)
	}
}

// GetBody fails while the last response is open: that response is returned, with the
// reason on record. Without one, the error of the attempt is joined with GetBody's
// (alexfalkowski/go-service#2566).
func TestGetBodyFails(t *testing.T) {
	lost, gone := errors.New("lost"), errors.New("disk gone")
	for _, nothing := range []bool{false, true} {
		for _, answered := range []bool{true, false} {
			j := newJournal()
			rt := &transport.Transport{Recorder: j, Retry: quick, Base: baseFunc(func(r *http.Request) (*http.Response, error) {
				sink(r)
				if answered {
					return answer(r, 503, "busy"), nil
				}
				return nil, lost
			})}
			bs := &bodies{text: payload}
			req := bs.request(t, http.MethodPut, api, true)
			req.GetBody = func() (io.ReadCloser, error) {
				if nothing {
					return nil, nil
				}
				return nil, gone
			}
			status, body, err := finish(rt.RoundTrip(req))
			if answered && (status != 503 || body != "busy" || err != nil) {
				t.Errorf("got %d %q %v, want the 503 whole", status, body, err)
			}
			if !answered && (!errors.Is(err, lost) || errors.Is(err, gone) == nothing) {
				t.Errorf("got %v, want both errors", err)
			}
			call := j.only(t)
			if !slices.Equal(decisions(call), []ledger.Decision{ledger.GetBodyFailed}) {
				t.Errorf("decisions %v", decisions(call))
			}
			if on := call.AttemptList[0].Err + call.Error; !strings.Contains(on, "make the request body again: ") || strings.Contains(on, gone.Error()) == nothing {
				t.Errorf("the record says %q of GetBody", on)
			}
			if answered && call.Error != "" {
				t.Errorf("the call has the error %q, and RoundTrip returned none", call.Error)
			}
			bs.closedOnce(t)
		}
	}
}

// (imroc/req#228.)
func TestNoBodyNeedsNoGetBody(t *testing.T) {
	for _, body := range []io.ReadCloser{nil, http.NoBody} {
		n := 0
		rt := &transport.Transport{Retry: quick, Base: baseFunc(func(r *http.Request) (*http.Response, error) {
			n++
			if r.Body != body {
				t.Errorf("body is %v, want %v as it was", r.Body, body)
			}
			return answer(r, 503, ""), nil
		})}
		req, _ := http.NewRequest(http.MethodGet, api, nil)
		req.Body = body
		finish(rt.RoundTrip(req))
		if n != 3 {
			t.Errorf("%d attempts, want 3", n)
		}
	}
}

// A Base that breaks its contract is an error, not a panic (failsafe-go#58).
func TestBrokenBase(t *testing.T) {
	for _, retry := range []transport.Retry{{}, quick} {
		n := 0
		rt := &transport.Transport{Retry: retry, Base: baseFunc(func(*http.Request) (*http.Response, error) {
			n++
			return nil, nil
		})}
		if _, _, err := get(t, rt, api); err == nil || n != 1 {
			t.Errorf("error %v after %d attempts, want one of each", err, n)
		}
		rt = &transport.Transport{Retry: retry, Base: baseFunc(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 204, Request: r}, nil
		})}
		req, _ := http.NewRequest(http.MethodGet, api, nil)
		if resp, err := rt.RoundTrip(req); err != nil || resp.Body != http.NoBody {
			t.Errorf("a nil body became %v, %v; want http.NoBody", resp, err)
		}
	}
}

// A response beside an error is ignored, but not leaked.
func TestResponseBesideErrorIsClosed(t *testing.T) {
	body := &countedBody{Reader: strings.NewReader("x")}
	rt := &transport.Transport{Recorder: newJournal(), Base: baseFunc(func(r *http.Request) (*http.Response, error) {
		resp := answer(r, 302, "")
		resp.Body = body
		return resp, errors.New("lost")
	})}
	if resp, err := rt.RoundTrip(keyed(httptest.NewRequest(http.MethodGet, api, nil))); resp != nil || err == nil {
		t.Errorf("got %v, %v", resp, err)
	}
	if n := body.closes.Load(); n != 1 {
		t.Errorf("closed %d times", n)
	}
}

// A base transport that panics takes its call along: the panic goes on, the call is on
// record, and its body closed.
func TestPanicInBase(t *testing.T) {
	j := newJournal()
	rt := &transport.Transport{Recorder: j, Base: baseFunc(func(r *http.Request) (*http.Response, error) {
		panic(http.ErrAbortHandler)
	})}
	bs := &bodies{text: payload}
	func() {
		defer func() {
			if p := recover(); p != http.ErrAbortHandler {
				t.Errorf("recovered %v", p)
			}
		}()
		rt.RoundTrip(bs.request(t, http.MethodPost, api, true))
	}()
	if call := j.only(t); call.Error == "" || call.Outcome != ledger.Unknown || len(j.running()) != 0 {
		t.Errorf("recorded %+v, running %v", call, j.running())
	}
	bs.closedOnce(t)
}

// The record says who panicked.
func TestPanicsAreAttributed(t *testing.T) {
	getBody := func(r *http.Request) { r.GetBody = func() (io.ReadCloser, error) { panic("boom") } }
	for _, c := range []struct {
		name  string
		base  http.RoundTripper
		spoil func(*http.Request)
		want  string
	}{
		{"base", baseFunc(func(*http.Request) (*http.Response, error) { panic("boom") }), func(*http.Request) {}, "the base transport panicked"},
		{"GetBody before a retry", newScript(status(503)), getBody, "the request's GetBody panicked"},
		{"GetBody in a replay of the base", replaying(false, nil), getBody, "the request's GetBody panicked"},
		{"the body", baseFunc(func(r *http.Request) (*http.Response, error) { return answer(r, 503, ""), nil }), func(r *http.Request) { r.Body = panicBody{r.Body} }, "ended in a panic"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJournal()
			rt := &transport.Transport{Base: c.base, Recorder: j, Retry: quick}
			bs := &bodies{text: payload}
			r := bs.request(t, http.MethodPut, api, true)
			c.spoil(r)
			func() {
				defer func() {
					if p := recover(); p != "boom" {
						t.Errorf("recovered %v", p)
					}
				}()
				rt.RoundTrip(r)
			}()
			if call := j.only(t); !strings.Contains(call.Error, c.want) || len(j.running()) != 0 {
				t.Errorf("recorded %q, want %q", call.Error, c.want)
			}
			bs.closedOnce(t)
		})
	}
}

// panicBody closes the body beneath it, and panics.
type panicBody struct{ io.ReadCloser }

func (b panicBody) Close() error {
	b.ReadCloser.Close()
	panic("boom")
}
