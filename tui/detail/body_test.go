package detail

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"testing"

	"redial/ledger"
	"redial/tui/draw"
)

func body(data string, size int64) *ledger.Body {
	return &ledger.Body{Data: []byte(data), Size: size, SHA256: sha256.Sum256([]byte(data)), Truncated: size > int64(len(data))}
}

func TestABodyIsShownAsTextOrAsItsFirstBytes(t *testing.T) {
	for _, c := range []struct {
		name string
		body *ledger.Body
		want string
	}{
		{"text", body("one\ntwo\n", 8), "one|two"},
		{"text that acts", body("a\x1b[2Jb\r\nc", 9), "a␛[2Jb|c"},
		{"a blank line", body("a\n\nb", 4), "a||b"},
		{"a long line", body(strings.Repeat("x", 45), 45), strings.Repeat("x", 40) + "|xxxxx"},
		{"binary", body("\x1f\x8b\x08\x00\x01", 5), "5 bytes of binary: 1f 8b 08 00 01"},
		{"much binary", body("\x1f\x8b\x08"+strings.Repeat("\xff", 100), 5000), "5,000 bytes of binary: 1f 8b 08 ff ff ff|ff ff ff ff ff ff ff ff ff ff ff ff ff|ff ff ff ff ff …"},
		{"a character that was cut", body("caf\xc3", 40), "caf‹0xC3›"},
		{"not UTF-8 though whole", body("caf\xc3", 4), "4 bytes of binary: 63 61 66 c3"},
		{"nothing kept", &ledger.Body{Size: 112}, ""},
		{"nothing", &ledger.Body{}, ""},
	} {
		lines := bodyLines(c.body, 40)
		if got := strings.Join(lines, "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		for _, l := range lines {
			if draw.Width(l) > 40 {
				t.Errorf("%s: a line is %d columns wide", c.name, draw.Width(l))
			}
		}
	}
}

func TestWhatIsKnownOfABodyIsTold(t *testing.T) {
	for want, b := range map[string]*ledger.Body{
		"5 B · sha256 2cf24dba5fb0…":                                              body("hello", 5),
		"64.0 KiB (65,536 bytes) · sha256 2cf24dba5fb0… · the first 5 B are kept": body("hello", 65536),
		"112 B · not kept": {Size: 112},
	} {
		if got := bodyFacts(b); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAVeryLongBodyIsBounded(t *testing.T) {
	for name, data := range map[string][]byte{
		"many lines":    bytes.Repeat([]byte("x\n"), 1<<20),
		"one long line": bytes.Repeat([]byte("x"), 4<<20),
	} {
		lines := bodyLines(&ledger.Body{Data: data, Size: int64(len(data))}, 40)
		if len(lines) > mostLines+1 {
			t.Errorf("%s: %d lines", name, len(lines))
		}
		if last := lines[len(lines)-1]; !strings.HasPrefix(last, "…") {
			t.Errorf("%s: nothing says that there is more: %q", name, last)
		}
	}
}
