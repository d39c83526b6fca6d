package transport_test

import (
	"context"
	"math"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redial/transport"
)

// nonsense makes configurations of whatever its fields can hold.
type nonsense struct{ *rand.Rand }

func (n nonsense) duration() time.Duration {
	return []time.Duration{0, 1, -1, time.Millisecond, time.Hour, math.MaxInt64, math.MinInt64, time.Duration(n.Int64())}[n.IntN(8)]
}

func (n nonsense) int() int {
	return []int{0, 1, 2, -1, 1000, math.MaxInt32, math.MaxInt64, math.MinInt64}[n.IntN(8)]
}

func (n nonsense) float() float64 {
	return []float64{0, 1, 2, -1, math.NaN(), math.Inf(1), math.MaxFloat64, math.SmallestNonzeroFloat64}[n.IntN(8)]
}

func (n nonsense) text() string {
	return []string{"", "api.example.test", "API.example.test:80", "*.example.test", "/", "/orders/{id}", "/{", "\x00", "[::1]:x", "GET", "a b"}[n.IntN(11)]
}

// little returns v, or more often its zero value, so that configurations are not all invalid.
func little[T any](n nonsense, v T) (zero T) {
	if n.IntN(6) == 0 {
		return v
	}
	return zero
}

func (n nonsense) retry() transport.Retry {
	return transport.Retry{
		Attempts: little(n, n.int()), Base: little(n, n.duration()), Max: little(n, n.duration()), Multiplier: little(n, n.float()),
		Jitter: transport.Jitter(little(n, n.IntN(256))), AttemptTimeout: little(n, n.duration()), Limit: little(n, n.duration()),
		MaxRetryAfter: little(n, n.duration()), Statuses: little(n, []int{503, n.int()}), KeyHeader: little(n, n.text()),
		Repeat: transport.Repeat(little(n, n.IntN(256))),
	}
}

func (n nonsense) budget() transport.Budget {
	return transport.Budget{Burst: little(n, n.int()), Ratio: little(n, n.float()), PerSecond: little(n, n.float()), Off: n.IntN(2) == 0}
}

func (n nonsense) transport(base http.RoundTripper) *transport.Transport {
	t := &transport.Transport{Base: base, Recorder: newJournal(), Retry: n.retry(), Budget: n.budget()}
	if t.Retry.Attempts > 5 {
		t.Retry.Attempts = 5 // Each of them would have its turn.
	}
	for range n.IntN(3) {
		t.Routes = append(t.Routes, transport.Route{Host: little(n, n.text()), Path: little(n, n.text()), Methods: little(n, []string{n.text()}), Retry: transport.Retry{Attempts: 2}, Budget: n.budget()})
		t.Windows = append(t.Windows, transport.Window{
			Host: little(n, n.text()), Path: little(n, n.text()), Limit: max(n.int(), n.IntN(3)), Per: max(n.duration(), time.Duration(n.IntN(3))),
			Burst: little(n, n.int()), Kind: transport.WindowKind(n.IntN(4)),
		})
		t.Bandwidth = append(t.Bandwidth, transport.Bandwidth{Host: little(n, n.text()), Up: int64(max(n.int(), n.IntN(3))), Down: int64(max(n.int(), n.IntN(3)))})
	}
	return t
}

// Whatever its fields hold, a transport either says in one line which of them cannot be, and
// sends nothing, or works: every call ends, with an answer or by its deadline.
func TestNoConfigurationIsFatal(t *testing.T) {
	valid := 0
	for seed := range uint64(3000) {
		synctest.Test(t, func(t *testing.T) {
			n := nonsense{rand.New(rand.NewPCG(seed, 1))}
			base := newScript(status(503), status(429), failure(errLost), status(200))
			rt := n.transport(base)
			problem := rt.Validate()
			if problem == nil {
				valid++
			} else if strings.Contains(problem.Error(), "\n") || !strings.HasPrefix(problem.Error(), "redial: ") {
				t.Errorf("seed %d: %q", seed, problem)
			}
			for range 3 {
				ctx, cancel := context.WithTimeout(t.Context(), 48*time.Hour)
				req, _ := http.NewRequestWithContext(ctx, http.MethodPut, api, strings.NewReader("seven b"))
				_, _, err := finish(rt.RoundTrip(req))
				cancel()
				if problem != nil && (err == nil || len(base.times()) > 0) {
					t.Errorf("seed %d: %v, but %v after %d requests", seed, problem, err, len(base.times()))
				}
			}
			rt.Stats()
		})
	}
	if valid < 100 {
		t.Errorf("only %d were valid", valid)
	}
}
