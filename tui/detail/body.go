package detail

import (
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"redial/ledger"
	"redial/tui/draw"
	"redial/tui/visible"
)

const (
	mostBody   = 64 << 10 // bytes of a body that are shown
	mostLines  = 2000     // lines of a body that are shown
	binaryHead = 24       // first bytes of a binary body that are shown
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
	case b.Truncated:
		s += " · the first " + draw.Bytes(int64(len(b.Data))) + " are kept"
	}
	return s
}

// bodyLines returns what is kept of a body as lines of at most so many columns.
func bodyLines(b *ledger.Body, width int) []string {
	data := b.Data[:min(len(b.Data), mostBody)]
	if len(data) == 0 {
		return nil
	}
	if binary(data, b.Truncated || len(data) < len(b.Data)) {
		head := data[:min(len(data), binaryHead)]
		dots := ""
		if b.Size > int64(len(head)) {
			dots = " …"
		}
		return draw.Wrap(fmt.Sprintf("%s bytes of binary: % x%s", draw.Count(b.Size), head, dots), width, 4)
	}
	var lines []string
	for _, line := range visible.Lines(string(data)) {
		if line == "" {
			lines = append(lines, "")
			continue
		}
		lines = append(lines, draw.Wrap(line, width, mostLines)...)
		if len(lines) > mostLines {
			lines = append(lines[:mostLines], "… more is kept than is shown here")
			return lines
		}
	}
	if len(data) < len(b.Data) {
		lines = append(lines, fmt.Sprintf("… %s more are kept than are shown here", draw.Bytes(int64(len(b.Data)-len(data)))))
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
