package transport

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// The memory that waits for the next call holds on to no body, and does not grow with the
// longest call there ever was.
func TestWaitingMemoryIsSmall(t *testing.T) {
	for _, attempts := range []int{3, 100} {
		rt := &Transport{
			Recorder: &last{}, Retry: Retry{Attempts: attempts, Base: 1, Max: 1},
			Base: roundTripper(func(r *http.Request) (*http.Response, error) {
				return &http.Response{StatusCode: 503, Body: io.NopCloser(strings.NewReader("busy"))}, nil
			}),
		}
		e := rt.prepare()
		req, _ := http.NewRequest(http.MethodGet, "http://api.example.test", nil)
		c := e.begin(rt.Base, req)
		c.bodyLimit = 1000
		resp, err := c.run()
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if n := cap(c.rec.AttemptList); n > maxKept || cap(c.rec.Waits) > maxKept || attempts == 3 && n < 3 {
			t.Errorf("after %d attempts there is memory for %d, and for %d waits", attempts, n, cap(c.rec.Waits))
		}
		for i, a := range c.rec.AttemptList[:cap(c.rec.AttemptList)] {
			if a.Response.Body.Data != nil {
				t.Errorf("attempt %d of %d: %d bytes of a body are kept", i+1, attempts, len(a.Response.Body.Data))
			}
		}
		if c.req != nil || c.ctx != nil || c.cur.ctx != nil || c.upload != nil || c.cur.down != nil {
			t.Error("the call holds on to its request")
		}
	}
}
