package transport_test

import (
	"net/http"
	"net/http/cookiejar"
	"strings"
	"testing"
	"time"

	"redial/transport"
)

// A wrapped client is a copy that keeps all it had, and sends through what it had.
func TestWrapCopiesAClient(t *testing.T) {
	base := newScript(status(503), status(200))
	jar, _ := cookiejar.New(nil)
	client := &http.Client{Transport: base, Jar: jar, Timeout: time.Minute}
	rt := &transport.Transport{Retry: quick}
	wrapped := transport.Wrap(client, rt)
	if code, _, err := finish(wrapped.Get(api)); code != 200 || err != nil || len(base.times()) != 2 {
		t.Errorf("%d %v after %d requests", code, err, len(base.times()))
	}
	if client.Transport != http.RoundTripper(base) || wrapped == client || wrapped.Jar != client.Jar || wrapped.Timeout != client.Timeout {
		t.Errorf("client %+v, wrapped %+v", client, wrapped)
	}
	if rt.Base != http.RoundTripper(base) || wrapped.Transport != http.RoundTripper(rt) {
		t.Errorf("base %v, transport %v", rt.Base, wrapped.Transport)
	}
}

// Without a client, or with one that has no Transport, it goes over http.DefaultTransport,
// which stays what it is.
func TestWrapOverTheDefault(t *testing.T) {
	v := newVendor(t)
	before := http.DefaultTransport
	for _, client := range []*http.Client{nil, {}, http.DefaultClient} {
		wrapped := transport.Wrap(client, &transport.Transport{Retry: quick})
		if code, _, err := finish(wrapped.Get(v.URL + "/503/order")); code != 200 || err != nil {
			t.Errorf("%d %v", code, err)
		}
		v.seen = map[string][]string{}
	}
	if http.DefaultClient.Transport != nil || http.DefaultTransport != before {
		t.Error("a global client was changed")
	}
}

// A client may be wrapped with what it is wrapped with, and two clients over the same
// transport with one; what would lose a transport is refused, with the field named.
func TestWrapLosesNoTransport(t *testing.T) {
	a, b := newScript(status(200)), newScript(status(200))
	rt := &transport.Transport{Retry: quick}
	first := transport.Wrap(&http.Client{Transport: a}, rt)
	for name, client := range map[string]*http.Client{"itself": first, "the same": {Transport: a}, "none": {}} {
		if code, _, err := finish(transport.Wrap(client, rt).Get(api)); code != 200 || err != nil {
			t.Errorf("%s: %d %v", name, code, err)
		}
	}
	for _, other := range []http.RoundTripper{b, baseFunc(b.RoundTrip)} {
		_, _, err := finish(transport.Wrap(&http.Client{Transport: other}, rt).Post(api, "", strings.NewReader(payload)))
		if err == nil || !strings.Contains(err.Error(), "redial: Base is set") {
			t.Errorf("another: %v", err)
		}
	}
	if len(a.times()) != 3 || len(b.times()) != 0 {
		t.Errorf("%d and %d requests", len(a.times()), len(b.times()))
	}
	function := baseFunc(a.RoundTrip) // cannot be compared with itself
	transport.Wrap(&http.Client{Transport: function}, &transport.Transport{Base: function})
}

// The default transport can be replaced for the whole process, and put back.
func TestWrapDefault(t *testing.T) {
	v := newVendor(t)
	before := http.DefaultTransport
	rt := &transport.Transport{Retry: quick}
	restore := transport.WrapDefault(rt)
	defer restore()
	again := transport.WrapDefault(rt) // changes nothing
	if code, _, err := finish(http.Get(v.URL + "/503/order")); code != 200 || err != nil {
		t.Errorf("%d %v", code, err)
	}
	if s := rt.Stats(); s.Calls != 1 || s.Retries != 1 || rt.Base != before {
		t.Errorf("%+v over %v", s, rt.Base)
	}
	// What has no base of its own now sends through it, and only one of them retries.
	v.seen = map[string][]string{}
	outer := &transport.Transport{Retry: quick}
	if code, _, err := get(t, outer, v.URL+"/503/order"); code != 200 || err != nil || rt.Stats().Retries != 1 || outer.Stats().Retries != 1 {
		t.Errorf("%d %v, %+v", code, err, rt.Stats())
	}
	again()
	restore()
	if http.DefaultTransport != before {
		t.Error("the default transport was not put back")
	}
}

// A transport that was made the default without a base would send through itself for ever.
func TestATransportIsNotItsOwnBase(t *testing.T) {
	before := http.DefaultTransport
	defer func() { http.DefaultTransport = before }()
	for _, rt := range []*transport.Transport{{}, {Retry: quick}} {
		http.DefaultTransport = rt
		bs := &bodies{text: payload}
		_, err := http.DefaultClient.Do(bs.request(t, http.MethodPut, api, true))
		if err == nil || !strings.Contains(err.Error(), "redial: Base is nil") {
			t.Errorf("%v", err)
		}
		if s := rt.Stats(); s.Attempts != 0 {
			t.Errorf("%+v", s)
		}
		bs.closedOnce(t)
	}
}
