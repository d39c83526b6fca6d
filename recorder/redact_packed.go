package recorder

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"
)

// maxUnpacked is how large a compressed body may be when it is not: the size of one that
// was made to burst memory is not known before.
const maxUnpacked = 2 << 20

// pack is a compression that can be undone and done again. Reader is nil for one that
// cannot.
type pack struct {
	reader func(io.Reader) (io.ReadCloser, error)
	writer func(io.Writer) io.WriteCloser
}

// packing returns how a body is compressed, by its header or by its first bytes; nil if it
// is not.
func packing(s string, c content) *pack {
	zipped := strings.HasPrefix(s, "\x1f\x8b")
	deflated := len(s) > 1 && s[0] == 0x78 && (s[1] == 0x01 || s[1] == 0x9c || s[1] == 0xda)
	switch c.encoding {
	case "", "identity", "gzip", "x-gzip", "deflate":
	default:
		return &pack{}
	}
	switch {
	case zipped:
		return &pack{
			reader: func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) },
			writer: func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		}
	case deflated:
		return &pack{
			reader: zlib.NewReader,
			writer: func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
		}
	case c.encoding == "deflate":
		return &pack{} // without the header that the standard asks for
	}
	return nil
}

// packed redacts what is in a compressed body. It stays as it was if there is nothing to
// redact; otherwise, and if it is damaged or cut off, what could be read of it is
// compressed anew.
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
	if !ok || clean == plain && err == nil {
		return s, ok
	}
	var out bytes.Buffer
	w := p.writer(&out)
	_, err = io.WriteString(w, clean)
	if closed := w.Close(); err != nil || closed != nil {
		return "", false
	}
	return out.String(), true
}

// unpack returns what can be read of a compressed text.
func unpack(s string, p *pack) (string, error) {
	in, err := p.reader(strings.NewReader(s))
	if err != nil {
		return "", err
	}
	plain, err := io.ReadAll(io.LimitReader(in, maxUnpacked+1))
	if err == nil {
		err = in.Close()
	}
	return string(plain), err
}
