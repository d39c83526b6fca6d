// Package unpack undoes the compression of recorded bodies, up to a bound.
//
// A body came from the network: it may be cut off, be something else than its header
// says, or be made to fill the memory of whoever unpacks it. So what can be had of it is
// returned with what is wrong, and never more than [Most].
//
// Gzip, deflate, brotli and zstd are undone. Nothing else is ever in a recording: a
// recorder drops a body that it cannot look into for secrets.
package unpack

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"redial/ledger"
)

// Most is how many bytes are unpacked at most.
const Most = 2 << 20

// Result is a body as it was before it was compressed.
type Result struct {
	Data  []byte
	How   string // the compression that was undone; "" if there was none
	Wrong string // why Data is not all of it, or is still compressed; "" if it is
}

// Body returns the body of a message without its compression. What cannot be unpacked at
// all is returned as it is.
func Body(m *ledger.Message) Result {
	data, how := m.Body.Data, coding(m.Header)
	if len(data) == 0 || how == "" {
		return Result{Data: data}
	}
	open := opener(how, data)
	if open == nil {
		return Result{Data: data, Wrong: "compressed as " + how}
	}
	plain, err := read(open, data)
	switch {
	case len(plain) > Most:
		return Result{Data: plain[:Most], How: how, Wrong: fmt.Sprintf("only the first %d MiB of it are unpacked", Most>>20)}
	case err == nil:
		return Result{Data: plain, How: how}
	case len(plain) == 0 && errors.Is(err, io.ErrUnexpectedEOF) && begins(how, data):
		return Result{Data: data, Wrong: "too little was kept of it to unpack " + how}
	case len(plain) == 0:
		return Result{Data: data, Wrong: "said to be " + how + ", and is not"}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return Result{Data: plain, How: how, Wrong: "what follows was not kept"}
	}
	return Result{Data: plain, How: how, Wrong: "what follows is damaged"}
}

// begins reports whether data begins as a compression does, if that can be told.
func begins(how string, data []byte) bool {
	switch how {
	case "gzip", "x-gzip":
		return bytes.HasPrefix(data, []byte("\x1f\x8b"))
	case "zstd":
		return bytes.HasPrefix(data, []byte("\x28\xb5\x2f\xfd"))
	}
	return true
}

// read returns what can be read of data, and one byte more than [Most] at most.
func read(open func(io.Reader) (io.Reader, error), data []byte) ([]byte, error) {
	in, err := open(bytes.NewBuffer(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(in, Most+1))
}

// coding returns how a message says that its body is compressed, "" for not.
func coding(header []ledger.Field) string {
	for _, f := range header {
		if strings.EqualFold(f.Name, "Content-Encoding") {
			if c := strings.ToLower(strings.TrimSpace(f.Value)); c != "identity" {
				return c
			}
		}
	}
	return ""
}

// opener returns what reads a compression, nil for one that is not known. Deflate is sent
// with and without the header that the standard asks for (RFC 9110, section 8.4.1.2).
func opener(how string, data []byte) func(io.Reader) (io.Reader, error) {
	switch {
	case how == "gzip" || how == "x-gzip":
		return func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) }
	case how == "deflate" && len(data) > 1 && data[0]&0x0f == 8 && (int(data[0])<<8|int(data[1]))%31 == 0:
		return func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) }
	case how == "deflate":
		return func(r io.Reader) (io.Reader, error) { return flate.NewReader(r), nil }
	case how == "br":
		return func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil }
	case how == "zstd":
		return zstdReader
	}
	return nil
}

// maxWindow is how far back zstd may reach: what is sent as a content encoding must not go
// further (RFC 9659).
const maxWindow = 8 << 20

// zstdReader returns a reader that starts no goroutines, so that it need not be closed. From
// a bytes.Buffer it reads without a window of its own, up to maxWindow bytes, and what stands
// before a fault to the last byte.
func zstdReader(r io.Reader) (io.Reader, error) {
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxMemory(maxWindow), zstd.WithDecoderMaxWindow(maxWindow),
		zstd.WithDecodeBuffersBelow(maxWindow))
}
