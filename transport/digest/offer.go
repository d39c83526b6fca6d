package digest

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// offer is a challenge that can be answered.
type offer struct {
	basic bool // with the password itself; all but realm is then zero

	realm, nonce param
	opaque       *param // nil without one
	algorithm    algorithm
	spelled      string // the algorithm as the server writes it; "" if it has none
	auth         bool   // qop offers auth
	authInt      bool   // qop offers auth-int
	stale        bool
	userhash     bool
	utf8         bool     // charset=UTF-8
	domain       []string // URIs; empty: all of the origin
}

// rfc2069 reports whether the server knows no quality of protection.
func (o *offer) rfc2069() bool { return !o.auth && !o.authInt }

// maxValue bounds what has to be sent back, and kept, of a challenge, in bytes.
const maxValue = 8 << 10

var (
	errRefused = errors.New("redial: the server refused the user name or the password")
	errProxied = errors.New("redial: the proxy refused the user name or the password")
	errUnsaid  = errors.New("redial: the server asks for credentials and does not say which")
	errAuthInt = errors.New("redial: not sent: the server accepts only qop=auth-int, for which the body is hashed before it is sent: set GetBody")
)

// choose returns the strongest challenge of a response that can be answered for r.
func (d *Digest) choose(r *http.Request, resp *http.Response, s side) (*offer, error) {
	lines := resp.Header[s.challenge]
	if d.ChallengeHeader != "" && !s.proxy {
		lines = append(slices.Clip(lines), resp.Header.Values(d.ChallengeHeader)...)
	}
	all := parse(lines)
	offers := digests(all)
	if len(offers) == 0 && d.AllowBasic {
		offers = basics(all)
	}
	for _, o := range offers {
		if !o.authInt || o.auth || replayable(r) {
			return o, nil
		}
	}
	switch {
	case len(offers) > 0:
		return nil, errAuthInt
	case len(all) == 0:
		return nil, errUnsaid
	}
	return nil, unanswerable(all)
}

// digests returns the Digest challenges that can be answered, the strongest first. Among
// equals the order is the server's.
func digests(all []challenge) []*offer {
	var offers []*offer
	for i := range all {
		if strings.EqualFold(all[i].scheme, "digest") {
			if o := newOffer(&all[i]); o != nil {
				offers = append(offers, o)
			}
		}
	}
	slices.SortStableFunc(offers, func(a, b *offer) int { return cmp.Compare(b.algorithm.strength, a.algorithm.strength) })
	return offers
}

// basics returns the Basic challenges.
func basics(all []challenge) []*offer {
	var offers []*offer
	for i := range all {
		if c := &all[i]; strings.EqualFold(c.scheme, "basic") {
			offers = append(offers, &offer{basic: true, realm: c.param("realm").clone()})
		}
	}
	return offers
}

// newOffer returns what a Digest challenge offers, nil if it cannot be answered.
func newOffer(c *challenge) *offer {
	o := &offer{spelled: strings.Clone(c.value("algorithm"))}
	var ok bool
	if o.algorithm, ok = algorithmOf(o.spelled); !ok {
		return nil
	}
	o.realm, o.nonce = c.param("realm").clone(), c.param("nonce").clone()
	if c.param("opaque") != nil {
		opaque := c.param("opaque").clone()
		o.opaque = &opaque
	}
	o.stale = strings.EqualFold(c.value("stale"), "true")
	o.userhash = strings.EqualFold(c.value("userhash"), "true")
	o.utf8 = strings.EqualFold(c.value("charset"), "utf-8")
	domain := c.value("domain")
	o.domain = strings.Fields(strings.Clone(domain[:min(len(domain), maxValue)]))
	qop := c.value("qop")
	for _, q := range strings.FieldsFunc(qop, func(r rune) bool { return r == ',' || r == ' ' || r == '\t' }) {
		o.auth = o.auth || strings.EqualFold(q, "auth")
		o.authInt = o.authInt || strings.EqualFold(q, "auth-int")
	}
	if o.nonce.value == "" || !o.canBeSent() || qop != "" && o.rfc2069() {
		return nil
	}
	return o
}

// canBeSent reports whether what is sent back fits into a header.
func (o *offer) canBeSent() bool {
	text := o.realm.raw + o.nonce.raw + o.spelled
	if o.opaque != nil {
		text += o.opaque.raw
	}
	return len(text) <= maxValue && !hasControl(text)
}

// unanswerable says what is offered, and what could be done.
func unanswerable(all []challenge) error {
	var schemes []string
	basic := false
	for i := range all {
		name := all[i].scheme[:min(len(all[i].scheme), 32)]
		basic = basic || strings.EqualFold(name, "basic")
		if strings.EqualFold(name, "digest") {
			name = "a digest that is not known"
		}
		if !slices.Contains(schemes, name) && len(schemes) < 5 {
			schemes = append(schemes, name)
		}
	}
	advice := ""
	if basic {
		advice = "; set Digest.AllowBasic if the password may be sent readable"
	}
	return fmt.Errorf("redial: the server offers no digest that can be answered, but %s%s", strings.Join(schemes, ", "), advice)
}
