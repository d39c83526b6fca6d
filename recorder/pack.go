package recorder

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/andybalholm/brotli"
	"github.com/andybalholm/brotli/matchfinder"
	"github.com/klauspost/compress/zstd"
)

// pack is a compression that can be undone and done again. Reader is nil for one that
// cannot.
type pack struct {
	reader func(*strings.Reader) (io.Reader, error)
	writer func(io.Writer) io.WriteCloser
}

// packing returns how a body is compressed, by its header or by its first bytes; nil if it
// is not. Brotli is known only by the header.
func packing(s string, c content) *pack {
	switch c.encoding {
	case "", "identity", "gzip", "x-gzip", "deflate", "zstd":
	case "br":
		return &pack{readBrotli, writeBrotli}
	default:
		return &pack{}
	}
	switch {
	case strings.HasPrefix(s, "\x1f\x8b"):
		return &pack{readGzip, writeGzip}
	case isZstd(s):
		return &pack{readZstd, writeZstd}
	case isZlib(s) && (c.encoding == "deflate" || !isPlain(s)):
		return &pack{readZlib, writeZlib}
	case c.encoding == "deflate":
		return &pack{} // without the header that the standard asks for
	}
	return nil
}

// isZlib reports whether s begins as zlib does (RFC 1950, section 2.2), without a
// dictionary. A text can: x^2.
func isZlib(s string) bool {
	return len(s) > 1 && s[0]&0x8f == 8 && s[1]&0x20 == 0 && (int(s[0])<<8|int(s[1]))%31 == 0
}

// isZstd reports whether s begins with a frame of zstd, or one that is to be skipped
// (RFC 8878, section 3.1).
func isZstd(s string) bool {
	return strings.HasPrefix(s, "\x28\xb5\x2f\xfd") ||
		len(s) > 3 && s[0]&0xf0 == 0x50 && s[1:4] == "\x2a\x4d\x18"
}

// isPlain reports whether s begins as a text, as no compressed one does.
func isPlain(s string) bool {
	for _, c := range s[:min(len(s), 64)] {
		if c == utf8.RuneError || c < ' ' && (c > 0x7f || !isSpace(byte(c))) {
			return false
		}
	}
	return true
}

func readGzip(in *strings.Reader) (io.Reader, error) { return gzip.NewReader(in) }

func readZlib(in *strings.Reader) (io.Reader, error) { return zlib.NewReader(in) }

func readBrotli(in *strings.Reader) (io.Reader, error) { return brotli.NewReader(in), nil }

// maxWindow is how far back a frame of zstd may reach: what is sent as a content encoding
// must not go further (RFC 9659).
const maxWindow = 8 << 20

// readZstd returns a reader that starts no goroutines, so that it need not be closed. From
// a bytes.Buffer it reads without a window of its own, up to maxWindow bytes.
func readZstd(in *strings.Reader) (io.Reader, error) {
	var data bytes.Buffer
	if _, err := in.WriteTo(&data); err != nil {
		return nil, err
	}
	return zstd.NewReader(&data, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(maxWindow), zstd.WithDecoderMaxWindow(maxWindow),
		zstd.WithDecodeBuffersBelow(maxWindow))
}

func writeGzip(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }

func writeZlib(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }

// writeBrotli compresses fast and a little. The writer that compresses most would make
// programs larger by ten times as much.
func writeBrotli(w io.Writer) io.WriteCloser {
	return &matchfinder.Writer{Dest: w, MatchFinder: &matchfinder.ZFast{}, Encoder: &brotli.Encoder{}, BlockSize: 1 << 16}
}

// writeZstd compresses fast and a little, on the goroutine that writes.
func writeZstd(w io.Writer) io.WriteCloser {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest),
		zstd.WithLowerEncoderMem(true), zstd.WithWindowSize(1<<17))
	if err != nil {
		panic(err) // an option is wrong
	}
	return z
}
