package draw

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"redial/tui/visible"
)

// measured is how many bytes of a text are measured: more than any row has.
const measured = 2 << 10

// Width returns how many columns text takes once it is drawn. One that is longer than any
// row is measured only as far as that, so that a path of a megabyte costs no more than
// another.
func Width(text string) int { return width(visible.Text(first(text, measured))) }

// width is that of text without controls.
func width(s string) int {
	if ascii(s) {
		return len(s)
	}
	n := 0
	for s != "" {
		_, w, size := next(s)
		n += w
		s = s[size:]
	}
	return n
}

// Cut returns as much of s as fits, and its width. Where terminals do not agree how wide
// a cluster of characters is, only its first one is kept, followed by a dot: otherwise
// everything behind it would stand in another column on some of them.
func Cut(s string, room int) (string, int) {
	if room <= 0 {
		return "", 0
	}
	if ascii(s) {
		n := min(len(s), room)
		return s[:n], n
	}
	var b strings.Builder
	used := 0
	for s != "" {
		cluster, w, size := next(s)
		if used+w > room {
			break
		}
		b.WriteString(cluster)
		used += w
		s = s[size:]
	}
	return b.String(), used
}

// Ellipsis is Cut with the last column showing that something is missing.
func Ellipsis(s string, room int) (string, int) {
	if w := width(s); w <= room {
		return Cut(s, room)
	}
	if room <= 0 {
		return "", 0
	}
	cut, w := Cut(s, room-1)
	return cut + "…", w + 1
}

// Middle is Ellipsis with the gap in the middle, for names that differ at their ends too.
func Middle(s string, room int) (string, int) {
	left := width(s)
	if left <= room {
		return Cut(s, room)
	}
	if room < 6 {
		return Ellipsis(s, room)
	}
	tail := s
	for left > (room-1)/3 {
		_, w, size := next(tail)
		tail, left = tail[size:], left-w
	}
	tail, w := Cut(tail, room)
	head, n := Cut(s, room-1-w)
	return head + "…" + tail, n + 1 + w
}

// next returns the first cluster of s as it is drawn, its width, and the bytes of s that
// it stands for.
func next(s string) (cluster string, w, size int) {
	if s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return s[:1], 1, 1
	}
	cluster, w = ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	size = len(cluster)
	if w == ansi.StringWidthWc(cluster) && w > 0 {
		return cluster, w, size
	}
	first, n := utf8.DecodeRuneInString(cluster)
	base := string(first)
	w = ansi.StringWidth(base)
	if w == 0 || w != ansi.StringWidthWc(base) {
		return "·", 1, size
	}
	if n == size {
		return base, w, size
	}
	return base + "·", w + 1, size
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
