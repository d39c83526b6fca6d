package policy_test

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"redial/transport"
	"redial/transport/policy"
)

func TestAFileSaysWhatTheFieldsOfATransportDo(t *testing.T) {
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		file string
		want policy.Config
	}{
		"nothing":  {"", policy.Config{}},
		"a preset": {`retry.preset = "safe"`, policy.Config{Retry: transport.SafeRetry}},
		"strict":   {`retry = { preset = "strict" }`, policy.Config{Retry: transport.StrictRetry}},
		"off":      {`retry.preset = "off"`, policy.Config{}},
		"a preset behind what changes it": {`
			[retry]
			attempts = 6
			preset = "article"
			jitter = "equal"`,
			policy.Config{Retry: transport.Retry{Attempts: 6, Base: 2 * time.Second, Multiplier: 2, Max: 10 * time.Minute, Jitter: transport.EqualJitter,
				Statuses: []int{408, 425, 429, 500, 502, 503, 504}}}},
		"every key": {`
			[retry]
			attempts = 4
			base = "150ms"
			max = "1m30s"
			multiplier = 1.5
			jitter = "none"
			attempt_timeout = "4.5s"
			share_deadline = true
			limit = "14d"
			max_retry_after = "2h30m"
			statuses = []
			errors = ["dns", "lost"]
			key_header = "X-Request-Id"
			repeat = "by-key"
			strict = true
			[budget]
			burst = 20
			ratio = 0.5
			per_second = 3
			off = true`,
			policy.Config{
				Retry: transport.Retry{Attempts: 4, Base: 150 * ms, Max: 90 * time.Second, Multiplier: 1.5, Jitter: transport.NoJitter, AttemptTimeout: 4500 * ms,
					ShareDeadline: true, Limit: 14 * 24 * time.Hour, MaxRetryAfter: 150 * time.Minute, Statuses: []int{}, KeyHeader: "X-Request-Id",
					Errors: []transport.ErrorKind{transport.DNSError, transport.LostError}, Repeat: transport.ByKey, Strict: true},
				Budget: transport.Budget{Burst: 20, Ratio: 0.5, PerSecond: 3, Off: true},
			}},
		"routes change the policy before or behind them": {`
			[[routes]]
			methods = ["POST"]
			path = "/search/{index}"
			retry.repeat = "always"
			[[routes]]
			name = "slow"
			host = "*.example.test"
			retry = { preset = "off", attempt_timeout = "1m" }
			budget.burst = 3
			[[routes]]
			[retry]
			attempts = 3
			base = "1s"`,
			policy.Config{
				Retry: transport.Retry{Attempts: 3, Base: time.Second},
				Routes: []transport.Route{
					{Methods: []string{"POST"}, Path: "/search/{index}", Retry: transport.Retry{Attempts: 3, Base: time.Second, Repeat: transport.AlwaysRepeat}},
					{Name: "slow", Host: "*.example.test", Retry: transport.Retry{AttemptTimeout: time.Minute}, Budget: transport.Budget{Burst: 3}},
					{Retry: transport.Retry{Attempts: 3, Base: time.Second}},
				},
			}},
		"windows and bandwidths": {`
			no_pause = true
			[[windows]]
			path = "/orders/"
			kind = "gcra"
			limit = 10
			per = "1s"
			burst = 5
			[[windows]]
			host = "a.example.test"
			kind = "sliding"
			limit = 1
			per = "1d"
			[[bandwidth]]
			host = "b.example.test"
			up = 65_536
			[[bandwidth]]
			down = 10_000_000_000`,
			policy.Config{
				NoPause: true,
				Windows: []transport.Window{
					{Path: "/orders/", Kind: transport.GCRA, Limit: 10, Per: time.Second, Burst: 5},
					{Host: "a.example.test", Kind: transport.SlidingWindow, Limit: 1, Per: 24 * time.Hour},
				},
				Bandwidth: []transport.Bandwidth{{Host: "b.example.test", Up: 65_536}, {Down: 10_000_000_000}},
			}},
		"a window on one line": {`windows = [{ host = "api.example.test", limit = 3, per = "4.5s" }]`,
			policy.Config{Windows: []transport.Window{{Host: "api.example.test", Limit: 3, Per: 4500 * ms}}}},
	} {
		got, err := policy.Read(strings.NewReader(c.file))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, *got, c.want)
		}
	}
}

// What is wrong is refused with its place, its name, and what to do, on one line; and
// nothing is read by half.
func TestAFileThatIsWrongIsRefused(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"[retry]\nattempts = ", "2:11: unexpected EOF; expected value"},
		{"[retry\n", "1:7: expected"},
		{"[retry]\nattempts = 3\nattempts = 4", "3:"},
		{"retries = 3", "1:1: retries is unknown: use bandwidth, budget, no_pause, retry, routes or windows"},
		{"[retry]\nattempts = 3\n  Base = \"1s\"", "3:3: retry.Base is unknown: use advisors, attempt_timeout, attempts, base"},
		{"[retry]\nattempts = \"3\"", `2:12: retry.attempts is "3": use a whole number`},
		{"[retry]\nattempts = 2.5", "2:12: retry.attempts is 2.5: use a whole number"},
		{"[retry]\nattempts = -1", "2:12: retry.attempts is -1: use 1 or 0 to send once"},
		{"[[bandwidth]]\nup = -1", "2:6: bandwidth[0].up is -1: use bytes a second"},
		{"[[bandwidth]]\nup = 1.5", "2:6: bandwidth[0].up is 1.5: use a whole number"},
		{"[[windows]]\nkind = \"leaky\"", `2:8: windows[0].kind is "leaky": use fixed, gcra or sliding`},
		{"[retry]\nbase = 5", "2:8: retry.base is 5: use a string of a number with a unit"},
		{"[retry]\nbase = \"5\"", `2:8: retry.base is "5": use a string`},
		{"[retry]\nbase = \"-5s\"", `2:8: retry.base is "-5s": use a string`},
		{"[retry]\nbase = 1979-05-27", "2:8: retry.base is 1979-05-27"},
		{"[retry]\nbase = {}", "2:8: retry.base is a table: use a string"},
		{"[retry]\nbase = []", "2:8: retry.base is an array: use a string"},
		{"[retry]\nmultiplier = nan", "2:14: retry.multiplier is NaN"},
		{"[retry]\nmultiplier = true", "2:14: retry.multiplier is true: use a number"},
		{"[retry]\nstrict = 1", "2:10: retry.strict is 1: use true or false"},
		{"[retry]\njitter = \"ful\"", `2:10: retry.jitter is "ful": use decorrelated, equal, full or none`},
		{"[retry]\npreset = \"brave\"", `2:10: retry.preset is "brave": use article, off, safe or strict`},
		{"[retry]\nrepeat = \"always\"", "2:10: retry.repeat is always: say so in a Route"},
		{"[retry]\nstatuses = [\n  503, # busy\n  \"504\",\n]", `4:3: retry.statuses[1] is "504": use a whole number`},
		{"[retry]\nstatuses = [503, 409]", "2:18: retry.statuses[1] is 409: a conflict"},
		{"[retry]\nstatuses = 503", "2:12: retry.statuses is 503: make it an array"},
		{"[retry]\nerrors = [\"dns\", \"eof\"]", `2:18: retry.errors[1] is "eof": use connect, dns, lost or timeout`},
		{"[retry]\nin_flight = { value = \"1\" }", "2:13: retry.in_flight has no header"},
		{"[retry]\nin_flight = \"x\"", `2:13: retry.in_flight is "x": make it a table`},
		{"[retry]\nadvisors = [\"me\"]", `2:13: retry.advisors[0] is "me": use github, grpc, stripe-should-retry or x-should-retry`},
		{"[retry]\nkey_header = \"a b\"", `2:14: retry.key_header is "a b"`},
		{"[retry]\nkey_header = 'a b'\nmax = \"\"\"\n\"\"\"", `3:7: retry.max is ""`},
		{"retry = 3", "1:9: retry is 3: make it a table"},
		{"[[retry]]\nattempts = 3", "1:1: retry is a table: make it a table"},
		{"[budget]\nratio = 2", "2:9: budget.ratio is 2"},
		{"budget.per_second = -1", "1:21: budget.per_second is -1"},
		{"[routes]\nname = \"a\"", "1:1: routes is a table: make it tables, each under [[routes]]"},
		{"routes = [{}, 3]", "1:15: routes[1] is 3: make it a table"},
		{"[[routes]]\nname = \"a\"\n\n[[routes]]\nmethods = [\"GET\", \"post\"]\n\n[[routes]]\n", `5:19: routes[1].methods[1] is "post": use a method in upper case`},
		{"[[routes]]\n[[routes]]\nretry = { repeat = \"always\" }", "2:1: routes[1].methods is empty"},
		{"[[routes]]\n[[routes]]\n[routes.retry]\nbase = \"1s\"\nlimits = 3\n[[routes]]\n[routes.retry]\nbase=\"2s\"", "5:1: routes[1].retry.limits is unknown"},
		{"[[routes]]\n[[routes]]\n[routes.budget]\nburst = -3\n[[routes]]", "4:9: routes[1].budget.burst is -3"},
		{"[[routes]]\npath = \"orders\"", `2:8: routes[0].path is "orders": a path pattern begins with a slash`},
		{"[[windows]]\nhost = \"a.example.test\"\nlimit = 3\nper = \"1s\"\n[[windows]]\nhost = \"*\"", `6:8: windows[1].host is "*"`},
		{"[[windows]]\nhost = \"a.example.test\"\nlimit = 0\nper = \"1s\"", "3:9: windows[0].limit is 0"},
		{"[[windows]]\nhost = \"a.example.test\"\nper = \"1s\"", "1:1: windows[0].limit is 0"},
		{"[retry]\n\"base\" = 3", "2:10: retry.base is 3"},
		{"retry . 'base' = 3", "1:18: retry.base is 3"},
		{"retry = { attempts = 3, \"ba\\u0073e\" = \"x\" }", "retry.base is \"x\""},
		{"[retry]\nkey_header = \"" + strings.Repeat("k ", 100) + "\"", "retry.key_header is"},
		{"# " + strings.Repeat("x", 300<<10), "1:1: is longer than 256 KiB"},
	} {
		got, err := policy.Read(strings.NewReader(c.file))
		var wrong *policy.Error
		if got != nil || !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.80q:\n got %v\nwant %s", c.file, err, c.want)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "redial: policy:") {
			t.Errorf("%v does not begin with the file", err)
		}
	}
}

func TestErrorsNameTheFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "calm.toml")
	if _, err := policy.File(name); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), name) {
		t.Errorf("%v", err)
	}
	os.WriteFile(name, []byte("[retry]\nattempts = -1\n"), 0o600)
	if _, err := policy.File(name); err == nil || !strings.HasPrefix(err.Error(), "redial: "+name+":2:12: retry.attempts is -1: ") {
		t.Errorf("%v", err)
	}
}

// Applying replaces all that a file has a say in, and nothing else.
func TestApplyReplacesAll(t *testing.T) {
	c, err := policy.Read(strings.NewReader(`[budget]` + "\nburst = 3"))
	if err != nil {
		t.Fatal(err)
	}
	rt := &transport.Transport{Base: http.DefaultTransport, Retry: transport.SafeRetry, Windows: []transport.Window{{}}, Routes: []transport.Route{{}}}
	c.Apply(rt)
	if rt.Retry.Attempts != 0 || rt.Windows != nil || rt.Routes != nil || rt.Budget.Burst != 3 || rt.Base != http.DefaultTransport {
		t.Errorf("%+v", rt)
	}
}

func TestAFileDeclaresWhatAConflictInFlightLooksLike(t *testing.T) {
	for file, marked := range map[string]map[string]bool{
		`retry.in_flight = { header = "x-conflict" }`:                      {"": false, "in-flight": true, "exists": true},
		`retry.in_flight = { header = "X-Conflict", value = "in-flight" }`: {"": false, "in-flight": true, "exists": false},
	} {
		c, err := policy.Read(strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		for value, want := range marked {
			resp := &http.Response{StatusCode: 409, Header: http.Header{}}
			if value != "" {
				resp.Header.Set("X-Conflict", value)
			}
			if got := c.Retry.InFlight(resp); got != want {
				t.Errorf("%s: %q is in flight: %v", file, value, got)
			}
		}
	}
}

func TestAFileNamesAdvisors(t *testing.T) {
	c, err := policy.Read(strings.NewReader(`retry.advisors = ["github", "grpc", "stripe-should-retry", "x-should-retry"]`))
	if err != nil {
		t.Fatal(err)
	}
	for i, header := range []http.Header{
		{"Retry-After": {"1"}}, {"Grpc-Retry-Pushback-Ms": {"1"}}, {"Stripe-Should-Retry": {"true"}}, {"X-Should-Retry": {"true"}},
	} {
		resp := &http.Response{StatusCode: 429, Header: header}
		for j, advisor := range c.Retry.Advisors {
			if spoke := advisor(&transport.Result{Response: resp}).Verdict != transport.NoOpinion; spoke != (i == j) {
				t.Errorf("advisor %d about %v: %v", j, header, spoke)
			}
		}
	}
}

// Whatever a file holds, it is read or refused; and what the package comment shows is read.
func FuzzRead(f *testing.F) {
	for _, file := range []string{example(f), "a.b.'c'=[{d=1},[2,\"]\"]]", "x='''a''''\n[[a.b]]\n[a.b.c]\n[[a.b]]", "\"\\\"\" = '\\'", "[retry]\nbase = \"\"\"\\\"\"\"\"", "a = 1979-05-27 07:32:00Z # x\nb=2"} {
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file string) {
		got, err := policy.Read(strings.NewReader(file))
		if (got == nil) == (err == nil) {
			t.Errorf("%v, %v", got, err)
		}
		if wrong := (*policy.Error)(nil); errors.As(err, &wrong) && (wrong.Line < 1 || wrong.Column < 1 || wrong.Line > strings.Count(file, "\n")+1) {
			t.Errorf("there is no %d:%d", wrong.Line, wrong.Column)
		}
	})
}

// example returns the file that stands in the package comment.
func example(t testing.TB) string {
	source, err := os.ReadFile("policy.go")
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(source)) {
		if text, ok := strings.CutPrefix(line, "//\t"); ok {
			b.WriteString(text)
		}
	}
	return b.String()
}

func TestTheExampleOfThePackageCommentIsRead(t *testing.T) {
	c, err := policy.Read(strings.NewReader(example(t)))
	if err != nil || len(c.Routes) != 1 || len(c.Windows) != 1 || c.Retry.InFlight == nil || c.Routes[0].Retry.Attempts != 3 {
		t.Errorf("%+v, %v", c, err)
	}
}
