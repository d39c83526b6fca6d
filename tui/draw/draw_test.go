package draw

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"redial/tui/theme"
	"redial/tui/visible/hostile"
)

func TestALineIsExactlyAsWideAsAskedWhateverIsPutOnIt(t *testing.T) {
	th := theme.New("dark", colorprofile.TrueColor)
	texts := append(hostile.Strings(), "", "plain", "漢字かな交じり文", "ﾉ｀Д´ ノ", strings.Repeat("e\u0301", 300), strings.Repeat("🙂", 300), strings.Repeat("x", 1<<20), strings.Repeat("\u202e", 1<<20))
	for _, s := range texts {
		for _, w := range []int{0, 1, 2, 7, 40} {
			for name, put := range map[string]func(*Line){
				"put":   func(l *Line) { l.Put(th.Bad, s) },
				"cell":  func(l *Line) { l.Cell(th.Bad, s, 5); l.Cell(th.Dim, s, 9) },
				"name":  func(l *Line) { l.Name(th.Bad, s, 7); l.Name(th.Dim, s, 20) },
				"right": func(l *Line) { l.Right(th.Bad, s, 5); l.Right(th.Dim, s, 9) },
				"fill":  func(l *Line) { l.Fill(th.Bad, "─", 100); l.Space(100) },
			} {
				for _, l := range []*Line{NewLine(w), NewRow(th, w, true)} {
					put(l)
					line := l.String()
					if a, b := ansi.StringWidth(line), ansi.StringWidthWc(line); a != w || b != w {
						t.Fatalf("%s of %q on %d columns is %d or %d wide", name, s, w, a, b)
					}
				}
			}
		}
	}
}

// The rows of a call whose host has ten thousand characters took a quarter of a second to
// draw, and to measure one with a megabyte took longer still.
func TestALongTextIsMeasuredNoFurtherThanAnyRowIsWide(t *testing.T) {
	for _, unit := range []string{"x", "漢", "\u202e", "\xff", "e\u0301", "🇩🇪"} {
		short, long := Width(strings.Repeat(unit, 500)), Width(strings.Repeat(unit, 1<<20))
		if short < 500 || long < 500 || long > 10*measured {
			t.Errorf("of %q five hundred are %d columns, and a million %d", unit, short, long)
		}
	}
	s := strings.Repeat("漢字\u202e", 1000)
	if got, w := Middle(s, 20); w > 20 || width(got) != w || !strings.Contains(got, "…") {
		t.Errorf("its middle is cut to %q, %d columns wide", got, w)
	}
}

func TestWhatIsCutShowsIt(t *testing.T) {
	for _, c := range []struct {
		text string
		room int
		want string
	}{
		{"orders", 6, "orders"},
		{"orders", 5, "orde…"},
		{"orders", 1, "…"},
		{"orders", 0, ""},
		{"漢字漢字", 5, "漢字…"},
		{"漢字漢字", 4, "漢…"},
		{"👍🏽👍🏽", 20, "👍‹U+1F3FD›👍‹U+1F3…"},
	} {
		l := NewLine(c.room)
		l.Cell(theme.Style{}, c.text, c.room)
		if got := strings.TrimRight(l.String(), " "); got != c.want {
			t.Errorf("%q in %d columns is %q, want %q", c.text, c.room, got, c.want)
		}
	}
}

func TestTextWrapsAtBlanks(t *testing.T) {
	for _, c := range []struct {
		text       string
		room, most int
		want       string
	}{
		{"", 10, 3, ""},
		{"one two three", 7, 3, "one two|three"},
		{"one two three", 8, 3, "one two|three"},
		{"one two three", 100, 3, "one two three"},
		{"one two three", 3, 2, "one|tw…"},
		{"abcdefghij", 4, 3, "abcd|efgh|ij"},
		{"漢字漢字", 3, 9, "漢|字|漢|字"},
		{"漢", 1, 9, ""},
		{"one two", 0, 3, ""},
		{"a\nb", 10, 3, "a␊b"},
	} {
		if got := strings.Join(Wrap(c.text, c.room, c.most), "|"); got != c.want {
			t.Errorf("%q in %d columns and %d lines is %q, want %q", c.text, c.room, c.most, got, c.want)
		}
	}
}

func TestDurationsFitTheirColumn(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0ms", -time.Second: "0ms", 410 * time.Microsecond: "410µs", 1499 * time.Microsecond: "1ms", 84 * time.Millisecond: "84ms",
		999 * time.Millisecond: "999ms", 999600 * time.Microsecond: "1.00s", 4120 * time.Millisecond: "4.12s", 9996 * time.Millisecond: "10.0s",
		14100 * time.Millisecond: "14.1s", 59900 * time.Millisecond: "59.9s", 59960 * time.Millisecond: "1m 00s", 92 * time.Second: "1m 32s", 100 * time.Second: "1m 40s", 12 * time.Minute: "12m", 6*time.Hour + 12*time.Minute: "6h12m", 51 * time.Hour: "2d03h",
	} {
		if got := Took(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
		if Width(Took(d)) > 6 {
			t.Errorf("%v is %d columns wide", d, Width(Took(d)))
		}
	}
	for d, want := range map[time.Duration]string{
		-time.Second: "now", 99 * time.Millisecond: "now", 2499 * time.Millisecond: "2.4s", 59990 * time.Millisecond: "59.9s", 61 * time.Second: "1m 01s",
	} {
		if got := Ago(d); got != want {
			t.Errorf("%v ago is %q, want %q", d, got, want)
		}
	}
}

func TestNumbersAreReadable(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 6214: "6,214", 10000000: "10,000,000", -1234: "-1,234"} {
		if got := Count(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
	for _, c := range []struct {
		part, all int64
		want      string
	}{{0, 0, "0%"}, {0, 9, "0%"}, {1, 1000, "<1%"}, {8, 100, "8%"}, {999, 1000, ">99%"}, {5, 5, "100%"}} {
		if got := Percent(c.part, c.all); got != c.want {
			t.Errorf("%d of %d is %q, want %q", c.part, c.all, got, c.want)
		}
	}
	for n, want := range map[int64]string{112: "112 B", 65536: "64.0 KiB", 3 << 20: "3.0 MiB", 5 << 30: "5.0 GiB"} {
		if got := Bytes(n); got != want {
			t.Errorf("%d bytes are %q, want %q", n, got, want)
		}
	}
}

func TestPiecesGoByRankUntilTheRestFits(t *testing.T) {
	left := []Piece{{Text: "redial"}, {Text: "checkout", Rank: 1}, {Text: "pid 4242", Rank: 3}}
	right := []Piece{{Text: "err 2%", Rank: 2}}
	for w, want := range map[int]string{
		40: " redial  checkout  pid 4242      err 2% ",
		34: " redial  checkout          err 2% ",
		24: " redial  checkout       ",
		9:  " redial  ",
	} {
		if got := Pieces(w, left, right); got != want {
			t.Errorf("%d columns have %q, want %q", w, got, want)
		}
	}
}

func TestABoxKeepsItsCornersAtEverySize(t *testing.T) {
	for w := range 30 {
		for h := range 6 {
			b := Box{Title: "ﾉ｀Д´ ノ", Note: "following"}
			lines := b.Draw([]string{NewLine(max(w-2, 0)).String()}, w, h)
			if len(lines) != h {
				t.Fatalf("%d×%d has %d lines", w, h, len(lines))
			}
			for _, l := range lines {
				if n := ansi.StringWidth(l); n != w {
					t.Fatalf("%d×%d has a line of %d columns: %q", w, h, n, l)
				}
			}
			if w >= 2 && h >= 2 && (!strings.HasSuffix(lines[0], "╮") || !strings.HasSuffix(lines[h-1], "╯")) {
				t.Fatalf("%d×%d has no corners:\n%s", w, h, strings.Join(lines, "\n"))
			}
		}
	}
}

func TestPeriodsAreShort(t *testing.T) {
	for d, want := range map[time.Duration]string{4500 * time.Millisecond: "4.5s", time.Second: "1s", time.Minute: "1m", time.Hour: "1h", 90 * time.Second: "1m30s", 24 * time.Hour: "24h"} {
		if got := Period(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestANoteThatIsTooLongLosesItsLastPartsAndThenItsEnd(t *testing.T) {
	for width, want := range map[int]string{
		80: "─ / host:pay.* waited:>1s or outcome:unknown · 3 calls · by time ─",
		70: "─ / host:pay.* waited:>1s or outcome:unknown · 3 calls ─",
		50: "─ / host:pay.* waited:>1s or outcome… ─",
		20: "╭ Calls ───────────╮",
	} {
		b := Box{Title: "Calls", Note: "/ host:pay.* waited:>1s or outcome:unknown · 3 calls · by time"}
		if top := b.Draw(nil, width, 3)[0]; !strings.Contains(top, want) || Width(top) != width {
			t.Errorf("at %d columns the edge is %q, want %q in it", width, top, want)
		}
	}
	b := Box{Title: "Calls", Note: "54 of 6,214 calls"}
	if top := b.Draw(nil, 20, 3)[0]; strings.Contains(top, "54") {
		t.Errorf("a part of a short note is shown: %q", top)
	}
}
