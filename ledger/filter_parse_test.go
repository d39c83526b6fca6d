package ledger

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// render writes a parsed filter back as text, fully parenthesised.
func render(x Expr) string {
	switch x := x.(type) {
	case And:
		return "(" + renderAll(x, " ") + ")"
	case Or:
		return "(" + renderAll(x, " or ") + ")"
	case Not:
		return "-" + render(x.X)
	case *Term:
		if x.Key == KeyAny {
			return renderValue(x)
		}
		return x.Key.String() + ":" + renderValue(x)
	}
	return ""
}

func renderAll(parts []Expr, between string) string {
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = render(part)
	}
	return strings.Join(texts, between)
}

func renderValue(t *Term) string {
	switch t.Key {
	case KeyDur, KeyWaited:
		return []string{"=", "<", "<=", ">", ">="}[t.Op] + t.Duration.String()
	case KeyLast:
		return t.Duration.String()
	case KeyAt:
		return clock(t.Clock[0]) + ".." + clock(t.Clock[1])
	case KeyWait:
		return WaitKind(t.Code).String()
	case KeyOutcome:
		return Outcome(t.Code).String()
	case KeyRunning:
		return []string{"no", "yes"}[t.Code]
	case KeySession, KeyStatus, KeyAttempts, KeySends:
		if t.To == math.MaxInt64 {
			return fmt.Sprintf(">=%d", t.From)
		}
		return fmt.Sprintf("%d..%d", t.From, t.To)
	}
	if t.Regexp != nil {
		return "/" + strings.TrimPrefix(t.Regexp.String(), "(?i)") + "/"
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(t.Text) + `"`
}

func clock(d time.Duration) string {
	if d == endOfDay {
		return "24:00"
	}
	return time.Time{}.Add(d).Format("15:04:05.000")
}

// sameMeaning reports whether two filters have the same tree, wherever their terms stand.
func sameMeaning(a, b Expr) bool {
	return render(a) == render(b) && reflect.TypeOf(a) == reflect.TypeOf(b)
}

func TestParseFilterReadsTheLanguage(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", ""},
		{" \t\n\u00a0", ""},
		{"host:api.example.test status:5xx attempts:>1 dur:>2s waited:>1s wait:backoff outcome:unknown state:pending key:order-* last:5m at:14:05..14:10",
			`(host:"api.example.test" status:500..599 attempts:>=2 dur:>2s waited:>1s wait:backoff outcome:unknown ` +
				`state:"pending" key:"order-*" last:5m0s at:14:05:00.000..14:10:00.000)`},

		// Structure.
		{"a b", `("*a*" "*b*")`},
		{"a and b", `("*a*" "*b*")`},
		{"a b or c d", `(("*a*" "*b*") or ("*c*" "*d*"))`},
		{"a or b or c", `("*a*" or "*b*" or "*c*")`},
		{"a (b or c)", `("*a*" ("*b*" or "*c*"))`},
		{"(a)(b)", `("*a*" "*b*")`},
		{"((a))", `"*a*"`},
		{"-a", `-"*a*"`},
		{"not a", `-"*a*"`},
		{"NOT a OR b", `(-"*a*" or "*b*")`},
		{"-(a b)", `-("*a*" "*b*")`},
		{"--a", `--"*a*"`},
		{"not -a", `--"*a*"`},
		{"-status:5xx", `-status:500..599`},
		{"- a", `-"*a*"`},
		{`"or"`, `"*or*"`},
		{"order-8841", `"*order-8841*"`},
		{"ordered nothing android", `("*ordered*" "*nothing*" "*android*")`},

		// Numbers.
		{"status:503", "status:503..503"},
		{"STATUS:5XX", "status:500..599"},
		{"status:0", "status:0..0"},
		{"status:=0", "status:0..0"},
		{"status:>=500", "status:>=500"},
		{"status:>4xx", "status:>=500"},
		{"status:>=4xx", "status:>=400"},
		{"status:<=4xx", "status:1..499"},
		{"status:<500", "status:1..499"},
		{"status:400..499", "status:400..499"},
		{"status:4xx..5xx", "status:400..599"},
		{"status:400..", "status:>=400"},
		{"status:..499", "status:1..499"},
		{"attempts:<2", "attempts:0..1"},
		{"attempts:2..5", "attempts:2..5"},
		{"sends:>1", "sends:>=2"},
		{"session:3", "session:3..3"},

		// Durations.
		{"dur:>=2s", "dur:>=2s"},
		{"dur:<150ms", "dur:<150ms"},
		{"dur:<=1m30s", "dur:<=1m30s"},
		{"waited:0", "waited:=0s"},
		{"dur:1s..2s", "(dur:>=1s dur:<=2s)"},
		{"dur:1s..", "dur:>=1s"},
		{"dur:..2s", "dur:<=2s"},
		{"last:14d", "last:336h0m0s"},
		{"last:1d12h", "last:36h0m0s"},

		// Codes.
		{"wait:window", "wait:window"},
		{"wait:Retry-After", "wait:retry-after"},
		{"outcome:not-sent", "outcome:not-sent"},
		{"running:yes", "running:yes"},
		{"running:no", "running:no"},
		{"state:*ing", `state:"*ing"`},

		// Times of day.
		{"at:14:05", "at:14:05:00.000..14:06:00.000"},
		{"at:14:05:30", "at:14:05:30.000..14:05:31.000"},
		{"at:14:05:30.250", "at:14:05:30.250..14:05:30.251"},
		{"at:9:05..10:00", "at:09:05:00.000..10:00:00.000"},
		{"at:23:50..0:10", "at:23:50:00.000..00:10:00.000"},
		{"at:14:05..", "at:14:05:00.000..24:00"},
		{"at:..14:05", "at:00:00:00.000..14:05:00.000"},
		{"at:23:59", "at:23:59:00.000..24:00"},

		// Texts.
		{"host:API.example.test:8443", `host:"api.example.test:8443"`},
		{`key:"order 7"`, `key:"order 7"`},
		{`key:"a \"b\" \\c"`, `key:"a \"b\" \\c"`},
		{`key:""`, `key:""`},
		{"key:-x", `key:"-x"`},
		{"key:a**b", `key:"a*b"`},
		{"url:/items", `url:"*/items*"`},
		{"url:*items*", `url:"*items*"`},
		{"error:timeout", `error:"*timeout*"`},
		{`error:"connection reset"`, `error:"*connection reset*"`},
		{"method:get", `method:"get"`},
		{"path:/orders/17", `path:"/orders/17"`},
		{"path:/orders/*", `path:"/orders/*"`},
		{"path:/a url:/b", `(path:"/a" url:"*/b*")`},
		{"service:checkout", `service:"checkout"`},
		{"status=500", `"*status=500*"`},
		{"https://api.example.test/a?b=c", `"*https://api.example.test/a?b=c*"`},
		{"10.0.0.1:8080", `"*10.0.0.1:8080*"`},
		{"api.example.test:443", `"*api.example.test:443*"`},
		{"ÄPFEL", `"*äpfel*"`},

		// Regular expressions.
		{"/ord(er|ner)-[0-9]+/", "/ord(er|ner)-[0-9]+/"},
		{"/a b/ c", `(/a b/ "*c*")`},
		{`host:/^api\./`, `host:/^api\./`},
		{`/a\/b/`, `/a\/b/`},
		{"(/a/)", "/a/"},
		{"/orders", `"*/orders*"`},
		{"/orders/7", `"*/orders/7*"`},
	} {
		f, err := ParseFilter(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := render(f.Root); got != test.want {
			t.Errorf("%s\n got %s\nwant %s", test.text, got, test.want)
		}
		if f.Text != test.text {
			t.Errorf("Text is %q, want %q", f.Text, test.text)
		}
	}
}

// In these the wrong part is between « and ».
func TestParseFilterMarksWhatIsWrong(t *testing.T) {
	for _, test := range []struct{ marked, msg string }{
		// Keys.
		{"status:5xx «stauts»:4xx", "did you mean status?"},
		{"«duration»:>2s", "did you mean dur?"},
		{"«attempt»:2", "did you mean attempts?"},
		{"«wire_sends»:2", "did you mean sends?"},
		{"«hots»:x", "did you mean host?"},
		{"«colour»:x", "put it in quotes"},
		{"«localhost»:8080", "put it in quotes"},
		{"a «attempts>1»", "attempts:>1"},
		{"«dur<=2s»", "dur:<=2s"},

		// Values.
		{"a «host:»", "needs a value"},
		{"«host:» b", "needs a value"},
		{"«host:»(a)", "needs a value"},
		{"status:«5x»", "400..499"},
		{"status:«abc»", "400..499"},
		{"status:«-1»", "400..499"},
		{"status:«500,503»", "400..499"},
		{"status:«>»", "400..499"},
		{"status:«..»", "400..499"},
		{"status:«1..2..3»", "400..499"},
		{"status:«>1..3»", "400..499"},
		{"status:«0xx»", "400..499"},
		{"status:«499..400»", "leaves no number"},
		{"status:«<=0»", "leaves no number"},
		{"attempts:«<0»", "leaves no number"},
		{"attempts:«5xx»", "2..5"},
		{"attempts:«99999999999999999999»", "2..5"},
		{"attempts:«/1/»", "no regular expression"},
		{"attempts:«\"\"»", "2..5"},
		{"dur:«>2»", "comparison such as >2s"},
		{"dur:«>-2s»", "comparison such as >2s"},
		{"dur:«>+2s»", "comparison such as >2s"},
		{"dur:«2s»", "dur:>=2s"},
		{"dur:«2s..1s»", "ends before it begins"},
		{"dur:«..»", "comparison such as >2s"},
		{"dur:«>1s..2s»", "comparison such as >2s"},
		{"dur:«>999999999h»", "comparison such as >2s"},
		{"last:«5»", "such as 5m"},
		{"last:«0s»", "such as 5m"},
		{"last:«-5m»", "such as 5m"},
		{"last:«99999999d»", "such as 5m"},
		{"last:«>5m»", "such as 5m"},
		{"at:«14»", "such as 14:05"},
		{"at:«25:00»", "such as 14:05"},
		{"at:«14:60»", "such as 14:05"},
		{"at:«14:05..x»", "such as 14:05"},
		{"at:«..»", "such as 14:05"},
		{"at:«24:00..14:05»", "such as 14:05"},
		{"at:«14:05..14:05»", "empty"},
		{"wait:«retry»", "did you mean retry-after?"},
		{"wait:«bandwidth»", "window, backoff or retry-after"},
		{"outcome:«unknwon»", "did you mean unknown?"},
		{"outcome:«pending»", "answered, not-sent or unknown"},
		{"running:«maybe»", "no or yes"},
		{"state:«running»", "not a state of an operation"},
		{"state:«pendng»", "did you mean pending?"},
		{"host:«>x»", "cannot be compared"},

		// Quotes and regular expressions.
		{"a «\"»b c", "not closed"},
		{"key:«\"»b\\\"", "not closed"},
		{"key:\"b\"«c»", "a space belongs"},
		{"key:b«\"»c\"", "a quote begins a value"},
		{"«\"\"»", "nothing between"},
		{"host:/a«[»/", "missing closing ]"},
		{"/«a(b»/", "missing closing )"},
		{"/x«**»/", "invalid nested repetition"},
		{"/a«\\q»/", "invalid escape sequence"},
		{"/a«{1001}»/", "invalid repeat count"},
		{"«/" + strings.Repeat("a{999}", 9) + "/»", "too large"},
		{"«/" + strings.Repeat("a", 513) + "/»", "at most 512 bytes"},
		{"«//»", "nothing between"},

		// Structure.
		{"«or» a", "term before"},
		{"«and» a", "term before"},
		{"a «or»", "term behind"},
		{"a «or» or b", "term behind"},
		{"a «and» or b", "term behind"},
		{"(a «or»)", "term behind"},
		{"a «not»", "term behind"},
		{"a «-»", "term behind"},
		{"-«-»", "term behind"},
		{"a «()»", "nothing between"},
		{"a «( )»", "nothing between"},
		{"a «(»", "not closed"},
		{"a «(»b or c", "not closed"},
		{"«(»a (b c)", "not closed"},
		{"(a) «(»b (c)", "not closed"},
		{"a «)»", "closes none"},
		{"«)» a", "closes none"},
		{"(a)«)»", "closes none"},

		// Bounds.
		{strings.Repeat("(", 50) + "«(»" + "a" + strings.Repeat(")", 51), "at most 50 deep"},
		{strings.Repeat("-", 50) + "«-»a", "at most 50 deep"},
		{strings.Repeat("not ", 50) + "«not» a", "at most 50 deep"},
		{strings.Repeat("-(", 25) + "«-»(a" + strings.Repeat(")", 26), "at most 50 deep"},
		{strings.Repeat("a ", 200) + "«b»", "at most 200 terms"},
		{strings.Repeat("a", 4096) + "«aaaa»", "at most 4096 bytes"},
		{"host:\u00e4«\xff»b", "0xff"},
		{"«\xc3»(", "0xc3"},
	} {
		start := strings.Index(test.marked, "«")
		end := strings.Index(test.marked, "»") - len("«")
		text := strings.NewReplacer("«", "", "»", "").Replace(test.marked)

		_, err := ParseFilter(text)
		var wrong *FilterError
		if !errors.As(err, &wrong) {
			t.Errorf("%s: error is %v", clip(text), err)
			continue
		}
		if wrong.Start != start || wrong.End != end {
			t.Errorf("%s: marked %d to %d, want %d to %d (%s)", clip(text), wrong.Start, wrong.End, start, end, wrong.Msg)
		}
		if !strings.Contains(wrong.Msg, test.msg) {
			t.Errorf("%s: %q does not say %q", clip(text), wrong.Msg, test.msg)
		}
		if want := fmt.Sprintf("column %d: ", start+1); !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q does not say %q", clip(text), err, want)
		}
	}
}

func TestFilterOfManyLevelsAtOnceIsNotOfGreatDepth(t *testing.T) {
	text := strings.Repeat("(-a) ", 200)
	if _, err := ParseFilter(text); err != nil {
		t.Errorf("levels beside each other were counted as depth: %v", err)
	}
}

func TestTermsKnowWhereTheyStand(t *testing.T) {
	const text = `host:a (status:5xx or -"b c")`
	f, err := ParseFilter(text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	var walk func(Expr)
	walk = func(x Expr) {
		switch x := x.(type) {
		case And:
			for _, part := range x {
				walk(part)
			}
		case Or:
			for _, part := range x {
				walk(part)
			}
		case Not:
			walk(x.X)
		case *Term:
			got = append(got, text[x.Start:x.End])
		}
	}
	walk(f.Root)
	if want := []string{"host:a", "status:5xx", `"b c"`}; !reflect.DeepEqual(got, want) {
		t.Errorf("terms stand at %q, want %q", got, want)
	}
}

// The seeds are the tables above in small; what the fuzzer must not find is a panic, an
// error that marks nothing, or a filter that means something else when it is written
// out and read again.
func FuzzParseFilter(f *testing.F) {
	for _, seed := range []string{
		"", "a b or -c (d)", `host:api.example.test status:5xx attempts:>1 dur:1s..2s`, `key:"a\"b*" not /x(y|z)/`,
		"at:23:50..0:10 last:14d wait:backoff outcome:unknown state:p* running:yes", "url:* error:\"\" a:b:c",
		"((((", "-----", "or or", "/[/", "/a{999}{999}/", "\xff", "path:/a/b/ https://x/y", "status:<500 sends:..3",
		"\"", "k:\"", "//", "path://", "k:/\\", "a\u2028b", "\x00", "host:\u202ex",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		filter, err := ParseFilter(text)
		if err != nil {
			var wrong *FilterError
			if !errors.As(err, &wrong) {
				t.Fatalf("the error is a %T", err)
			}
			if wrong.Start < 0 || wrong.Start >= wrong.End || wrong.End > len(text) {
				t.Fatalf("the error marks %d to %d of %d bytes", wrong.Start, wrong.End, len(text))
			}
			return
		}
		call := Call{Method: "GET", Scheme: "https", Host: "api.example.test", Path: "/a", Started: time.Unix(0, 0)}
		filter.Match(&call, Env{})
		if filter.Root == nil {
			return
		}
		again, err := ParseFilter(render(filter.Root))
		var wrong *FilterError
		if errors.As(err, &wrong) && strings.Contains(wrong.Msg, "at most") {
			return // written out it is longer and deeper than a filter may be
		}
		if err != nil {
			t.Fatalf("%q was written as %q, which is not a filter: %v", text, render(filter.Root), err)
		}
		if !sameMeaning(filter.Root, again.Root) {
			t.Fatalf("%q was written as %q and read as %q", text, render(filter.Root), render(again.Root))
		}
	})
}
