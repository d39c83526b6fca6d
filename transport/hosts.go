package transport

import (
	"cmp"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// hosts finds the windows and the pauses of a request.
type hosts struct {
	clock   *clock
	started time.Time // where the monotonic clock of the windows begins
	listens bool      // what a server says to one call counts for all

	fixed map[string]*host // those that a Window names; does not change
	named []*host          // the same in the order of their first windows
	every []*spec          // of windows for every host

	count atomic.Int32 // how many are met
	mu    sync.Mutex   // comes before the lock of a host
	met   roster[*host]
	rest  *host // of the hosts beyond maxKeys; nil until it is needed
}

// newHosts returns nil if there is nothing to keep.
func newHosts(windows []Window, listens bool, clock *clock) *hosts {
	if len(windows) == 0 && !listens {
		return nil
	}
	hs := &hosts{clock: clock, started: clock.now(), listens: listens, fixed: make(map[string]*host)}
	specs := make(map[string][]*spec) // by host, those for every host under ""
	for i := range windows {
		name, s := newSpec(windows[i], i)
		specs[name] = append(specs[name], s)
	}
	hs.every = specs[""]
	for i := range windows {
		if name, _, _ := splitHost(windows[i].Host); name != "" && hs.fixed[name] == nil {
			hs.fixed[name] = hs.newHost(name, append(specs[name], hs.every...))
			hs.named = append(hs.named, hs.fixed[name])
		}
	}
	slices.SortStableFunc(hs.every, slowestFirst)
	return hs
}

// newSpec returns a window ready to be asked, and the name of its host.
func newSpec(w Window, place int) (name string, s *spec) {
	name, port, _ := splitHost(w.Host)
	s = &spec{Window: w, place: place, host: name, port: port, slow: w.Per}
	s.paths, _ = parsePath(w.Path)
	if port != "" {
		s.host = net.JoinHostPort(name, port)
	}
	if w.Kind == GCRA {
		s.slow = interval(w.Limit, w.Per)
	}
	return name, s
}

// slowestFirst is the order in which places are taken, so that nobody holds a place in a
// fast window while it waits for a slow one.
func slowestFirst(a, b *spec) int {
	return cmp.Or(cmp.Compare(b.slow, a.slow), cmp.Compare(a.place, b.place))
}

func (hs *hosts) newHost(name string, specs []*spec) *host {
	h := &host{all: hs, name: name}
	for _, s := range specs {
		k := &kept{spec: s, host: s.host}
		if s.host == "" {
			k.host = name
		}
		h.kept = append(h.kept, k)
	}
	h.shown = slices.Clone(h.kept)
	slices.SortFunc(h.kept, func(a, b *kept) int { return slowestFirst(a.spec, b.spec) })
	slices.SortFunc(h.shown, func(a, b *kept) int { return cmp.Compare(a.spec.place, b.spec.place) })
	return h
}

// now returns the time by both clocks.
func (hs *hosts) now() (now time.Time, mono time.Duration) {
	now = hs.clock.now()
	return now, now.Sub(hs.started)
}

// claim is what one call asks for.
type claim struct {
	server        // its name is "" until it is needed
	slots  []slot // in the windows that the request falls into
	host   *host  // where places were taken last

	ticket  uint64        // of the pause that an answer to this call began; 0: none
	excused time.Duration // pauses until then come from this call, which waits by itself
}

// reset makes the claim ready for another call.
func (c *claim) reset() {
	clear(c.slots)
	c.slots = c.slots[:0]
	c.server, c.host, c.ticket, c.excused = server{}, nil, 0, 0
}

// find notes which windows a request falls into. path is that of its URL, as it is sent.
func (hs *hosts) find(c *claim, r *http.Request, path string) {
	if len(hs.fixed) == 0 && len(hs.every) == 0 {
		return
	}
	c.locate(r.URL)
	if h := hs.fixed[c.name]; h != nil {
		for i, k := range h.kept {
			c.add(i, k.spec, r, path)
		}
		return
	}
	for i, s := range hs.every {
		c.add(i, s, r, path)
	}
}

// locate notes where a request goes.
func (c *claim) locate(u *url.URL) {
	if c.name == "" {
		c.server = serverOf(u)
	}
}

// add notes a place in the window of a spec if the request falls into it.
func (c *claim) add(i int, s *spec, r *http.Request, path string) {
	if !s.holds(c.port) || s.Path != "" && !s.paths.match(path) {
		return
	}
	key := ""
	if s.Key != nil {
		if key = s.Key(r); key == "" {
			return
		}
	}
	c.slots = append(c.slots, slot{spec: i, key: key})
}

// lock returns the host of a claim, locked, or nil if there is nothing that it has to keep
// to. With create there is one in any case, unless too many are in use.
func (hs *hosts) lock(c *claim, u *url.URL, create bool) *host {
	create = create || len(c.slots) > 0
	if len(hs.fixed) == 0 && !create && hs.count.Load() == 0 {
		return nil
	}
	c.locate(u)
	if h := hs.fixed[c.name]; h != nil {
		if !create && !h.spoken.Load() {
			return nil
		}
		h.mu.Lock()
		return h
	}
	if !create && hs.count.Load() == 0 {
		return nil
	}
	return hs.lockMet(c.name, create)
}

// lockMet does so for a host that no window names.
func (hs *hosts) lockMet(name string, create bool) *host {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	h, ok := hs.met.get(name)
	if !ok && create {
		h = hs.meet(name)
	}
	if h != nil {
		h.mu.Lock()
	}
	return h
}

// meet remembers a host, in the place of another if there are too many. If all of those
// are in use it returns what the rest share, or nil if there are no windows to share.
func (hs *hosts) meet(name string) *host {
	h := hs.newHost(name, hs.every)
	_, mono := hs.now()
	if hs.met.add(name, h, maxKeys, func(h *host) bool { return h.idle(mono) }) {
		hs.count.Store(int32(len(hs.met.list)))
		return h
	}
	if hs.rest == nil && len(hs.every) > 0 {
		hs.rest = hs.newHost(overflow, hs.every)
	}
	return hs.rest
}

// take asks the host of a claim for places.
func (hs *hosts) take(c *claim, u *url.URL, a asking) turn {
	h := hs.lock(c, u, false)
	if h == nil {
		return turn{}
	}
	defer h.mu.Unlock()
	return h.take(c, a)
}

// outlook returns how long it takes at least until the claim can be met, and how much of
// that the server asked for.
func (hs *hosts) outlook(c *claim, u *url.URL) (least, pause time.Duration) {
	h := hs.lock(c, u, false)
	if h == nil {
		return 0, 0
	}
	defer h.mu.Unlock()
	_, mono := h.tick()
	h.update(c, mono)
	return h.least(c, h.pausing(c.port, c.excused, mono), mono)
}
