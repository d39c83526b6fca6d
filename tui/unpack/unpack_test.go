package unpack

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"
	"testing"

	"redial/ledger"
)

func message(coding string, data []byte) *ledger.Message {
	return &ledger.Message{
		Header: []ledger.Field{{Name: "content-encoding", Value: coding}},
		Body:   ledger.Body{Data: data, Size: int64(len(data))},
	}
}

func packed(open func(io.Writer) io.WriteCloser, s string) []byte {
	var b bytes.Buffer
	w := open(&b)
	io.WriteString(w, s)
	w.Close()
	return b.Bytes()
}

func TestABodyIsUnpackedAsFarAsItGoes(t *testing.T) {
	zip := packed(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, "some text")
	long := packed(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, strings.Repeat("\x00", 64<<20))
	lib := packed(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, "some text")
	raw := packed(func(w io.Writer) io.WriteCloser { f, _ := flate.NewWriter(w, 9); return f }, "some text")
	damaged := bytes.Clone(zip)
	damaged[len(damaged)-6] ^= 1
	for name, c := range map[string]struct {
		coding string
		data   []byte
		want   string
		how    string
		wrong  string
	}{
		"gzip":                {"gzip", zip, "some text", "gzip", ""},
		"by its other name":   {" X-GZIP ", zip, "some text", "x-gzip", ""},
		"deflate":             {"deflate", lib, "some text", "deflate", ""},
		"deflate, bare":       {"deflate", raw, "some text", "deflate", ""},
		"none":                {"", []byte("x"), "x", "", ""},
		"identity":            {"identity", []byte("x"), "x", "", ""},
		"another one":         {"br", []byte("x"), "x", "", "compressed as br"},
		"garbage":             {"gzip", []byte("\xde\xad\xbe\xef"), "\xde\xad\xbe\xef", "", "said to be gzip, and is not"}, // mitmproxy/mitmproxy#1502
		"nothing but a start": {"gzip", zip[:5], string(zip[:5]), "", "said to be gzip, and is not"},
		"cut off":             {"gzip", zip[:len(zip)-4], "some text", "gzip", "what follows was not kept"},
		"damaged":             {"gzip", damaged, "some text", "gzip", "what follows is damaged"},
		"a bomb":              {"gzip", long, strings.Repeat("\x00", Most), "gzip", "only the first 2 MiB of it are unpacked"},
		"nothing kept":        {"gzip", nil, "", "", ""},
	} {
		r := Body(message(c.coding, c.data))
		if string(r.Data) != c.want || r.How != c.how || r.Wrong != c.wrong {
			t.Errorf("%s: %d bytes %.40q, %q, %q", name, len(r.Data), r.Data, r.How, r.Wrong)
		}
	}
}
