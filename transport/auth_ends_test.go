package transport_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// One layer retries, but each may have credentials to add.
func TestAnInnerTransportAddsItsLegs(t *testing.T) {
	base, inner, outer := newScript(asks(401), status(503), status(200)), newJournal(), newJournal()
	rt := &transport.Transport{
		Base:  &transport.Transport{Base: base, Recorder: inner, Retry: quick, Auth: new(ticket)},
		Retry: quick, Recorder: outer,
	}
	code, _, err := get(t, rt, api)
	if code != 200 || err != nil {
		t.Fatal(code, err)
	}
	if d := decisions(inner.all()[0]); !slices.Equal(d, []ledger.Decision{leg, ledger.InnerLayer}) {
		t.Errorf("inside %v", d)
	}
	if d := decisions(outer.only(t)); !slices.Equal(d, []ledger.Decision{ledger.AgainStatus, ledger.Done}) {
		t.Errorf("outside %v", d)
	}
}

// An error of the Auth ends the call before anything is sent, and so does a panic.
func TestAnAuthThatFails(t *testing.T) {
	broken := errors.New("no credentials")
	bs, j := &bodies{text: payload}, newJournal()
	base := newScript(status(200))
	rt := &transport.Transport{Base: base, Recorder: j, Auth: &ticket{err: broken}}
	if _, err := rt.RoundTrip(bs.request(t, http.MethodPut, api, true)); !errors.Is(err, broken) || len(base.times()) != 0 {
		t.Errorf("%v after %d requests", err, len(base.times()))
	}
	bs.closedOnce(t)
	if call := j.only(t); call.Outcome != ledger.NotSent || call.Error != broken.Error() {
		t.Errorf("recorded %+v", call)
	}

	bs, j = &bodies{text: payload}, newJournal()
	rt = &transport.Transport{Base: base, Recorder: j, Auth: panicky{}}
	func() {
		defer func() { recover() }()
		rt.RoundTrip(bs.request(t, http.MethodPut, api, true))
	}()
	if call := j.only(t); !strings.Contains(call.Error, "Auth panicked") {
		t.Errorf("recorded %q", call.Error)
	}
	bs.closedOnce(t)
}

type panicky struct{ *ticket }

func (panicky) Authorize(*http.Request, *http.Response) error { panic("boom") }

// picky cannot be.
type picky struct{ *ticket }

func (picky) Validate() error { return errors.New("redial: Picky.User is \"\"") }

func TestAnAuthIsValidatedBeforeAnythingIsSent(t *testing.T) {
	for _, auth := range []transport.Auth{picky{new(ticket)}, transport.Auths{new(ticket), picky{new(ticket)}}} {
		base := newScript(status(200))
		rt := &transport.Transport{Base: base, Auth: auth}
		_, _, err := get(t, rt, api)
		if err == nil || err.Error() != `redial: Picky.User is ""` || rt.Validate() == nil || len(base.times()) != 0 {
			t.Errorf("%v after %d requests", err, len(base.times()))
		}
	}
}

// Of several the first that knows credentials gives them, and all are told of the answer.
func TestSeveralAuths(t *testing.T) {
	a, b := &ticket{mute: true}, new(ticket)
	base := newScript(asks(401), func(r *http.Request) (*http.Response, error) {
		return answer(r, 200, strings.Join(r.Header["Authorization"], "+")), nil
	})
	rt := &transport.Transport{Base: base, Auth: transport.Auths{a, b}}
	if code, body, err := get(t, rt, api); code != 200 || body != "Ticket 7" || err != nil {
		t.Errorf("%d %q, %v", code, body, err)
	}
	if want := []string{"401", "200"}; !slices.Equal(a.told(), want) || !slices.Equal(b.told(), want) {
		t.Errorf("told %q and %q", a.told(), b.told())
	}

	refused := newScript(asks(401))
	rt = &transport.Transport{Base: refused, Auth: transport.Auths{a, &ticket{err: errLost}}}
	if _, _, err := get(t, rt, api); !errors.Is(err, errLost) || len(refused.times()) != 0 {
		t.Errorf("%v", err)
	}
}

// The 401 that a leg follows is drained within bounds and closed, as before a retry.
func TestA401IsDrainedBeforeItsLeg(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := newSlowBody(-1)
		base := newScript(func(r *http.Request) (*http.Response, error) {
			resp := answer(r, 401, "", "Www-Authenticate", "7")
			resp.Body, resp.ContentLength = body, -1
			return resp, nil
		}, status(200))
		rt := &transport.Transport{Base: base, Recorder: newJournal(), Auth: new(ticket)}
		if code, _, err := get(t, rt, api); code != 200 || err != nil {
			t.Fatal(code, err)
		}
		synctest.Wait()
		if got := base.times()[1]; got != 100*time.Millisecond || body.closes.Load() != 1 {
			t.Errorf("sent again after %v, closed %d times", got, body.closes.Load())
		}
	})
}

// A caller that gives up while the 401 is drained gets an error that names the status.
func TestGivingUpBeforeALeg(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		body := newSlowBody(-1)
		base := newScript(func(r *http.Request) (*http.Response, error) {
			resp := answer(r, 401, "", "Www-Authenticate", "7")
			resp.Body, resp.ContentLength = body, -1
			return resp, nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Millisecond, cancel)
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
		rt := &transport.Transport{Base: base, Auth: new(ticket)}
		_, err := rt.RoundTrip(req)
		var gaveUp *transport.GaveUpError
		if !errors.As(err, &gaveUp) || gaveUp.Status != 401 || !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	})
}
