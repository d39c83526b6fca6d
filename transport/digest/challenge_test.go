package digest

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestChallengesAreReadWhateverTheyLookLike(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string // scheme name=value …; scheme …
	}{
		{"comma in a string (libwww-perl#361)", []string{`Digest realm="Unit, Organization", nonce="n"`}, `Digest realm=Unit, Organization nonce=n`},
		{"no space behind a comma (sebastienros/jint#3870)", []string{`Digest realm="R",nonce="n",opaque="o"`}, `Digest realm=R nonce=n opaque=o`},
		{"nothing in a value (dotnet/runtime#32943)", []string{`Digest opaque="", nonce="n", domain=, realm="R"`}, `Digest opaque= nonce=n domain= realm=R`},
		{"behind another scheme in one line", []string{`Basic realm="x", Digest realm="R", nonce="n"`}, `Basic realm=x; Digest realm=R nonce=n`},
		{"behind one that has a token", []string{`Negotiate YII/+a==, NTLM, Digest nonce=n`}, `Negotiate; NTLM; Digest nonce=n`},
		{"before one that has none", []string{`Digest nonce=n, Negotiate`}, `Digest nonce=n; Negotiate`},
		{"in several lines", []string{`Basic realm="x"`, `Digest nonce="n"`}, `Basic realm=x; Digest nonce=n`},
		{"one challenge in two lines", []string{`Digest realm="R"`, `nonce="n"`}, `Digest realm=R nonce=n`},
		{"without a comma between challenges", []string{`Basic realm="x" Digest nonce="n"`}, `Basic realm=x; Digest nonce=n`},
		{"without a comma between parameters", []string{`Digest realm="R" nonce="n"`}, `Digest realm=R nonce=n`},
		{"words that should be quoted", []string{`Digest realm=Please log in, nonce=n`}, `Digest realm=Please nonce=n`},
		{"base64 without quotes", []string{`Digest nonce=a/b+c==,realm=R`}, `Digest nonce=a/b+c== realm=R`},
		{"escapes", []string{`Digest realm="a \"b\" \\", nonce="n"`}, `Digest realm=a "b" \ nonce=n`},
		{"space around the sign", []string{"Digest realm = \"R\" ,\tnonce\t=\tn"}, `Digest realm=R nonce=n`},
		{"empty elements", []string{` , ,Digest realm="R",,nonce="n", ,`}, `Digest realm=R nonce=n`},
		{"capitals", []string{`DIGEST Realm="R", NONCE="n"`}, `DIGEST realm=R nonce=n`},
		{"the same twice", []string{`Digest nonce="n", nonce="m"`}, `Digest nonce=n`},
		{"a string without an end", []string{`Digest realm="R, nonce="n`, `Basic realm="x"`}, `Digest realm=R, nonce=; Basic realm=x`},
		{"nothing", []string{``, ` `, `,`}, ``},
		{"a parameter of no scheme", []string{`realm="R"`}, ``},
		{"noise", []string{`"Digest", @@ ;; Digest nonce=n`}, ``},
	} {
		var got []string
		for _, c := range parse(c.lines) {
			for _, p := range c.params {
				c.scheme += " " + p.name + "=" + p.value
			}
			got = append(got, c.scheme)
		}
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// The qualities of protection, in a list with or without spaces (curl/curl#9264).
func TestQualitiesOfProtection(t *testing.T) {
	for qop, want := range map[string][2]bool{
		`"auth, auth-int"`: {true, true}, `"auth,auth-int"`: {true, true}, `" auth-int"`: {false, true},
		`auth`: {true, false}, `"AUTH"`: {true, false}, `""`: {false, false}, `"auth-conf,auth"`: {true, false}, `auth,`: {true, false},
	} {
		offers := digests(parse([]string{`Digest realm="R", qop=` + qop + `, nonce="n"`}))
		if len(offers) != 1 || offers[0].auth != want[0] || offers[0].authInt != want[1] {
			t.Errorf("qop=%s is %+v", qop, offers)
		}
	}
	if offers := digests(parse([]string{`Digest realm="R", nonce="n", qop="auth-conf"`})); offers != nil {
		t.Error("a quality that is not known is answered")
	}
}

func TestTheStrongestChallengeIsChosen(t *testing.T) {
	digest := func(params string) string { return `Digest realm="R", nonce="` + params + `", ` + params }
	for _, c := range []struct {
		name     string
		lines    []string
		oneShot  bool
		basic    bool
		want     string // algorithm and quality, or the error
		strength int
	}{
		{"two lines", []string{digest("algorithm=MD5"), digest("algorithm=SHA-256")}, false, false, "algorithm=SHA-256", 2},
		{"one line", []string{digest("algorithm=SHA-256") + ", " + digest("algorithm=SHA-512-256") + ", " + digest("algorithm=MD5")}, false, false, "algorithm=SHA-512-256", 3},
		{"the server's order among equals", []string{digest("algorithm=SHA-256-sess"), digest("algorithm=SHA-256")}, false, false, "algorithm=SHA-256-sess", 2},
		{"one that is not known", []string{digest("algorithm=SHA3-256"), digest("algorithm=md5")}, false, false, "algorithm=md5", 1},
		{"auth-int is not for a body that is there once", []string{digest(`algorithm=SHA-256,qop=auth-int`), digest(`algorithm=MD5,qop=auth`)}, true, false, "algorithm=MD5,qop=auth", 1},
		{"auth-int for a body that can be made again", []string{digest(`algorithm=SHA-256,qop=auth-int`), digest(`algorithm=MD5,qop=auth`)}, false, false, "algorithm=SHA-256,qop=auth-int", 2},
		{"auth-int and nothing else", []string{digest(`qop=auth-int`)}, true, false, errAuthInt.Error(), 0},
		{"no nonce", []string{`Digest realm="R"`}, false, false, "redial: the server offers no digest that can be answered, but a digest that is not known", 0},
		{"control characters", []string{"Digest realm=\"R\x01\", nonce=n"}, false, false, "redial: the server offers no digest that can be answered, but a digest that is not known", 0},
		{"longer than can be sent back", []string{`Digest realm="R", nonce="` + strings.Repeat("n", 9000) + `"`}, false, false, "redial: the server offers no digest that can be answered, but a digest that is not known", 0},
		{"no challenge", nil, false, false, errUnsaid.Error(), 0},
		{"Basic alone", []string{`Basic realm="x"`}, false, false, "redial: the server offers no digest that can be answered, but Basic; set Digest.AllowBasic if the password may be sent readable", 0},
		{"Basic where it is allowed", []string{`Basic realm="x"`}, false, true, "", 0},
		{"Basic where it is allowed and a digest is there", []string{`Basic realm="x", ` + digest("algorithm=MD5")}, false, true, "algorithm=MD5", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := &Digest{Username: "op", Password: "pw1", Origins: []string{"http://api.example.test"}, AllowBasic: c.basic}
			r := newRequest(t, http.MethodPost, "http://api.example.test/x", "body")
			if c.oneShot {
				r.GetBody = nil
			}
			o, err := d.choose(r, &http.Response{StatusCode: 401, Header: http.Header{"Www-Authenticate": c.lines}}, serverSide("http://api.example.test:80"))
			switch {
			case err != nil:
				if err.Error() != c.want {
					t.Errorf("%q, want %q", err, c.want)
				}
			case o.nonce.value != strings.TrimSuffix(strings.SplitN(c.want, `"`, 2)[0], ",") || o.algorithm.strength != c.strength || o.basic != (c.want == ""):
				t.Errorf("chosen %+v", o)
			}
		})
	}
}

// Before anything is sent a body that is there once is refused where the server is known to
// accept only auth-int.
func TestAuthIntIsRefusedBeforehand(t *testing.T) {
	d := &Digest{Username: "op", Password: "pw1", Origins: []string{"http://api.example.test"}}
	challenge := &http.Response{StatusCode: 401, Header: http.Header{"Www-Authenticate": {`Digest realm="R", nonce="n", qop="auth-int"`}}}
	first := newRequest(t, http.MethodPut, "http://api.example.test/x", "body")
	if err := d.Authorize(first, challenge); err != nil {
		t.Fatal(err)
	}
	d.Answer(first, &http.Response{StatusCode: 200}, 1)
	second := newRequest(t, http.MethodPut, "http://api.example.test/x", "body")
	second.GetBody = nil
	if err := d.Authorize(second, nil); !errors.Is(err, errAuthInt) || second.Header.Get("Authorization") != "" {
		t.Errorf("%v, and %q", err, second.Header)
	}
}

// FuzzParse looks for a challenge that breaks the parser, or that the parser makes more of
// than is there, and for credentials that could not be sent.
func FuzzParse(f *testing.F) {
	for _, v := range vectors {
		f.Add(v.challenge, "")
	}
	for _, seed := range []string{
		`Basic realm="x", Digest realm="R", nonce="n"`, `Negotiate YII/+a==, NTLM, Digest nonce=n`, `Digest realm="`, `Digest realm="\`,
		`Digest realm=Please log in, nonce=n`, `Digest , ,nonce = n`, `a b c=d e f="g" h`, "Digest nonce=\"\x00\"", `Digest nonce="ä", realm=`, `=`, `"`, `\`,
		strings.Repeat("a ", 100), strings.Repeat(`a a="`, 50), strings.Repeat("Digest nonce=n,", 100),
	} {
		f.Add(seed, `nonce="n"`)
	}
	f.Fuzz(func(t *testing.T, first, second string) {
		all := parse([]string{first, second})
		size := 0
		for i := range all {
			size += len(all[i].scheme)
			for _, p := range all[i].params {
				size += len(p.name) + len(p.raw)
				if len(p.value) > len(p.raw) {
					t.Errorf("%q means %q", p.raw, p.value)
				}
			}
		}
		if size > len(first)+len(second) {
			t.Errorf("%d bytes came out of %d", size, len(first)+len(second))
		}
		for _, o := range digests(all) {
			a := answer{offer: o, method: "GET", uri: "/x", qop: "auth", count: "00000001", cnonce: "c"}
			got := a.header("op", "pw1")
			if hasControl(got) {
				t.Errorf("a control character in %q", got)
			}
			if back := parse([]string{got}); len(back) != 1 || back[0].value("nonce") != o.nonce.value || back[0].value("realm") != o.realm.value {
				t.Errorf("%q is read as %+v", got, back)
			}
		}
		next([]string{first, second})
	})
}
