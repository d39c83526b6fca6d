package recorder

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
)

// encodings are those that can be undone.
var encodings = [...]string{"gzip", "deflate", "br", "zstd"}

// pack1 compresses data as a server does.
func pack1(encoding string, data []byte) []byte { return streamed(encoding, string(data)) }

// streamed compresses a text that is sent bit by bit.
func streamed(encoding string, parts ...string) []byte {
	var out bytes.Buffer
	var w interface {
		io.WriteCloser
		Flush() error
	}
	switch encoding {
	case "gzip":
		w = gzip.NewWriter(&out)
	case "deflate":
		w = zlib.NewWriter(&out)
	case "br":
		w = brotli.NewWriter(&out)
	case "zstd":
		w, _ = zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
	default:
		return []byte(strings.Join(parts, ""))
	}
	for i, part := range parts {
		_, _ = io.WriteString(w, part)
		if i < len(parts)-1 {
			_ = w.Flush()
		}
	}
	_ = w.Close()
	return out.Bytes()
}

// unpacked returns what can be read of a text that begins as a compressed one, "" if it does
// not.
func unpacked(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x1f\x8b")):
		return unpackedAs("gzip", data)
	case bytes.HasPrefix(data, []byte("\x78")):
		return unpackedAs("deflate", data)
	case bytes.HasPrefix(data, []byte("\x28\xb5\x2f\xfd")):
		return unpackedAs("zstd", data)
	}
	return ""
}

// unpackedAs returns what can be read of a compressed text.
func unpackedAs(encoding string, data []byte) string {
	var in io.Reader
	var err error
	switch encoding {
	case "gzip":
		in, err = gzip.NewReader(bytes.NewReader(data))
	case "deflate":
		in, err = zlib.NewReader(bytes.NewReader(data))
	case "br":
		in = brotli.NewReader(bytes.NewReader(data))
	case "zstd":
		in, err = zstd.NewReader(bytes.NewReader(data), zstd.WithDecoderConcurrency(1))
	default:
		in = bytes.NewReader(data)
	}
	if err != nil {
		return ""
	}
	var plain strings.Builder
	_, _ = io.Copy(&plain, in)
	return plain.String()
}
