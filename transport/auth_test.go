package transport_test

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// ticket is an Auth whose credentials are the number that the challenge names. Of a
// challenge "stale" it says that the credentials are out of date.
type ticket struct {
	ahead string // sent without having been asked, "" for nothing
	err   error  // of Authorize
	mute  bool   // it answers no challenge

	mu      sync.Mutex
	answers []string // what it was told
	legs    []int
}

func (a *ticket) Authorize(r *http.Request, challenge *http.Response) error {
	value := a.ahead
	if challenge != nil {
		value = "Ticket " + challenge.Header.Get("Www-Authenticate") + challenge.Header.Get("Proxy-Authenticate")
	}
	name := "Authorization"
	if challenge != nil && challenge.StatusCode == 407 {
		name = "Proxy-Authorization"
	}
	if value != "" && len(r.Header.Values(name)) == 0 {
		r.Header.Set(name, value)
	}
	return a.err
}

func (a *ticket) Answer(r *http.Request, resp *http.Response, legs int) (bool, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.legs = append(a.legs, legs)
	if resp == nil {
		a.answers = append(a.answers, "none")
		return false, nil
	}
	a.answers = append(a.answers, strconv.Itoa(resp.StatusCode))
	switch {
	case a.mute || resp.StatusCode != 401 && resp.StatusCode != 407:
		return false, nil
	case legs > 0 && resp.Header.Get("Stale") == "":
		return false, errors.New("redial: refused")
	}
	return true, nil
}

func (a *ticket) told() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.answers)
}

// asks answers with a challenge.
func asks(status int, header ...string) func(*http.Request) (*http.Response, error) {
	name := map[int]string{401: "Www-Authenticate", 407: "Proxy-Authenticate"}[status]
	return func(r *http.Request) (*http.Response, error) {
		return answer(r, status, "who are you?", append([]string{name, "7"}, header...)...), nil
	}
}

var leg = ledger.AgainAuth

func TestAChallengeIsAnsweredInTheSameCall(t *testing.T) {
	type step = func(*http.Request) (*http.Response, error)
	stale := asks(401, "Stale", "yes")
	for _, c := range []struct {
		name     string
		attempts int
		steps    []step
		auth     *ticket
		status   int // 0: an error
		want     []ledger.Decision
		legs     []int // which attempts are legs
	}{
		{"one leg", 1, []step{asks(401), status(200)}, &ticket{}, 200, []ledger.Decision{leg, ledger.Done}, []int{2}},
		{"proxy", 1, []step{asks(407), status(200)}, &ticket{}, 200, []ledger.Decision{leg, ledger.Done}, []int{2}},
		{"proxy and server", 1, []step{asks(407), asks(401), status(200)}, &ticket{}, 200, []ledger.Decision{leg, leg, ledger.Done}, []int{2, 3}},
		{"stale", 1, []step{asks(401), stale, status(200)}, &ticket{}, 200, []ledger.Decision{leg, leg, ledger.Done}, []int{2, 3}},
		{"stale for ever", 1, []step{asks(401), stale, stale, stale}, &ticket{}, 401, []ledger.Decision{leg, leg, ledger.AuthRefused}, []int{2, 3}},
		{"refused (rburgst/okhttp-digest#12)", 3, []step{asks(401), asks(401), asks(401)}, &ticket{}, 401, []ledger.Decision{leg, ledger.AuthRefused}, []int{2}},
		{"known beforehand", 1, []step{status(200)}, &ticket{ahead: "Ticket 6"}, 200, []ledger.Decision{ledger.Done}, nil},
		{"no business of its", 1, []step{asks(401)}, &ticket{mute: true}, 401, []ledger.Decision{ledger.Done}, nil},
		{"legs use up no attempts", 2, []step{asks(401), status(503), status(200)}, &ticket{}, 200, []ledger.Decision{leg, ledger.AgainStatus, ledger.Done}, []int{2}},
		{"attempts run out all the same", 2, []step{asks(401), status(503), status(503)}, &ticket{}, 503, []ledger.Decision{leg, ledger.AgainStatus, ledger.NoAttemptsLeft}, []int{2}},
		{"a challenge after a retry", 2, []step{status(503), asks(401), status(200)}, &ticket{}, 200, []ledger.Decision{ledger.AgainStatus, leg, ledger.Done}, []int{3}},
		{"a leg that is lost", 2, []step{asks(401), failure(errLost), status(200)}, &ticket{}, 200, []ledger.Decision{leg, ledger.AgainUnknown, ledger.Done}, []int{2}},
		{"a leg that is lost for good", 1, []step{asks(401), failure(errLost)}, &ticket{}, 0, []ledger.Decision{leg, ledger.NoAttemptsLeft}, []int{2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			j, base := newJournal(), newScript(c.steps...)
			retry := quick
			retry.Attempts = c.attempts
			rt := &transport.Transport{Base: base, Recorder: j, Retry: retry, Auth: c.auth}
			code, body, err := get(t, rt, api)
			if code != c.status || (err != nil) != (c.status == 0) || code == 401 && body != "who are you?" {
				t.Errorf("%d %q, %v", code, body, err)
			}
			call := j.only(t)
			if got := decisions(call); !slices.Equal(got, c.want) {
				t.Errorf("decided %v, want %v", got, c.want)
			}
			for i, a := range call.AttemptList {
				if want := slices.Contains(c.legs, i+1); (a.Reason == ledger.AuthLeg) != want || a.N != i+1 {
					t.Errorf("attempt %d: %v", a.N, a.Reason)
				}
			}
			if got := len(c.auth.told()); got != len(call.AttemptList) {
				t.Errorf("the Auth was told of %d attempts of %d", got, len(call.AttemptList))
			}
		})
	}
}

// The body is sent whole again, whatever the method and the key, and on a new connection as
// well (google/go-containerregistry#2454, #1004).
func TestALegSendsTheWholeBodyAgain(t *testing.T) {
	body := strings.Repeat("0123456789abcdef", 64)
	for _, method := range []string{"PUT", "POST", "PATCH"} {
		for _, closes := range []bool{false, true} {
			for _, h2 := range []bool{false, true} {
				var mu sync.Mutex
				var got []string
				s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					b, _ := io.ReadAll(r.Body)
					mu.Lock()
					got = append(got, string(b))
					mu.Unlock()
					if closes && !h2 {
						w.Header().Set("Connection", "close")
					}
					if r.Header.Get("Authorization") == "" {
						w.Header().Set("WWW-Authenticate", "7")
						w.WriteHeader(401)
						io.WriteString(w, strings.Repeat("no ", 1000))
					}
				}))
				if s.EnableHTTP2 = h2; h2 {
					s.StartTLS()
				} else {
					s.Start()
				}
				bs, j := &bodies{text: body}, newJournal()
				rt := &transport.Transport{Base: s.Client().Transport, Recorder: j, Auth: new(ticket)}
				req := bs.request(t, method, s.URL, true)
				before := maps.Clone(req.Header)
				code, _, err := finish(rt.RoundTrip(req))
				if code != 200 || err != nil || !slices.Equal(got, []string{body, body}) {
					t.Errorf("%s, close %v, HTTP/2 %v: %d, %v after %d requests", method, closes, h2, code, err, len(got))
				}
				bs.closedOnce(t)
				if !maps.EqualFunc(req.Header, before, slices.Equal) {
					t.Errorf("the caller's request has %v", req.Header)
				}
				if d := decisions(j.only(t)); !slices.Equal(d, []ledger.Decision{leg, ledger.Done}) {
					t.Errorf("%s: decided %v", method, d)
				}
				s.Close()
			}
		}
	}
}

// What cannot be answered is returned as it came, with its body open.
func TestA401ThatIsNotAnsweredIsTheCallers(t *testing.T) {
	broken := errors.New("no copy")
	for _, c := range []struct {
		name  string
		spoil func(*http.Request)
		auth  *ticket
		want  ledger.Decision
		err   string // in the record
	}{
		{"no GetBody", func(r *http.Request) { r.GetBody = nil }, &ticket{}, ledger.BodyGone, ""},
		{"GetBody fails", func(r *http.Request) { r.GetBody = func() (io.ReadCloser, error) { return nil, broken } }, &ticket{}, ledger.GetBodyFailed, "no copy"},
		{"the caller's own credentials", func(r *http.Request) { r.Header.Set("Authorization", "mine") }, &ticket{}, ledger.Done, ""},
		{"the same in lower case", func(r *http.Request) { r.Header["authorization"] = []string{"mine"} }, &ticket{}, ledger.Done, ""},
		{"the caller wants none", func(r *http.Request) { r.Header["Authorization"] = nil }, &ticket{}, ledger.Done, ""},
		{"none of its business", func(*http.Request) {}, &ticket{mute: true}, ledger.Done, ""},
		{"no Auth", func(*http.Request) {}, nil, ledger.Done, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			bs, j, base := &bodies{text: payload}, newJournal(), newScript(asks(401))
			rt := &transport.Transport{Base: base, Recorder: j, Retry: quick}
			if c.auth != nil {
				rt.Auth = c.auth
			}
			req := bs.request(t, http.MethodPost, api, true)
			c.spoil(req)
			code, body, err := finish(rt.RoundTrip(req))
			if code != 401 || body != "who are you?" || err != nil || len(base.times()) != 1 {
				t.Errorf("%d %q, %v after %d requests", code, body, err, len(base.times()))
			}
			a := j.only(t).AttemptList[0]
			if a.Decision != c.want || !strings.Contains(a.Err, c.err) {
				t.Errorf("decided %v, %q", a.Decision, a.Err)
			}
			bs.closedOnce(t)
		})
	}
}

// Each leg takes a place in the windows, as the server counts it.
func TestLegsTakePlacesInTheWindows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, j := newScript(asks(401), status(200)), newJournal()
		rt := &transport.Transport{
			Base: base, Recorder: j, Auth: new(ticket),
			Windows: []transport.Window{{Host: "api.example.test", Limit: 1, Per: time.Second}},
		}
		if code, _, err := get(t, rt, api); code != 200 || err != nil {
			t.Fatal(code, err)
		}
		if call := j.only(t); base.times()[1] != time.Second || len(call.Waits) != 1 || call.Waits[0].Before != 2 || call.Waits[0].Kind != ledger.WindowWait {
			t.Errorf("the leg was sent after %v: %+v", base.times()[1], call.Waits)
		}
		if _, _, err := get(t, rt, api); err != nil {
			t.Error(err)
		}
	})
}

// A leg that could not begin before the deadline is not begun, and the 401 is returned.
func TestALegThatComesTooLateIsNotBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base, j := newScript(asks(401), status(200)), newJournal()
		rt := &transport.Transport{
			Base: base, Recorder: j, Auth: new(ticket),
			Windows: []transport.Window{{Host: "api.example.test", Limit: 1, Per: time.Hour}},
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, api, nil)
		code, body, err := finish(rt.RoundTrip(req))
		if code != 401 || body != "who are you?" || err != nil || len(base.times()) != 1 {
			t.Errorf("%d %q, %v", code, body, err)
		}
		if d := decisions(j.only(t)); !slices.Equal(d, []ledger.Decision{ledger.DeadlineTooSoon}) {
			t.Errorf("decided %v", d)
		}
	})
}

// An operation is asked before each leg, and decides about all that is no leg.
func TestLegsUnderAnOperation(t *testing.T) {
	gone := errors.New("the lease is gone")
	for _, c := range []struct {
		name   string
		steps  []func(*http.Request) (*http.Response, error)
		refuse int // which check refuses
		status int
		err    error
		want   []ledger.Decision
	}{
		{"a leg", []func(*http.Request) (*http.Response, error){asks(401), status(201)}, 0, 201, nil, []ledger.Decision{leg, ledger.Done}},
		{"no retry after it", []func(*http.Request) (*http.Response, error){asks(401), status(503)}, 0, 503, nil, []ledger.Decision{leg, ledger.OperationDecides}},
		{"the lease is lost", []func(*http.Request) (*http.Response, error){asks(401), status(201)}, 2, 0, gone, []ledger.Decision{leg}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checks, dones := 0, 0
			trace := &ledger.Trace{Key: "order-8841", Reason: ledger.Resubmit, Check: func() error {
				if checks++; checks == c.refuse {
					return gone
				}
				return nil
			}, Done: func(*ledger.Call) { dones++ }}
			bs, j, base, auth := &bodies{text: payload}, newJournal(), newScript(c.steps...), new(ticket)
			rt := &transport.Transport{Base: base, Recorder: j, Retry: quick, Auth: auth}
			req := bs.request(t, http.MethodPost, api, true)
			code, _, err := finish(rt.RoundTrip(req.WithContext(ledger.WithTrace(req.Context(), trace))))
			if code != c.status || !errors.Is(err, c.err) {
				t.Errorf("%d, %v", code, err)
			}
			call := j.only(t)
			if d := decisions(call); !slices.Equal(d, c.want) || checks != 2 || dones != 1 {
				t.Errorf("decided %v after %d checks, told %d times", d, checks, dones)
			}
			if call.AttemptList[0].Reason != ledger.Resubmit || len(auth.told()) != 2 {
				t.Errorf("the first attempt is %v, and the Auth was told %q", call.AttemptList[0].Reason, auth.told())
			}
			bs.closedOnce(t)
		})
	}
}
