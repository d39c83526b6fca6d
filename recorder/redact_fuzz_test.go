package recorder

import (
	"strings"
	"testing"

	"redial/ledger"
)

// Whatever stands before a secret, and however wrong it is, the secret is found.
func FuzzSecretIsFoundBehindAnything(f *testing.F) {
	for _, b := range bodies() {
		_, data := b.of(`a"b`)
		f.Add(string(data))
	}
	for _, s := range []string{
		`"`, `'`, `\`, `\\"`, `{"a":"`, `{"a":`, `<a b="`, `<password>`, `http://u:`, `token=`, "Authorization: x",
		"%2", `\u00`, "\xff", "eyJ", "Bearer ", "--x\r\nContent-A: b\r\n\r\n", "<![CDATA[", `password="`, `"code":{[`,
	} {
		f.Add(s)
	}
	const canary = "canary7f3aQz91"
	f.Fuzz(func(t *testing.T, before string) {
		r := newRedactor(Options{})
		for _, secret := range []string{"\npassword=" + canary, "\n{\"password\":\"" + canary + "\"}", "\n<code>" + canary + "</code>"} {
			for _, media := range []string{"", "application/json", "text/plain"} {
				m := ledger.Message{Header: headersOf(media, ""), Body: ledger.Body{Data: []byte(before + secret)}}
				if r.message(&m); strings.Contains(string(m.Body.Data), canary) {
					t.Errorf("%q: left in %q", media, m.Body.Data)
				}
			}
			if got := r.text(before+secret, 0); strings.Contains(got, canary) {
				t.Errorf("left in %q", got)
			}
		}
		r.query(before, 0)
		r.reference(before)
		r.multipart(before, "--x", 0)
	})
}
