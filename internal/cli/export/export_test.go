package export

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

// written returns what a format makes of calls.
func written(t *testing.T, f Format, calls ...ledger.Call) string {
	t.Helper()
	var b bytes.Buffer
	w := f.New(&b)
	for i := range calls {
		if err := w.Call(&calls[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func call(attempts ...ledger.Attempt) ledger.Call {
	c := ledger.Call{
		ID: ledger.NewCallID(3, 7), Method: "POST", Scheme: "https", Host: "a.example.test", Path: "/x", Query: "a=1&b=%20+c&%zz",
		Started: time.Date(2026, 11, 29, 12, 0, 0, 5000, time.UTC), Took: time.Second, AttemptList: attempts,
	}
	for i := range attempts {
		attempts[i].N = i + 1
	}
	c.Summarise()
	return c
}

func answered(body string, header ...ledger.Field) ledger.Attempt {
	return ledger.Attempt{
		Status: 200, Proto: "HTTP/1.1", Outcome: ledger.Answered, Took: 100 * time.Millisecond, Remote: "192.0.2.1:443",
		Response: ledger.Message{Header: header, Body: ledger.Body{Data: []byte(body), Size: int64(len(body))}},
	}
}

// entries parses an archive, checks it as importers do, and returns its entries.
func entries(t *testing.T, text string) []map[string]any {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal([]byte(text), &root); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	log, ok := root["log"].(map[string]any)
	if !ok || log["version"] != "1.2" {
		t.Fatalf("there is no log: %s", text) // firefox-devtools/har-export-trigger#37
	}
	if c, ok := log["creator"].(map[string]any); !ok || c["name"] != "redial" {
		t.Errorf("the creator is %v", log["creator"])
	}
	list, ok := log["entries"].([]any)
	if !ok {
		t.Fatalf("there are no entries: %s", text)
	}
	var out []map[string]any
	for _, e := range list {
		entry := e.(map[string]any)
		checkEntry(t, entry)
		out = append(out, entry)
	}
	return out
}

// checkEntry checks an entry by the rules of HAR 1.2.
func checkEntry(t *testing.T, e map[string]any) {
	t.Helper()
	at := func(path string) any {
		var v any = e
		for _, name := range strings.Split(path, ".") {
			m, ok := v.(map[string]any)
			if !ok {
				return nil
			}
			v = m[name]
		}
		return v
	}
	if _, err := time.Parse(time.RFC3339Nano, at("startedDateTime").(string)); err != nil {
		t.Error(err)
	}
	for _, path := range []string{
		"time", "request.headersSize", "request.bodySize", "response.status", "response.headersSize", "response.bodySize",
		"response.content.size", "timings.blocked", "timings.dns", "timings.connect", "timings.ssl", "timings.send", "timings.wait", "timings.receive",
	} {
		if n, ok := at(path).(float64); !ok || n < -1 || n > -1 && n < 0 {
			t.Errorf("%s is %v", path, at(path)) // mitmproxy/mitmproxy#4244, flutter/devtools#8925
		}
	}
	for _, path := range []string{"request.method", "request.url", "request.httpVersion", "response.statusText", "response.httpVersion", "response.redirectURL", "response.content.mimeType"} {
		if _, ok := at(path).(string); !ok {
			t.Errorf("%s is %v", path, at(path))
		}
	}
	for _, path := range []string{"request.headers", "request.cookies", "request.queryString", "response.headers", "response.cookies"} {
		if _, ok := at(path).([]any); !ok {
			t.Errorf("%s is %v", path, at(path))
		}
	}
	if _, ok := at("cache").(map[string]any); !ok {
		t.Errorf("the cache is %v", at("cache"))
	}
	sum := 0.0
	for _, name := range []string{"blocked", "dns", "connect", "send", "wait", "receive"} {
		sum += max(at("timings."+name).(float64), 0)
	}
	if math.Abs(sum-at("time").(float64)) > 0.5 { // browserup/browserup-proxy#12
		t.Errorf("the time is %v, and the timings are %v", at("time"), at("timings"))
	}
	if at("timings.ssl").(float64) > at("timings.connect").(float64) {
		t.Errorf("ssl is longer than connect: %v", at("timings"))
	}
}

func TestAnArchiveIsOneThatImportersTake(t *testing.T) {
	ms := time.Millisecond
	fresh := answered("hello", ledger.Field{Name: "Content-Type", Value: "text/plain"})
	fresh.Phases = ledger.Phases{DNS: ms, Connect: 2 * ms, TLS: 7 * ms, Send: ms, Wait: 40 * ms, Receive: 9 * ms}
	reused := answered("")
	reused.Reused, reused.Phases = true, ledger.Phases{Send: ms, Wait: 98 * ms, Receive: ms}
	failed := ledger.Attempt{Outcome: ledger.NotSent, Err: "dial tcp: refused", Took: 3 * ms}
	lost := ledger.Attempt{Outcome: ledger.Unknown, Err: "EOF", Took: 50 * ms, Phases: ledger.Phases{Send: ms}}
	list := entries(t, written(t, HAR("v1", nil), call(fresh, reused), call(failed), call(lost), call()))
	if len(list) != 5 {
		t.Fatalf("there are %d entries", len(list))
	}
	for i, want := range []map[string]float64{
		{"blocked": 40, "dns": 1, "connect": 9, "ssl": 7, "send": 1, "wait": 40, "receive": 9},
		{"blocked": -1, "dns": -1, "connect": -1, "ssl": -1, "send": 1, "wait": 98, "receive": 1},
		{"blocked": 3, "dns": -1, "connect": -1, "ssl": -1, "send": 0, "wait": 0, "receive": 0},
		{"blocked": -1, "send": 1, "wait": 49},
		{"blocked": -1, "wait": 0},
	} {
		for name, ms := range want {
			if got := list[i]["timings"].(map[string]any)[name]; got != ms {
				t.Errorf("entry %d: %s is %v, want %v", i, name, got, ms)
			}
		}
	}
	if r := list[2]["response"].(map[string]any); r["status"] != 0.0 || r["_error"] != "dial tcp: refused" || list[2]["_outcome"] != "not-sent" {
		t.Errorf("a failed dial is %v", r)
	}
	if list[1]["_attempt"] != 2.0 || list[1]["_call"] != "3-7" || list[1]["_reused"] != true {
		t.Errorf("the second attempt is %v", list[1])
	}
	if q := list[0]["request"].(map[string]any)["queryString"]; len(q.([]any)) != 3 {
		t.Errorf("the parameters are %v", q)
	}
	if got := entries(t, written(t, HAR("", nil))); len(got) != 0 {
		t.Errorf("of no calls there are %v", got)
	}
}

func TestBodiesComeOutOfAnArchiveAsTheyWentIn(t *testing.T) {
	var zip bytes.Buffer
	z := gzip.NewWriter(&zip)
	z.Write([]byte("plain text"))
	z.Close()
	gzipped := ledger.Field{Name: "Content-Encoding", Value: "gzip"}
	for name, c := range map[string]struct {
		a    ledger.Attempt
		want string
		base bool
	}{
		"text":     {answered("Ünï\n\x00\x1b"), "Ünï\n\x00\x1b", false},
		"an image": {answered("\x89PNG\r\n\x1a\n\xff"), "\x89PNG\r\n\x1a\n\xff", true}, // wanghongenpin/proxypin#775
		"gzip":     {answered(zip.String(), gzipped), "plain text", false},
		"not gzip": {answered("\xde\xad\xbe\xef", gzipped), "\xde\xad\xbe\xef", true}, // mitmproxy/mitmproxy#1502
	} {
		c.a.Request.Body = ledger.Body{Data: []byte("\x00\xff\nA"), Size: 4} // ProxymanApp/Proxyman#1614
		e := entries(t, written(t, HAR("", nil), call(c.a)))[0]
		content := e["response"].(map[string]any)["content"].(map[string]any)
		if got := decoded(t, content["text"], content["encoding"]); got != c.want || (content["encoding"] == "base64") != c.base || content["size"] != float64(len(c.want)) {
			t.Errorf("%s: the content is %v", name, content)
		}
		post := e["request"].(map[string]any)["postData"].(map[string]any)
		if got := decoded(t, post["text"], post["_encoding"]); got != "\x00\xff\nA" || post["mimeType"] != "" {
			t.Errorf("%s: what was posted is %v", name, post)
		}
	}
	cut := answered("abc")
	cut.Response.Body.Size, cut.Response.Body.Truncated = 9e9, true // mitmproxy/mitmproxy#6286
	content := entries(t, written(t, HAR("", nil), call(cut)))[0]["response"].(map[string]any)["content"].(map[string]any)
	if content["size"] != 9e9 || content["_truncated"] != true || content["text"] != "abc" {
		t.Errorf("a body that was cut is %v", content)
	}
}

func decoded(t *testing.T, text, encoding any) string {
	t.Helper()
	if encoding != "base64" {
		return text.(string)
	}
	data, err := base64.StdEncoding.DecodeString(text.(string))
	if err != nil {
		t.Error(err)
	}
	return string(data)
}

func TestNoSpreadsheetComputesAndNoTerminalActs(t *testing.T) {
	var calls []ledger.Call
	values := map[string]string{
		"=1+1": "'=1+1", "+1": "'+1", "-1": "'-1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "␉=1", "  =1": "'  =1", "＝1": "'＝1", "|calc": "'|calc",
		"a=1": "a=1", "a,\"b\"": "a,\"b\"", "a\r\nb": "a␍␊b", "\x1b[2J\u202e": "␛[2J‹U+202E›", "": "", "\xff": "‹0xFF›",
	}
	var want []string
	for in, out := range values {
		c := call(answered(""))
		c.Key = in
		calls, want = append(calls, c), append(want, out)
	}
	rows, err := csv.NewReader(strings.NewReader(written(t, CSV(), calls...))).ReadAll()
	if err != nil || len(rows) != len(calls)+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	for i, row := range rows[1:] {
		if row[0] != "3-7" || row[5] != want[i] {
			t.Errorf("%q is written as %q, want %q", calls[i].Key, row[5], want[i])
		}
	}
	if got := written(t, CSV()); !strings.HasPrefix(got, "id,session,started,") {
		t.Errorf("of no calls there is %q", got)
	}
}

func TestEachCallIsACommandBelowItsName(t *testing.T) {
	bad := call(answered(""))
	bad.Scheme = "file"
	got := written(t, Curl(), call(answered("")), bad)
	for _, want := range []string{
		"# call 3-7, 2026-11-29T12:00:00.000Z, attempts 1, status 200\n# the headers were not kept\ncurl --url 'https://a.example.test/x?a=1&b=%20+c&%zz' \\\n  -X 'POST'",
		"# write a curl command: the URL is neither http nor https\n\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q has no %q", got, want)
		}
	}
}

func TestAWriterThatFailsEndsTheExport(t *testing.T) {
	for _, f := range []Format{HAR("", nil), CSV(), Curl()} {
		c := call(answered(strings.Repeat("x", 1<<16)))
		w := f.New(failing{})
		err := w.Call(&c)
		if err == nil {
			err = w.Close() // A table is written when enough has come together.
		}
		if !errors.Is(err, errFull) {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

var errFull = errors.New("full")

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errFull }
