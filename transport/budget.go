package transport

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// Budget bounds how many retries a host is sent, so that a host in trouble is not sent a
// multiple of its load. Each host has its own, so that none starves another.
//
// A retry is paid for before the wait that precedes it, and what cannot be paid for is not
// begun: the last response, or the last error, is returned at once. When the call ends in
// an answer that is no reason to send again, whatever its status, its retries are paid
// back, and the host earns Ratio on top. So only calls that fail to the end cost, and a
// host that recovers has its budget back. Beside that each host earns PerSecond, however
// rarely it is called and however badly it does.
//
// The zero value is the default, which is in force wherever a policy makes more than one
// attempt: 20 % of the answers and 10 retries a second, at most 100 at once.
type Budget struct {
	// Burst is how many retries a host has when it has not failed for a while, and at most.
	// If zero, 100.
	Burst int
	// Ratio is what part of a retry an answer earns. If zero, 0.2.
	Ratio float64
	// PerSecond is how many retries a host earns in each second. If zero, 10. For one a
	// minute it is 1.0 / 60.
	PerSecond float64
	// Off leaves retries without a budget.
	Off bool
}

const (
	defaultBurst     = 100
	defaultRatio     = 0.2
	defaultPerSecond = 10
	slowestEarning   = 1.0 / 86400 // once a day
	maxBurst         = 1 << 20
)

func (b *Budget) validate(name string) error {
	switch {
	case b.Burst < 0 || b.Burst > maxBurst:
		return invalid(name+".Burst", b.Burst, "use how many retries may be made at once, up to 1048576, or 0 for the default of 100")
	case !(b.Ratio >= 0 && b.Ratio <= 1):
		return invalid(name+".Ratio", b.Ratio, "use a part of a retry from 0 to 1, or 0 for the default of 0.2")
	case !(b.PerSecond >= 0 && b.PerSecond <= math.MaxInt32) || b.PerSecond > 0 && b.PerSecond < slowestEarning:
		return invalid(name+".PerSecond", b.PerSecond, "use retries per second, at least 1.0/86400, or 0 for the default of 10")
	}
	return nil
}

// budgets has what each host owes. A host that owes nothing is not in it, so that as long
// as all goes well there is nothing to look up.
type budgets struct {
	unit  time.Duration // in which a host earns one retry
	earns time.Duration // what an answer earns
	span  time.Duration // in which a host earns all that it can have
	start time.Time     // from which on time is counted
	about string        // in words

	// latest is when the last of all debts is paid by time alone. Until it is past, answers
	// have to look whether their host owes something.
	latest atomic.Int64

	mu    sync.Mutex // serialises those who change which hosts there are
	hosts atomic.Pointer[map[server]*debt]
}

// debt is until when a host would have to be left alone to owe nothing, in time since the
// start: a generic cell rate algorithm, of which one number is the whole state.
type debt struct{ until atomic.Int64 }

// newBudgets returns nil where retries cost nothing.
func newBudgets(b Budget) *budgets {
	if b.Off {
		return nil
	}
	burst := orDefault(b.Burst, defaultBurst)
	ratio := orDefault(b.Ratio, defaultRatio)
	perSecond := orDefault(b.PerSecond, defaultPerSecond)
	unit := max(float64(time.Second)/perSecond, 1)
	return &budgets{
		unit:  time.Duration(unit),
		earns: time.Duration(unit * ratio),
		span:  time.Duration(math.Min(unit*float64(burst), float64(maxWait/4))),
		start: time.Now(),
		about: fmt.Sprintf("budget of %d retries, %.3g a second and %.3g an answer", burst, perSecond, ratio),
	}
}

// of returns the host's debt, nil if it owes nothing.
func (b *budgets) of(u *url.URL) *debt {
	hosts := b.hosts.Load()
	if hosts == nil {
		return nil
	}
	return (*hosts)[serverOf(u)]
}

// spend takes one retry from the host's budget, and reports false if it has none left.
func (b *budgets) spend(u *url.URL, at time.Time) bool {
	now := at.Sub(b.start)
	d := b.of(u)
	if d == nil {
		d = b.enter(serverOf(u), now)
	}
	for {
		until := d.until.Load()
		next := max(time.Duration(until), now) + b.unit
		if next-now > b.span {
			return false
		}
		if d.until.CompareAndSwap(until, int64(next)) {
			raise(&b.latest, int64(next))
			return true
		}
	}
}

// raise makes v at least n.
func raise(v *atomic.Int64, n int64) {
	for old := v.Load(); old < n && !v.CompareAndSwap(old, n); old = v.Load() {
	}
}

// give pays back so many retries of a call, and what an answer earns.
func (b *budgets) give(u *url.URL, at time.Time, retries int, answered bool) {
	now := at.Sub(b.start)
	if time.Duration(b.latest.Load()) <= now {
		return
	}
	d := b.of(u)
	if d == nil {
		return
	}
	amount := time.Duration(retries) * b.unit
	if answered {
		amount += b.earns
	}
	for {
		until := d.until.Load()
		if time.Duration(until) <= now || d.until.CompareAndSwap(until, until-int64(amount)) {
			return // Who owes nothing does not save up.
		}
	}
}

// enter makes a place for a host that begins to owe something. Those that owe nothing any
// more leave first, and when there are too many hosts, the one that owes least.
func (b *budgets) enter(host server, now time.Duration) *debt {
	b.mu.Lock()
	defer b.mu.Unlock()
	hosts := map[server]*debt{}
	if old := b.hosts.Load(); old != nil {
		if d := (*old)[host]; d != nil {
			return d
		}
		hosts = maps.Clone(*old)
	}
	if len(hosts) >= maxHosts {
		b.shrink(hosts, now)
	}
	d := new(debt)
	hosts[host] = d
	b.hosts.Store(&hosts)
	return d
}

func (b *budgets) shrink(hosts map[server]*debt, now time.Duration) {
	least, leastHost := int64(math.MaxInt64), server{}
	for host, d := range hosts {
		until := d.until.Load()
		if time.Duration(until) <= now {
			delete(hosts, host)
		} else if until < least {
			least, leastHost = until, host
		}
	}
	if len(hosts) >= maxHosts {
		delete(hosts, leastHost)
	}
}

// spend pays for the next attempt, and reports false if the host's budget is spent.
func (c *call) spend() bool {
	if c.policy.budget == nil {
		return true
	}
	if !c.policy.budget.spend(c.req.URL, c.rec.Started.Add(c.elapsed())) {
		return false
	}
	c.spent++
	return true
}

// refund gives back what was paid for one retry.
func (c *call) refund() {
	if c.spent > 0 {
		c.spent--
		c.policy.budget.give(c.req.URL, c.rec.Started, 1, false)
	}
}

// earn gives back what was paid for all retries, since they led to an answer.
func (c *call) earn() {
	if c.policy.budget != nil && c.req.URL != nil {
		c.policy.budget.give(c.req.URL, c.rec.Started, c.spent, true)
		c.spent = 0
	}
}
