package transport

import (
	"net/http"
	"time"
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

// learn takes over what a response that arrived at head says for everybody.
func (c *call) learn(resp *http.Response, head time.Duration) {
	if hs := c.e.hosts; hs != nil && hs.listens {
		c.pauseAll(c.throttled(resp, head), head)
	}
}

// pauseAll lets everybody leave the server alone for that long from head on.
func (c *call) pauseAll(pause, head time.Duration) {
	hs := c.e.hosts
	if hs == nil || !hs.listens || pause <= 0 {
		return
	}
	h := hs.lock(&c.claim, c.req.URL, true)
	if h == nil {
		return
	}
	defer h.mu.Unlock()
	_, mono := hs.now()
	until := later(c.rec.Started.Add(head).Sub(hs.started), pause)
	if p := h.portFor(c.claim.port, shownHost(c.req.URL), mono); p != nil {
		c.claim.ticket = h.pause(p, until, mono)
		c.claim.excused = max(c.claim.excused, until)
	}
	h.settle(mono)
}

// throttled returns for how long the server wants to be left alone by everybody.
func (c *call) throttled(resp *http.Response, head time.Duration) time.Duration {
	if s := resp.StatusCode; s != 429 && s != 503 || !c.policy.retries(s) {
		return 0
	}
	wait, _, ok := retryAfter(resp.Header, c.rec.Started.Add(head))
	if !ok && resp.StatusCode == 429 {
		return throttleBase
	}
	return wait
}
