package transport

import (
	"net/http"
	"testing"
	"time"
)

// A call that ends between being found and being copied is left out, also when its memory
// already serves another.
func TestEndedCallsAreNotCopied(t *testing.T) {
	rt := &Transport{Recorder: &last{}, Base: roundTripper(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Body: http.NoBody}, nil
	})}
	e := rt.prepare()
	req, _ := http.NewRequest(http.MethodGet, "http://api.example.test", nil)
	c := e.begin(rt.Base, req)
	c.beginAttempt(1)
	found := e.running.before(time.Now().Add(time.Hour))
	if len(found) != 1 || len(found[0].appendTo(nil)) != 1 {
		t.Fatalf("found %v", found)
	}
	if _, err := c.run(); err != nil {
		t.Fatal(err)
	}
	if got := found[0].appendTo(nil); len(got) != 0 {
		t.Errorf("copied %+v", got)
	}
	rt.RoundTrip(req)
	if got := found[0].appendTo(nil); len(got) != 0 {
		t.Errorf("copied %+v", got)
	}
}
