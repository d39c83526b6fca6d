package digest

import (
	"net/http"
	"strings"
	"testing"
)

const (
	rfc7616 = `realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"`
	rfc2617 = `realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"`
	fox     = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
)

// vector is a challenge and the credentials that are the right answer to it.
type vector struct {
	name      string
	challenge string
	user      string // "": op
	password  string // "": pw1
	cnonce    string // "": 0a4f113b
	method    string // "": GET
	url       string // path and query
	body      string
	uses      int    // how often the nonce was used before
	response  string // the digest
	has, not  string // what the header has and has not, between spaces
}

var vectors = []vector{
	{name: "RFC 7616, MD5", challenge: "Digest algorithm=MD5, " + rfc7616, user: "Mufasa", password: "Circle of Life", cnonce: fox,
		url: "/dir/index.html", response: "8ca523f5e9506fed4657c9700eebdbec", has: "qop=auth, nc=00000001, algorithm=MD5", not: "auth-int"},
	{name: "RFC 7616, SHA-256", challenge: "Digest algorithm=SHA-256, " + rfc7616, user: "Mufasa", password: "Circle of Life", cnonce: fox,
		url: "/dir/index.html", response: "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1", has: "algorithm=SHA-256,"},
	{name: "MD5-sess", challenge: "Digest algorithm=MD5-sess, " + rfc7616, user: "Mufasa", password: "Circle of Life", cnonce: fox,
		url: "/dir/index.html", response: "e783283f46242139c486a698fec7211d", has: "algorithm=MD5-sess,"},
	{name: "SHA-256-sess", challenge: "Digest algorithm=SHA-256-sess, " + rfc7616, user: "Mufasa", password: "Circle of Life", cnonce: fox,
		url: "/dir/index.html", response: "2fd51b3a77ad75bad6afad6003e818d767133c46d9e2749e7f5232ae1ea3efd7"},
	{name: "second use", challenge: "Digest algorithm=MD5, " + rfc7616, user: "Mufasa", password: "Circle of Life", cnonce: fox,
		url: "/dir/index.html", uses: 1, response: "4b5d595ecf2db9df612ea5b45cd97101", has: "nc=00000002"},
	{name: "tenth use", challenge: "Digest algorithm=MD5, " + rfc7616, user: "Mufasa", password: "Circle of Life", cnonce: fox,
		url: "/dir/index.html", uses: 9, response: "c6c7fe4805f94693cf246790d3b2afe2", has: "nc=0000000a"},
	{name: "RFC 2617", challenge: `Digest qop="auth,auth-int", ` + rfc2617, user: "Mufasa", password: "Circle Of Life",
		url: "/dir/index.html", response: "6629fae49393a05397450978507c4ef1", not: "algorithm"},
	{name: "RFC 2069 (yhirose/cpp-httplib#1045)", challenge: "Digest " + rfc2617, user: "Mufasa", password: "Circle Of Life",
		url: "/dir/index.html", response: "670fd8c2df070c60b045671b8b24ff02", not: "qop nc= cnonce"},
	{name: "nothing quoted (postmanlabs/httpbin#262)", url: "/digest-auth/auth/op/pw1",
		challenge: `Digest qop=auth, realm="go-httpbin", algorithm=MD5, nonce=ab7e19ff6a6bc852badce6cdb32dc6e5, opaque=23c5`,
		response:  "dfb067a29d048dffe8182eb76267db9a", has: `nonce="ab7e19ff6a6bc852badce6cdb32dc6e5" opaque="23c5"`},
	{name: "no space behind a comma (bluenviron/gortsplib#1, mhoc/axios-digest-auth#6, dotnet/runtime#32943)", url: "/cgi-bin/snapshot.cgi",
		challenge: `Digest realm="Please log in",nonce="752a62306daf32b4",opaque="",stale=FALSE,algorithm=MD5`,
		response:  "548f5b0a99aa0eb4cd71a00c66e1c492", has: `opaque="" algorithm=MD5 realm="Please`, not: "qop nc= cnonce"},
	{name: "comma in the realm (libwww-perl#361, sebastienros/jint#3870)", url: "/x",
		challenge: `Digest realm="Unit, Organization", nonce="n1", qop="auth"`, response: "c8c7913e6bc45ba8dcc4b56c939f38b3"},
	{name: "the count is hexadecimal (drbrain/net-http-digest_auth#19)", url: "/x", uses: 15,
		challenge: `Digest realm="R", nonce="n1", qop="auth"`, response: "7b204ef8161279b21ce914a4d4ea3a63", has: "nc=00000010"},
	{name: "the query belongs to the URI (sparklemotion/mechanize#31)", url: "/some/page?p=1&q=a%20b",
		challenge: `Digest realm="R", nonce="n1", qop="auth"`, response: "ddd31ff3a0613fb82fa8e7c905901fd1", has: `uri="/some/page?p=1&q=a%20b"`},
	// RFC 7616, section 3.9.2, with the values of its erratum 4897.
	{name: "SHA-512-256, userhash", url: "/doe.json", user: "Jäsøn Doe", password: "Secret, or not?", cnonce: "NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v",
		challenge: `Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", ` +
			`opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8, userhash=true`,
		response: "3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5",
		has:      `userhash=true username="793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b"`},
	{name: "charset", url: "/x", user: "Jäsøn Doe", challenge: `Digest realm="R", nonce="n1", qop="auth", charset=UTF-8`,
		has: `username*=UTF-8''J%C3%A4s%C3%B8n%20Doe`, not: "username="},
	{name: "quotes in what is echoed", url: `/x?a="b"`, user: `a"b\c`, challenge: `Digest realm="a \"b\" \\ c", nonce="n\"1", qop="auth", opaque="\\o"`,
		has: `realm="a \"b\" \\ c" nonce="n\"1" opaque="\\o" username="a\"b\\c" uri="/x?a=\"b\""`},
	{name: "no hyphen in the algorithm (evcc-io/evcc#27711)", url: "/x", challenge: `Digest realm="R", nonce="n1", qop="auth", algorithm=SHA256`,
		has: "algorithm=SHA256,"},
	{name: "auth-int alone", url: "/x", method: "PUT", body: "hello", challenge: `Digest realm="R", nonce="n1", qop="auth-int"`, has: "qop=auth-int,"},
	{name: "auth-int without a body", url: "/x", challenge: `Digest realm="R", nonce="n1", qop="auth-int"`, has: "qop=auth-int,"},
	{name: "HEAD", url: "/x", method: "HEAD", challenge: `Digest realm="R", nonce="n1", qop="auth"`},
	{name: "all of the server", url: "*", method: "OPTIONS", challenge: `Digest realm="R", nonce="n1", qop="auth"`, has: `uri="*"`},
	{name: "no path", url: "", challenge: `Digest realm="R", nonce="n1", qop="auth"`, has: `uri="/"`},
	{name: "SHA-512-256-sess", url: "/x", challenge: `Digest realm="R", nonce="n1", qop="auth", algorithm=SHA-512-256-sess`},
}

func TestVectors(t *testing.T) {
	for _, v := range vectors {
		t.Run(v.name, func(t *testing.T) {
			user, password, cnonce := or(v.user, "op"), or(v.password, "pw1"), or(v.cnonce, "0a4f113b")
			d := &Digest{Username: user, Password: password, Origins: []string{"http://api.example.test"}, random: func() string { return cnonce }}
			challenge := &http.Response{StatusCode: 401, Header: http.Header{"Www-Authenticate": {v.challenge}}}
			var r *http.Request
			for range v.uses + 1 {
				r = newRequest(t, or(v.method, "GET"), "http://api.example.test", v.body)
				if strings.HasPrefix(v.url, "/") {
					r = newRequest(t, or(v.method, "GET"), "http://api.example.test"+strings.ReplaceAll(v.url, `"`, "%22"), v.body)
					if _, q, ok := strings.Cut(v.url, "?"); ok {
						r.URL.RawQuery = q
					}
				}
				if v.url == "*" {
					r.URL.Path = "*"
				}
				if err := d.Authorize(r, challenge); err != nil {
					t.Fatal(err)
				}
			}
			got := r.Header.Get("Authorization")
			if v.response != "" && !strings.Contains(got, `response="`+v.response+`"`) {
				t.Errorf("the digest is not %s in %s", v.response, got)
			}
			if err := verify(got, r.Method, or(v.method, "GET"), user, password, v.body); err != nil {
				t.Errorf("%v in %s", err, got)
			}
			for _, part := range strings.Fields(v.has) {
				if !strings.Contains(got, part) {
					t.Errorf("no %s in %s", part, got)
				}
			}
			for _, part := range strings.Fields(v.not) {
				if strings.Contains(got, part) {
					t.Errorf("%s in %s", part, got)
				}
			}
		})
	}
}

// What a digest is computed over when the query was dropped must not come out.
func TestTheQueryIsNotDropped(t *testing.T) {
	a := answer{offer: digests(parse([]string{`Digest realm="R", nonce="n1", qop="auth"`}))[0], method: "GET", uri: "/some/page", qop: "auth", count: "00000001", cnonce: "0a4f113b"}
	if got := a.response("op", "pw1"); got[:8] != "35178d8c" {
		t.Errorf("the digest without the query is %s", got)
	}
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}
