package recorder

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"redial/ledger"
)

// canaries are secrets that must not reach the store from anywhere. The second one has to
// be escaped almost everywhere.
var canaries = []string{"canary7f3aQz91", `p@ss/w?rd&7#"x%+\y;=`}

// place puts a secret somewhere into a call.
type place struct {
	name string
	put  func(c *ledger.Call, secret string)
}

func places() []place {
	all := []place{
		{"query", func(c *ledger.Call, s string) { c.Query = "a=1&access_token=" + url.QueryEscape(s) + "&b=2" }},
		{"query, encoded name", func(c *ledger.Call, s string) { c.Query = "%61PI%5Fkey=" + url.QueryEscape(s) }},
		{"query in a query", func(c *ledger.Call, s string) {
			c.Query = "next=" + url.QueryEscape("https://h/cb?x=1&code="+url.QueryEscape(s))
		}},
		{"userinfo in a query", func(c *ledger.Call, s string) {
			c.Query = "next=" + url.QueryEscape("https://u:"+url.QueryEscape(s)+"@h/")
		}},
		{"error", func(c *ledger.Call, s string) {
			c.Error = `dial "http://u:` + url.PathEscape(s) + `@127.0.0.1/": refused`
		}},
		{"error of an attempt", func(c *ledger.Call, s string) {
			c.AttemptList[0].Err = `Get "https://h/?sig=` + url.QueryEscape(s) + `": EOF`
		}},
		{"bearer in an error", func(c *ledger.Call, s string) {
			c.Error = "rejected: Bearer " + base64.StdEncoding.EncodeToString([]byte(s))
		}},
		{"basic in an error", func(c *ledger.Call, s string) {
			c.Error = "rejected: Basic " + base64.StdEncoding.EncodeToString([]byte("user:"+s))
		}},
		{"JWT in an error", func(c *ledger.Call, s string) {
			c.Error = "expired: eyJhbGciOiJIUzI1NiJ9." + base64.RawURLEncoding.EncodeToString([]byte(s)) + ".c2ln; try again"
		}},
		{"JSON in an error", func(c *ledger.Call, s string) { c.Error = "unexpected answer: " + jsonOf("refresh_token", s) }},
		{"quoted JSON in an error", func(c *ledger.Call, s string) { c.Error = fmt.Sprintf("answer: %q", jsonOf("refresh_token", s)) }},
		{"userinfo in an opaque URL", func(c *ledger.Call, s string) { c.Path = "//u:" + url.PathEscape(s) + "@127.0.0.1:1/x" }},
		{"userinfo in an opaque URL without slashes", func(c *ledger.Call, s string) { c.Path = "u:" + url.PathEscape(s) + "@127.0.0.1:1/x" }},
		{"userinfo in an opaque URL with a scheme", func(c *ledger.Call, s string) {
			c.Path = "http://u:" + url.PathEscape(s) + "@127.0.0.1:1/x"
		}},
		{"userinfo without a scheme in an error", func(c *ledger.Call, s string) {
			c.AttemptList[0].Err = `http2: invalid request :path from URL.Opaque = "//u:` + url.PathEscape(s) + `@127.0.0.1:1/x"`
		}},
		{"JWT in the path", func(c *ledger.Call, s string) {
			c.Path = "/verify/eyJhbGciOiJIUzI1NiJ9." + base64.RawURLEncoding.EncodeToString([]byte(s))
		}},
	}
	all = append(all, headerPlaces()...)
	for _, b := range bodies() {
		all = append(all, place{b.name, func(c *ledger.Call, s string) {
			media, data := b.of(s)
			for _, m := range []*ledger.Message{&c.AttemptList[0].Request, &c.AttemptList[0].Response} {
				m.Header = headersOf(media, b.encoding)
				m.Body = ledger.Body{Data: pack1(b.encoding, data), Size: 1 << 20, Truncated: b.cut}
			}
		}})
	}
	return all
}

// headerPlaces are the headers that a secret can be in.
func headerPlaces() (all []place) {
	for _, name := range []string{
		"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "X-Auth-Token",
		"X-Amz-Security-Token", "X-CSRF-Token", "x-my-own",
	} {
		all = append(all, place{name, func(c *ledger.Call, s string) {
			c.AttemptList[0].Request.Header = []ledger.Field{{Name: "Accept", Value: "*/*"}, {Name: name, Value: s}}
			c.AttemptList[0].Response.Header = []ledger.Field{{Name: name, Value: "a=b; c=" + s}}
		}})
	}
	for _, name := range []string{"Location", "Referer", "X-Other", "Content-Location", "Refresh"} {
		all = append(all, place{name, func(c *ledger.Call, s string) {
			c.AttemptList[0].Response.Header = []ledger.Field{
				{Name: name, Value: "https://h/cb?code=" + url.QueryEscape(s) + "#access_token=" + url.QueryEscape(s)},
				{Name: name, Value: "https://u:" + url.QueryEscape(s) + "@h/"},
				{Name: name, Value: "/cb?code=" + url.QueryEscape(s)},
			}
		}})
	}
	return all
}

// aBody is a body with a secret in it.
type aBody struct {
	name     string
	encoding string
	cut      bool
	of       func(secret string) (media string, data []byte)
}

func bodies() []aBody {
	plain := []aBody{
		{name: "JSON", of: func(s string) (string, []byte) {
			return "application/json", []byte(`{"a":[{"b":` + jsonOf("client_secret", s) + `}],"n":1}`)
		}},
		{name: "JSON, escaped name", of: func(s string) (string, []byte) {
			return "application/json", []byte(strings.Replace(jsonOf("password", s), "pass", `\u0070a\u0073s`, 1))
		}},
		{name: "JSON in JSON", of: func(s string) (string, []byte) {
			return "application/vnd.x+json", []byte(jsonOf("payload", jsonOf("payload", jsonOf("id_token", s))))
		}},
		{name: "JSON without a type", of: func(s string) (string, []byte) { return "", []byte("\n " + jsonOf("password", s)) }},
		{name: "JSON with an error", of: func(s string) (string, []byte) {
			return "application/json", []byte(`{"a": "it"s", ` + jsonOf("password", s)[1:])
		}},
		{name: "JSON labelled as a form", of: func(s string) (string, []byte) {
			return "application/x-www-form-urlencoded", []byte(jsonOf("password", s))
		}},
		{name: "form", of: func(s string) (string, []byte) {
			return "application/x-www-form-urlencoded", []byte("grant_type=x&%63lient_secret=" + url.QueryEscape(s) + "&scope=a")
		}},
		{name: "form without a type", of: func(s string) (string, []byte) {
			return "", []byte("grant_type=x&assertion=" + url.QueryEscape(s) + "&scope=a")
		}},
		{name: "XML", of: func(s string) (string, []byte) {
			return "text/xml", []byte("<a><b:Password>" + strings.ReplaceAll(s, "&", "&amp;") + "</b:Password></a>")
		}},
		{name: "XML, nested", of: func(s string) (string, []byte) {
			return "text/xml", []byte("<a><Credentials>\n<Id>7</Id><Key>" + strings.ReplaceAll(s, "&", "&amp;") + "</Key></Credentials></a>")
		}},
		{name: "XML, code", of: func(s string) (string, []byte) {
			return "application/xml", []byte("<a>\n<code>" + strings.ReplaceAll(s, "&", "&amp;") + "</code></a>")
		}},
		{name: "XML, attribute", of: func(s string) (string, []byte) {
			return "application/xml", []byte(`<login user="u" code="` + strings.ReplaceAll(strings.ReplaceAll(s, "&", "&amp;"), `"`, "&quot;") + `"/>`)
		}},
		{name: "event stream", of: func(s string) (string, []byte) {
			return "text/event-stream", []byte("event: x\ndata: " + jsonOf("access_token", s) + "\n\n")
		}},
		{name: "binary", of: func(s string) (string, []byte) {
			return "application/octet-stream", []byte("\x00\xff\x0a" + jsonOf("access_token", s))
		}},
		{name: "multipart", of: multipartOf},
		{name: "multipart without a type", of: func(s string) (string, []byte) { _, b := multipartOf(s); return "", b }},
	}
	all := slices.Clone(plain)
	for _, encoding := range encodings {
		for _, b := range plain {
			b.name += ", " + encoding
			b.encoding = encoding
			all = append(all, b)
		}
	}
	return all
}

func jsonOf(name, value string) string {
	b, err := json.Marshal(map[string]string{name: value})
	if err != nil {
		panic(err)
	}
	return string(b)
}

func multipartOf(s string) (string, []byte) {
	var out bytes.Buffer
	w := multipart.NewWriter(&out)
	_ = w.WriteField("note", "hello")
	_ = w.WriteField("password", s)
	_ = w.WriteField("data", jsonOf("api_key", s))
	f, _ := w.CreateFormFile("file", "a.json.gz")
	_, _ = f.Write(pack1("gzip", []byte(jsonOf("api_key", s))))
	_ = w.Close()
	return w.FormDataContentType(), out.Bytes()
}

func headersOf(media, encoding string) []ledger.Field {
	h := []ledger.Field{{Name: "Accept", Value: "*/*"}}
	if media != "" {
		h = append(h, ledger.Field{Name: "Content-Type", Value: media})
	}
	if encoding != "" {
		h = append(h, ledger.Field{Name: "Content-Encoding", Value: encoding})
	}
	return h
}

// texts returns all that is recorded of a call, also unpacked.
func texts(c *ledger.Call) string {
	all := []string{c.Path, c.Query, c.Error}
	for _, a := range c.AttemptList {
		all = append(all, a.Err)
		for _, m := range []ledger.Message{a.Request, a.Response} {
			for _, f := range m.Header {
				all = append(all, f.Name, f.Value)
			}
			all = append(all, string(m.Body.Data))
			for i := range m.Body.Data {
				all = append(all, unpacked(m.Body.Data[i:]))
			}
			all = append(all, unpackedAs("br", m.Body.Data))
		}
	}
	return strings.Join(all, "\x00")
}

// disguises returns the forms in which a secret could be found again.
func disguises(secret string) []string {
	quoted := jsonOf("x", secret)
	all := []string{secret, url.QueryEscape(secret), url.PathEscape(secret), quoted[len(`{"x":"`) : len(quoted)-2]}
	for shift := range 3 {
		b := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("x", shift) + secret))
		all = append(all, strings.TrimRight(b[4:len(b)-4], "="))
	}
	return all
}

func TestNoSecretReachesTheStore(t *testing.T) {
	for _, p := range places() {
		t.Run(p.name, func(t *testing.T) {
			for _, secret := range canaries {
				synctest.Test(t, func(t *testing.T) { recordSecret(t, p, secret) })
			}
		})
	}
}

// recordSecret brings a call with a secret in it to a store, once as it runs and once as
// it has ended, and searches what arrives.
func recordSecret(t *testing.T, p place, secret string) {
	store, live := &fakeStore{}, &fakeLive{}
	r := New(store, Options{RedactHeaders: []string{"X-My-Own"}})
	r.Watch(live)
	c := aCall(r)
	p.put(c, secret)
	before := texts(c)
	live.set([]ledger.Call{runningCopy(r, c)}, nil)
	r.Record(c)
	time.Sleep(2*tick + 1)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	var got []ledger.Call
	for _, b := range store.all() {
		got = append(append(got, b.Calls...), b.Running...)
	}
	if len(got) < 2 {
		t.Fatalf("%d calls reached the store, want one that runs and one that has ended", len(got))
	}
	for i := range got {
		for _, d := range disguises(secret) {
			if text := texts(&got[i]); strings.Contains(text, d) {
				t.Errorf("%q is in the store: %q", d, text)
			}
		}
	}
	if texts(c) != before {
		t.Error("the caller's call was changed")
	}
}

// runningCopy returns a call like c that is still running, as a transport shows it.
func runningCopy(r *Recorder, c *ledger.Call) ledger.Call {
	running := *c
	running.ID, running.State = r.NewID(), ledger.Sending
	running.AttemptList = slices.Clone(c.AttemptList)
	for i := range running.AttemptList {
		running.AttemptList[i].Request, running.AttemptList[i].Response = ledger.Message{}, ledger.Message{}
	}
	return running
}

// A body is cut where its cap is, be it in the middle of a secret.
func TestNothingIsLeftOfASecretThatWasCut(t *testing.T) {
	const secret = "7f3aQz91kP0wLm5x"
	r := newRedactor(Options{})
	for _, b := range bodies() {
		media, data := b.of(secret)
		data = pack1(b.encoding, data)
		for n := range len(data) {
			m := ledger.Message{
				Header: headersOf(media, b.encoding),
				Body:   ledger.Body{Data: data[:n:n], Size: int64(len(data)), Truncated: true},
			}
			r.message(&m)
			got := texts(&ledger.Call{AttemptList: []ledger.Attempt{{Request: m}}})
			for i := range len(secret) - 5 {
				if strings.Contains(got, secret[i:i+5]) {
					t.Fatalf("%s, cut at %d: %q is left in %q", b.name, n, secret[i:i+5], got)
				}
			}
		}
	}
	for n := range len(secret) {
		got := r.text("see https://user:"+secret[:n], 0)
		if n >= 6 && strings.Contains(got, secret[:n]) {
			t.Errorf("cut at %d: %q is left", n, got)
		}
	}
}
