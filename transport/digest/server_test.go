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
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"redial/ledger"
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

// guard lets in whoever has the right credentials, and notes what it was asked.
type guard struct {
	user, password string
	line           string // the challenge; NONCE stands for a new nonce
	strict         bool   // the counts of a nonce must rise
	uses           int    // how often a nonce may be used; 0: as often as one likes
	silent         bool   // it does not say that a nonce is stale
	next           bool   // each answer names the nonce for the next request
	proxy          bool
	header         string // for the challenge; "": WWW-Authenticate
	inner          http.Handler

	mu     sync.Mutex
	made   int
	nonces map[string]*given
	seen   []string // the credentials of each request, "" for none
	wrong  []string // what was wrong with credentials whose nonce was right
}

type given struct{ last, used int }

func (g *guard) issue() string {
	g.made++
	nonce := fmt.Sprintf("nonce-%d", g.made)
	if g.nonces == nil {
		g.nonces = map[string]*given{}
	}
	g.nonces[nonce] = new(given)
	return nonce
}

// admit returns whether a request may pass, and if not, whether its nonce is why.
func (g *guard) admit(r *http.Request, got string) (ok, stale bool) {
	f := fields(got)
	n := g.nonces[f["nonce"]]
	if got == "" || n == nil {
		return false, got != ""
	}
	count, err := strconv.ParseInt(f["nc"], 16, 32)
	if f["qop"] != "" && (err != nil || len(f["nc"]) != 8) {
		g.wrong = append(g.wrong, "nc="+f["nc"])
		return false, false
	}
	if g.strict && int(count) <= n.last || g.uses > 0 && n.used >= g.uses {
		return false, true
	}
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(strings.NewReader(string(body)))
	err = verify(got, r.Method, r.Method, g.user, g.password, string(body))
	if uri := f["uri"]; err == nil && uri != r.RequestURI {
		err = fmt.Errorf("the URI is %s of %s", uri, r.RequestURI)
	}
	if err != nil {
		g.wrong = append(g.wrong, err.Error())
		return false, false
	}
	n.last, n.used = max(n.last, int(count)), n.used+1
	return true, false
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	s := serverSide("")
	if g.proxy {
		s = proxySide("")
	}
	got := r.Header.Get(s.credentials)
	g.seen = append(g.seen, got)
	ok, stale := g.admit(r, got)
	if !ok {
		line := strings.ReplaceAll(g.line, "NONCE", g.issue())
		if stale && !g.silent {
			line += ", stale=true"
		}
		g.mu.Unlock()
		w.Header().Set(or(g.header, s.challenge), line)
		w.WriteHeader(s.status)
		io.WriteString(w, "who are you?")
		return
	}
	if g.next {
		w.Header().Set(s.info, fmt.Sprintf(`nextnonce="%s", qop=auth`, g.issue()))
	}
	g.mu.Unlock()
	if g.inner != nil {
		g.inner.ServeHTTP(w, r)
		return
	}
	io.Copy(w, io.MultiReader(strings.NewReader("in: "), r.Body))
}

// asked returns the credentials of each request so far.
func (g *guard) asked() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.seen)
}

// blame reports what was wrong with credentials.
func (g *guard) blame(t *testing.T) {
	t.Helper()
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, w := range g.wrong {
		t.Error(w)
	}
}

const (
	md5Line    = `Digest realm="R", nonce="NONCE", qop="auth"`
	sha256Line = `Digest realm="R", nonce="NONCE", qop="auth", algorithm=SHA-256, opaque="o"`
)

// newGuard returns one for the user op.
func newGuard(line string) *guard { return &guard{user: "op", password: "pw1", line: line} }

// operator returns the credentials of op for origins.
func operator(origins ...string) *Digest {
	return &Digest{Username: "op", Password: "pw1", Origins: origins}
}

// notes is a recorder that keeps what became of each attempt.
type notes struct {
	mu    sync.Mutex
	calls []ledger.Call
}

func (n *notes) NewID() ledger.CallID { return 1 }
func (*notes) BodyLimit() int64       { return 0 }
func (*notes) Watch(ledger.Live)      {}

func (n *notes) Record(c *ledger.Call) {
	kept := *c
	kept.AttemptList = slices.Clone(c.AttemptList)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.calls = append(n.calls, kept)
}

// last returns the attempts of the last call.
func (n *notes) last(t *testing.T) []ledger.Attempt {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	if len(n.calls) == 0 {
		t.Fatal("nothing was recorded")
	}
	return n.calls[len(n.calls)-1].AttemptList
}

// send sends a request and reads the answer.
func send(t testing.TB, rt http.RoundTripper, r *http.Request) (int, string) {
	t.Helper()
	resp, err := rt.RoundTrip(r)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Error(err)
	}
	return resp.StatusCode, string(b)
}
