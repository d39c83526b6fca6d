package transport

import (
	"net/http"
	"net/url"
	"time"

	"redial/ledger"
)

// outlook returns how long it takes at least until the next attempt can be made, whatever
// the policy says, and how much of that the server asked for in answers to other calls.
func (c *call) outlook() (least, pause time.Duration) {
	if c.e.hosts == nil {
		return 0, 0
	}
	return c.e.hosts.outlook(&c.claim, c.req.URL)
}

// pausedError returns the error for a pause that is too long to wait for.
func (c *call) pausedError(pause time.Duration) error {
	return &PausedError{Host: shownHost(c.req.URL), Until: c.e.clock.now().Add(pause).Round(0), Max: c.policy.MaxRetryAfter}
}

// giveBack returns the places of an attempt that provably never reached the server.
func (c *call) giveBack() {
	if h := c.claim.host; h != nil {
		h.giveBack(c.claim.slots)
	}
}

func (h *host) giveBack(slots []slot) {
	h.mu.Lock()
	defer h.mu.Unlock()
	_, mono := h.tick()
	h.refund(slots, mono)
	h.settle(mono)
}

// news is what a response says that concerns everybody.
type news struct {
	at     time.Time     // when it arrived
	pause  time.Duration // how long the server wants to be left alone; 0: it does not
	limits limits
	asked  bool // it has a Retry-After, which takes precedence over what its limits say
}

// learn takes over what a response that arrived at head says for everybody. It comes
// before the response's reader, and costs next to nothing if it says nothing.
func (c *call) learn(resp *http.Response, head time.Duration) {
	hs := c.e.hosts
	if hs == nil || !hs.listens {
		return
	}
	throttled := throttles(resp.StatusCode) && c.policy.retries(resp.StatusCode)
	if !throttled && !saysLimit(resp.Header) {
		return
	}
	n := news{at: c.rec.Started.Add(head)}
	n.limits = readLimits(resp.Header, n.at)
	wait, _, asked := retryAfter(resp.Header, n.at)
	n.asked = asked
	switch {
	case !throttled:
	case asked:
		n.pause = wait
	case resp.StatusCode == http.StatusTooManyRequests:
		n.pause = max(n.limits.wait(), throttleBase)
	}
	if n.pause > 0 || n.limits.n > 0 {
		hs.hear(&c.claim, c.req.URL, n)
	}
}

// pauseAll lets everybody leave the server alone for that long from head on.
func (c *call) pauseAll(pause, head time.Duration) {
	if hs := c.e.hosts; hs != nil && hs.listens && pause > 0 && isHTTP(c.req) {
		hs.hear(&c.claim, c.req.URL, news{at: c.rec.Started.Add(head), pause: pause})
	}
}

// throttles reports whether a status can mean that the server wants to be left alone.
func throttles(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// longestGuess is how long a 429 without Retry-After makes anybody wait if the server says
// that requests are left. It is what GitHub wants after exceeding a secondary limit, of
// which X-RateLimit-Reset knows nothing (hub4j/github-api#1805).
const longestGuess = time.Minute

// wait returns how long to wait after a 429 that has no Retry-After, as far as its limits
// tell; 0 if they do not.
func (ls *limits) wait() (wait time.Duration) {
	for _, l := range ls.all() {
		if l.remaining == 0 {
			wait = max(wait, l.resets)
		}
	}
	if wait == 0 && ls.n > 0 {
		wait = min(ls.list[ls.n-1].resets, longestGuess)
	}
	return wait
}

// hear tells the host of a claim what an answer to its call says.
func (hs *hosts) hear(c *claim, u *url.URL, n news) {
	h := hs.lock(c, u, true)
	if h == nil {
		return
	}
	defer h.mu.Unlock()
	if h.name == overflow {
		return // It stands for hosts that have nothing to do with each other.
	}
	_, mono := h.tick()
	h.due(mono)
	at := n.at.Sub(hs.started)
	p := h.portFor(c.port, shownHost(u), mono)
	if p != nil && n.pause > 0 {
		c.ticket = h.pause(p, later(at, n.pause), mono)
		c.excused = max(c.excused, later(at, n.pause))
	}
	for _, l := range n.limits.all() {
		h.declare(c, p, l, n, mono)
	}
	h.settle(mono)
}

// declare takes over one limit of the server. It narrows the window of the request that it
// fits best. Without a window it is only shown: it narrows what was configured and nothing
// else, since a server whose numbers are wrong could otherwise stop a service that it
// answers. One that means it will say 429, and that is a pause.
func (h *host) declare(c *claim, p *port, l limit, n news, mono time.Duration) {
	at := n.at.Sub(h.all.started)
	said := ledger.Declared{At: n.at.Round(0), Limit: l.quota, Per: l.per, Remaining: l.remaining}
	until := later(at, l.resets)
	if l.resets > 0 {
		said.Resets = said.At.Add(l.resets)
	}
	if s := l.fit(c, h); s != nil {
		s.window.declared = said
		if !n.asked && l.resets > 0 {
			s.window.server.tell(s.serial, l.remaining, until, mono)
			h.narrowed(s.window, c.port, mono)
		}
		return
	}
	if p != nil {
		p.declared = said
	}
}

// narrowed lets nobody wait for too long for a window of which the server said that nothing
// is left.
func (h *host) narrowed(w *window, number string, mono time.Duration) {
	if w.server.left == 0 {
		h.sift(&w.queue, number, w.server.until, mono)
	}
	h.work = append(h.work, w)
}

// fit returns the request's place in the window that the server's limit is about: the one
// whose length is nearest to the limit's, or if that is not known, the shortest that is not
// over before the limit is reset; of two alike, the more special. It returns nil if the
// request is in none.
func (l limit) fit(c *claim, h *host) (best *slot) {
	if c.host != h {
		return nil
	}
	for i := range c.slots {
		s := &c.slots[i]
		if s.taken && (best == nil || l.nearer(s.window.spec, best.window.spec)) {
			best = s
		}
	}
	return best
}

// nearer reports whether v fits the limit better than w.
func (l limit) nearer(v, w *spec) bool {
	dv, dw := l.distance(v.Per), l.distance(w.Per)
	if dv == dw {
		return v.special() > w.special()
	}
	return dv < dw
}

// distance returns how far the limit is from a window of length per.
func (l limit) distance(per time.Duration) time.Duration {
	switch {
	case l.per > per:
		return l.per - per
	case l.per > 0:
		return per - l.per
	case per >= l.resets:
		return per - l.resets
	}
	return later(maxWait/2, l.resets-per)
}

// special returns how much a window is narrowed to some requests of its host.
func (s *spec) special() (n int) {
	if s.Path != "" {
		n++
	}
	if s.Key != nil {
		n += 2
	}
	return n
}
