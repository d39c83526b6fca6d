package transport

import (
	"fmt"
	"net/url"
	"testing"
	"time"
)

func hostURL(n int) *url.URL {
	return &url.URL{Scheme: "https", Host: fmt.Sprintf("host-%d.example.test", n)}
}

// However many hosts fail, those that are remembered are bounded. Who owes nothing any more
// is forgotten first, and then who owes least.
func TestBudgetsRememberABoundedNumberOfHosts(t *testing.T) {
	b := newBudgets(Budget{})
	now := b.start.Add(time.Second)
	b.spend(hostURL(0), now)
	for range 90 {
		b.spend(hostURL(1), now)
	}
	for i := 2; i < maxHosts+500; i++ {
		b.spend(hostURL(i), now)
		b.spend(hostURL(i), now)
	}
	if n := len(*b.hosts.Load()); n != maxHosts {
		t.Errorf("%d hosts are remembered, want %d", n, maxHosts)
	}
	if b.of(hostURL(0)) != nil || b.of(hostURL(1)) == nil {
		t.Error("the host that owes least is remembered, or the one that owes most is not")
	}
	b.spend(hostURL(-1), now.Add(time.Minute))
	if n := len(*b.hosts.Load()); n != 1 {
		t.Errorf("%d hosts are remembered when only one owes anything", n)
	}
}

// An answer costs next to nothing as long as nobody owes anything.
func BenchmarkBudget(b *testing.B) {
	u := &url.URL{Scheme: "https", Host: "api.example.test"}
	for _, c := range []struct {
		name  string
		owes  *url.URL
		after time.Duration
	}{
		{"nobody owes", u, 24 * time.Hour},
		{"another owes", hostURL(1), 0},
		{"it owes", u, 0},
	} {
		b.Run(c.name, func(b *testing.B) {
			all := newBudgets(Budget{PerSecond: 1.0 / 3600, Ratio: 1e-9})
			at := time.Now()
			all.spend(c.owes, at)
			b.ReportAllocs()
			for b.Loop() {
				all.give(u, at.Add(c.after), 0, true)
			}
		})
	}
}
