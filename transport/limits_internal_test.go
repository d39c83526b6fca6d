package transport

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// newYear is a minute before a new year.
var newYear = time.Unix(1767225540, 0)

// fieldsOf makes a header of names and values.
func fieldsOf(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Add(pairs[i], pairs[i+1])
	}
	return h
}

// One name, many meanings (last30days-skill PR 1083, discord-api-docs PR 1069,
// victornpb/undiscord#348, factorion-bot PR 146).
func TestResetsInEveryForm(t *testing.T) {
	const none = -1
	for v, want := range map[string]time.Duration{
		"247":                           247 * time.Second,
		"0":                             0,
		"1.250":                         1250 * time.Millisecond,
		"599.0":                         599 * time.Second,
		"0.0000000001":                  1,
		"1767225600":                    time.Minute,
		"1767225600.5":                  time.Minute + 500*time.Millisecond,
		"1767225600000":                 time.Minute,
		"1767225600250":                 time.Minute + 250*time.Millisecond,
		"1767225600000000":              time.Minute,
		"1767225600000000001":           time.Minute + 1,
		"1767225539":                    0,
		"1s":                            time.Second,
		"6m0s":                          6 * time.Minute,
		"12ms":                          12 * time.Millisecond,
		"1h2m3.5s":                      time.Hour + 2*time.Minute + 3500*time.Millisecond,
		" 60 ":                          time.Minute,
		"Thu, 01 Jan 2026 00:00:00 GMT": time.Minute,
		"2026-01-01T00:00:00Z":          time.Minute,
		"2026-01-01T01:00:00.25+01:00":  time.Minute + 250*time.Millisecond,
		"Thu Jan 01 2026 01:00:00 GMT+0100 (Central European Standard Time)": time.Minute,
		"Wed Dec 31 2025 23:59:00 GMT+0000":                                  0,
		"31622400":                                                           366 * 24 * time.Hour,
		"31622401":                                                           none,
		"56000000000":                                                        none,
		"-1":                                                                 none,
		"-5s":                                                                none,
		"+5":                                                                 none,
		"":                                                                   none,
		"soon":                                                               none,
		"1e3":                                                                none,
		"0x10":                                                               none,
		"5 s":                                                                none,
		"9999999999999999999999":                                             none,
		"9223372036854775807h":                                               none,
		"9999-12-31T23:59:59Z":                                               none,
		strings.Repeat("1", 65):                                              none,
	} {
		got, ok := parseReset(v, clocks{newYear, newYear})
		if !ok {
			got = none
		}
		if got != want {
			t.Errorf("%q: %v, want %v", v, got, want)
		}
	}
}

// A moment is by the server's clock or by this one, whichever makes the wait longer.
func TestResetByTheServersClock(t *testing.T) {
	h := fieldsOf("Date", newYear.Add(-time.Hour).UTC().Format(http.TimeFormat))
	for v, want := range map[string]time.Duration{
		"1767225600": time.Hour + time.Minute, "247": 247 * time.Second, "2026-01-01T00:00:00Z": time.Hour + time.Minute,
	} {
		if got, ok := parseReset(v, clocksOf(h, newYear)); got != want || !ok {
			t.Errorf("%q: %v, want %v", v, got, want)
		}
	}
}

func TestReadLimits(t *testing.T) {
	for _, c := range []struct {
		name   string
		header http.Header
		want   []limit // the tightest last
	}{
		{"nothing", fieldsOf("Content-Type", "text/plain"), nil},
		{"draft 11", fieldsOf("RateLimit", `"default";r=50;t=30`), []limit{{0, 0, 50, 30 * time.Second}}},
		{"with its policy", fieldsOf("RateLimit", `"d";r=0;t=3`, "RateLimit-Policy", `"d";q=100;w=60`), []limit{{100, time.Minute, 0, 3 * time.Second}}},
		{"several policies", fieldsOf("RateLimit", `"burst";r=90;t=1, "daily";r=3;t=4000`, "RateLimit-Policy", `"burst";q=100;w=60,"daily";q=1000;w=86400`),
			[]limit{{100, time.Minute, 90, time.Second}, {1000, 24 * time.Hour, 3, 4000 * time.Second}}},
		{"in several lines", fieldsOf("RateLimit", `"a";r=1;t=1`, "RateLimit", `"b";r=0;t=2`), []limit{{0, 0, 1, time.Second}, {0, 0, 0, 2 * time.Second}}},
		{"partition key and comments", fieldsOf("RateLimit", `"u";r=9;t=5;pk=:dHJpYWwxMjEzMjM=:;acme-burst=?1;note="a\"b"`), []limit{{0, 0, 9, 5 * time.Second}}},
		{"no window", fieldsOf("RateLimit", `"u";r=999;pk=:dHJpYWwxMjEzMjM=:`), []limit{{0, 0, 999, 0}}},
		{"no t, but a policy", fieldsOf("RateLimit", `"u";r=0`, "RateLimit-Policy", `"u";q=5;w=10`), []limit{{5, 10 * time.Second, 0, 10 * time.Second}}},
		{"a token for a name", fieldsOf("RateLimit", `default;r=5;t=3`), []limit{{0, 0, 5, 3 * time.Second}}},
		{"bytes are no requests", fieldsOf("RateLimit", `"b";r=0;t=60, "r";r=7;t=6`, "RateLimit-Policy", `"b";q=65535;qu="content-bytes";w=10, "r";q=10;w=10;qu="requests"`),
			[]limit{{10, 10 * time.Second, 7, 6 * time.Second}}},
		{"an item without r", fieldsOf("RateLimit", `"a";t=5, "b";r=1;t=2`), []limit{{0, 0, 1, 2 * time.Second}}},
		{"negative", fieldsOf("RateLimit", `"a";r=-1;t=5`), nil},
		{"a decimal", fieldsOf("RateLimit", `"a";r=1.5;t=5`), nil},
		{"a negative t", fieldsOf("RateLimit", `"a";r=0;t=-5`), nil},
		{"an endless t", fieldsOf("RateLimit", `"a";r=0;t=999999999999999`), nil},
		{"malformed in the middle", fieldsOf("RateLimit", `"a";r=0;t=5, "b`), nil},
		{"malformed at the end", fieldsOf("RateLimit", `"a";r=0;t=5,`), nil},
		{"malformed policy", fieldsOf("RateLimit", `"a";r=2;t=5`, "RateLimit-Policy", `"a";q=`), []limit{{0, 0, 2, 5 * time.Second}}},
		{"too long", fieldsOf("RateLimit", strings.Repeat(`"a";r=0;t=5, `, 400)+`"a";r=0;t=5`), nil},
		{"draft 07", fieldsOf("RateLimit", `limit=100, remaining=0, reset=5`, "RateLimit-Policy", "100;w=60"), []limit{{100, 0, 0, 5 * time.Second}}},
		{"from a cache", fieldsOf("Age", "3", "RateLimit", `"default";r=0;t=30`), nil},
		{"from a cache, just now", fieldsOf("Age", "0", "RateLimit", `"default";r=0;t=30`), []limit{{0, 0, 0, 30 * time.Second}}},

		{"draft 06", fieldsOf("RateLimit-Limit", "100, 100;w=60, 1000;w=3600", "RateLimit-Remaining", "7", "RateLimit-Reset", "5"), []limit{{100, 0, 7, 5 * time.Second}}},
		{"draft 06 and a policy", fieldsOf("RateLimit-Limit", "100", "RateLimit-Policy", "100;w=60;comment=\"x\"", "RateLimit-Remaining", "7", "RateLimit-Reset", "5"), []limit{{100, time.Minute, 7, 5 * time.Second}}},
		{"GitLab", fieldsOf("RateLimit-Limit", "60", "RateLimit-Remaining", "0", "RateLimit-Reset", "1767225600"), []limit{{60, 0, 0, time.Minute}}},
		{"GitHub (hub4j/github-api#1805)", fieldsOf("X-RateLimit-Limit", "5000", "X-RateLimit-Remaining", "4987", "X-RateLimit-Reset", "1767225600"), []limit{{5000, 0, 4987, time.Minute}}},
		{"Reddit (factorion-bot PR 146)", fieldsOf("X-Ratelimit-Remaining", "599.0", "X-Ratelimit-Reset", "247", "X-Ratelimit-Used", "1"), []limit{{0, 0, 599, 247 * time.Second}}},
		{"Discord", fieldsOf("X-RateLimit-Limit", "5", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "1767225600.123", "X-RateLimit-Reset-After", "1.250"), []limit{{5, 0, 0, 1250 * time.Millisecond}}},
		{"X-Rate-Limit", fieldsOf("X-Rate-Limit-Limit", "15", "X-Rate-Limit-Remaining", "1", "X-Rate-Limit-Reset", "1767225600"), []limit{{15, 0, 1, time.Minute}}},
		{"OpenAI", fieldsOf("x-ratelimit-limit-requests", "60", "x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "6m0s", "x-ratelimit-remaining-tokens", "0"), []limit{{60, 0, 0, 6 * time.Minute}}},
		{"Anthropic", fieldsOf("anthropic-ratelimit-requests-limit", "50", "anthropic-ratelimit-requests-remaining", "49", "anthropic-ratelimit-requests-reset", "2026-01-01T00:00:00Z"), []limit{{50, 0, 49, time.Minute}}},
		{"the field before its forerunners", fieldsOf("RateLimit", `"a";r=5;t=3`, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "60"), []limit{{0, 0, 5, 3 * time.Second}}},
		{"forerunners of a malformed field", fieldsOf("RateLimit", `"a`, "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "60"), []limit{{0, 0, 0, time.Minute}}},
		{"unlimited as -1", fieldsOf("X-RateLimit-Remaining", "-1", "X-RateLimit-Reset", "60"), nil},
		{"no remaining", fieldsOf("X-RateLimit-Limit", "5", "X-RateLimit-Reset", "60"), nil},
		{"a reset that says nothing", fieldsOf("X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "later"), []limit{{0, 0, 0, 0}}},
		{"huge numbers", fieldsOf("X-RateLimit-Limit", "99999999999999999999", "X-RateLimit-Remaining", "99999999999999999999", "X-RateLimit-Reset", "1"), []limit{{1<<31 - 1, 0, 1<<31 - 1, time.Second}}},
		{"two lines", fieldsOf("X-RateLimit-Remaining", "5", "X-RateLimit-Remaining", "2", "X-RateLimit-Reset", "10", "X-RateLimit-Reset", "20"), []limit{{0, 0, 2, 20 * time.Second}}},
	} {
		ls := readLimits(c.header, newYear)
		if got := ls.all(); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// What a 429 without Retry-After makes of its limits.
func TestWaitOfLimits(t *testing.T) {
	for want, list := range map[time.Duration][]limit{
		0:                nil,
		30 * time.Second: {{remaining: 0, resets: 30 * time.Second}, {remaining: 0, resets: 2 * time.Second}, {remaining: 9, resets: time.Hour}},
		time.Minute:      {{remaining: 4987, resets: time.Hour}},
		5 * time.Second:  {{remaining: 4987, resets: 5 * time.Second}},
	} {
		var ls limits
		for _, l := range list {
			ls.add(l)
		}
		if got := ls.wait(); got != want {
			t.Errorf("%v: %v, want %v", list, got, want)
		}
	}
}

// The window that a limit of the server is about is the one of that length, or else the
// shortest that is not over before the reset.
func TestLimitFitsAWindow(t *testing.T) {
	second := &window{spec: &spec{Window: Window{Per: time.Second}}}
	minute := &window{spec: &spec{Window: Window{Per: time.Minute}}}
	keyed := &window{spec: &spec{Window: Window{Per: time.Minute, Key: func(*http.Request) string { return "" }}}}
	hour := &window{spec: &spec{Window: Window{Per: time.Hour}}}
	h := new(host)
	c := &claim{host: h}
	for _, w := range []*window{hour, minute, keyed, second} {
		c.slots = append(c.slots, slot{window: w, taken: true})
	}
	for _, k := range []struct {
		l    limit
		want *window
	}{
		{limit{per: time.Minute}, keyed}, {limit{per: 2 * time.Hour}, hour}, {limit{per: time.Millisecond}, second},
		{limit{resets: 500 * time.Millisecond}, second}, {limit{resets: 2 * time.Second}, keyed},
		{limit{resets: time.Hour}, hour}, {limit{resets: 5 * time.Hour}, hour}, {limit{}, second},
	} {
		if got := k.l.fit(c, h); got == nil || got.window != k.want {
			t.Errorf("%+v fits %+v", k.l, got)
		}
	}
	if got := (limit{}).fit(c, new(host)); got != nil {
		t.Errorf("the windows of another host: %+v", got)
	}
}

func FuzzReset(f *testing.F) {
	for _, seed := range []string{"247", "1.250", "599.0", "1767225600", "1767225600000", "6m0s", "-1", "Thu, 01 Jan 2026 00:00:00 GMT",
		"2026-01-01T00:00:00Z", "Thu Jan 01 2026 01:00:00 GMT+0100 (CET)", "9999999999999999999999", ""} {
		f.Add(seed, int64(0))
		f.Add(seed, int64(3600))
	}
	f.Fuzz(func(t *testing.T, v string, lag int64) {
		c := clocks{newYear, newYear.Add(-time.Duration(lag%1e6) * time.Second)}
		got, ok := parseReset(v, c)
		if got < 0 || ok && got > maxReset {
			t.Errorf("%q: %v", v, got)
		}
		if n, ok := parseCount(v); n < 0 || !ok && n != 0 {
			t.Errorf("%q: %d, %v", v, n, ok)
		}
		if d, _ := parseDelta(v); d < 0 {
			t.Errorf("%q: %v", v, d)
		}
	})
}

func FuzzLimits(f *testing.F) {
	f.Add(`"default";r=50;t=30`, `"default";q=100;w=60`, "1", "5", "60")
	f.Add(`limit=100, remaining=50, reset=5`, `100;w=60`, "0", "0", "1767225600")
	f.Add(`"a";r=0;t=5, "b";r=1;pk=:AA==:`, `"a";q=1;qu="content-bytes"`, "-1", "599.0", "1.250")
	f.Add(`%"f%c3%bc";r=1`, `("a" "b");q=1`, "", "9999999999999999999999", "6m0s")
	f.Fuzz(func(t *testing.T, field, policy, age, remaining, reset string) {
		h := fieldsOf("RateLimit", field, "RateLimit-Policy", policy, "Age", age, "RateLimit-Remaining", remaining,
			"RateLimit-Reset", reset, "X-RateLimit-Remaining", remaining, "X-RateLimit-Reset-After", reset)
		ls := readLimits(h, newYear)
		for i, l := range ls.all() {
			if l.remaining < 0 || l.quota < 0 || l.per < 0 || l.resets < 0 || l.resets > maxReset {
				t.Errorf("%+v", l)
			}
			if i > 0 && ls.list[i-1].tighter(l) {
				t.Errorf("%+v is behind %+v", l, ls.list[i-1])
			}
		}
		if w := ls.wait(); w < 0 || w > maxReset {
			t.Errorf("wait %v", w)
		}
	})
}

// FuzzStructuredField holds the parser to its own grammar: what it read it reads again from
// what it would write.
func FuzzStructuredField(f *testing.F) {
	for _, seed := range []string{`"a";r=1;t=2`, `tok/en:x;q=-1`, `1.5, ?1;a;b=?0`, `:AA==:, @1767225600`, `"a\"\\b"`, `a=1, b;x=2, c="d"`, `%"a"`, `((`, "\x00", `"a" , "b"`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, field string) {
		var again []string
		ok := parseList(field, func(v bareItem, params []parameter) {
			s := write(v)
			for _, p := range params {
				s += ";" + p.key + "=" + write(p.value)
			}
			again = append(again, s)
		})
		if n := len(again); n > len(field)+1 {
			t.Errorf("%d items in %d bytes", n, len(field))
		}
		n := 0
		if ok && !parseList(strings.Join(again, ", "), func(bareItem, []parameter) { n++ }) || ok && n != len(again) {
			t.Errorf("%q was read as %q, which is %d items", field, again, n)
		}
		if members, ok := parseDictionary(field); !ok && members != nil {
			t.Errorf("%q is malformed, but has %v", field, members)
		}
	})
}

func write(v bareItem) string {
	switch v.kind {
	case 's':
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v.text) + `"`
	case '%':
		return `%"` + v.text + `"`
	case 't':
		return v.text
	case 'b':
		return "::"
	case 'd':
		return fmt.Sprintf("%d.0", v.n)
	case '?':
		return fmt.Sprintf("?%d", v.n)
	case '@':
		return fmt.Sprintf("@%d", v.n)
	}
	return fmt.Sprint(v.n)
}
