package visible

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// class is what becomes of a character.
type class uint8

const (
	shows  class = iota // it stays, and may carry combining marks
	joins               // it stays on a character that can carry it
	closes              // it stays, and carries nothing: it is or ends a mark of ours
	hides               // a mark stands for it
)

// classify tells what becomes of a character that was decoded from size bytes.
func classify(r rune, size int) class {
	switch {
	case r < utf8.RuneSelf:
		if r < ' ' || r == 0x7f {
			return hides
		}
		return shows
	case r == utf8.RuneError && size == 1:
		return hides
	case r == closing, '␀' <= r && r <= '␡':
		return closes
	case unicode.Is(unicode.Co, r):
		return shows
	case !unicode.IsGraphic(r), invisible(r), clusters(r):
		return hides
	case unicode.Is(unicode.M, r), conjoins(r):
		return joins
	}
	return shows
}

// invisible reports whether a character counts as a letter or a mark and yet shows
// nothing, such as a variation selector or the Hangul filler.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// clusters reports whether a character makes one picture with the one before it in some
// terminals and not in others, so that nobody knows how wide the two are: the halves of
// flags and the colours of skin.
func clusters(r rune) bool {
	return 0x1F1E6 <= r && r <= 0x1F1FF || 0x1F3FB <= r && r <= 0x1F3FF
}

// conjoins reports whether a character is a vowel or a final consonant of a Korean
// syllable in parts, which has no width of its own and is no mark by category.
func conjoins(r rune) bool {
	return 0x1160 <= r && r <= 0x11FF || 0xD7B0 <= r && r <= 0xD7FF
}

// opening and closing stand around the marks that are not pictures.
const opening, closing = '‹', '›'

// appendMark appends the mark for a character, or for the byte that is none.
func appendMark(out []byte, raw string, r rune) []byte {
	switch {
	case r < ' ':
		return utf8.AppendRune(out, '␀'+r)
	case r == 0x7f:
		return utf8.AppendRune(out, '␡')
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Appendf(out, "%c0x%02X%c", opening, raw[0], closing)
	}
	return fmt.Appendf(out, "%cU+%04X%c", opening, r, closing)
}
