package transport

import (
	"fmt"
	"net/http"
	"testing"
	"time"
)

// BenchmarkTake takes a place that is free. Windows that are never full stand for those that
// have room.
func BenchmarkTake(b *testing.B) {
	window := func(kind WindowKind) Window {
		return Window{Host: "api.example.test", Kind: kind, Limit: 1 << 30, Per: 10 * time.Millisecond, Burst: burst(kind)}
	}
	keyed := window(FixedWindow)
	keyed.Key = func(r *http.Request) string { return r.Header.Get("Account") }
	elsewhere := window(FixedWindow)
	elsewhere.Host = "other.example.test"
	for _, c := range []struct {
		name    string
		windows []Window
	}{
		{"none", nil},
		{"elsewhere", []Window{elsewhere}},
		{"fixed", []Window{window(FixedWindow)}},
		{"sliding", []Window{window(SlidingWindow)}},
		{"gcra", []Window{window(GCRA)}},
		{"key", []Window{keyed}},
		{"three", []Window{window(FixedWindow), window(SlidingWindow), window(GCRA)}},
	} {
		b.Run(c.name, func(b *testing.B) {
			hs := newHosts(c.windows, true, new(clock))
			r, _ := http.NewRequest(http.MethodGet, "http://api.example.test/orders/8841", nil)
			r.Header.Set("Account", "one")
			var cl claim
			b.ReportAllocs()
			for b.Loop() {
				cl.reset()
				hs.find(&cl, r, "/orders/8841")
				if t := hs.take(&cl, r.URL, asking{}); t.waiter != nil {
					b.Fatal("there was no room")
				}
			}
		})
	}
}

func burst(kind WindowKind) int {
	if kind == GCRA {
		return 1 << 20
	}
	return 0
}

// BenchmarkTakeBehind joins the queue of two windows behind others, and leaves it. It costs
// the same however many they are.
func BenchmarkTakeBehind(b *testing.B) {
	for _, kind := range []WindowKind{FixedWindow, SlidingWindow, GCRA} {
		for _, others := range []int{0, 100, 10_000} {
			b.Run(fmt.Sprintf("%v/waiting=%d", kind, others), func(b *testing.B) {
				hs := newHosts([]Window{
					{Host: "api.example.test", Kind: kind, Limit: 1, Per: 1000 * time.Hour},
					{Host: "api.example.test", Kind: kind, Limit: 1000, Per: 2000 * time.Hour},
				}, true, new(clock))
				join := func() (*claim, *waiter) {
					c := &claim{server: server{"api.example.test", "80"}, slots: []slot{{spec: 0}, {spec: 1}}}
					return c, hs.take(c, nil, asking{}).waiter
				}
				for range others + 1 {
					join()
				}
				b.ReportAllocs()
				for b.Loop() {
					c, q := join()
					c.host.leave(q)
				}
			})
		}
	}
}
