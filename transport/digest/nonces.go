package digest

import (
	"math"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// maxNonces bounds how many are remembered, of all protection spaces together. When there
// are more, the one that was used the longest ago is forgotten, one that no server has
// accepted before others.
const maxNonces = 256

// nonce is one that a server gave, and what is known of its use. Basic has one without a
// value.
type nonce struct {
	origin string
	proxy  bool
	cnonce string // of -sess, whose first one is part of the session key

	// The lock of nonces guards what follows.
	offer  *offer // what it came with last; what it points to does not change
	count  uint32 // of requests made with it
	flying int    // of them, those not answered yet
	proven bool   // the server has accepted it, so that it may be used beforehand
}

// use is one request's use of a nonce.
type use struct {
	nonce  *nonce // nil: there is none to be used
	offer  *offer
	count  uint32
	cnonce string
}

// nonces remembers them. Those used last are last.
type nonces struct {
	mu  sync.Mutex
	all []*nonce
}

// obtain returns the use of the nonce of an offer. One that has been given out before goes
// on counting.
func (ns *nonces) obtain(s side, o *offer, cnonce func() string) use {
	fresh := cnonce()
	ns.mu.Lock()
	defer ns.mu.Unlock()
	n := ns.find(s, func(n *nonce) bool { return n.offer.same(o) })
	if n == nil {
		n = &nonce{origin: s.origin, proxy: s.proxy, offer: o, cnonce: fresh}
		ns.add(n)
	}
	n.offer = o
	return ns.use(n, fresh)
}

// known returns the use of a nonce that was accepted and whose protection space has the
// URL. It prefers one that no other request is using.
func (ns *nonces) known(s side, at *url.URL, cnonce func() string) use {
	ns.mu.Lock()
	defer ns.mu.Unlock()
	usable := func(n *nonce) bool {
		return n.proven && n.count < math.MaxUint32 && (s.proxy || n.offer.covers(at))
	}
	n := ns.find(s, func(n *nonce) bool { return n.flying == 0 && usable(n) })
	if n == nil {
		n = ns.find(s, usable)
	}
	if n == nil {
		return use{}
	}
	return ns.use(n, cnonce())
}

// use counts a use.
func (ns *nonces) use(n *nonce, cnonce string) use {
	n.count++
	n.flying++
	ns.touch(n)
	if n.offer.algorithm.session {
		cnonce = n.cnonce
	}
	return use{n, n.offer, n.count, cnonce}
}

// sent returns the nonce that a request was sent with, nil if it was with none that is
// remembered.
func (ns *nonces) sent(s side, h http.Header) *nonce {
	values := h[s.credentials]
	if len(values) != 1 {
		return nil
	}
	list := parse(values)
	if len(list) != 1 {
		return nil
	}
	c := &list[0]
	ns.mu.Lock()
	defer ns.mu.Unlock()
	return ns.find(s, func(n *nonce) bool {
		if n.offer.basic {
			return c.scheme == "Basic"
		}
		return c.scheme == "Digest" && n.offer.nonce.value == c.value("nonce") && n.offer.realm.value == c.value("realm")
	})
}

// release says that a request with the nonce got no answer that tells about it.
func (ns *nonces) release(n *nonce) {
	if n == nil {
		return
	}
	ns.mu.Lock()
	defer ns.mu.Unlock()
	n.flying--
}

// refuse says that a request with the nonce was refused, and reports whether one was
// accepted before: then it is the nonce that the server does not know any more.
func (ns *nonces) refuse(n *nonce) (forgotten bool) {
	if n == nil {
		return false
	}
	ns.mu.Lock()
	defer ns.mu.Unlock()
	n.flying--
	forgotten, n.proven = n.proven, false
	return forgotten
}

// accept says that a request with the nonce was answered, and which nonce the server wants
// to see next, if it says so.
func (ns *nonces) accept(n *nonce, next *param) {
	if n == nil {
		return
	}
	ns.mu.Lock()
	defer ns.mu.Unlock()
	n.flying--
	n.proven = true
	if next == nil || n.offer.basic || next.value == n.offer.nonce.value {
		return
	}
	n.proven = false
	if n.offer.algorithm.session {
		return
	}
	o := *n.offer
	o.nonce, o.stale = *next, false
	s := side{origin: n.origin, proxy: n.proxy}
	m := ns.find(s, func(m *nonce) bool { return m.offer.same(&o) })
	if m == nil {
		m = &nonce{origin: n.origin, proxy: n.proxy, offer: &o}
		ns.add(m)
	}
	m.proven = true
}

// find returns the one used last that ok accepts, nil without any. The lock is held.
func (ns *nonces) find(s side, ok func(*nonce) bool) *nonce {
	for _, n := range slices.Backward(ns.all) {
		if n.proxy == s.proxy && n.origin == s.origin && ok(n) {
			return n
		}
	}
	return nil
}

// add remembers one more, and forgets another if there is no room.
func (ns *nonces) add(n *nonce) {
	if len(ns.all) >= maxNonces {
		i := slices.IndexFunc(ns.all, func(n *nonce) bool { return !n.proven && n.flying == 0 })
		ns.all = slices.Delete(ns.all, max(i, 0), max(i, 0)+1)
	}
	ns.all = append(ns.all, n)
}

// touch makes n the one used last.
func (ns *nonces) touch(n *nonce) {
	i := slices.Index(ns.all, n)
	copy(ns.all[i:], ns.all[i+1:])
	ns.all[len(ns.all)-1] = n
}

// same reports whether two offers have the same nonce of the same realm, and so one count.
func (o *offer) same(p *offer) bool {
	return o.basic == p.basic && o.nonce.value == p.nonce.value && o.realm.value == p.realm.value
}

// covers reports whether the protection space has a URL of the origin that the offer comes
// from (RFC 7616, section 3.3, domain).
func (o *offer) covers(u *url.URL) bool {
	if len(o.domain) == 0 {
		return true
	}
	origin, path := originOf(u), u.EscapedPath()
	if path == "" {
		path = "/"
	}
	for _, text := range o.domain {
		d, err := u.Parse(text)
		if err == nil && originOf(d) == origin && strings.HasPrefix(path, d.EscapedPath()) {
			return true
		}
	}
	return false
}

// next returns the nonce that Authentication-Info says is to be used next (RFC 7616,
// section 3.5), nil if it says none.
func next(info []string) *param {
	if len(info) == 0 {
		return nil
	}
	p := parser{all: make([]challenge, 1)} // Its parameters have no scheme before them.
	for _, line := range info {
		p.text, p.at = line[:min(len(line), maxText)], 0
		for p.item() {
		}
	}
	q := p.all[0].param("nextnonce")
	if q == nil || q.value == "" || len(q.raw) > maxValue || hasControl(q.raw) {
		return nil
	}
	kept := q.clone()
	return &kept
}
