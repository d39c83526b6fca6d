package visible

import (
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"redial/tui/visible/hostile"
)

func TestTextShowsWhatWouldActOrHide(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"empty", "", ""},
		{"plain", "GET /orders?id=1 ~", "GET /orders?id=1 ~"},
		{"letters", "Größe 日本語 שלום 😀", "Größe 日本語 שלום 😀"},
		{"escape", "\x1b[31mred", "␛[31mred"},
		{"line break", "a\nb\r\nc", "a␊b␍␊c"},
		{"tab", "a\tb", "a␉b"},
		{"nul and del", "\x00\x7f", "␀␡"},
		{"C1 as a code point", "\u009b31m", "‹U+009B›31m"},
		{"C1 as a byte", "\x9b31m", "‹0x9B›31m"},
		{"next line", "a\u0085b", "a‹U+0085›b"},
		{"bidi override", "user\u202egpj.exe", "user‹U+202E›gpj.exe"},
		{"bidi isolate", "\u2066a\u2069", "‹U+2066›a‹U+2069›"},
		{"Arabic letter mark", "\u061c", "‹U+061C›"},
		{"zero width", "pay\u200bpal\ufeff", "pay‹U+200B›pal‹U+FEFF›"},
		{"soft hyphen", "pay\u00adpal", "pay‹U+00AD›pal"},
		{"variation selectors", "❤\ufe0f\U000e0100", "❤‹U+FE0F›‹U+E0100›"},
		{"tags", "\U000e0041", "‹U+E0041›"},
		{"joined emoji", "👨\u200d👩", "👨‹U+200D›👩"},
		{"flag", "🇩", "‹U+1F1E9›"},
		{"skin", "👍🏿", "👍‹U+1F3FF›"},
		{"separators", "\u2028\u2029", "‹U+2028›‹U+2029›"},
		{"Hangul filler", "\u3164\uffa0", "‹U+3164›‹U+FFA0›"},
		{"annotation", "\ufff9", "‹U+FFF9›"},
		{"not UTF-8", "caf\xe9", "caf‹0xE9›"},
		{"overlong", "\xc0\x9b", "‹0xC0›‹0x9B›"},
		{"surrogate", "\xed\xa0\x80", "‹0xED›‹0xA0›‹0x80›"},
		{"cut short", "\xe2\x82", "‹0xE2›‹0x82›"},
		{"replacement character", "\ufffd", "\ufffd"},
		{"not a character", "\uffff\ufdd0\U0010ffff", "‹U+FFFF›‹U+FDD0›‹U+10FFFF›"},
		{"not assigned", "\u0378", "‹U+0378›"},
		{"private use", "\ue000\U000f0000", "\ue000\U000f0000"},
		{"one combining mark", "e\u0301", "e\u0301"},
		{"combining mark behind ASCII", "abe\u0301", "abe\u0301"},
		{"combining mark on nothing", "\u0301a", "‹U+0301›a"},
		{"flood of marks", "e" + strings.Repeat("\u0301", 6) + "a\u0301", "e\u0301\u0301\u0301\u0301‹U+0301›‹U+0301›a\u0301"},
		{"enclosing marks", "a\u20dd\u0488", "a\u20dd\u0488"},
		{"combining mark on our mark", "\x1b\u0338\u202e\u0338", "␛‹U+0338›‹U+202E›‹U+0338›"},
		{"Korean in parts", "\u1112\u1161\u11ab", "\u1112\u1161\u11ab"},
		{"flood of vowels", "\u1112" + strings.Repeat("\u1161", 5), "\u1112\u1161\u1161\u1161\u1161‹U+1161›"},
		{"marks stay as they are", "␛ ‹U+202E›", "␛ ‹U+202E›"},
	} {
		if got := Text(test.in); got != test.want {
			t.Errorf("%s: Text(%+q) is %q, want %q", test.name, test.in, got, test.want)
		}
	}
}

func TestMarksAreForTheWholeOfEachRangeAndNoMore(t *testing.T) {
	for _, test := range []struct {
		first, last rune
		base        string
		shown       bool
	}{
		{0x1F1E6, 0x1F1FF, "", false}, // halves of flags
		{0x1F3FB, 0x1F3FF, "", false}, // colours of skin
		{0x1F3FA, 0x1F3FA, "", true},
		{0x1F400, 0x1F400, "", true},
		{0x1F1AD, 0x1F1AD, "", true},
		{0x1F200, 0x1F200, "", true},
		{0x1161, 0x11FF, "", false}, // Korean vowels and finals need a base
		{0x1161, 0x11FF, "\u1112", true},
		{0xD7B0, 0xD7C6, "", false},
		{0xD7CB, 0xD7FB, "", false},
		{0xD7B0, 0xD7C6, "\u1112", true},
		{0x1100, 0x115E, "", true},
		{0xAC00, 0xD7A3, "", true},
		{0x2400, 0x2426, "", true},
		{0x0301, 0x0301, "\u2400", false}, // our marks carry nothing
		{0x0301, 0x0301, "\u2421", false},
		{0x0301, 0x0301, "\u203a", false},
		{0x0301, 0x0301, "\u2422", true},
	} {
		for r := test.first; r <= test.last; r++ {
			if in := test.base + string(r); (Text(in) == in) != test.shown {
				t.Errorf("%U after %+q: shown is %v, want %v", r, test.base, !test.shown, test.shown)
			}
		}
	}
}

// wantSafe checks what Text promises of its output.
func wantSafe(t *testing.T, in string) {
	t.Helper()
	out := Text(in)
	marks := MostMarks
	for i, r := range out {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(out[i:], "\ufffd"):
			t.Fatalf("Text(%+q) is not UTF-8: %+q", in, out)
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Cs, unicode.Zl, unicode.Zp, unicode.Bidi_Control,
			unicode.Noncharacter_Code_Point, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
			t.Fatalf("Text(%+q) has %U: %+q", in, r, out)
		case !unicode.IsGraphic(r) && !unicode.Is(unicode.Co, r):
			t.Fatalf("Text(%+q) has %U, which is not assigned", in, r)
		case unicode.Is(unicode.M, r):
			marks++
		default:
			marks = 0
		}
		if marks > MostMarks {
			t.Fatalf("Text(%+q) has a base with more than %d marks, or marks without one: %+q", in, MostMarks, out)
		}
	}
	if again := Text(out); again != out {
		t.Fatalf("Text(%+q) is %q, and after a second time %q", in, out, again)
	}
	if out != in && !strings.ContainsFunc(in, looksLikeMark) && unmark(t, out) != in {
		t.Fatalf("Text(%+q) is %q, which says %+q", in, out, unmark(t, out))
	}
}

// looksLikeMark reports whether a character of an input could be taken for one of ours.
func looksLikeMark(r rune) bool { return r == opening || r == closing || '␀' <= r && r <= '␡' }

var marked = regexp.MustCompile(`‹(0x|U\+)([0-9A-F]+)›|[␀-␡]`)

// unmark turns a text back into what Text was given. That it can be done shows that no
// two inputs have one result.
func unmark(t *testing.T, s string) string {
	return marked.ReplaceAllStringFunc(s, func(mark string) string {
		parts := marked.FindStringSubmatch(mark)
		switch parts[1] {
		case "":
			r, _ := utf8.DecodeRuneInString(mark)
			if r == '␡' {
				return "\x7f"
			}
			return string(r - '␀')
		case "0x":
			b, err := hex.DecodeString(parts[2])
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		}
		n, err := strconv.ParseUint(parts[2], 16, 32)
		if err != nil {
			t.Fatal(err)
		}
		return string(rune(n))
	})
}

func TestTextIsSafeForEveryHostileString(t *testing.T) {
	for _, s := range hostile.Strings() {
		wantSafe(t, s)
	}
}

func TestTextIsSafeForEveryCodePointAndByte(t *testing.T) {
	const sparse, step = 0x20000, 0xfff // in the planes from there on most is like its neighbours
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if r > sparse && r>>12 != 0xE0 {
			r = min(r+step, unicode.MaxRune)
		}
		if utf8.ValidRune(r) {
			wantSafe(t, "a"+string(r))
		}
	}
	for b := range 256 {
		wantSafe(t, string([]byte{byte(b)}))
	}
}

func TestTwoHostileStringsNeverLookTheSame(t *testing.T) {
	seen := map[string]string{}
	for _, s := range hostile.Strings() {
		if strings.ContainsFunc(s, looksLikeMark) {
			continue
		}
		shown := Text(s)
		if before, ok := seen[shown]; ok {
			t.Errorf("%+q and %+q are both shown as %q", before, s, shown)
		}
		seen[shown] = s
	}
}

func TestNothingDangerousIsLeftOut(t *testing.T) {
	for _, s := range hostile.Strings() {
		if got, most := utf8.RuneCountInString(Text(s)), utf8.RuneCountInString(s); got < most {
			t.Errorf("Text(%+q) has %d characters of %d", s, got, most)
		}
	}
}

func TestLinesSplitsAtLineBreaksAlone(t *testing.T) {
	for _, test := range []struct {
		in   string
		want []string
	}{
		{"", nil},
		{"one", []string{"one"}},
		{"one\n", []string{"one"}},
		{"one\r\ntwo\r\n", []string{"one", "two"}},
		{"one\n\ntwo\n\n", []string{"one", "", "two", ""}},
		{"\n", []string{""}},
		{"one\rtwo", []string{"one␍two"}},
		{"one\r", []string{"one␍"}},
		{"one\r\r\n", []string{"one␍"}},
		{"a\u2028b\u0085c\vd\fe", []string{"a‹U+2028›b‹U+0085›c␋d␌e"}},
		{"\t\"a\": 1\n\x1b[2J", []string{"␉\"a\": 1", "␛[2J"}},
	} {
		if got := Lines(test.in); strings.Join(got, "|") != strings.Join(test.want, "|") || len(got) != len(test.want) {
			t.Errorf("Lines(%q) is %q, want %q", test.in, got, test.want)
		}
	}
}

func TestLinesAreSafeForEveryHostileString(t *testing.T) {
	for _, s := range hostile.Strings() {
		for _, line := range Lines(s) {
			if line != Text(line) {
				t.Errorf("Lines(%+q) has %+q", s, line)
			}
		}
	}
}

func TestHarmlessTextIsNotCopied(t *testing.T) {
	for _, s := range []string{"GET https://api.example.test/orders?id=1", "Größe 日本語 e\u0301"} {
		if n := testing.AllocsPerRun(100, func() { Text(s) }); n != 0 {
			t.Errorf("Text(%q) allocates %v times", s, n)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, s := range hostile.Strings() {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		wantSafe(t, s)
		for _, line := range Lines(s) {
			if line != Text(line) {
				t.Fatalf("Lines(%+q) has %+q", s, line)
			}
		}
	})
}

func BenchmarkText(b *testing.B) {
	for name, s := range map[string]string{
		"ascii":    "https://api.example.test/orders/8841?expand=lines&limit=100",
		"umlauts":  "https://api.example.test/aufträge/größe?länge=zwölf",
		"han":      "注文の作成に失敗しました。もう一度お試しください。",
		"hostile":  "https://api.example.test/\x1b[31mred\u202e\xff",
		"64 KiB":   strings.Repeat("{\"id\": 1, \"name\": \"x\"},", 64<<10/24),
		"all ESC":  strings.Repeat("\x1b", 100),
		"one line": "\n",
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				Text(s)
			}
		})
	}
}
