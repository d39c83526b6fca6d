package hostile

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestStringsAreManyAndEachStandsOnce(t *testing.T) {
	const least = 200
	seen := map[string]bool{}
	for _, s := range Strings() {
		if seen[s] {
			t.Errorf("%+q stands there twice", s)
		}
		seen[s] = true
	}
	if len(seen) < least {
		t.Errorf("there are %d strings, want %d", len(seen), least)
	}
}

func TestStringsHaveEveryControlAndEveryFamily(t *testing.T) {
	all := strings.Join(Strings(), " ")
	for c := range rune(0xa0) {
		if (c < ' ' || c > '~') && !strings.ContainsRune(all, c) {
			t.Errorf("no string has %U", c)
		}
	}
	for c := 0x80; c <= 0x9f; c++ {
		if !strings.Contains(all, "byte"+string([]byte{byte(c)})) {
			t.Errorf("no string has the byte %#x", c)
		}
	}
	for _, family := range []string{
		"\x1b[", "\x1b]", "\x1bP", "\x1b_", "\x1b^", "\x1bX", "\x1b(", "\x1bc", "\x1bN", "\x1b#", "\u009b", "\u009d", "\u0090",
		"\u202e", "\u2066", "\u061c", "\u200b", "\u200d", "\ufeff", "\ufe0f", "\U000e0041", "\u2028", "\ufffe", "\xed\xa0\x80",
	} {
		if !strings.Contains(all, family) {
			t.Errorf("no string has %+q", family)
		}
	}
	if utf8.ValidString(all) {
		t.Error("all strings are UTF-8")
	}
}
