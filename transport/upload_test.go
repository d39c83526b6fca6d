package transport_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"redial/ledger"
	"redial/transport"
)

// A body that cannot be read, or is not as long as announced, is no better next time.
func TestBodyThatFailsIsNotSentAgain(t *testing.T) {
	gone := errors.New("disk gone")
	for _, c := range []struct {
		name   string
		body   io.Reader
		length int64
		want   error
		words  string
	}{
		{"the reader fails", io.MultiReader(strings.NewReader("half"), failingReader{gone}), 10, gone, "disk gone"},
		{"the reader fails at once", failingReader{gone}, 10, gone, "disk gone"},
		{"shorter than announced", strings.NewReader("short"), 10, nil, "redial: the request's ContentLength is 10, but its body had 5 bytes: "},
		{"longer than announced", strings.NewReader("much longer than announced"), 10, nil, "redial: the request's ContentLength is 10, but its body is longer: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, r *http.Request) {
				sink(r)
				<-r.Context().Done() // never answers, so that it is the client that fails
			})
			j := newJournal()
			rt := &transport.Transport{Base: s.Client().Transport, Recorder: j, Retry: quick}
			req, _ := http.NewRequest(http.MethodPut, s.URL, io.NopCloser(c.body))
			req.ContentLength = c.length
			req.GetBody = func() (io.ReadCloser, error) {
				t.Error("GetBody was called")
				return nil, gone
			}
			_, err := rt.RoundTrip(req)
			if err == nil || c.want != nil && !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.words) {
				t.Errorf("error %v, want %v, %q", err, c.want, c.words)
			}
			call := j.only(t)
			if !slices.Equal(decisions(call), []ledger.Decision{ledger.BodyFailed}) || call.Outcome != ledger.Unknown {
				t.Errorf("decisions %v, outcome %v", decisions(call), call.Outcome)
			}
		})
	}
}

type failingReader struct{ err error }

func (r failingReader) Read([]byte) (int, error) { return 0, r.err }

// A server that answers before it has read the body leaves the base transport reading
// while the next attempt begins: each has a reader of its own (go-retryablehttp#94).
func TestRetryWhileTheOldBodyIsStillBeingSent(t *testing.T) {
	var n atomic.Int32
	big := bytes.Repeat([]byte("0123456789abcdef"), 1<<18) // 4 MiB, more than sockets hold
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) == 1 {
			w.WriteHeader(503)
			return
		}
		b, _ := io.ReadAll(r.Body)
		if !bytes.Equal(b, big) {
			w.WriteHeader(400)
		}
	}))
	defer s.Close()
	j := newJournal()
	rt := &transport.Transport{Base: s.Client().Transport, Recorder: j, Retry: quick}
	bs := &bodies{text: string(big)}
	if status, _, err := finish(rt.RoundTrip(bs.request(t, http.MethodPut, s.URL, true))); status != 200 || err != nil {
		t.Errorf("%d %v", status, err)
	}
	bs.closedOnce(t)
	if a := j.only(t).AttemptList[1]; a.BytesSent != int64(len(big)) || a.Request.Body.Size != int64(len(big)) {
		t.Errorf("recorded %d and %d bytes, want %d", a.BytesSent, a.Request.Body.Size, len(big))
	}
}

// A server that refuses before it asked for the body gets it whole when it is asked again
// (golang/go#16002, #67555).
func TestExpectContinueIsRewound(t *testing.T) {
	var n atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if n.Add(1) == 1 {
			w.WriteHeader(503) // a final status instead of 100 Continue
			return
		}
		io.WriteString(w, sink(r))
	})
	rt := &transport.Transport{Base: s.Client().Transport, Retry: quick}
	bs := &bodies{text: payload}
	req := keyed(bs.request(t, http.MethodPost, s.URL, true))
	req.Header.Set("Expect", "100-continue")
	if status, body, err := finish(rt.RoundTrip(req)); status != 200 || body != payload || err != nil {
		t.Errorf("%d %q %v", status, body, err)
	}
	bs.closedOnce(t)
}
