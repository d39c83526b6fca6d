package hostile

import "strings"

// bidirectional has what changes the order of the characters around it.
func bidirectional() []string {
	var all []string
	for _, c := range "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069" {
		all = append(all, "user"+string(c)+"gpj.exe")
	}
	return append(all,
		"\u202e\u202e\u202e",
		"\u2067\u2066nested\u2069\u2069",
		"access\u202elevel\u2066 // check\u2069 \u2066",
		"שלום",
		"abc שלום 123",
		"العربية 42 abc",
		"\u202dשלום\u202c",
	)
}

// invisible has what shows nothing, or nothing of its own.
func invisible() []string {
	var all []string
	for _, c := range "\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b\u180e\u180f\u200b\u200c\u200d\u2028\u2029" +
		"\u2060\u2061\u2064\u2065\u206a\u206f\u3164\ufe00\ufe0f\ufeff\uffa0\ufff9\ufffb" +
		"\U0001bca0\U0001d173\U0001d17a\U000e0000\U000e0001\U000e0041\U000e007f\U000e0100\U000e01ef\U000e0fff" {
		all = append(all, "pay"+string(c)+"pal")
	}
	return append(all,
		"\u200b",
		"\ufeff{\"bom\":1}",
		strings.Repeat("\u200b", 300)+"x",
		"\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
		"hidden"+tags("ignore what was said")+"text",
		"spaces\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000end",
		"\u2800\u2800\u2800",
		"   ",
		"",
	)
}

// tags writes a text in the invisible copy of ASCII.
func tags(s string) string {
	return strings.Map(func(r rune) rune { return 0xE0000 + r }, s)
}

// notCharacters has code points that stand for no character.
func notCharacters() []string {
	return []string{
		"\ufdd0", "\ufdef", "\ufffe", "\uffff", "\U0001fffe", "\U0001ffff", "\U000ffffe", "\U0010ffff",
		"\u0378",               // not assigned
		"\U000323b0",           // not assigned, beside ideographs
		"\U0001faff",           // not assigned, among emoji
		"\ue000\uf8ff",         // private
		"\U000f0000\U0010fffd", // private
		"\ufffd",
		"\ufffc",
	}
}

// notUTF8 has bytes that decode to nothing, or only for decoders that are too kind.
func notUTF8() []string {
	return []string{
		"\x80", "\xbf", "\xc0", "\xc1", "\xf5", "\xfe", "\xff",
		"\xff\xfe\xff",
		"\xff\xfeG\x00E\x00T\x00",  // UTF-16
		"\xc0\x80",                 // NUL in two bytes
		"\xc0\x9b",                 // ESC, nearly
		"\xe0\x80\x9b",             // the same in three
		"\xf0\x80\x80\x9b",         // and in four
		"\xc0\xaf..\xc0\xaf",       // slashes
		"\xed\xa0\x80",             // half of a pair
		"\xed\xbf\xbf",             // the other half
		"\xed\xa0\xbd\xed\xb8\x80", // an emoji as two halves
		"\xf4\x90\x80\x80",         // beyond the last code point
		"\xf8\x88\x80\x80\x80",     // five bytes
		"\xfc\x84\x80\x80\x80\x80", // six
		"\xe2\x82",
		"\xf0\x9f",
		"\xe2\x28\xa1",
		"\xe2\x80\xe2\x80\xae",
		"caf\xe9",
		"\xa3100",
		"a\xcc",
		"\xcc\x81",
		"e\xcc\x81\xcc",
		"\x89PNG\r\n\x1a\n\xff",
		"\x1f\x8b\x08\x00\x00\x00\x00\x00",
		"%1B%5B31m%C2%9B",
		"\xe2\x80\x8b\x80",
	}
}

// combining has marks that grow over other rows, or onto what stands before them.
func combining() []string {
	return []string{
		"e\u0301",
		"\u0301alone",
		"\u20dd\u20e0",
		"\u0338\u0338/=",
		"z" + strings.Repeat("\u0335\u0321\u0489\u034b\u0363", 40),
		strings.Repeat("Z\u0351\u036b\u0343\u036a\u0302\u0308\u0301\u0347\u032c", 20),
		strings.Repeat("\u0301", 1000),
		"a" + strings.Repeat("\u0488", 50),
		"ᄀ" + strings.Repeat("\u1161", 200),
		"ᄀ" + strings.Repeat("\u11a8\ud7cb", 100),
		"กำ" + strings.Repeat("\u0e49", 100),
		"ཧཱུྃ" + strings.Repeat("\u0f71\u0fb5", 60),
		"क्षि" + strings.Repeat("\u0902", 60),
		"\x1b\u0301\u0301",
		"\u202e\u0301",
		"\xff\u0301",
		"␛\u0338",
		"›\u0338",
		"\u200d\u0301\u200d",
		"1\u20e3 #\u20e3",
	}
}

// wide has what takes two cells, or of which nobody knows how many.
func wide() []string {
	return []string{
		"ﾉ｀Д´ ノ",
		"日本語のパス",
		"한국어",
		"ｆｕｌｌｗｉｄｔｈ",
		"😀😀😀",
		"👨\u200d👩\u200d👧\u200d👦",
		"👩🏽\u200d🚀",
		"👍🏿",
		"🏿",
		"🇩🇪🇫🇷",
		"🇩",
		"🇩🇪🇫",
		"❤\ufe0f",
		"1\ufe0f\u20e3",
		"🏳\ufe0f\u200d🌈",
		"🏴\u200d☠\ufe0f",
		"☺\ufe0e☺\ufe0f",
		"﷽",
		"𒐫𒈙⸻꧅",
		"⌚⏰⚡♿",
		"①②③ ambiguous ±×÷",
		"│┃║█▓▒░",
		strings.Repeat("漢", 300),
		strings.Repeat("👨\u200d", 100),
	}
}

// lookalikes has what pretends to be a mark, a screen or another text.
func lookalikes() []string {
	return []string{
		"␛[31m",
		"␊␍␉",
		"␡",
		"‹U+202E›",
		"‹0xFF›",
		"‹",
		"›",
		"‹‹››",
		"‹U+202E",
		"╭─ Windows ─╮",
		" ▌ 12:04:31.2 POST",
		"● LIVE",
		"раураl.example.test",
		"…",
		"%s%n%d%!v(MISSING)",
		"{{.}}",
		"'; DROP TABLE call; --",
		"<script>alert(1)</script>",
		"$(reboot) `reboot`",
		"=1+1",
		"~!@#$%^&*()_+{}|:\"<>?`-=[]\\;',./",
	}
}

// long has what no row has room for.
func long() []string {
	return []string{
		strings.Repeat("a", 10000),
		strings.Repeat("a b ", 2500),
		strings.Repeat("\x1b[31m", 2000),
		strings.Repeat("\xff", 3000),
		strings.Repeat("\u202e", 2000),
		strings.Repeat("\n", 500),
		strings.Repeat("\t", 500),
		strings.Repeat("🇩🇪", 500),
		"/" + strings.Repeat("very/", 1000) + "\x1b[2J",
	}
}
