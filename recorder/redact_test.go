package recorder

import (
	"net/url"
	"strings"
	"testing"

	"redial/ledger"
)

func TestNamesOfSecrets(t *testing.T) {
	n := newNames([]string{"X-Order-Pin"})
	for _, test := range []struct {
		want  secrecy
		names []string
	}{
		{secret, []string{
			"access_token", "refresh_token", "id_token", "client_secret", "password", "api_key", "signature",
			"X-Amz-Signature", "X-Goog-Signature", "AWSAccessKeyId", "assertion", "SAMLResponse", "accessToken",
			"ACCESS_TOKEN", "access-token", "access.token", "%61ccess_token", "access%5Ftoken", `\u0061ccess_token`,
			"user[password]", "password[]", "password_confirmation", "newPassword", "secretAccessKey", "client_assertion",
			"X-Amz-Security-Token", "X-Amz-Credential", "x-csrf-token", "Set-Cookie2", "X-Hub-Signature-256", "my password",
			"xorderpin", "X-ORDER-PIN", "wsse_Password", "privateKey", "code_verifier", "token",
		}},
		{ambiguous, []string{"code", "Code", "sig", "pwd", "c%6fde", "otp", "JSESSIONID"}},
		{open, []string{
			"authority", "tokenizer", "passwordless", "token_type", "max_tokens", "tokens", "secretary", "signatures",
			"postcode", "country_code", "status_code", "code_challenge", "X-Amz-SignedHeaders", "X-Amz-Date", "sigma", "design",
			"idempotency_key", "Idempotency-Key", "key", "id", "", "keyboard", "cookieless", "compass", "author", "x_order_pins",
			"oauth_signature_method", "encode", "barcode", "Content-Type", "ETag", "redirect_uri", "scope", "assert",
		}},
	} {
		for _, name := range test.names {
			for range 2 { // decided, and remembered
				if got := n.of(name); got != test.want {
					t.Errorf("%q is %d, want %d", name, got, test.want)
				}
			}
		}
	}
}

func TestQueryIsRedactedByName(t *testing.T) {
	r := newRedactor(Options{})
	for in, want := range map[string]string{
		"":                                  "",
		"page=2&sort=-created":              "page=2&sort=-created",
		"access_token=abc":                  "access_token=[redacted]",
		"a=1&code=abc&b=2":                  "a=1&code=[redacted]&b=2",
		"%61ccess%5ftoken=abc&x":            "%61ccess%5ftoken=[redacted]&x",
		"Access-Token=abc=def":              "Access-Token=[redacted]",
		"a=1;sig=abc;def&b=2":               "a=1;sig=[redacted]&b=2",
		"token=&x=1":                        "token=&x=1",
		"token&x=1":                         "token&x=1",
		"authority=x&tokenizer=y&key=order": "authority=x&tokenizer=y&key=order",
		"q=100%&password=abc":               "q=100%&password=[redacted]",
		"next=https%3A%2F%2Fh%2F%3Fcode%3Dabc%26x%3D1": "next=https%3A%2F%2Fh%2F%3Fcode%3D[redacted]%26x%3D1",
		"next=https%3A%2F%2Fu%3Aabc%40h%2F":            "next=https%3A%2F%2F[redacted]%40h%2F",
		"f=%7B%22password%22%3A%22abc%22%7D":           "f=%7B%22password%22%3A%22[redacted]%22%7D",
		"x=Authorization%3DBearer+abc123":              "x=Authorization%3D[redacted]",
		"x[code]=abc1&y[sig]=abc2&z[codex]=1":          "x[code]=[redacted]&y[sig]=[redacted]&z[codex]=1",
		"hdr=Bearer+abc123":                            "hdr=Bearer+[redacted]",
		"t=eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.":       "t=[redacted]",
		"time=12%3A30&e=a%3Db":                         "time=12%3A30&e=a%3Db",
	} {
		if got := r.query(in, 0); got != want {
			t.Errorf("query %q\n is %q\nwant %q", in, got, want)
		}
	}
}

// redactsText checks what becomes of texts, and that it stays so when it is redacted again.
func redactsText(t *testing.T, texts map[string]string) {
	t.Helper()
	r := newRedactor(Options{})
	for in, want := range texts {
		if got := r.text(in, 0); got != want {
			t.Errorf("text %s\n is %s\nwant %s", in, got, want)
		}
		if again := r.text(want, 0); again != want {
			t.Errorf("redacted again, %s\n is %s", want, again)
		}
	}
}

func TestURLsInTextAreRedacted(t *testing.T) {
	redactsText(t, map[string]string{
		`Get "http://u:abc@127.0.0.1/": dial tcp: refused`: `Get "http://[redacted]@127.0.0.1/": dial tcp: refused`,
		`http://abc@h`:        `http://[redacted]@h`,
		`proxy is //u:abcdef`: `proxy is //[redacted]`,
		`http://eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln/x`:  `http://[redacted]/x`,
		`http://token:8080/x and //cdn.h:80`:                  `http://token:8080/x and //cdn.h:80`,
		`http://u:a@b@h/x`:                                    `http://[redacted]@h/x`,
		`http://u:ab/cd@h/x`:                                  `http://[redacted]@h/x`,
		`https://h/?token=abc&x=1#access_token=a`:             `https://h/?token=[redacted]&x=1#access_token=[redacted]`,
		`https://h:8080/@scope/pkg?x=a@b`:                     `https://h:8080/@scope/pkg?x=a@b`,
		`https://[::1]:80/x`:                                  `https://[::1]:80/x`,
		`see http://h/a. Or http://h/b?sig=x y`:               `see http://h/a. Or http://h/b?sig=[redacted] y`,
		`/cb?code=abc&state=s`:                                `/cb?code=[redacted]&state=s`,
		`/cb?%63ode=abc`:                                      `/cb?%63ode=[redacted]`,
		`/verify/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln/x`: `/verify/[redacted]/x`,
		`to https%3A%2F%2Fu%3Aabc%40h%2F failed`:              `to https%3A%2F%2F[redacted]%40h%2F failed`,
	})
}

func TestCredentialsInTextAreRedacted(t *testing.T) {
	redactsText(t, map[string]string{
		`Authorization=Bearer abc1 today`:    `Authorization=[redacted]`,
		"authorization=Basic b3A6cHcx\nnext": "authorization=[redacted]\nnext",
		`Proxy-Authorization=Token abc1`:     `Proxy-Authorization=[redacted]`,
		`got Bearer abc.def-1== from`:        `got Bearer [redacted] from`,
		`BEARER ABCDEF`:                      `BEARER [redacted]`,
		`Basic dXNlcjphYmM=`:                 `Basic [redacted]`,
		`invalid bearer token`:               `invalid bearer token`,
		`Bearer realm="x", error="y"`:        `Bearer realm="x", error="y"`,
		`basic functionality`:                `basic functionality`,
		`eyJhbGciOiJIUzI1NiJ9.eyJzdWIi==`:    `[redacted]`,
		`keyJhbGciOiJIUzI1.eyJ`:              `keyJhbGciOiJIUzI1.eyJ`,
		`Authorization: Digest a="b", c="d"`: `Authorization: [redacted]`,
		`cookie: sid=abc; x=y`:               `cookie: [redacted]`,
		"Set-Cookie: a=b; c\r\nX: y":         "Set-Cookie: [redacted]\r\nX: y",
		`X-Api-Key: abc def`:                 `X-Api-Key: [redacted] def`,
		`Cookie: a=b\c; d=e`:                 `Cookie: [redacted]`,
		`got "Cookie: a=b\r\nX: y"`:          `got "Cookie: [redacted]\r\nX: y"`,
		`{\"h\":\"Cookie: a=b\",\"n\":1}`:    `{\"h\":\"Cookie: [redacted]\",\"n\":1}`,
	})
}

func TestAssignmentsInTextAreRedacted(t *testing.T) {
	redactsText(t, map[string]string{
		`password=abc, user=x`:               `password=[redacted] user=x`,
		`password = "a b" x`:                 `password = "[redacted]" x`,
		`{"password": "a\"b", "x": 1}`:       `{"password": "[redacted]", "x": 1}`,
		`got {\"password\":\"abc\",\"x\":1}`: `got {\"password\":\"[redacted]\",\"x\":1}`,
		`{'token': u'abc'}`:                  `{'token': [redacted]}`,
		`"secret"=>"abc"`:                    `"secret"=>"[redacted]"`,
		`login(password: "abc")`:             `login(password: "[redacted]")`,
		`"code": 12345, "x": 1`:              `"code": [redacted], "x": 1`,
		`\npassword=abc`:                     `\npassword=[redacted]`,
		`token: abc123def`:                   `token: [redacted]`,
		`secret={"a":"b","c":1} x`:           `secret=[redacted] x`,
		`password:abc`:                       `password:[redacted]`,
		`client_secret: abc def`:             `client_secret: [redacted] def`,
	})
}

func TestTextThatOnlyLooksSecretStays(t *testing.T) {
	redactsText(t, map[string]string{
		`oauth2: cannot fetch token: 400 Bad Request`:                `oauth2: cannot fetch token: 400 Bad Request`,
		`token: x509: certificate signed by unknown authority`:       `token: x509: certificate signed by unknown authority`,
		`fetch token: Post "https://h/t": dial tcp 1.2.3.4:443: EOF`: `fetch token: Post "https://h/t": dial tcp 1.2.3.4:443: EOF`,
		`read password: EOF`:                     `read password: EOF`,
		`rpc error: code = Unavailable desc = x`: `rpc error: code = Unavailable desc = x`,
		`status code: 503`:                       `status code: 503`,
		`error code: [x1]`:                       `error code: [x1]`,
		`"code": 404, x`:                         `"code": 404, x`,
		`error code: AB1234`:                     `error code: AB1234`,
		`authorization: denied`:                  `authorization: denied`,
		`password == nil`:                        `password == nil`,
		`"token": null, "secret": false`:         `"token": null, "secret": false`,
		`max_tokens=100 tokenizer=x authority=y passwordless=z`: `max_tokens=100 tokenizer=x authority=y passwordless=z`,
		`dial tcp 127.0.0.1:80: connect: connection refused`:    `dial tcp 127.0.0.1:80: connect: connection refused`,
		`token=[redacted]`: `token=[redacted]`,
	})
}

func TestElementsInTextAreRedacted(t *testing.T) {
	redactsText(t, map[string]string{
		`<a><wsse:Password Type="t">abc</wsse:Password></a>`: `<a><wsse:Password Type="t">[redacted]</wsse:Password></a>`,
		`<secret><![CDATA[a<b]]></secret>`:                   `<secret>[redacted]</secret>`,
		`<input name="SAMLResponse" value="abc"/>`:           `<input name="SAMLResponse" value="[redacted]"/>`,
		`<meta content='abc' name='csrf-token'>`:             `<meta content='[redacted]' name='csrf-token'>`,
		`<password/>abc`:                                     `<password/>abc`,
		`<password>abc`:                                      `<password>[redacted]`,
		`1 < 2 && x<y`:                                       `1 < 2 && x<y`,
		`expected <token> but got <eof>`:                     `expected <token>[redacted]<eof>`,
	})
}

// What is a secret as a field of a form is one as an element or an attribute too, and what
// JSON keeps under the same name is kept.
func TestElementsFollowTheRulesOfFields(t *testing.T) {
	redactsText(t, map[string]string{
		`<r><code>SplxlOBeZQQYbYS6WxSbIA</code><n>1</n></r>`:        `<r><code>[redacted]</code><n>1</n></r>`,
		`<o:Code>NoSuchKey</o:Code>`:                                `<o:Code>[redacted]</o:Code>`,
		`<otp> 123456 </otp><pwd>a</pwd>`:                           `<otp>[redacted]</otp><pwd>[redacted]</pwd>`,
		`<code>400</code><Code> 404 </Code><sig>4040</sig>`:         `<code>400</code><Code> 404 </Code><sig>[redacted]</sig>`,
		`<code></code><password>null</password>`:                    `<code></code><password>null</password>`,
		`<token>404</token><country_code>abc</country_code>`:        `<token>[redacted]</token><country_code>abc</country_code>`,
		`<authority>x</authority><codes>y</codes>`:                  `<authority>x</authority><codes>y</codes>`,
		`<login code="abc" user='u' x:code='abc'/>`:                 `<login code="[redacted]" user='u' x:code='[redacted]'/>`,
		`<r code="400" password="abc">ok</r>`:                       `<r code="400" password="[redacted]">ok</r>`,
		`<input name="code" value="400"><input name=sig value=abc>`: `<input name="code" value="400"><input name=sig value=[redacted]>`,
		`<p name="password">abc</p><p name="n">abc</p>`:             `<p name="password">[redacted]</p><p name="n">abc</p>`,
		`<input name="password"> <b>Remember</b> me`:                `<input name="password"> <b>Remember</b> me`,
		`<p name="otp"><![CDATA[a<b]]></p><p name="otp">ab`:         `<p name="otp">[redacted]</p><p name="otp">[redacted]`,
		"<Credentials>\n<Id>a</Id><Key>b</Key></Credentials><n/>":   "<Credentials>[redacted]</Credentials><n/>",
		`<password>a<b/>c<i>d</i></password>e`:                      `<password>[redacted]</password>e`,
		`<p name="otp"> <![CDATA[a]]> b</p>c`:                       `<p name="otp">[redacted]</p>c`,
		`<secret><![CDATA[</secret>]]> </secret>e`:                  `<secret>[redacted]</secret>e`,
		"<s:Assertion>\n <s:Subject>abc</s:Sub":                     `<s:Assertion>[redacted]`,
	})
}

// An error's code says what went wrong, and is no credential.
func TestCodesOfErrorsStay(t *testing.T) {
	redactsText(t, map[string]string{
		`<Error><Code>NoSuchKey</Code><Key>a</Key></Error>`:                 `<Error><Code>NoSuchKey</Code><Key>a</Key></Error>`,
		"<Error>\n <Type>Sender</Type>\n <Code>Throttling</Code>\n</Error>": "<Error>\n <Type>Sender</Type>\n <Code>Throttling</Code>\n</Error>",
		`<Error></Error><Code>abc</Code>`:                                   `<Error></Error><Code>[redacted]</Code>`,
	})
}

func TestJSONIsRedactedByName(t *testing.T) {
	r := newRedactor(Options{})
	for in, want := range map[string]string{
		`{"password":"abc","n":1}`:                             `{"password":"[redacted]","n":1}`,
		`{ "a" : [ { "api_key" : "abc" } ] }`:                  `{ "a" : [ { "api_key" : "[redacted]" } ] }`,
		`{"\u0070assword":"a\u0062c\"d"}`:                      `{"\u0070assword":"[redacted]"}`,
		`{"PassWord":12,"Access-Token":-1.5e3}`:                `{"PassWord":"[redacted]","Access-Token":"[redacted]"}`,
		`{"secret":{"a":["}",{"b":"]"}]},"n":1}`:               `{"secret":"[redacted]","n":1}`,
		`{"token":["a","b"],"code":"x"}`:                       `{"token":"[redacted]","code":"[redacted]"}`,
		`{"token":null,"secret":true,"password":""}`:           `{"token":null,"secret":true,"password":""}`,
		`{"code":404,"token":404,"sig":4040}`:                  `{"code":404,"token":"[redacted]","sig":"[redacted]"}`,
		`{"tokenizer":"x","authority":"y"}`:                    `{"tokenizer":"x","authority":"y"}`,
		`{"password":"ab`:                                      `{"password":"[redacted]"`,
		`{"password":"ab\`:                                     `{"password":"[redacted]"`,
		`{"secret":{"a":"b`:                                    `{"secret":"[redacted]"`,
		`{"token":12`:                                          `{"token":"[redacted]"`,
		`{"tok`:                                                `{"tok`,
		`{"token"`:                                             `{"token"`,
		`{"token":`:                                            `{"token":`,
		`{"u":"https:\/\/u:abc@h\/?sig=x"}`:                    `{"u":"https://[redacted]@h/?sig=[redacted]"}`,
		`{"p":"{\"password\":\"abc\"}"}`:                       `{"p":"{\"password\":\"[redacted]\"}"}`,
		`{"p":"\u003cpassword\u003eabc\u003c/password\u003e"}`: `{"p":"<password>[redacted]</password>"}`,
		"{\"token\":\"a\"}\n{\"token\":\"b\"}\n":               "{\"token\":\"[redacted]\"}\n{\"token\":\"[redacted]\"}\n",
		`["Bearer abc1",{"m":"x"}]`:                            `["Bearer [redacted]",{"m":"x"}]`,
		`{"q":"mutation { login(password: \"abc\") }"}`:        `{"q":"mutation { login(password: \"[redacted]\") }"}`,
	} {
		if got := r.json(in, 0); got != want {
			t.Errorf("JSON %s\n is %s\nwant %s", in, got, want)
		}
	}
}

func TestHeadersAreRedactedByName(t *testing.T) {
	r := newRedactor(Options{RedactHeaders: []string{"x-tenant"}})
	for _, name := range []string{
		"Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie", "X-Api-Key", "X-Auth-Token",
		"X-Amz-Security-Token", "X-CSRF-Token", "X-Csrf-Token", "authorization", "X-Vault-Token", "X-Tenant",
	} {
		for range 2 {
			f := ledger.Field{Name: name, Value: "abc"}
			if r.header(&f); f.Value != redacted {
				t.Errorf("%s is %q", name, f.Value)
			}
		}
	}
	for _, f := range []struct{ name, value, want string }{
		{"Content-Type", "application/json; charset=utf-8", "application/json; charset=utf-8"},
		{"Date", "Mon, 02 Jan 2006 15:04:05 GMT", "Mon, 02 Jan 2006 15:04:05 GMT"},
		{"Idempotency-Key", "order-8841", "order-8841"},
		{"Location", "//u:abc@h/x?code=abc", "//[redacted]@h/x?code=[redacted]"},
		{"Location", "/cb#access_token=abc&x=1", "/cb#access_token=[redacted]&x=1"},
		{"Referer", "https://h/?sig=abc", "https://h/?sig=[redacted]"},
		{"Link", `<https://h/?page=2&token=abc>; rel="next"`, `<https://h/?page=2&token=[redacted]>; rel="next"`},
		{"X-Note", "Bearer abc1", "Bearer [redacted]"},
		{"Www-Authenticate", `Basic realm="x"`, `Basic realm="x"`},
		{"Www-Authenticate", `Digest realm="x", nonce="n1", opaque="o", qop="auth"`, `Digest realm="x", nonce="n1", opaque="o", qop="auth"`},
		{"Authentication-Info", `rspauth="6629fae4", nextnonce="n2", nc=00000001`, `rspauth="[redacted]", nextnonce="n2", nc=00000001`},
		{"Proxy-Authentication-Info", `nextnonce="n2", rspauth=6629fae4`, `nextnonce="n2", rspauth=[redacted]`},
		{"X-Authority", "abc", "abc"},
	} {
		for range 2 {
			got := ledger.Field{Name: f.name, Value: f.value}
			if r.header(&got); got.Value != f.want {
				t.Errorf("%s: %s\n is %s\nwant %s", f.name, f.value, got.Value, f.want)
			}
		}
	}
}

func TestWhatIsWrappedTooDeepIsRedactedUnseen(t *testing.T) {
	r := newRedactor(Options{})
	inJSON, inQuery := `{"n":"a:b"}`, "n=a:b"
	for range 2 * maxDepth {
		inJSON = jsonOf("n", inJSON)
		inQuery = "n=" + url.QueryEscape(inQuery)
	}
	if got := r.json(inJSON, 0); strings.Contains(got, "a:b") || !strings.Contains(got, redacted) {
		t.Errorf("the JSON is %s", got)
	}
	if got := r.text(strings.Repeat("http://h/", 1000), 0); len(got) > 100 {
		t.Errorf("the URL is %s", got)
	}
	if got := r.query(inQuery, 0); strings.Contains(unescapeURL(got, true), "a%3Ab") || !strings.Contains(got, redacted) {
		t.Errorf("the query is %s", got)
	}
}

func TestCallThatBreaksTheRedactorKeepsNothingSecret(t *testing.T) {
	for _, p := range places() {
		c := aCall(nil)
		p.put(c, canaries[0])
		(&writer{}).clean(c) // without a redactor
		if got := texts(c); strings.Contains(got, canaries[0]) {
			t.Errorf("%s: a secret is left in %q", p.name, got)
		}
		if c.Status != 200 || c.Host == "" {
			t.Errorf("%s: what is no secret is gone: %+v", p.name, c)
		}
	}
}

// A path that only looks a little like an authority stays as it is.
func TestHarmlessPathsStay(t *testing.T) {
	for _, path := range []string{"/users/me@example.test", "*", "api.example.test:443", "/a//b/c", "//cdn.example.test/x", "/at/12:30/@home"} {
		c := &ledger.Call{Path: path}
		if newRedactor(Options{}).call(c); c.Path != path {
			t.Errorf("%q became %q", path, c.Path)
		}
	}
}
