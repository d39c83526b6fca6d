package demo

import (
	"crypto/rand"
	"crypto/sha256"
	"fmt"
	"net/http"
	"strings"
	"sync"
)

// What the vault asks for. The password is in no recording: a digest never shows it.
const (
	vaultUser     = "checkout"
	vaultPassword = "correct horse battery staple"
	vaultRealm    = "vault" + domain
)

// nonceUses is how often a nonce is good: seldom enough for a challenge to be seen now and
// then.
const nonceUses = 3

// gate asks for HTTP digest authentication (RFC 7616, SHA-256 and auth).
type gate struct {
	mu   sync.Mutex
	left map[string]int // uses of each nonce
}

// challenge returns the value of a WWW-Authenticate field with a new nonce.
func (g *gate) challenge(stale bool) string {
	nonce := rand.Text()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.left == nil {
		g.left = map[string]int{}
	}
	g.left[nonce] = nonceUses
	text := fmt.Sprintf(`Digest realm=%q, qop="auth", algorithm=SHA-256, nonce=%q`, vaultRealm, nonce)
	if stale {
		text += ", stale=true"
	}
	return text
}

// admits reports whether a request has the right answer to a challenge, and if not whether
// only its nonce is used up.
func (g *gate) admits(r *http.Request) (ok, stale bool) {
	p := digestFields(r.Header.Get("Authorization"))
	h := func(parts ...string) string {
		return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(parts, ":"))))
	}
	want := h(h(vaultUser, vaultRealm, vaultPassword), p["nonce"], p["nc"], p["cnonce"], p["qop"], h(r.Method, p["uri"]))
	if p["response"] != want || p["uri"] != r.URL.RequestURI() || p["qop"] != "auth" {
		return false, false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left[p["nonce"]]--
	if g.left[p["nonce"]] < 0 {
		delete(g.left, p["nonce"])
		return false, true
	}
	return true, false
}

// digestFields returns the fields of an Authorization field. None of those that this vendor
// asks for has a comma in it.
func digestFields(value string) map[string]string {
	fields := map[string]string{}
	value, ok := strings.CutPrefix(value, "Digest ")
	for ok && value != "" {
		var field string
		field, value, _ = strings.Cut(value, ",")
		name, text, _ := strings.Cut(strings.TrimSpace(field), "=")
		fields[name] = strings.Trim(text, `"`)
	}
	return fields
}

// barred answers a request that the gate of its API does not admit.
func (s *service) barred() bool {
	if !s.api.gated {
		return false
	}
	ok, stale := s.gate.admits(s.Request)
	if ok {
		return false
	}
	a := inJSON(http.StatusUnauthorized, object{"error": "credentials are wanted"})
	a.header["WWW-Authenticate"] = s.gate.challenge(stale)
	s.answer(a)
	return true
}

func serveVault(q *query) answer {
	return inJSON(http.StatusOK, object{"secret": strings.TrimPrefix(q.URL.Path, "/secrets/"), "version": q.n, "rotated": "2026-11-01T00:00:00Z"})
}

// exportLines is how many lines an export has: some 40 kB.
const exportLines = 900

func serveExport(q *query) answer {
	var b strings.Builder
	b.WriteString("sku;name;on_hand;price_eur\n")
	for i := range exportLines {
		g := goods[(q.n+i)%len(goods)]
		fmt.Fprintf(&b, "%05d;%s;%d;%.2f\n", 10000+i, g.name, q.dice.IntN(90), g.price)
	}
	return answer{status: http.StatusOK, body: []byte(b.String()), header: map[string]string{"Content-Type": "text/csv; charset=utf-8"}}
}
