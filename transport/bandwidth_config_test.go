package transport_test

import (
	"math"
	"net/http"
	"strings"
	"testing"

	"redial/transport"
)

// A limit that cannot be is refused with one line that names the field, before anything is
// sent.
func TestInvalidBandwidth(t *testing.T) {
	for _, c := range []struct {
		limit transport.Bandwidth
		want  string
	}{
		{transport.Bandwidth{}, "Bandwidth[1].Up is 0: set Up or Down"},
		{transport.Bandwidth{Host: "a.example.test"}, "Bandwidth[1].Up is 0"},
		{transport.Bandwidth{Up: -1}, "Bandwidth[1].Up is -1"},
		{transport.Bandwidth{Up: 1, Down: math.MinInt64}, "Bandwidth[1].Down is -9223372036854775808"},
		{transport.Bandwidth{Host: "*.example.test", Up: 1}, `Bandwidth[1].Host is "*.example.test": a limit is for one host`},
		{transport.Bandwidth{Host: "http://a.example.test", Up: 1}, `Bandwidth[1].Host is "http://a.example.test"`},
		{transport.Bandwidth{Host: "a.example.test:0", Up: 1}, `Bandwidth[1].Host is "a.example.test:0"`},
		{transport.Bandwidth{Host: ".", Down: 1}, `Bandwidth[1].Host is "."`},
	} {
		rt := &transport.Transport{
			Bandwidth: []transport.Bandwidth{{Up: 1}, c.limit},
			Base: baseFunc(func(*http.Request) (*http.Response, error) {
				t.Errorf("%s: something was sent", c.want)
				return nil, errLost
			}),
		}
		err := rt.Validate()
		if err == nil || !strings.HasPrefix(err.Error(), "redial: "+c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want one line that begins with %q", err, c.want)
		}
		bs := &bodies{text: payload}
		if _, sent := rt.RoundTrip(bs.request(t, http.MethodPost, api, true)); sent == nil || sent.Error() != err.Error() {
			t.Errorf("RoundTrip says %q, Validate %q", sent, err)
		}
		bs.closedOnce(t)
	}
}
