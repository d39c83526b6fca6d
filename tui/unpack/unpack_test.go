package unpack

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

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

func zstdWriter(w io.Writer) io.WriteCloser {
	z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	return z
}

// long returns many bytes that are few when they are compressed.
func long(open func(io.Writer) io.WriteCloser) []byte {
	return packed(open, strings.Repeat("\x00", 16<<20))
}

func TestABodyIsUnpackedAsFarAsItGoes(t *testing.T) {
	zip := packed(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }, "some text")
	lib := packed(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }, "some text")
	raw := packed(func(w io.Writer) io.WriteCloser { f, _ := flate.NewWriter(w, 9); return f }, "some text")
	brot := packed(func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }, "some text")
	zst := packed(zstdWriter, "some text")
	damaged := bytes.Clone(zip)
	damaged[len(damaged)-6] ^= 1
	sum := bytes.Clone(zst)
	sum[len(sum)-1] ^= 1
	zeros, first := strings.Repeat("\x00", Most), "only the first 2 MiB of it are unpacked"
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
		"brotli":              {"BR", brot, "some text", "br", ""},
		"zstd":                {"zstd", zst, "some text", "zstd", ""},
		"zstd, two frames":    {"zstd", append(bytes.Clone(zst), zst...), "some textsome text", "zstd", ""},
		"another one":         {"compress", []byte("x"), "x", "", "compressed as compress"},
		"garbage":             {"gzip", []byte("\xde\xad\xbe\xef"), "\xde\xad\xbe\xef", "", "said to be gzip, and is not"}, // mitmproxy/mitmproxy#1502
		"not brotli":          {"br", []byte("\xde\xad\xbe\xef"), "\xde\xad\xbe\xef", "", "said to be br, and is not"},
		"not zstd":            {"zstd", []byte("plain text"), "plain text", "", "said to be zstd, and is not"},
		"nothing but a start": {"gzip", zip[:5], string(zip[:5]), "", "too little was kept of it to unpack gzip"},
		"a start of brotli":   {"br", brot[:3], string(brot[:3]), "", "too little was kept of it to unpack br"},
		"a start of zstd":     {"zstd", zst[:9], string(zst[:9]), "", "too little was kept of it to unpack zstd"},
		"cut off":             {"gzip", zip[:len(zip)-4], "some text", "gzip", "what follows was not kept"},
		"brotli, cut off":     {"br", brot[:len(brot)-1], "some text", "br", "what follows was not kept"},
		"zstd, cut off":       {"zstd", zst[:len(zst)-1], "some text", "zstd", "what follows was not kept"},
		"damaged":             {"gzip", damaged, "some text", "gzip", "what follows is damaged"},
		"zstd, damaged":       {"zstd", sum, "some text", "zstd", "what follows is damaged"},
		"brotli and more":     {"br", append(bytes.Clone(brot), 'x'), "some text", "br", "what follows is damaged"},
		"a bomb":              {"gzip", long(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }), zeros, "gzip", first},
		"a bomb in brotli":    {"br", long(func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) }), zeros, "br", first},
		"a bomb in zstd":      {"zstd", long(zstdWriter), zeros, "zstd", first},
		"a window too large":  {"zstd", []byte("\x28\xb5\x2f\xfd\x00\x71\x19\x00\x00abc"), "\x28\xb5\x2f\xfd\x00\x71\x19\x00\x00abc", "", "said to be zstd, and is not"},
		"nothing kept":        {"gzip", nil, "", "", ""},
	} {
		r := Body(message(c.coding, c.data))
		if string(r.Data) != c.want || r.How != c.how || r.Wrong != c.wrong {
			t.Errorf("%s: %d bytes %.40q, %q, %q", name, len(r.Data), r.Data, r.How, r.Wrong)
		}
	}
}

// Whatever a body is said to be, it is unpacked in bounds, or comes as it is.
func FuzzBody(f *testing.F) {
	for coding, open := range map[string]func(io.Writer) io.WriteCloser{
		"gzip":    func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"deflate": func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) },
		"br":      func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) },
		"zstd":    zstdWriter,
	} {
		f.Add(coding, packed(open, "some text"))
		f.Add(coding, packed(open, strings.Repeat("\x00", Most+1)))
	}
	f.Add("zstd", []byte("\x50\x2a\x4d\x18\xff\xff\xff\xffabc"))
	f.Fuzz(func(t *testing.T, coding string, data []byte) {
		r := Body(message(coding, data))
		if r.How == "" && !bytes.Equal(r.Data, data) || r.How != "" && len(r.Data) > Most {
			t.Errorf("%q of %q: %d bytes, %q, %q", coding, data, len(r.Data), r.How, r.Wrong)
		}
	})
}
