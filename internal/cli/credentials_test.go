package cli

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"redial/ledger"
)

func TestCredentialsAreGivenToTheirOriginAlone(t *testing.T) {
	all, err := parseCredentials([]string{"https://API.example.test Authorization: env:TOKEN", "http://127.0.0.1:8080/ x-api-key:env:KEY"},
		[]string{"TOKEN=Bearer one", "KEY=two"})
	if err != nil {
		t.Fatal(err)
	}
	for url, want := range map[string]http.Header{
		"https://api.example.test/orders":            {"Authorization": {"Bearer one"}},
		"https://api.EXAMPLE.test:443/orders":        {"Authorization": {"Bearer one"}},
		"https://u:p@api.example.test/orders":        {"Authorization": {"Bearer one"}},
		"http://127.0.0.1:8080/orders":               {"X-Api-Key": {"two"}},
		"http://api.example.test/orders":             {},
		"http://api.example.test:443/orders":         {},
		"https://api.example.test:8443/orders":       {},
		"https://api.example.test.evil.test/orders":  {},
		"https://evil.test/https://api.example.test": {},
		"https://api.example.test@evil.test/orders":  {},
		"http://127.0.0.1/orders":                    {},
		"//api.example.test/orders":                  {},
		"":                                           {},
		"\x1b":                                       {},
	} {
		in := ledger.Intent{URL: url, Withheld: []string{"Authorization", "X-Api-Key"}}
		h := http.Header{}
		if err := all.fill(context.Background(), in, h); err != nil || len(h) != len(want) {
			t.Errorf("%s gets %v, want %v; %v", url, h, want, err)
		}
		for name := range want {
			if h.Get(name) != want.Get(name) {
				t.Errorf("%s gets %v, want %v", url, h, want)
			}
		}
		if got := len(all.missing(&in)); got != 2-len(want) {
			t.Errorf("%s misses %d", url, got)
		}
	}
	h := http.Header{}
	if all.fill(context.Background(), ledger.Intent{URL: "https://api.example.test/"}, h); len(h) > 0 {
		t.Errorf("an operation that was sent without credentials gets %v", h)
	}
}

func TestNoErrorTellsASecret(t *testing.T) {
	for _, text := range []string{
		"https://a.test Authorization: SECRET", "https://a.test Authorization: Bearer SECRET", "https://a.test Authorization: Bearer env:SECRET",
		"https://a.test Authorization: env:SECRET;x", "https://a.test SECRET", "SECRET https://a.test Authorization: env:T", "https://u:SECRET@a.test A: env:T",
		"https://a.test?SECRET A: env:T", "https://a.test/SECRET A: env:T", "https://a.test A: env:CR", "https://a.test A B: SECRET", "https://a.test : env:T",
		"SECRET://a.test A: env:T", "", " ", "\x1b[2J",
	} {
		all, err := parseCredentials([]string{text}, []string{"T=SECRET", "CR=SECRET\r\nX-Evil: 1"})
		var usage *usageError
		if !errors.As(err, &usage) || strings.Contains(err.Error(), "SECRET") && !strings.Contains(text, "env:SECRET") {
			t.Errorf("%q is %v, and the error is %v", text, all, err)
		}
	}
}

func TestResolutionsAreReadAsCurlReadsThem(t *testing.T) {
	for text, want := range map[string]struct {
		host      string
		addresses string
	}{
		"API.example.test:443:192.0.2.7":           {"api.example.test:443", "192.0.2.7:443"},
		"api.example.test:8080:[2001:db8::1]":      {"api.example.test:8080", "[2001:db8::1]:8080"},
		"api.example.test:443:2001:db8::1":         {"api.example.test:443", "[2001:db8::1]:443"},
		"api.example.test:443:192.0.2.7,192.0.2.8": {"api.example.test:443", "192.0.2.7:443 192.0.2.8:443"},
		"[::1]:80:127.0.0.1":                       {"[::1]:80", "127.0.0.1:80"},
		"a:80":                                     {},
		"a":                                        {},
		"":                                         {},
		":80:127.0.0.1":                            {},
		"a:0:127.0.0.1":                            {},
		"a:65536:127.0.0.1":                        {},
		"a:http:127.0.0.1":                         {},
		"a:80:b.test":                              {},
		"a:80:127.0.0.1,":                          {},
		"a:80:":                                    {},
	} {
		all, err := parseResolutions([]string{text})
		if (err != nil) != (want.host == "") {
			t.Errorf("%q is %v, %v", text, all, err)
		}
		if got := strings.Join(all[want.host], " "); got != want.addresses {
			t.Errorf("%q is %v", text, all)
		}
	}
}

func TestAnOriginIsWrittenAsPeopleDo(t *testing.T) {
	for raw, want := range map[string]string{
		"https://API.example.test/orders?x=1": "https://api.example.test", "http://api.example.test:80/": "http://api.example.test",
		"http://api.example.test:443": "http://api.example.test:443", "https://[::1]:8443/x": "https://[::1]:8443", "nonsense": "",
	} {
		if got := plainOrigin(raw); got != want {
			t.Errorf("%s is %q, want %q", raw, got, want)
		}
	}
}
