package detail

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/klauspost/compress/zstd"

	"redial/ledger"
	"redial/tui/keys"
	"redial/tui/scene"
	"redial/tui/theme"
)

func body(data string, size int64) *ledger.Body {
	return &ledger.Body{Data: []byte(data), Size: size, SHA256: sha256.Sum256([]byte(data)), Truncated: size > int64(len(data))}
}

// shown returns what is drawn of a body, without its heading.
func shown(m ledger.Message, width int, turned ...string) []string {
	b := builder{scene: scened(), width: width, chosen: -1, turned: func(part string) bool { return slices.Contains(turned, part) }}
	b.body("b", "body", &m)
	var lines []string
	for _, l := range b.page.lines[1:] {
		lines = append(lines, strings.TrimRight(ansi.Strip(l), " "))
	}
	return lines
}

func scened() *scene.Scene {
	return &scene.Scene{Theme: theme.New("none", colorprofile.ASCII), Keys: keys.Default(), Zone: time.UTC}
}

func TestABodyIsShownAsTextOrAsItsBytes(t *testing.T) {
	for _, c := range []struct {
		name string
		body *ledger.Body
		want string
	}{
		{"text", body("one\ntwo\n", 8), "   one|   two"},
		{"text that acts", body("a\x1b[2Jb\r\nc", 9), "   a␛[2Jb|   c"},
		{"a blank line", body("a\n\nb", 4), "   a||   b"},
		{"a long line", body(strings.Repeat("x", 45), 45), "   " + strings.Repeat("x", 40) + "|   xxxxx"},
		{"binary", body("\x1f\x8b\x08\x00\x01", 5), "   00000000  1f 8b 08 00  ....|   00000004  01           ."},
		{"more of it", body("\x00234567 9", 9), "   00000000  00 32 33 34  .234|   00000004  35 36 37 20  567|   00000008  39           9"},
		{"a character that was cut", body("caf\xc3", 40), "   caf‹0xC3›"},
		{"not UTF-8 though whole", body("caf\xc3", 4), "   00000000  63 61 66 c3  caf."},
		{"nothing kept", &ledger.Body{Size: 112}, ""},
		{"nothing", &ledger.Body{}, ""},
	} {
		lines := shown(ledger.Message{Body: *c.body}, 44)
		if got := strings.Join(lines, "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestJSONIsLaidOutAndFolded(t *testing.T) {
	many := `{"a":[` + strings.Repeat(`{"n":1.50,"s":"x"},`, 30) + `{}],"b":[],"c":{"d":null}}`
	for _, c := range []struct {
		name, json string
		turned     []string
		want       string
	}{
		{"small", `{"a":1e999,"b":[true,"\u00e9<\u001b"],"c":{}}`, nil,
			`   ▾ {|       "a": 1e999,|     ▾ "b": [|         true,|         "é<\u001b"|       ],|       "c": {}|     }`},
		{"large", many, nil, `   ▾ {|     ▸ "a": [ 31 … ],|       "b": [],|     ▾ "c": {|         "d": null|       }|     }`},
		{"all of it folded", `{"a":1}`, []string{"b/0"}, `   ▸ { 1 … }`},
		{"one after the other", "{\"a\":1}\n[2]", nil, `   ▾ {|       "a": 1|     }|   ▾ [|       2|     ]`},
		{"cut off", `{"a":{"b":[1,2`, nil, `   ▾ {|     ▾ "a": {|       ▾ "b": [|           1,|           2|         … cut off|       … cut off|     … cut off`},
		{"not JSON", `{"a":1} x`, nil, `   {"a":1} x`},
		{"no JSON at all", `[not] json`, nil, `   [not] json`},
		{"too deep", strings.Repeat("[", 70), nil, `   ` + strings.Repeat("[", 70)},
	} {
		m := ledger.Message{Body: ledger.Body{Data: []byte(c.json), Size: int64(len(c.json))}}
		if got := strings.Join(shown(m, 80, c.turned...), "|"); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestACompressedBodyIsUnpacked(t *testing.T) {
	for coding, open := range map[string]func(io.Writer) io.WriteCloser{
		"gzip": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
		"br":   func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) },
		"zstd": func(w io.Writer) io.WriteCloser {
			z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
			return z
		},
	} {
		var packed bytes.Buffer
		w := open(&packed)
		io.WriteString(w, `{"a":1}`)
		w.Close()
		m := ledger.Message{
			Header: []ledger.Field{{Name: "Content-Encoding", Value: coding}},
			Body:   ledger.Body{Data: packed.Bytes(), Size: int64(packed.Len())},
		}
		if got := strings.Join(shown(m, 80), "|"); got != `   ▾ {|       "a": 1|     }` {
			t.Errorf("%s: it is %s", coding, got)
		}
	}
}

func TestWhatIsKnownOfABodyIsTold(t *testing.T) {
	for want, b := range map[string]*ledger.Body{
		"5 B · sha256 2cf24dba5fb0…":                                              body("hello", 5),
		"64.0 KiB (65,536 bytes) · sha256 2cf24dba5fb0… · the first 5 B are kept": body("hello", 65536),
		"112 B · not kept":           {Size: 112},
		"4 B · a part of it is kept": {Data: []byte("hello"), Size: 4, Truncated: true},
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
		"many bytes":    bytes.Repeat([]byte("\x00"), 4<<20),
		"many values":   bytes.Repeat([]byte("[1]"), 1<<20),
	} {
		m := ledger.Message{Body: ledger.Body{Data: data, Size: int64(len(data))}}
		lines := shown(m, 40, "b/rest")
		if len(lines) > mostLines+10 {
			t.Errorf("%s: %d lines", name, len(lines))
		}
		last := strings.TrimSpace(strings.Join(lines[len(lines)-2:], " "))
		if !strings.Contains(last, "… ") {
			t.Errorf("%s: nothing says that there is more: %q", name, last)
		}
		if lines := shown(m, 40); !strings.HasPrefix(name, "many values") && len(lines) != fewLines+1 {
			t.Errorf("%s: folded it has %d lines", name, len(lines))
		}
	}
}
