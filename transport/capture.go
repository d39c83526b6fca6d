package transport

import (
	"crypto/sha256"
	"hash"

	"redial/ledger"
)

// capture keeps the first bytes of a body that goes by, its length and its hash. However
// long the body is, it needs no more memory than its limit.
type capture struct {
	limit int64 // how many bytes to keep; 0 keeps none and spares the hash
	body  ledger.Body
	hash  hash.Hash // of a body that is longer than what is kept; nil: Data is all there was
}

func (c *capture) add(p []byte) {
	c.body.Size += int64(len(p))
	if c.limit <= 0 || len(p) == 0 {
		return
	}
	room := c.limit - int64(len(c.body.Data))
	if c.hash == nil && int64(len(p)) > room {
		c.hash = sha256.New()
		c.hash.Write(c.body.Data)
	}
	if c.hash != nil {
		c.hash.Write(p)
	}
	if room > 0 {
		c.body.Data = append(c.body.Data, p[:min(int64(len(p)), room)]...)
	}
}

// adopt is add for a body that is p as a whole, which nobody writes to any more.
func (c *capture) adopt(p []byte) {
	if c.limit < int64(len(p)) {
		c.add(p)
		return
	}
	c.body.Size, c.body.Data = int64(len(p)), p
}

// take returns what was kept. The capture is not added to afterwards.
func (c *capture) take() ledger.Body {
	b := c.body
	b.Truncated = int64(len(b.Data)) < b.Size
	switch {
	case c.hash != nil:
		b.SHA256 = [sha256.Size]byte(c.hash.Sum(nil)) // Into b itself it would put each b on the heap.
	case len(b.Data) > 0:
		b.SHA256 = sha256.Sum256(b.Data)
	}
	return b
}
