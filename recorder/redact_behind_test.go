package recorder

import (
	"fmt"
	"html"
	"math/rand"
	"net/url"
	"strings"
	"testing"

	"redial/ledger"
)

const canary = "canary7f3aQz91"

// secretsBehind are the canary under names that say that it is a secret, each set off from
// what may stand before it.
var secretsBehind = map[string]string{
	"assigned":             "\npassword=" + canary,
	"assigned in a line":   " password=" + canary + " ",
	"assigned, escaped":    `\npassword=` + canary + `\n`,
	"as in YAML":           "\npassword: " + canary + "\n",
	"JSON":                 "\n{\"password\":\"" + canary + "\"}",
	"field":                `,"access_token":"` + canary + `"}`,
	"field, escaped":       `,\"access_token\":\"` + canary + `\"}`,
	"field, twice escaped": `,\\\"access_token\\\":\\\"` + canary + `\\\"}`,
	"field in one quote":   `, 'access_token': '` + canary + `'}`,
	"field, by number":     `,\u0022access_token\u0022:\u0022` + canary + `\u0022}`,
	"field in HTML":        `,&quot;access_token&quot;:&quot;` + canary + `&quot;}`,
	"field in HTML, twice": `,&amp;quot;access_token&amp;quot;:&amp;#34;` + canary + `&amp;#34;}`,
	"userinfo, escaped":    ` http:\/\/u:` + canary + `@h\/ `,
	"element, escaped":     `\u003cpassword\u003e` + canary + `\u003c/password\u003e`,
	"element":              "<password>" + canary + "</password>",
	"element in a line":    "\n<code>" + canary + "</code>",
	"header":               "\nAuthorization: Bearer " + canary + "\n",
	"cookie":               "\nSet-Cookie: sid=" + canary + "\n",
	"parameter":            "&access_token=" + canary + "&x=1",
	"parameter, semicolon": ";access_token=" + canary + ";",
	"parameter with JSON":  `&x=%7B%22access_token%22%3A%22` + canary + `%22%7D&`,
	"userinfo":             " http://u:" + canary + "@h/ ",
	"parameter of a URL":   " http://h/?access_token=" + canary + " ",
}

// leaks returns in what ways the canary in a text is recorded all the same.
func leaks(text string) (all []string) {
	for _, media := range []string{"", "application/json", "application/x-www-form-urlencoded"} {
		m := ledger.Message{Header: headersOf(media, ""), Body: ledger.Body{Data: []byte(text)}}
		if newRedactor(Options{}).message(&m); strings.Contains(string(m.Body.Data), canary) {
			all = append(all, "body of type "+media+": "+string(m.Body.Data))
		}
	}
	if got := newRedactor(Options{}).text(text, 0); strings.Contains(got, canary) {
		all = append(all, "text: "+got)
	}
	return all
}

// What stands before a secret can look like the beginning of anything: of a value that
// takes the secret's name for itself, of a URL, of a credential, of JSON that is none.
func TestSecretIsFoundBehindWhatTakesItsName(t *testing.T) {
	for _, before := range []string{
		"", "http://", "//@", "x://", `code=`, `token:=`, `Cookie=`, `{"a":"password=`, `{\"password=`, "Bearer ", "Bearer Bearer ",
		`%7B"token":a`, `{"code":` + "`", `={"a":"<password>\\"`, `:=%7B"token":404`, `{"a":"b"<code>`, `"code":"`,
		"eyJ0IjoxfQ.x", "{\"code\":\"x", `password="`, `u"`, `'`, `secret={"`, `[redacted`, `<Error><Code>`, `<p name="otp"`,
	} {
		for name, secret := range secretsBehind {
			for _, leak := range leaks(before + secret) {
				t.Errorf("%s behind %q: left in a %q", name, before, leak)
			}
		}
	}
}

// Some names are themselves where a value is expected.
func TestWhatIsAssignedToAValueIsRedacted(t *testing.T) {
	for in, want := range map[string]string{
		`code="access_token":"abc"`:                 `code="[redacted]":"[redacted]"`,
		`{"code":"access_token":"abc","n":1}`:       `{"code":"[redacted]":"[redacted]","n":1}`,
		`Bearer X-Api-Key: abc1`:                    `Bearer [redacted]: [redacted]`,
		`eyJ0IjoxfQ.x-token=abc`:                    `[redacted][redacted]`,
		`{"https://u:abc@h/":1,"eyJ0IjoxfQ.x":"y"}`: `{"https://[redacted]@h/":1,"[redacted]":"y"}`,
		`token=u'abc',x`:                            `token=[redacted],x`,
	} {
		if got := newRedactor(Options{}).any(in, 0); got != want {
			t.Errorf("%s\n is %s\nwant %s", in, got, want)
		}
	}
}

// fragments are what texts are made of that a redactor reads.
var fragments = []string{
	`"`, `'`, "`", `\`, `\\`, `\"`, `\\"`, `\\\"`, `{`, `}`, `[`, `]`, `:`, `=`, `,`, ` `, "\n", "\r\n", "\t", `<`, `>`, `/`, `//`,
	`http://`, `@`, `&`, `;`, `?`, `#`, `%`, `%22`, `%7B`, `%3D`, `%26`, `%5C`, `\u0022`, `\u00`, `\n`, `\t`, `u`, `a`, `x`, `token`,
	`password`, `code`, `Authorization`, `Cookie`, `Bearer `, `Basic `, `eyJ`, `.`, `-`, `+`, `_`, `null`, `true`, `404`,
	`[redacted]`, `[redacted`, `<password>`, `</password>`, `<code>`, `<![CDATA[`, `]]>`, `<Error>`, `<Code>`, `name="otp"`,
	`value="`, `=>`, `:=`, `==`, `::`, `--x`, `Content-Type: a/b`, "\xff", "\x00", "é", `"a":`, `"token":`, `"code":`, `{"a":"`,
	`secret={`, `password=`, `password="`, `password: `, `token: `, `&quot;`, `&amp;`,
}

// wrappings are what texts are put into.
var wrappings = []func(string) string{
	func(s string) string { return s },
	func(s string) string { return s[:strings.Index(s, canary)+len(canary)] }, // cut off behind the secret
	func(s string) string { return jsonOf("a", s) },
	func(s string) string { return jsonOf("a", jsonOf("b", s)) },
	func(s string) string { return strings.TrimSuffix(jsonOf("a", s), `"}`) },
	func(s string) string { return fmt.Sprintf("got %q", fmt.Sprintf("%q", s)) },
	func(s string) string { return "/x?a=" + url.QueryEscape(s) + "&b=1" },
	func(s string) string { return "/x?a=" + url.QueryEscape("http://h/?c="+url.QueryEscape(s)) },
	func(s string) string { return `<a b="` + html.EscapeString(jsonOf("a", s)) + `">` },
	func(s string) string { return jsonOf("a", `<a b="`+html.EscapeString(s)+`">`) },
	func(s string) string {
		return "--xx\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n" + s + "\r\n--xx--\r\n"
	},
}

func TestSecretIsFoundBehindAnyFragments(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 4000 {
		before := ""
		for range 1 + rng.Intn(6) {
			before += fragments[rng.Intn(len(fragments))]
		}
		for name, secret := range secretsBehind {
			if rng.Intn(4) > 0 {
				continue
			}
			wrapped := wrappings[rng.Intn(len(wrappings))](before + secret)
			for _, leak := range leaks(wrapped) {
				t.Errorf("%s behind %q: of %q there is left %q", name, before, wrapped, leak)
			}
		}
	}
}

// A text can be made to cost much, and small when it is compressed. One that took time by
// the square of its length would hold up the recording for hours, and this test with it.
func TestTextThatIsMadeToCostMuchIsRedactedInTime(t *testing.T) {
	units := []string{
		"/", "<token>a", "<token>a</", "basic=", "basic ", "eyJ-", "eyJ.", "//@", "https://", `token: b"`, "<p name=\"otp\"/><![CDATA[]]>", "%2525",
		"bearer a/", "authorization: ", `{"a":`, `\"a\":`, "a=b;", "password", "Bearer x-token:", `"code":"`,
		"&amp;", "&amp;amp;quot;", "&#", `\u0022`, `\/\/`, "&quot;token&quot;:",
	}
	for _, unit := range units {
		newRedactor(Options{}).any(strings.Repeat(unit, 1<<19/len(unit))+":", 0)
	}
}
