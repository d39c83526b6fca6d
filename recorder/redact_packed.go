package recorder

import (
	"bytes"
	"errors"
	"io"
	"strings"
)

// maxUnpacked is how large a compressed body may be when it is not: the size of one that
// was made to burst memory is not known before.
const maxUnpacked = 2 << 20

// packed redacts what is in a compressed body. It stays as it was if there is nothing to
// redact; otherwise, and if it is damaged or cut off, what could be read of it is
// compressed anew. So nothing is kept that was not read: not what follows, and not what
// stands beside the text where a secret shows, such as the comment of a gzip header, or a
// frame that is to be skipped.
func (r *redactor) packed(s string, c content, p *pack, depth int) (string, bool) {
	if p.reader == nil {
		return "", false
	}
	plain, err := unpack(s, p)
	if len(plain) > maxUnpacked || len(plain) == 0 && err != nil {
		return "", false
	}
	c.encoding = ""
	clean, ok := r.content(plain, c, depth+1)
	if !ok || clean == plain && err == nil && r.text(s, depth+1) == s {
		return s, ok
	}
	r.lost = r.lost || err != nil
	var out bytes.Buffer
	w := p.writer(&out)
	_, err = io.WriteString(w, clean)
	if closed := w.Close(); err != nil || closed != nil {
		return "", false
	}
	return out.String(), true
}

// errFollows says that a compressed text ends before the body does.
var errFollows = errors.New("more follows than is compressed")

// unpack returns what can be read of a compressed text, and an error if that is not all.
func unpack(s string, p *pack) (string, error) {
	in := strings.NewReader(s)
	out, err := p.reader(in)
	if err != nil {
		return "", err
	}
	plain, err := io.ReadAll(io.LimitReader(out, maxUnpacked+1))
	if err == nil && in.Len() > 0 {
		err = errFollows
	}
	return string(plain), err
}
