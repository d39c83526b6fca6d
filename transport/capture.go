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
	hash  hash.Hash
}

func (c *capture) add(p []byte) {
	c.body.Size += int64(len(p))
	if c.limit <= 0 || len(p) == 0 {
		return
	}
	if c.hash == nil {
		c.hash = sha256.New()
	}
	c.hash.Write(p)
	if room := c.limit - int64(len(c.body.Data)); room > 0 {
		c.body.Data = append(c.body.Data, p[:min(int64(len(p)), room)]...)
	}
}

// take returns what was kept. The capture is not added to afterwards.
func (c *capture) take() ledger.Body {
	b := c.body
	b.Truncated = int64(len(b.Data)) < b.Size
	if c.hash != nil {
		c.hash.Sum(b.SHA256[:0])
	}
	return b
}
