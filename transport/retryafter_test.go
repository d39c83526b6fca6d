package transport

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// A moment before the RFC's example date, in the middle of a second.
var arrival = time.Date(1994, time.November, 6, 8, 49, 37, 0, time.UTC)

var retryAfterCases = []struct {
	report string // where the value was seen to go wrong
	value  string
	now    time.Time
	want   time.Duration
	byDate bool
	absent bool
}{
	{value: "120", want: 2 * time.Minute},
	{value: "0", want: 0},
	{report: "slack#240", value: "43", want: 43 * time.Second},
	{report: "shopify-app-python#18", value: "2.0", want: 2 * time.Second},
	{report: "shopify-app-python#18", value: "0.5", want: time.Second},
	{value: "0.0", want: 0},
	{value: "0.000000000000000000001", want: time.Second},
	{value: "1.5", want: 2 * time.Second},
	{value: " 5 ", want: 5 * time.Second},
	{value: "\t5", want: 5 * time.Second},
	{value: "007", want: 7 * time.Second},

	{report: "openai-java#853", value: "-1", absent: true},
	{value: "+5", absent: true},
	{value: "abc", absent: true},
	{value: "", absent: true},
	{value: ".5", absent: true},
	{value: "5.", absent: true},
	{value: "1.2.3", absent: true},
	{value: "1e3", absent: true},
	{value: "5 s", absent: true},
	{value: "5,6", absent: true},
	{value: "0x10", absent: true},
	{value: "\u0665", absent: true}, // a digit, but not of HTTP
	{value: "\u00a05", absent: true},

	{report: "go-retryablehttp#297", value: "9223372037", want: maxWait},
	{value: "9223372035", want: 9223372035 * time.Second},
	{report: "urllib3#3743", value: strings.Repeat("9", 400), want: maxWait},
	{value: strings.Repeat("0", 400) + "1", want: time.Second},

	{report: "shopify-app-js#3364", value: "Sun, 06 Nov 1994 08:49:39 GMT", want: 2 * time.Second, byDate: true},
	{value: "Sunday, 06-Nov-94 08:49:39 GMT", want: 2 * time.Second, byDate: true},
	{value: "Sun Nov  6 08:49:39 1994", want: 2 * time.Second, byDate: true},
	{value: " Sun, 06 Nov 1994 08:49:39 GMT\t", want: 2 * time.Second, byDate: true},
	{value: "Sun, 06 Nov 1994 08:49:39 GMT", now: arrival.Add(300 * time.Millisecond), want: 1700 * time.Millisecond, byDate: true},
	{value: "Sun, 06 Nov 1994 08:49:39 GMT", now: arrival.Add(2 * time.Hour), want: 0, byDate: true},
	{value: "Sun, 06 Nov 1994 08:49:39 GMT", now: arrival.In(time.FixedZone("", 3600)), want: 2 * time.Second, byDate: true},
	{value: "Fri, 31 Dec 9999 23:59:59 GMT", want: maxWait, byDate: true},
	{value: "Sun, 06 Nov 1994 08:49:39 +0000", absent: true},
	{value: "1994-11-06T08:49:39Z", absent: true},
	{value: "Sun, 31 Feb 1994 08:49:39 GMT", absent: true},
}

func TestRetryAfter(t *testing.T) {
	for _, c := range retryAfterCases {
		now := c.now
		if now.IsZero() {
			now = arrival
		}
		got, byDate, ok := retryAfter(http.Header{"Retry-After": {c.value}}, now)
		if got != c.want || byDate != c.byDate || ok == c.absent {
			t.Errorf("%q (%s): %v, by date %v, ok %v; want %v, %v, %v", c.value, c.report, got, byDate, ok, c.want, c.byDate, !c.absent)
		}
	}
}

func TestRetryAfterTakesTheLongestOfSeveral(t *testing.T) {
	for _, values := range [][]string{{"1", "9", "5"}, {"9", "nonsense"}, {"nonsense", "9"}} {
		if got, _, ok := retryAfter(http.Header{"Retry-After": values}, arrival); got != 9*time.Second || !ok {
			t.Errorf("%q: %v %v, want 9s", values, got, ok)
		}
	}
	if _, _, ok := retryAfter(http.Header{}, arrival); ok {
		t.Error("no header was taken for one")
	}
}

// A date is by the server's clock, which the Date header shows. Whatever the two clocks
// show, neither finds that the server was asked too early.
func TestRetryAfterByDateCountsFromTheServersClock(t *testing.T) {
	for _, form := range []string{http.TimeFormat, "Monday, 02-Jan-06 15:04:05 GMT", time.ANSIC} {
		for _, c := range []struct {
			name string
			skew time.Duration // of the server's clock
			date string        // the Date header; "": by the server's clock
			want time.Duration
		}{
			{"the same", 0, "", 2 * time.Second},
			{"an hour behind", -time.Hour, "", 2 * time.Second},
			{"an hour ahead", time.Hour, "", time.Hour + 2*time.Second},
			{"behind, without Date", -time.Hour, "none", 0},
			{"behind, with nonsense", -time.Hour, "yesterday", 0},
			{"ahead, without Date", time.Hour, "none", time.Hour + 2*time.Second},
		} {
			server := arrival.Add(c.skew)
			h := http.Header{"Retry-After": {server.Add(2 * time.Second).Format(form)}}
			switch c.date {
			case "":
				h.Set("Date", server.Format(form))
			case "none":
			default:
				h.Set("Date", c.date)
			}
			if got, byDate, ok := retryAfter(h, arrival); got != c.want || !byDate || !ok {
				t.Errorf("%s (%s): %v, by date %v, ok %v; want %v", c.name, form, got, byDate, ok, c.want)
			}
		}
	}
	h := http.Header{"Retry-After": {"7"}, "Date": {arrival.Add(-time.Hour).Format(http.TimeFormat)}}
	if got, byDate, _ := retryAfter(h, arrival); got != 7*time.Second || byDate {
		t.Errorf("seconds: %v, by date %v", got, byDate)
	}
}

// A monotonic clock in the arrival must not leak into the difference with a date.
func TestRetryAfterByDateUsesTheWallClock(t *testing.T) {
	now := time.Now()
	at := now.Add(time.Minute).UTC().Truncate(time.Second)
	got, _, _ := retryAfter(http.Header{"Retry-After": {at.Format(http.TimeFormat)}}, now)
	if want := at.Sub(now.Round(0)); got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{"1", "0.5", "-1", "9223372037", "Sun, 06 Nov 1994 08:49:39 GMT", "Sunday, 06-Nov-94 08:49:39 GMT", "Sun Nov  6 08:49:39 1994", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, v string) {
		got, byDate, ok := parseRetryAfter(v, arrival)
		switch {
		case !ok && (got != 0 || byDate):
			t.Errorf("%q is absent but gives %v", v, got)
		case got < 0:
			t.Errorf("%q gives %v", v, got)
		case ok && !byDate && got != maxWait && got%time.Second != 0:
			t.Errorf("%q gives %v, which is not whole seconds", v, got)
		case ok && !byDate && got == 0 && strings.Trim(v, "0. \t") != "":
			t.Errorf("%q was rounded to zero", v)
		case ok && byDate && got < maxWait:
			at, err := http.ParseTime(strings.Trim(v, " \t"))
			if err != nil || arrival.Add(got).Before(at) {
				t.Errorf("%q gives %v, which is before %v", v, got, at)
			}
		}
		later, _, _ := parseRetryAfter(v, arrival.Add(time.Second))
		if later > got {
			t.Errorf("%q gives %v, and %v a second later", v, got, later)
		}
	})
}
