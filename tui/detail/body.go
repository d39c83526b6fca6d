package detail

import (
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/unpack"
	"redial/tui/visible"
)

const (
	mostText  = 64 << 10 // bytes of a text that are shown
	mostBytes = 4 << 10  // bytes of a binary body that are shown
	mostLines = 2000     // lines of a body that are shown
)

// bodyFacts returns length, hash and what is missing.
func bodyFacts(b *ledger.Body) string {
	s := draw.Bytes(b.Size)
	if b.Size >= 1<<10 {
		s += fmt.Sprintf(" (%s bytes)", draw.Count(b.Size))
	}
	if b.SHA256 != [32]byte{} {
		s += " · sha256 " + hex.EncodeToString(b.SHA256[:6]) + "…"
	}
	switch {
	case len(b.Data) == 0:
		s += " · not kept"
	case b.Truncated && int64(len(b.Data)) >= b.Size: // what could be unpacked of it was packed anew
		s += " · a part of it is kept"
	case b.Truncated:
		s += " · the first " + draw.Bytes(int64(len(b.Data))) + " are kept"
	}
	return s
}

// unpacked returns what was done about the compression of a body, as a further fact.
func unpacked(r *unpack.Result) string {
	s := ""
	if r.How != "" {
		s = " · " + r.How + ", unpacked " + draw.Bytes(int64(len(r.Data)))
	}
	if r.Wrong != "" {
		s += " · " + r.Wrong
	}
	return s
}

// textLines returns a text as lines of at most so many columns.
func textLines(data []byte, width int) []string {
	all := data
	data = data[:min(len(data), mostText)]
	var lines []string
	for _, line := range visible.Lines(string(data)) {
		if line == "" {
			lines = append(lines, "")
			continue
		}
		lines = append(lines, draw.Wrap(line, width, mostLines)...)
		if len(lines) > mostLines {
			return append(lines[:mostLines], "… more is kept than is shown here; a copy has all of it")
		}
	}
	if len(data) < len(all) {
		lines = append(lines, fmt.Sprintf("… %s more are kept than are shown here; a copy has all of them", draw.Bytes(int64(len(all)-len(data)))))
	}
	return lines
}

// hexLines returns bytes as lines of at most so many columns: where they stand, the bytes,
// and what of them is text.
func hexLines(data []byte, width int) []string {
	each := 16
	for each > 4 && width < 11+4*each {
		each /= 2
	}
	var lines []string
	shown := data[:min(len(data), mostBytes)]
	for at := 0; at < len(shown); at += each {
		row := shown[at:min(at+each, len(shown))]
		text := []byte(string(row))
		for i, c := range text {
			if c < ' ' || c > '~' {
				text[i] = '.'
			}
		}
		lines = append(lines, fmt.Sprintf("%08x  %-*s %s", at, each*3, strings.TrimSpace(fmt.Sprintf("% x", row)), text))
	}
	if len(shown) < len(data) {
		lines = append(lines, fmt.Sprintf("… %s more are kept than are shown here; a copy has all of them", draw.Bytes(int64(len(data)-len(shown)))))
	}
	return lines
}

// binary reports whether data is not text: it has a zero byte, or is not UTF-8 except
// where it was cut. Text with other controls stays text, with marks.
func binary(data []byte, cut bool) bool {
	if strings.IndexByte(string(data), 0) >= 0 {
		return true
	}
	if utf8.Valid(data) {
		return false
	}
	for i := 1; cut && i < utf8.UTFMax && i <= len(data); i++ {
		if utf8.Valid(data[:len(data)-i]) {
			return false
		}
	}
	return true
}
