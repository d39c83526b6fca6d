package ledger

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
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
	case KeyDuplicate:
		return []string{"no", "yes", "no-key", "two-keys", "wire-twice"}[t.Code]
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

// table reads the lines of a file in testdata, each of which has an input and what is
// wanted of it, with an arrow between them.
func table(t *testing.T, file string) [][2]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var rows [][2]string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		input, want, ok := strings.Cut(line, " → ")
		if !ok {
			t.Fatalf("%s: no arrow in %q", file, line)
		}
		rows = append(rows, [2]string{input, want})
	}
	return rows
}

func TestParseFilterReadsTheLanguage(t *testing.T) {
	for _, row := range table(t, "filter-parse.txt") {
		f, err := ParseFilter(row[0])
		if err != nil {
			t.Errorf("%s: %v", row[0], err)
			continue
		}
		if got := render(f.Root); got != row[1] {
			t.Errorf("%s\n got %s\nwant %s", row[0], got, row[1])
		}
		if f.Text != row[0] {
			t.Errorf("Text is %q, want %q", f.Text, row[0])
		}
	}
}

func TestEmptyTextIsTheFilterThatMatchesEveryCall(t *testing.T) {
	for _, text := range []string{"", " ", " \t\n\u00a0"} {
		f, err := ParseFilter(text)
		if err != nil || f.Root != nil || !f.Match(&Call{}, Env{}) {
			t.Errorf("%q: %v, %v", text, f, err)
		}
	}
}

// wantMark checks that the filter is wrong between its « and ».
func wantMark(t *testing.T, marked, msg string) {
	t.Helper()
	start, end := strings.Index(marked, "«"), strings.Index(marked, "»")-len("«")
	_, err := ParseFilter(strings.NewReplacer("«", "", "»", "").Replace(marked))
	var wrong *FilterError
	if !errors.As(err, &wrong) {
		t.Errorf("%s: the error is %v", clip(marked), err)
		return
	}
	if wrong.Start != start || wrong.End != end {
		t.Errorf("%s: marked %d to %d, want %d to %d (%s)", clip(marked), wrong.Start, wrong.End, start, end, wrong.Msg)
	}
	if !strings.Contains(wrong.Msg, msg) {
		t.Errorf("%s: %q does not say %q", clip(marked), wrong.Msg, msg)
	}
	if column := fmt.Sprintf("column %d: ", start+1); !strings.Contains(err.Error(), column) {
		t.Errorf("%s: %q does not say %q", clip(marked), err, column)
	}
}

func TestParseFilterMarksWhatIsWrong(t *testing.T) {
	for _, row := range table(t, "filter-errors.txt") {
		wantMark(t, row[0], row[1])
	}
}

func TestParseFilterRefusesWhatIsNotText(t *testing.T) {
	wantMark(t, "host:\u00e4«\xff»b", "0xff")
	wantMark(t, "«\xc3»(", "0xc3")
	wantMark(t, "a «\xed»\xa0\x80", "0xed")
}

func TestParseFilterIsBounded(t *testing.T) {
	for _, test := range []struct{ marked, msg string }{
		{"«/" + strings.Repeat("a{999}", 9) + "/»", "too large"},
		{"«/" + strings.Repeat("a", 513) + "/»", "at most 512 bytes"},
		{strings.Repeat("(", 50) + "«(»" + "a" + strings.Repeat(")", 51), "at most 50 deep"},
		{strings.Repeat("(", 50) + "«(»" + strings.Repeat("(", 4000), "at most 50 deep"},
		{strings.Repeat("-", 50) + "«-»a", "at most 50 deep"},
		{strings.Repeat("not ", 50) + "«not» a", "at most 50 deep"},
		{strings.Repeat("-(", 25) + "«-»(a" + strings.Repeat(")", 26), "at most 50 deep"},
		{strings.Repeat("a ", 200) + "«b»", "at most 200 terms"},
		{strings.Repeat("a", 4096) + "«aaaa»", "at most 4096 bytes"},
		{strings.Repeat("a", 4096) + "«" + strings.Repeat("(", 1<<20) + "»", "at most 4096 bytes"},
	} {
		wantMark(t, test.marked, test.msg)
	}
}

func TestParseFilterTakesWhatIsJustWithinItsBounds(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("a", 4096),
		"/" + strings.Repeat("a", 512) + "/",
		strings.Repeat("(", 50) + "a" + strings.Repeat(")", 50),
		strings.Repeat("a ", 200),
	} {
		if _, err := ParseFilter(text); err != nil {
			t.Errorf("%s: %v", clip(text), err)
		}
	}
}

func TestMessagesQuoteLittleOfALongFilter(t *testing.T) {
	for _, text := range []string{strings.Repeat("k", 4000) + ":x", "status:" + strings.Repeat("ä", 2000), "dur>" + strings.Repeat("9", 4000)} {
		_, err := ParseFilter(text)
		if err == nil || len(err.Error()) > 400 {
			t.Errorf("%s: %v", clip(text), err)
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
