package transport_test

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
	"redial/transport"
)

// advises is an advisor with one opinion, of responses and errors alike.
func advises(v transport.Verdict, wait time.Duration) transport.Advisor {
	return func(*transport.Result) transport.Advice { return transport.Advice{Verdict: v, Wait: wait} }
}

// A veto outweighs everything, and no advice makes a request repeatable that is not.
func TestAdviceStaysWithinTheGate(t *testing.T) {
	const second = time.Second
	veto, again, limit, none := advises(transport.Veto, 0), advises(transport.Again, 2*second), advises(transport.RateLimit, 3*second), advises(transport.NoOpinion, second)
	lost, ok, busy, teapot := failure(errLost), status(200), status(503), status(418)
	for _, c := range []struct {
		name     string
		method   string
		step     func(*http.Request) (*http.Response, error)
		advisors []transport.Advisor
		want     ledger.Decision
		wait     time.Duration
	}{
		{"no opinion", "GET", busy, []transport.Advisor{none}, ledger.AgainStatus, second / 2},
		{"no opinion of an error", "GET", lost, []transport.Advisor{none}, ledger.AgainUnknown, second / 2},
		{"veto", "GET", busy, []transport.Advisor{veto}, ledger.Vetoed, 0},
		{"veto of an error", "GET", lost, []transport.Advisor{veto}, ledger.Vetoed, 0},
		{"veto behind others", "GET", busy, []transport.Advisor{again, limit, veto, again}, ledger.Vetoed, 0},
		{"veto of what is final anyhow", "GET", teapot, []transport.Advisor{veto}, ledger.Done, 0},
		{"veto of success", "GET", ok, []transport.Advisor{veto}, ledger.Done, 0},
		{"again", "GET", teapot, []transport.Advisor{again}, ledger.AgainPushback, 2 * second},
		{"again after success", "GET", ok, []transport.Advisor{again}, ledger.AgainPushback, 2 * second},
		{"again after an error", "GET", lost, []transport.Advisor{again}, ledger.AgainUnknown, 2 * second},
		{"the longest wait", "GET", teapot, []transport.Advisor{limit, again}, ledger.AgainPushback, 3 * second},
		{"again, unkeyed POST", "POST", busy, []transport.Advisor{again}, ledger.NotRepeatable, 0},
		{"again, unkeyed POST lost", "POST", lost, []transport.Advisor{again}, ledger.NotRepeatable, 0},
		{"limit, unkeyed POST", "POST", busy, []transport.Advisor{limit}, ledger.NotRepeatable, 0},
		{"no time given", "GET", teapot, []transport.Advisor{advises(transport.Again, 0)}, ledger.AgainPushback, second / 2},
		{"limit, no time given", "GET", teapot, []transport.Advisor{advises(transport.RateLimit, 0)}, ledger.AgainPushback, second},
		{"too long", "GET", teapot, []transport.Advisor{advises(transport.Again, time.Hour)}, ledger.RetryAfterTooLong, 0},
		{"negative", "GET", teapot, []transport.Advisor{advises(transport.Again, -time.Hour)}, ledger.AgainPushback, second / 2},
		{"Retry-After is longer", "GET", status(503, "Retry-After", "7"), []transport.Advisor{again}, ledger.AgainPushback, 7 * second},
		{"Retry-After is shorter", "GET", status(503, "Retry-After", "1"), []transport.Advisor{again}, ledger.AgainPushback, 2 * second},
	} {
		synctest.Test(t, func(t *testing.T) {
			retry := plain(transport.Retry{Attempts: 2, Base: second / 2, Advisors: c.advisors})
			call, _ := sendOnce(t, &transport.Transport{Retry: retry}, c.method, api, false, c.step)
			if d := decisions(call)[0]; d != c.want {
				t.Errorf("%s: %v, want %v", c.name, d, c.want)
			}
			if call.Waited != c.wait {
				t.Errorf("%s: waited %v, want %v", c.name, call.Waited, c.wait)
			}
		})
	}
}

// An error that cannot change is permanent, whoever wants to try again.
func TestAdviceDoesNotChangeWhatCannotChange(t *testing.T) {
	retry := quick
	retry.Advisors = []transport.Advisor{advises(transport.Again, 0)}
	j := newJournal()
	rt := &transport.Transport{Base: &http.Transport{}, Recorder: j, Retry: retry}
	get(t, rt, "ftp://api.example.test/x")
	if d := decisions(j.only(t)); len(d) != 1 || d[0] != ledger.Permanent {
		t.Errorf("decided %v", d)
	}
}

// An advisor sees the request also where there is no response, so that it can tell a POST
// (netbox-ip-controller#14): that was sent once, since nobody knows what became of it.
func TestAdvisorsSeeTheMethodOfWhatFailed(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	retry := quick
	retry.Advisors = []transport.Advisor{func(r *transport.Result) transport.Advice {
		mu.Lock()
		defer mu.Unlock()
		line := r.Request.Method + " " + strconv.Itoa(r.Attempt) + " " + r.Outcome.String()
		if r.Err != nil {
			line += " " + r.Err.Error()
		}
		if r.Response != nil {
			line += " " + strconv.Itoa(r.Response.StatusCode) + " " + string(r.Start())
		}
		seen = append(seen, line)
		return transport.Advice{}
	}}
	if _, sent := sendOnce(t, &transport.Transport{Retry: retry}, "POST", api, false, failure(errLost)); sent != 1 {
		t.Errorf("a POST that was lost is sent %d times", sent)
	}
	sendOnce(t, &transport.Transport{Retry: retry}, "PUT", api, false, status(503), status(201))
	want := "POST 1 unknown connection lost, PUT 1 answered 503 body, PUT 2 answered 201 body"
	if got := strings.Join(seen, ", "); got != want {
		t.Errorf("seen: %s\nwant: %s", got, want)
	}
}

func TestAdvisorsOfKnownServers(t *testing.T) {
	now := time.Date(2025, 12, 31, 23, 59, 0, 0, time.UTC) // 1767225540
	stripe, openai := transport.ShouldRetry("Stripe-Should-Retry"), transport.ShouldRetry("X-Should-Retry")
	for _, c := range []struct {
		name    string
		advisor transport.Advisor
		status  int
		header  string // name: value, name: value
		body    string
		want    transport.Advice
	}{
		{"Stripe says no", stripe, 503, "Stripe-Should-Retry: false", "", transport.Advice{Verdict: transport.Veto}},
		{"Stripe says yes", stripe, 409, "Stripe-Should-Retry: true", "", transport.Advice{Verdict: transport.Again}},
		{"Stripe says nothing", stripe, 503, "", "", transport.Advice{}},
		{"not of Stripe", stripe, 503, "X-Should-Retry: false", "", transport.Advice{}},
		{"OpenAI says no", openai, 429, "X-Should-Retry: false", "", transport.Advice{Verdict: transport.Veto}},
		{"OpenAI says yes", openai, 500, "X-Should-Retry:  True ", "", transport.Advice{Verdict: transport.Again}},
		{"OpenAI says maybe", openai, 500, "X-Should-Retry: 1", "", transport.Advice{}},
		{"after success", openai, 200, "X-Should-Retry: true", "", transport.Advice{}},

		{"gRPC says when", transport.GRPCPushback, 200, "grpc-retry-pushback-ms: 1500", "", transport.Advice{Verdict: transport.Again, Wait: 1500 * time.Millisecond}},
		{"gRPC says at once", transport.GRPCPushback, 200, "grpc-retry-pushback-ms: 0", "", transport.Advice{Verdict: transport.Again, Wait: 1}},
		{"gRPC says no", transport.GRPCPushback, 503, "grpc-retry-pushback-ms: -1", "", transport.Advice{Verdict: transport.Veto}},
		{"gRPC says what is no number", transport.GRPCPushback, 503, "grpc-retry-pushback-ms: soon", "", transport.Advice{Verdict: transport.Veto}},
		{"gRPC says far too much", transport.GRPCPushback, 503, "grpc-retry-pushback-ms: 99999999999999999999", "", transport.Advice{Verdict: transport.Veto}},
		{"gRPC says much", transport.GRPCPushback, 503, "grpc-retry-pushback-ms: 9223372036854775807", "", transport.Advice{Verdict: transport.Again, Wait: 1<<63 - 1}},
		{"gRPC says two things", transport.GRPCPushback, 503, "grpc-retry-pushback-ms: 1, grpc-retry-pushback-ms: 2", "", transport.Advice{Verdict: transport.Veto}},
		{"gRPC says nothing", transport.GRPCPushback, 503, "", "", transport.Advice{}},

		// hub4j/github-api#1805, octokit/plugin-throttling.js#566.
		{"secondary limit", transport.GitHubLimits, 403, "X-RateLimit-Remaining: 4987, X-RateLimit-Reset: 1767225600",
			`{"message":"You have exceeded a Secondary Rate limit."}`, transport.Advice{Verdict: transport.RateLimit, Wait: time.Minute}},
		{"secondary limit, 429", transport.GitHubLimits, 429, "", "secondary rate limit", transport.Advice{Verdict: transport.RateLimit, Wait: time.Minute}},
		{"secondary limit with a time", transport.GitHubLimits, 403, "Retry-After: 30", "secondary rate limit", transport.Advice{Verdict: transport.RateLimit, Wait: 30 * time.Second}},
		{"abuse detection", transport.GitHubLimits, 403, "", "triggered an abuse detection mechanism", transport.Advice{Verdict: transport.RateLimit, Wait: time.Minute}},
		{"primary limit", transport.GitHubLimits, 403, "X-RateLimit-Remaining: 0, X-RateLimit-Reset: 1767225577", "", transport.Advice{Verdict: transport.RateLimit, Wait: 37 * time.Second}},
		{"primary limit, clock ahead", transport.GitHubLimits, 403, "X-RateLimit-Remaining: 0, X-RateLimit-Reset: 1767225480, Date: Wed@ 31 Dec 2025 23:57:50 GMT", "",
			transport.Advice{Verdict: transport.RateLimit, Wait: 10 * time.Second}},
		{"primary limit, over", transport.GitHubLimits, 403, "X-RateLimit-Remaining: 0, X-RateLimit-Reset: 1", "", transport.Advice{Verdict: transport.RateLimit, Wait: 1}},
		{"primary limit, no time", transport.GitHubLimits, 429, "X-RateLimit-Remaining: 0, X-RateLimit-Reset: soon", "", transport.Advice{Verdict: transport.RateLimit, Wait: time.Minute}},
		{"refusal", transport.GitHubLimits, 403, "X-RateLimit-Remaining: 4987, X-RateLimit-Reset: 1767225600", `{"message":"Must have admin rights"}`, transport.Advice{}},
		{"other status", transport.GitHubLimits, 404, "X-RateLimit-Remaining: 0", "secondary rate limit", transport.Advice{}},
	} {
		synctest.Test(t, func(t *testing.T) {
			elapse(time.Until(now))
			var got transport.Advice
			listen := func(r *transport.Result) transport.Advice { got = c.advisor(r); return transport.Advice{} }
			var header []string
			for line := range strings.SplitSeq(c.header, ", ") {
				if name, value, ok := strings.Cut(line, ":"); ok {
					header = append(header, name, strings.ReplaceAll(strings.TrimPrefix(value, " "), "@", ","))
				}
			}
			base := func(r *http.Request) (*http.Response, error) { return answer(r, c.status, c.body, header...), nil }
			rt := &transport.Transport{Base: baseFunc(base), Retry: transport.Retry{Advisors: []transport.Advisor{listen}}}
			if code, body, err := get(t, rt, api); code != c.status || body != c.body || err != nil {
				t.Errorf("%s: the caller got %d %q %v", c.name, code, body, err)
			}
			if got != c.want {
				t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
			}
		})
	}
}

// Advisors speak of responses only; an error is none of their business.
func TestAdvisorsOfKnownServersHaveNoOpinionOfErrors(t *testing.T) {
	for _, a := range []transport.Advisor{transport.ShouldRetry("X-Should-Retry"), transport.GRPCPushback, transport.GitHubLimits} {
		if got := a(&transport.Result{Request: &http.Request{}, Err: errLost}); got != (transport.Advice{}) {
			t.Errorf("%+v", got)
		}
	}
}

// GitHub's secondary limit is waited for like any other that a server names, and a minute
// is still within the default maximum.
func TestASecondaryLimitIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		base := newScript(func(r *http.Request) (*http.Response, error) { return answer(r, 403, "secondary rate limit"), nil }, status(200))
		j := newJournal()
		rt := &transport.Transport{Base: base, Recorder: j, Retry: transport.Retry{Attempts: 3, Advisors: []transport.Advisor{transport.GitHubLimits}}}
		code, _, err := get(t, rt, api)
		if at := base.times(); code != 200 || err != nil || len(at) != 2 || at[1] < time.Minute {
			t.Errorf("%d %v after requests at %v", code, err, at)
		}
		call := j.only(t)
		if call.AttemptList[0].RetryAfter != time.Minute || call.Waits[0].Kind != ledger.RetryAfterWait {
			t.Errorf("recorded %v, %+v", call.AttemptList[0].RetryAfter, call.Waits[0])
		}
	})
}

// What an advisor reads of a body the caller still gets, and is not made to wait for more
// than a moment.
func TestABodyThatAnAdvisorReadIsStillTheCallers(t *testing.T) {
	for _, size := range []int{0, 1, 4095, 4096, 4097, 100_000} {
		synctest.Test(t, func(t *testing.T) {
			want := strings.Repeat("x", size)
			var start []byte
			peeks := func(r *transport.Result) transport.Advice { start = r.Start(); r.Start(); return transport.Advice{} }
			j := newJournal()
			rt := &transport.Transport{Recorder: j, Retry: transport.Retry{Advisors: []transport.Advisor{peeks}},
				Base: pipe(t, func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, want) })}
			_, body, err := get(t, rt, api)
			if body != want || err != nil || len(start) != min(size, 4096) {
				t.Errorf("of %d bytes %d reach the caller and %d the advisor: %v", size, len(body), len(start), err)
			}
			if got := j.only(t).AttemptList[0]; got.BytesReceived != int64(size) || got.Response.Body.Size != int64(size) {
				t.Errorf("of %d bytes %d are on record", size, got.BytesReceived)
			}
		})
	}
}

// A body that trickles holds up neither the advisor nor, byte by byte, its reader.
func TestASlowBodyDoesNotHoldUpAdvisors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		next := make(chan string)
		base := pipe(t, func(w http.ResponseWriter, r *http.Request) {
			for text := range next {
				io.WriteString(w, text)
				w.(http.Flusher).Flush()
			}
		})
		var start string
		peeks := func(r *transport.Result) transport.Advice { start = string(r.Start()); return transport.Advice{} }
		rt := &transport.Transport{Base: base, Retry: transport.Retry{Advisors: []transport.Advisor{peeks}}}
		go func() { next <- "one"; elapse(time.Hour); next <- "two"; elapse(time.Hour); close(next) }()
		began := time.Now()
		req, _ := http.NewRequest(http.MethodGet, api, nil)
		resp, err := rt.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if took := time.Since(began); took > time.Second || start != "one" {
			t.Errorf("the head came after %v, with %q for the advisor", took, start)
		}
		buf := make([]byte, 10)
		for _, want := range []string{"one", "two"} {
			if n, err := resp.Body.Read(buf); string(buf[:n]) != want || err != nil {
				t.Errorf("read %q %v, want %q", buf[:n], err, want)
			}
		}
		if took := time.Since(began); took != time.Hour {
			t.Errorf("the second part came after %v", took)
		}
		io.ReadAll(resp.Body)
	})
}

// What an advisor takes for a rate limit concerns all calls to the host, as a 429 does, and
// those to no other.
func TestARateLimitHoldsBackEverybody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := newArrivals()
		first := true
		base := func(r *http.Request) (*http.Response, error) {
			seen.note(r.URL.Path)
			if first {
				first = false
				return answer(r, 403, "secondary rate limit"), nil
			}
			return answer(r, 200, ""), nil
		}
		rt := &transport.Transport{Base: baseFunc(base), Retry: transport.Retry{Attempts: 2, Advisors: []transport.Advisor{transport.GitHubLimits}}}
		var all sync.WaitGroup
		defer all.Wait()
		all.Go(func() { get(t, rt, "http://api.example.test/limited") })
		synctest.Wait()
		all.Go(func() { get(t, rt, "http://api.example.test/held") })
		all.Go(func() { get(t, rt, "http://b.example.test/free") })
		all.Wait()
		for i, name := range seen.names() {
			at, held := seen.times()[i], i > 0 && name != "/free"
			if (at >= time.Minute) != held {
				t.Errorf("%s arrives after %v", name, at)
			}
		}
		if len(seen.names()) != 4 {
			t.Errorf("requests: %v", seen.names())
		}
	})
}

// Whatever a server writes, no advice is a negative wait, and the response stays whole.
func FuzzAdvisors(f *testing.F) {
	f.Add(403, "1767225600", "0", "-1", "secondary rate limit")
	f.Add(429, "99999999999999999999", "4987", "9223372036854775807", "")
	f.Add(200, "-9223372036854775808", "", "0x1", "\x00abuse detection")
	f.Fuzz(func(t *testing.T, code int, reset, remaining, pushback, body string) {
		check := func(a transport.Advisor) transport.Advisor {
			return func(r *transport.Result) transport.Advice {
				got := a(r)
				if got.Wait < 0 || got.Verdict > transport.Veto || got.Wait > 0 && got.Verdict != transport.Again && got.Verdict != transport.RateLimit {
					t.Errorf("%+v", got)
				}
				return transport.Advice{}
			}
		}
		base := func(r *http.Request) (*http.Response, error) {
			return answer(r, code, body, "X-RateLimit-Reset", reset, "X-RateLimit-Remaining", remaining,
				"Grpc-Retry-Pushback-Ms", pushback, "X-Should-Retry", remaining, "Date", reset), nil
		}
		rt := &transport.Transport{Base: baseFunc(base), Retry: transport.Retry{Advisors: []transport.Advisor{
			check(transport.GitHubLimits), check(transport.GRPCPushback), check(transport.ShouldRetry("X-Should-Retry")),
		}}}
		if _, got, err := get(t, rt, api); got != body || err != nil {
			t.Errorf("%q %v", got, err)
		}
	})
}
