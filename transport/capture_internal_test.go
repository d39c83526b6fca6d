package transport

import (
	"bytes"
	"crypto/sha256"
	"testing"
)

func TestACaptureKeepsWhatItMayAndHashesAll(t *testing.T) {
	for _, test := range []struct {
		limit  int64
		pieces []string
		kept   string
	}{
		{8, nil, ""},
		{8, []string{""}, ""},
		{8, []string{"12345678"}, "12345678"},
		{8, []string{"123", "", "45678"}, "12345678"},
		{8, []string{"12345678", "9"}, "12345678"},
		{8, []string{"12345", "6789", "0"}, "12345678"},
		{8, []string{"123456789"}, "12345678"},
		{0, []string{"123"}, ""},
	} {
		c := capture{limit: test.limit}
		whole := []byte(nil)
		for _, p := range test.pieces {
			c.add([]byte(p))
			whole = append(whole, p...)
		}
		checkCapture(t, c, whole, test.kept)
		if len(test.pieces) == 1 {
			c = capture{limit: test.limit}
			c.adopt(whole)
			checkCapture(t, c, whole, test.kept)
		}
	}
}

func checkCapture(t *testing.T, c capture, whole []byte, kept string) {
	t.Helper()
	hash := [sha256.Size]byte{}
	if len(whole) > 0 && c.limit > 0 {
		hash = sha256.Sum256(whole)
	}
	b := c.take()
	if string(b.Data) != kept || b.Size != int64(len(whole)) || b.Truncated != (len(kept) < len(whole)) {
		t.Errorf("limit %d: of %q it keeps %q, %d bytes, truncated %v", c.limit, whole, b.Data, b.Size, b.Truncated)
	}
	if !bytes.Equal(b.SHA256[:], hash[:]) {
		t.Errorf("limit %d: the hash of %q is that of something else", c.limit, whole)
	}
}
