package recorder

import (
	"testing"
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
	f.Fuzz(func(t *testing.T, before string) {
		for name, secret := range secretsBehind {
			for _, leak := range leaks(before + secret) {
				t.Errorf("%s: left in a %q", name, leak)
			}
		}
		r := newRedactor(Options{})
		r.query(before, 0)
		r.reference(before)
		r.multipart(before, "--x", 0)
	})
}
