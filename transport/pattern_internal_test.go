package transport

import (
	"net/http"
	"strings"
	"testing"
)

func TestPathPatternsAreThoseOfServeMux(t *testing.T) {
	for _, c := range []struct {
		pattern   string
		in        string // paths that match, blank between them
		out       string
		muxDiffer bool // ServeMux cleans and redirects such paths, and so cannot be asked
	}{
		{"/", "/ /a /a/ /a/b", "", false},
		{"/{$}", "/", "/a /a/", false},
		{"/orders", "/orders /%6Frders", "/ /orders/ /orders/1 /order", false},
		{"/orders/", "/orders/ /orders/1 /orders/1/lines", "/ /order/1", false},
		{"/orders/{$}", "/orders/", "/orders/1", false},
		{"/orders/{id}", "/orders/1 /orders/a%2Fb /%6frders/1", "/orders/1/ /orders/1/lines", false},
		{"/orders/{id}/lines", "/orders/1/lines", "/orders/1 /orders/lines /orders/1/2/lines", false},
		{"/files/{rest...}", "/files/ /files/a /files/a/b", "/file/a", false},
		{"/a%2Fb/c", "/a%2Fb/c /a%2fb/c", "/a/b/c", false},
		{"/orders", "", "*", true},
		{"/{id}", "", "/", true},
	} {
		p, err := parsePath(c.pattern)
		if err != nil {
			t.Fatalf("%s: %v", c.pattern, err)
		}
		mux := http.NewServeMux()
		mux.Handle(c.pattern, http.NotFoundHandler())
		for want, paths := range map[bool]string{true: c.in, false: c.out} {
			for _, path := range strings.Fields(paths) {
				if got := p.match(path); got != want {
					t.Errorf("%s matches %s: %v, want %v", c.pattern, path, got, want)
				}
				r, err := http.NewRequest(http.MethodGet, "http://api.example.test"+path, nil)
				if err != nil || c.muxDiffer {
					continue
				}
				if _, found := mux.Handler(r); (found == c.pattern) != want {
					t.Errorf("ServeMux finds %q for %s, not as said here of %s", found, path, c.pattern)
				}
			}
		}
	}
	if p, _ := parsePath("/{$}"); !p.match("") {
		t.Error("a URL without a path asks for /")
	}
}

func TestWhatIsNoPathPattern(t *testing.T) {
	for _, pattern := range []string{"", "orders", "*", "/{", "/}", "/{}", "/{id", "/id}", "/a{id}", "/{id}b", "/{...}", "/{rest...}/a", "/{$}/a", "/a?b", "/a#b", "/%zz"} {
		if _, err := parsePath(pattern); err == nil {
			t.Errorf("%q is taken for a pattern", pattern)
		}
	}
}
