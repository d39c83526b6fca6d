package digest

import (
	"crypto/md5"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"hash"
	"strings"
)

// algorithm is one of RFC 7616, section 3.3.
type algorithm struct {
	new      func() hash.Hash
	strength int
	session  bool // -sess
}

// algorithmOf returns the algorithm of a name, in whatever case, and with the hyphens that
// its server likes. Without one it is MD5.
func algorithmOf(name string) (algorithm, bool) {
	name = strings.NewReplacer("-", "", "/", "", "_", "").Replace(strings.ToLower(name))
	name, session := strings.CutSuffix(name, "sess")
	switch name {
	case "md5":
		return algorithm{md5.New, 1, session}, true
	case "":
		return algorithm{md5.New, 1, false}, !session
	case "sha256":
		return algorithm{sha256.New, 2, session}, true
	case "sha512256":
		return algorithm{sha512.New512_256, 3, session}, true
	}
	return algorithm{}, false
}

// sum returns the hash of parts with colons between them, as hexadecimal digits.
func (a *algorithm) sum(parts ...string) string {
	h := a.new()
	for i, p := range parts {
		if i > 0 {
			h.Write([]byte{':'})
		}
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil))
}
