package hosts

import (
	"strings"
	"testing"

	"redial/ledger"
)

func TestIdsAndNumbersInAPathAreFolded(t *testing.T) {
	for path, want := range map[string]string{
		"":                           "",
		"/":                          "/",
		"/items/17":                  "/items/{n}",
		"/items/17/stock":            "/items/{n}/stock",
		"/v1/items":                  "/v1/items",
		"/orders/order-8841/lines/2": "/orders/order-{n}/lines/{n}",
		"/u/3f2504e0-4f89-11d3-9a0c-0305e82c3301": "/u/{id}",
		"/blobs/9f2c51aa":                         "/blobs/{id}",
		"/deadbeef":                               "/deadbeef",
		"/s/cs_test_a1B2c3D4e5F6g7H8i9":           "/s/{id}",
		"/report.2025.csv":                        "/report.2025.csv",
		"/über/12":                                "/über/{n}",
		"/sku-abc":                                "/sku-abc",
		"/" + strings.Repeat("x", 2*longestRoute) + "1": "/" + strings.Repeat("x", longestRoute-1) + "…",
	} {
		if got := fold(path); got != want {
			t.Errorf("%q is the route %q, want %q", path, got, want)
		}
	}
}

func TestTheFilterOfARouteSelectsItsCallsAndNoOthers(t *testing.T) {
	for _, c := range []struct {
		host, method, path string
		others             []string
	}{
		{"api.test", "GET", "/items/17", []string{"/items/17/stock", "/items", "/orders/17"}},
		{"api.test:8080", "POST", "/orders/order-12/lines/3", []string{"/orders/order-12/lines/3/x", "/orders/a/order-12/lines/3"}},
		{"api.test", "DELETE", `/odd "path\`, []string{"/odd"}},
		{"api.test", "GET", "", []string{"/"}},
		{"api.test", "GET", "/a/", []string{"/a", "/xa/"}},
		{"api.test", "GET", "/a(b) c", []string{"/a"}},
		{"a b", "GET", "/" + strings.Repeat("x", 2*longestRoute), []string{"/y"}},
	} {
		text := filterOf(c.host, c.method, fold(c.path))
		f, err := ledger.ParseCallFilter(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		match := func(host, method, path string) bool {
			return f.Match(&ledger.Call{Host: host, Method: method, Path: path}, ledger.Env{})
		}
		if !match(c.host, c.method, c.path) {
			t.Errorf("%s does not select %s", text, c.path)
		}
		for _, other := range c.others {
			if match(c.host, c.method, other) {
				t.Errorf("%s selects %s, too", text, other)
			}
		}
		if match(c.host, "X", c.path) || match("other.test", c.method, c.path) {
			t.Errorf("%s selects calls with another method or to another host", text)
		}
	}
}
