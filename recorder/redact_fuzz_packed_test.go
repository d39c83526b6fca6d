package recorder

import (
	"strings"
	"testing"

	"redial/ledger"
)

// However a compressed body is damaged or cut off, the secret in it is not kept.
func FuzzSecretIsFoundInACompressedBody(f *testing.F) {
	for i := range encodings {
		f.Add(uint8(i), `{"a":1}`, uint16(0), uint16(0), uint8(0))
		f.Add(uint8(i), strings.Repeat(`{"a":"b"},`, 1000), uint16(9), uint16(40), uint8(1))
		f.Add(uint8(i), "\x1f\x8b", uint16(4), uint16(3), uint8(0xff))
	}
	const secret = "\npassword=" + canary + "\n"
	f.Fuzz(func(t *testing.T, kind uint8, before string, less, at uint16, flip uint8) {
		encoding := encodings[int(kind)%len(encodings)]
		data := streamed(encoding, before, secret)
		if i := int(at); i < len(data) {
			data[i] ^= flip
		}
		data = data[:max(0, len(data)-int(less))]
		if text := unpackedAs(encoding, data); !strings.Contains(text, secret) && strings.Contains(text, canary) {
			return // what is damaged is the name
		}
		for _, said := range []string{encoding, ""} {
			if said != encoding && (encoding == "br" || flip != 0) {
				continue // nobody can tell what it is
			}
			m := ledger.Message{Header: headersOf("", said), Body: ledger.Body{Data: data}}
			newRedactor(Options{}).message(&m)
			if got := unpackedAs(encoding, m.Body.Data); strings.Contains(got, canary) {
				t.Errorf("said to be %q: left in %q", said, got)
			}
		}
	})
}

// Whatever is sent as a compressed body, it is unpacked in bounds and without a panic, and
// what is kept of it is unpacked in the same way.
func FuzzCompressedBody(f *testing.F) {
	for i, encoding := range encodings {
		f.Add(uint8(i), pack1(encoding, []byte(`{"password":"abc"}`)))
		f.Add(uint8(i), pack1(encoding, make([]byte, maxUnpacked+1)))
		f.Add(uint8(i), streamed(encoding, "a", strings.Repeat("b", 1<<10), "c"))
	}
	f.Add(uint8(3), []byte("\x28\xb5\x2f\xfd\x00\x71\x19\x00\x00abc"))
	f.Add(uint8(3), []byte("\x50\x2a\x4d\x18\xff\xff\xff\xffabc"))
	f.Fuzz(func(t *testing.T, kind uint8, data []byte) {
		c := content{encoding: encodings[int(kind)%len(encodings)]}
		m := ledger.Message{Header: headersOf("", c.encoding), Body: ledger.Body{Data: data}}
		newRedactor(Options{}).message(&m)
		kept := string(m.Body.Data)
		if p := packing(kept, c); p != nil && kept != "" {
			plain, err := unpack(kept, p)
			if err != nil || len(plain) > maxUnpacked+maxUnpacked/4 {
				t.Errorf("%q is kept as %q, which unpacks to %d bytes: %v", data, kept, len(plain), err)
			}
		}
	})
}
