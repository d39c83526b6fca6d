package transport_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptrace"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// scene is a call that leaves something behind in its memory, or would show what another
// has left.
type scene struct {
	name string
	ctx  func(context.Context) context.Context
	make func(r *http.Request)
	base func(r *http.Request) (*http.Response, error)
}

func fireAll(r *http.Request) {
	h := httptrace.ContextClientTrace(r.Context())
	h.GetConn("x")
	h.GotConn(httptrace.GotConnInfo{Conn: connTo("192.0.2.1:443"), Reused: true, WasIdle: true})
	h.WroteRequest(httptrace.WroteRequestInfo{})
	h.GotFirstResponseByte()
}

func scenes() []scene {
	n := 0
	return []scene{
		{name: "retried, with everything", make: func(r *http.Request) {
			r.Method, r.URL.RawQuery = http.MethodPut, "q=1"
			r.Body, r.ContentLength = io.NopCloser(strings.NewReader(payload)), 9
			r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(payload)), nil }
			r.Header.Set("Idempotency-Key", "k")
		}, base: func(r *http.Request) (*http.Response, error) {
			sink(r)
			fireAll(r)
			if n++; n%2 == 1 {
				return answer(r, 503, "busy", "Retry-After", "2"), nil
			}
			return answer(r, 200, "the body", "B", "2"), nil
		}},
		{name: "nothing at all", base: func(r *http.Request) (*http.Response, error) { return answer(r, 204, ""), nil }},
		{name: "quiet", base: func(r *http.Request) (*http.Response, error) { fireAll(r); return answer(r, 204, ""), nil }},
		{name: "error", base: func(r *http.Request) (*http.Response, error) { return nil, errLost }},
		{name: "not sent", base: func(r *http.Request) (*http.Response, error) {
			httptrace.ContextClientTrace(r.Context()).GetConn("x")
			return nil, errLost
		}},
		{name: "cancelled", ctx: cancelled, base: func(r *http.Request) (*http.Response, error) { return nil, errLost }},
		{name: "no URL", make: func(r *http.Request) { r.URL = nil }},
		{name: "other scheme", make: func(r *http.Request) { r.URL.Scheme = "mem" }, base: func(r *http.Request) (*http.Response, error) {
			return answer(r, 503, ""), nil
		}},
	}
}

// A call is recorded the same whether its memory is fresh or served any other call before.
func TestUsedMemoryShowsNothingOfItsPast(t *testing.T) {
	for i, first := range scenes() {
		for k := range scenes() {
			synctest.Test(t, func(t *testing.T) {
				second := scenes()[k]
				fresh := play(t, scenes()[k])
				used := play(t, scenes()[i], second)
				used.ID = fresh.ID
				if !reflect.DeepEqual(fresh, used) {
					t.Errorf("%q after %q:\n%+v\nwant as it is alone:\n%+v", second.name, first.name, used, fresh)
				}
			})
		}
	}
}

// play plays scenes on one transport and returns the record of the last.
func play(t *testing.T, scenes ...scene) ledger.Call {
	j := newJournal()
	var base func(r *http.Request) (*http.Response, error)
	rt := &transport.Transport{
		Recorder: j, Retry: plain(transport.SafeRetry),
		Base: baseFunc(func(r *http.Request) (*http.Response, error) { return base(r) }),
	}
	for _, s := range scenes {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, api, nil)
		if s.make != nil {
			s.make(req)
		}
		if s.ctx != nil {
			req = req.WithContext(s.ctx(req.Context()))
		}
		base = s.base
		finish(rt.RoundTrip(req))
	}
	last := j.all()[len(scenes)-1]
	last.Started = time.Time{}
	return last
}
