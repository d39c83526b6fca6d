package transport

import (
	"errors"
	"net/http"
	"slices"
	"sync"
)

// engine is what the fields of a Transport amount to. It does not change, except for the
// windows, the list of running calls and the pool, which look after themselves.
type engine struct {
	err      error // the transport's fields are invalid
	passive  bool  // nothing to do but hand requests to Base
	recorder Recorder
	auth     Auth
	policy   policy // of requests that no route fits
	routes   []route
	hosts    *hosts // nil if there is nothing to keep to
	widths   *bandwidths
	running  registry
	clock    clock
	http1    hostSet // https hosts that have answered over HTTP/1
	hops     hops
	stats    stats

	calls sync.Pool
}

func newEngine(t *Transport) *engine {
	e := &engine{recorder: t.Recorder, err: t.validate()}
	if e.err == nil {
		e.setPolicies(t)
		// What a server says to one call counts for all where something is sent again, or
		// windows are held.
		listens := !t.NoPause && (t.retries() || len(t.Windows) > 0)
		e.hosts = newHosts(t.Windows, listens, &e.clock)
		e.widths = newBandwidths(t.Bandwidth)
		e.auth = t.Auth
		e.passive = e.recorder == nil && e.auth == nil && e.hosts == nil && e.widths == nil && e.idle()
	}
	return e
}

// validate returns an error that names the first field that cannot be.
func (t *Transport) validate() error {
	if err := t.Retry.validate("Retry"); err != nil {
		return err
	}
	if t.Retry.Repeat == AlwaysRepeat {
		return invalid("Retry.Repeat", t.Retry.Repeat, "say so in a Route that names the Methods which may be repeated")
	}
	if err := t.Budget.validate("Budget"); err != nil {
		return err
	}
	for i := range t.Routes {
		if err := t.Routes[i].validate(i); err != nil {
			return err
		}
	}
	for i := range t.Windows {
		if err := t.Windows[i].validate(i); err != nil {
			return err
		}
	}
	for i := range t.Bandwidth {
		if err := t.Bandwidth[i].validate(i); err != nil {
			return err
		}
	}
	return validateAuth(t.Auth)
}

// retries reports whether anything may be sent again.
func (t *Transport) retries() bool {
	return t.Retry.Attempts > 1 || slices.ContainsFunc(t.Routes, func(r Route) bool { return r.Retry.Attempts > 1 })
}

// setPolicies makes the policies of the transport and of its routes. There is a budget as
// soon as one of them may spend from it.
func (e *engine) setPolicies(t *Transport) {
	var all *budgets
	if t.retries() {
		all = newBudgets(t.Budget)
	}
	e.policy = t.Retry.policy()
	e.policy.budget = all
	e.policy.words = e.policy.inWords("")
	for i := range t.Routes {
		e.routes = append(e.routes, newRoute(&t.Routes[i], all))
	}
}

// idle reports whether no policy asks for anything.
func (e *engine) idle() bool {
	for i := range e.routes {
		if !e.routes[i].policy.idle() {
			return false
		}
	}
	return e.policy.idle()
}

// once hands the request to base and nothing else, but for answers that no RoundTripper
// may give.
func once(base http.RoundTripper, req *http.Request) (*http.Response, error) {
	resp, err := base.RoundTrip(req)
	if resp == nil && err == nil {
		return nil, errNoAnswer
	}
	if err == nil && resp.Body == nil {
		resp.Body = http.NoBody
	}
	return resp, err
}

// roundTrip makes one call.
func (e *engine) roundTrip(base http.RoundTripper, req *http.Request) (*http.Response, error) {
	c := e.begin(base, req)
	returned := false
	defer func() {
		if !returned { // Somebody panicked, or ended the goroutine.
			c.abandon(c.panicked())
		}
	}()
	resp, err := c.run()
	returned = true
	return resp, err
}

// What a call that a panic ended is recorded with.
var (
	errBasePanicked    = errors.New("redial: the base transport panicked")
	errAuthPanicked    = errors.New("redial: Transport.Auth panicked, or the request's GetBody that it called")
	errGetBodyPanicked = errors.New("redial: the request's GetBody panicked")
	errPanicked        = errors.New("redial: the call ended in a panic, but not in one of the base transport or of GetBody")
)

// hostSet remembers a bounded number of hosts.
type hostSet struct {
	mu    sync.RWMutex
	hosts map[string]struct{}
}

// maxHosts bounds a hostSet. A host beyond it is treated as one that was never seen.
const maxHosts = 1024

func (s *hostSet) has(host string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.hosts[host]
	return ok
}

func (s *hostSet) add(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hosts == nil {
		s.hosts = make(map[string]struct{})
	}
	if len(s.hosts) < maxHosts {
		s.hosts[host] = struct{}{}
	}
}
