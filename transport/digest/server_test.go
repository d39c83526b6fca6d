package digest

import (
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// What follows is the server's side, written apart from the client's so that they do not
// share their mistakes.

var field = regexp.MustCompile(`([A-Za-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))`)

// fields returns the parameters of credentials.
func fields(header string) map[string]string {
	all := map[string]string{}
	for _, m := range field.FindAllStringSubmatch(header, -1) {
		all[m[1]] = regexp.MustCompile(`\\(.)`).ReplaceAllString(m[2], "$1") + m[3]
	}
	return all
}

// hexOf returns the hash of an algorithm.
func hexOf(algorithm, text string) string {
	name := strings.TrimSuffix(strings.ToUpper(algorithm), "-SESS")
	switch name {
	case "SHA-256", "SHA256":
		return fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
	case "SHA-512-256":
		return fmt.Sprintf("%x", sha512.Sum512_256([]byte(text)))
	}
	return fmt.Sprintf("%x", md5.Sum([]byte(text)))
}

// verify checks credentials as a server does.
func verify(header, method, want, user, password, body string) error {
	f := fields(header)
	alg := f["algorithm"]
	name := f["username"]
	if v, ok := strings.CutPrefix(f["username*"], "UTF-8''"); ok {
		name, _ = url.PathUnescape(v)
	}
	if f["userhash"] == "true" {
		if name != hexOf(alg, user+":"+f["realm"]) {
			return fmt.Errorf("the hash of the user is %s", name)
		}
	} else if name != user {
		return fmt.Errorf("the user is %q", name)
	}
	if method != want {
		return fmt.Errorf("the method is %s", method)
	}
	a1 := hexOf(alg, user+":"+f["realm"]+":"+password)
	if strings.HasSuffix(strings.ToLower(alg), "-sess") {
		a1 = hexOf(alg, a1+":"+f["nonce"]+":"+f["cnonce"])
	}
	a2 := method + ":" + f["uri"]
	if f["qop"] == "auth-int" {
		a2 += ":" + hexOf(alg, body)
	}
	sum := a1 + ":" + f["nonce"] + ":" + hexOf(alg, a2)
	if f["qop"] != "" {
		sum = strings.Join([]string{a1, f["nonce"], f["nc"], f["cnonce"], f["qop"], hexOf(alg, a2)}, ":")
	}
	if got := hexOf(alg, sum); f["response"] != got {
		return fmt.Errorf("the digest is %s, want %s", f["response"], got)
	}
	return nil
}

// newRequest returns a request whose body, if it has one, can be made again.
func newRequest(t testing.TB, method, url, body string) *http.Request {
	t.Helper()
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r, err := http.NewRequestWithContext(t.Context(), method, url, reader)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
