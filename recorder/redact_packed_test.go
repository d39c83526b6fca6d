package recorder

import (
	"bytes"
	"compress/gzip"
	"runtime"
	"strings"
	"testing"
)

func TestSecretsAreFoundInCompressedBodies(t *testing.T) {
	for _, encoding := range encodings {
		data := pack1(encoding, []byte(`{"a":1,"password":"abc"}`))
		got := recorded(t, "application/json", encoding, data, false)
		if text, want := unpackedAs(encoding, got.Data), `{"a":1,"password":"[redacted]"}`; text != want || got.Truncated {
			t.Errorf("%s: the body unpacks to %q, want %q", encoding, text, want)
		}
	}
}

// What can be read of a body that is cut off or damaged is kept, and is marked as not all.
func TestWhatCanBeReadOfACompressedBodyIsKept(t *testing.T) {
	const start, want = `{"a":1,"password":"abc","b":`, `{"a":1,"password":"[redacted]","b":`
	for _, encoding := range encodings {
		whole := streamed(encoding, start, strings.Repeat("[2],", 100)+`0}`)
		damaged := bytes.Clone(whole)
		copy(damaged[len(damaged)-8:], "\xff\xff\xff\xff\xff\xff\xff\xff")
		for name, data := range map[string][]byte{
			"cut off":         whole[:len(whole)-8],
			"damaged":         damaged,
			"more follows":    append(bytes.Clone(whole), "password=abc"...),
			"another follows": append(bytes.Clone(whole), pack1("deflate", []byte("password=abc"))...),
		} {
			got := recorded(t, "application/json", encoding, data, false)
			text := unpackedAs(encoding, got.Data)
			if !strings.HasPrefix(text, want) || strings.Contains(text, "abc") || !got.Truncated {
				t.Errorf("%s, %s: it is kept as %q, truncated: %t", encoding, name, text, got.Truncated)
			}
			if bytes.Contains(got.Data, []byte("abc")) {
				t.Errorf("%s, %s: what follows is kept: %q", encoding, name, got.Data)
			}
			if again := recorded(t, "application/json", encoding, got.Data, true); !bytes.Equal(again.Data, got.Data) {
				t.Errorf("%s, %s: redacted again it is %q", encoding, name, again.Data)
			}
		}
	}
}

// A compressed body has places for bytes that nobody unpacks.
func TestWhatStandsBesideTheTextOfACompressedBodyIsSearched(t *testing.T) {
	var commented bytes.Buffer
	w := gzip.NewWriter(&commented)
	w.Comment = "password=abc1"
	_, _ = w.Write([]byte("plain text"))
	_ = w.Close()
	for name, b := range map[string]struct {
		encoding string
		data     []byte
	}{
		"comment":       {"gzip", commented.Bytes()},
		"metadata":      {"br", []byte("\x6b\x31\x00password=abc1\x48\x00\x08plain text\x03")},
		"frame to skip": {"zstd", append([]byte("\x50\x2a\x4d\x18\x0d\x00\x00\x00password=abc1"), pack1("zstd", []byte("plain text"))...)},
		"at the end":    {"zstd", append(pack1("zstd", []byte("plain text")), "\x50\x2a\x4d\x18\x0d\x00\x00\x00password=abc1"...)},
	} {
		if !bytes.Contains(b.data, []byte("password=abc1")) || unpackedAs(b.encoding, b.data) != "plain text" {
			t.Fatalf("%s: the body is not what it should be: %q", name, unpackedAs(b.encoding, b.data))
		}
		got := recorded(t, "", b.encoding, b.data, false)
		if unpackedAs(b.encoding, got.Data) != "plain text" || bytes.Contains(got.Data, []byte("abc1")) || got.Truncated {
			t.Errorf("%s: it is kept as %q", name, got.Data)
		}
	}
}

// A body that was made to burst memory costs no more than its bound.
func TestCompressedBodyThatIsTooLargeIsNotKept(t *testing.T) {
	for _, encoding := range encodings {
		for name, size := range map[string]int{"a little": maxUnpacked + 1, "a bomb": 16 << 20} {
			data := pack1(encoding, make([]byte, size))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := recorded(t, "", encoding, data, false)
			runtime.ReadMemStats(&after)
			if got.Data != nil || !got.Truncated {
				t.Errorf("%s, %s: %d bytes are kept", encoding, name, len(got.Data))
			}
			if cost := after.TotalAlloc - before.TotalAlloc; cost > 80<<20 {
				t.Errorf("%s, %s: it costs %d MiB", encoding, name, cost>>20)
			}
		}
	}
}

// The largest body that is kept comes through whole, secrets apart.
func TestLargeCompressedBodyIsKept(t *testing.T) {
	text := strings.Repeat("0123456789abcde\n", maxUnpacked/16-2) + "password=abc1\n"
	want := strings.Replace(text, "abc1", redacted, 1)
	for _, encoding := range encodings {
		got := recorded(t, "text/plain", encoding, pack1(encoding, []byte(text)), false)
		if plain := unpackedAs(encoding, got.Data); plain != want || got.Truncated {
			t.Errorf("%s: %d bytes are kept, want %d", encoding, len(plain), len(want))
		}
	}
}
