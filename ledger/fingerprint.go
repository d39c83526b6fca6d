package ledger

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"
)

// Sum returns the fingerprint of the request: SHA-256 of method, URL, body and the headers
// that the policy names, each with its length before it, so that no two requests have the
// same text.
func (i *Intent) Sum() [32]byte {
	h := sha256.New()
	add := func(parts ...string) {
		for _, p := range parts {
			h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(p))))
			h.Write([]byte(p))
		}
	}
	add(i.Method, i.URL, string(i.Body))
	names := make([]string, len(i.Policy.FingerprintHeaders))
	for n, name := range i.Policy.FingerprintHeaders {
		names[n] = strings.ToLower(name)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		for _, f := range i.Header {
			if strings.EqualFold(f.Name, name) {
				add(name, f.Value)
			}
		}
	}
	return [32]byte(h.Sum(nil))
}
