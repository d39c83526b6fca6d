package digest

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"redial/transport"
)

// Whoever is not named gets no credentials, also when a redirect leads there: a digest can
// be searched for the password offline (icholy/digest answers any host that challenges).
func TestCredentialsStayWithTheirOrigins(t *testing.T) {
	thief := newGuard(md5Line)
	other := httptest.NewServer(thief)
	defer other.Close()
	g := newGuard(md5Line)
	g.inner = http.RedirectHandler(other.URL+"/trap", http.StatusTemporaryRedirect)
	s := httptest.NewServer(g)
	defer s.Close()
	client := &http.Client{Transport: &transport.Transport{Auth: operator(s.URL)}}
	resp, err := client.Do(newRequest(t, "POST", s.URL, "order"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if seen := thief.asked(); resp.StatusCode != 401 || len(seen) != 1 || seen[0] != "" {
		t.Errorf("%d, and the other was shown %q", resp.StatusCode, seen)
	}
	if g.blame(t); len(g.asked()) != 2 {
		t.Errorf("%d requests", len(g.asked()))
	}

	client.Transport = &transport.Transport{Auth: operator(s.URL, other.URL)}
	resp, err = client.Do(newRequest(t, "POST", s.URL, "order"))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if thief.blame(t); resp.StatusCode != 200 {
		t.Errorf("%d where both are named", resp.StatusCode)
	}
}

func TestOrigins(t *testing.T) {
	for origin, urls := range map[string]map[string]bool{
		"https://api.example.test": {
			"https://api.example.test/x": true, "https://API.example.test:443/x": true, "https://api.example.test./x": true,
			"http://api.example.test/x": false, "https://api.example.test:8443/x": false, "https://a.api.example.test/": false,
			"https://api.example.test.evil.test/": false, "https://api.example.test@evil.test/": false,
		},
		"http://192.0.2.7:8080": {"http://192.0.2.7:8080/": true, "http://192.0.2.7/": false},
		"HTTP://[2001:DB8::1]/": {"http://[2001:db8::1]:80/x": true, "http://[2001:db8::2]/": false},
	} {
		d := operator(origin)
		if err := d.Validate(); err != nil {
			t.Errorf("%s: %v", origin, err)
		}
		for at, want := range urls {
			u, err := url.Parse(at)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(d.sides(nil, &http.Request{URL: u})) == 1; got != want {
				t.Errorf("%s may be shown to %s: %v", origin, at, got)
			}
		}
	}
}

// What cannot be is refused with one line that names the field and no secret, before
// anything is sent.
func TestInvalidDigests(t *testing.T) {
	one := []string{"https://api.example.test"}
	var none *Digest
	for _, c := range []struct {
		d    *Digest
		want string
	}{
		{none, "redial: Auth is a nil *digest.Digest"},
		{&Digest{Password: "canary", Origins: one}, `redial: Digest.Username is "": set`},
		{&Digest{Username: "a\nb", Password: "canary", Origins: one}, "redial: Digest.Username is not printable text"},
		{&Digest{Username: "a\xff", Origins: one}, "redial: Digest.Username is not printable text"},
		{&Digest{Username: "a:b", AllowBasic: true, Origins: one}, `redial: Digest.Username is "a:b": Basic`},
		{&Digest{Username: "op", ChallengeHeader: "X Y", Origins: one}, `redial: Digest.ChallengeHeader is "X Y"`},
		{&Digest{Username: "op", Password: "canary"}, "redial: Digest.Origins is empty: name"},
		{operator("https://api.example.test", "api.example.test"), "redial: Digest.Origins[1] is not an origin"},
		{operator("https://op:canary@api.example.test"), "redial: Digest.Origins[0] is not an origin"},
		{operator("https://api.example.test/path"), "redial: Digest.Origins[0] is not an origin"},
		{operator("https://api.example.test?q=canary"), "redial: Digest.Origins[0] is not an origin"},
		{operator("https://api.example.test/#"), "redial: Digest.Origins[0] is not an origin"},
		{operator("https://*.example.test"), "redial: Digest.Origins[0] is not an origin"},
		{operator("https://"), "redial: Digest.Origins[0] is not an origin"},
		{operator("ftp://api.example.test"), "redial: Digest.Origins[0] is not an origin"},
		{operator(""), "redial: Digest.Origins[0] is not an origin"},
	} {
		var sent atomic.Int32
		rt := &transport.Transport{Auth: c.d, Base: roundTripper(func(*http.Request) (*http.Response, error) {
			sent.Add(1)
			return nil, http.ErrHandlerTimeout
		})}
		_, err := rt.RoundTrip(newRequest(t, "GET", "https://api.example.test", ""))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.ContainsRune(err.Error(), 0x0a) || !utf8.ValidString(err.Error()) || strings.Contains(err.Error(), "canary") || sent.Load() != 0 {
			t.Errorf("%v, want %s", err, c.want)
		}
		if v := rt.Validate(); v == nil || v.Error() != err.Error() {
			t.Errorf("Validate says %v", v)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestNoPasswordIsPrinted(t *testing.T) {
	d := operator("https://api.example.test")
	d.Password = "canary"
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("text", "auth", d)
	slog.New(slog.NewJSONHandler(&log, nil)).Info("json", "auth", d)
	encoded, err := json.Marshal(d)
	if err != nil {
		t.Error(err)
	}
	rt := &transport.Transport{Auth: d}
	for _, text := range []string{
		fmt.Sprint(d), fmt.Sprintf("%v %+v %#v %s %q %x %d", d, d, d, d, d, d, d), fmt.Sprintf("%+v %#v", rt, struct{ A transport.Auth }{d}),
		log.String(), string(encoded),
	} {
		if strings.Contains(text, "canary") || strings.Contains(text, fmt.Sprintf("%x", "canary")) {
			t.Errorf("the password is in %s", text)
		}
	}
	if got, want := fmt.Sprint(d), `digest of "op" for 1 origins`; got != want {
		t.Errorf("printed %s", got)
	}
}
