// Package hostile has strings that a terminal, a table or a careless program does not
// survive. It is only for tests, of any package that prints or stores what came from
// the network: nothing that is built into redial imports it.
package hostile

import "slices"

// Strings returns all of them, each once. It is a new slice each time.
func Strings() []string {
	return slices.Concat(
		controls(),
		styles(),
		moves(),
		modes(),
		questions(),
		malformed(),
		escapeSequences(),
		stringSequences(),
		eightBit(),
		unfinished(),
		bidirectional(),
		invisible(),
		notCharacters(),
		notUTF8(),
		combining(),
		wide(),
		lookalikes(),
		long(),
	)
}

// controls has every control character of ASCII within text, and what they do together.
func controls() []string {
	var all []string
	for c := range ' ' {
		all = append(all, "c0"+string(c)+"tail")
	}
	return append(all,
		"del\x7ftail",
		"harmless\rGET /admin 200", // rewrites the row
		"order-1\b\b\b\b\b\b\bsecret",
		"one\ntwo\nthree",
		"one\r\ntwo\r\n",
		"one\n\rtwo",
		"\ttabbed\tcells\t",
		"\v\f\v\f",
		"\x00\x00\x00",
		"\a\a\a\a\a\a\a\a",
		"\x0e line drawing \x0f", // another character set and back
		"\x05",                   // asks the terminal who it is
		"\x1b",
		"\n",
		"\r",
		" \t \r \n ",
	)
}

// styles has control sequences, which begin with ESC and a bracket, that change how text
// looks.
func styles() []string {
	return []string{
		"\x1b[31mred\x1b[0m",
		"\x1b[38;2;255;0;0mtrue colour",
		"\x1b[8mconcealed",
		"\x1b[7mreversed",
		"\x1b[1;5;4;9mloud",
		"\x1b[58;5;1m\x1b[4:3mcurly",
	}
}

// moves has control sequences that move the cursor, or what is on the screen, or erase it.
func moves() []string {
	return []string{
		"\x1b[2J",
		"\x1b[H\x1b[2J\x1b[3J",
		"\x1b[1;1Hfirst row",
		"\x1b[999;999H",
		"\x1b[10A\x1b[2Kgone",
		"\x1b[1B\x1b[1C\x1b[1D",
		"\x1b[K",
		"\x1b[1K",
		"\x1b[5S\x1b[5T",
		"\x1b[5L\x1b[5M",
		"\x1b[5@\x1b[5P\x1b[5X",
		"a\x1b[1000b", // repeats the a
		"\x1b[s\x1b[u",
	}
}

// modes has control sequences that change how the terminal behaves from then on.
func modes() []string {
	return []string{
		"\x1b[3;5r", // only these rows scroll from now on
		"\x1b[?25l", // no cursor
		"\x1b[?1049h",
		"\x1b[?1049l",
		"\x1b[?1000h\x1b[?1006h", // mouse
		"\x1b[?2004l",
		"\x1b[?7l",
		"\x1b[?3h",
		"\x1b[?6h",
		"\x1b[?2026h", // frozen until further notice
		"\x1b[?2027h",
		"\x1b[4h",
		"\x1b[20h",
		"\x1b[>1u",
		"\x1b[8;1;1t",
		"\x1b[!p",
		"\x1b[0 q",
	}
}

// questions has control sequences that the terminal answers, as if somebody typed, and those
// that it sends by itself.
func questions() []string {
	return []string{
		"\x1b[6n",
		"\x1b[c",
		"\x1b[>c",
		"\x1b[=c",
		"\x1b[5n",
		"\x1b[>q",
		"\x1b[?u",
		"\x1b[21t", // answers with the title
		"\x1b[18t",
		"\x1b[200~pasted\x1b[201~",
		"\x1b[<65;12;5M",
		"\x1b[M !!",
	}
}

// malformed has what looks like a control sequence, and is a broken one or none.
func malformed() []string {
	return []string{
		"\x1b\x1b[31m",
		"\x1b[\x1b[31m",
		"\x1b[31\nm",
		"\x1b[3\x181m",
		"\x1b[99999999999999999999999999m",
		"\x1b[;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;;m",
		"\x1b[?",
		"\\x1b[31m",
		"\\033[31m",
		"^[[31m",
	}
}

// escapeSequences has what begins with ESC alone and ends by itself.
func escapeSequences() []string {
	return []string{
		"\x1bc", // everything reset
		"\x1b7\x1b8",
		"\x1bD\x1bE\x1bM",
		"\x1bH",
		"\x1b=\x1b>",
		"\x1b(0lqqqk\x1b(B",
		"\x1b)0\x0e",
		"\x1b*A\x1b+B",
		"\x1b#8", // fills the screen with E
		"\x1b#3\x1b#6",
		"\x1b%@\x1b%G",
		"\x1bN!\x1bO!",
		"\x1b~\x1b}\x1b|",
		"\x1b F\x1b G",
		"\x1bl\x1bm",
	}
}

// stringSequences has the families that carry a string: OSC, DCS, APC, PM and SOS.
func stringSequences() []string {
	return []string{
		"\x1b]0;title\a",
		"\x1b]2;title\x1b\\",
		"\x1b]4;1;rgb:00/00/00\a",
		"\x1b]4;1;?\a",
		"\x1b]7;file://host/etc\a",
		"\x1b]8;;http://evil.example.test\x1b\\click\x1b]8;;\x1b\\",
		"\x1b]9;notify\a",
		"\x1b]9;4;1;50\a",
		"\x1b]10;?\a",
		"\x1b]11;?\x1b\\",
		"\x1b]12;red\a",
		"\x1b]50;?\a",
		"\x1b]52;c;cm0gLXJmIC8=\a",
		"\x1b]52;c;?\a",
		"\x1b]104\a",
		"\x1b]112\a",
		"\x1b]133;A\a",
		"\x1b]777;notify;a;b\a",
		"\x1b]1337;File=inline=1:AAAA\a",
		"\x1b]1337;RunApplet\a",
		"\x1b]5522;type=read\x1b\\",
		"\x1bP$qm\x1b\\",
		"\x1bP+q544e\x1b\\",
		"\x1bPq#0;2;0;0;0~-\x1b\\",
		"\x1bP1$r0m\x1b\\",
		"\x1bPtmux;\x1b\x1b]52;c;AAAA\a\x1b\\",
		"\x1bP\x1b\\",
		"\x1b_Gf=24,s=1,v=1;AAAA\x1b\\",
		"\x1b_hidden\x1b\\",
		"\x1b^private\x1b\\",
		"\x1bXstart of string\x1b\\",
		"\x1bktitle\x1b\\",
		"\x1b]0;one\x1b]0;two\a\a",
		"\x1b]0;a\nb\a",
	}
}

// eightBit has the controls of C1, as code points and as bytes.
func eightBit() []string {
	var all []string
	for c := rune(0x80); c < 0xa0; c++ {
		all = append(all, "c1"+string(c)+"31m", "byte"+string([]byte{byte(c)})+"31m")
	}
	return append(all,
		"\u009d0;title\u009c",
		"\x9d0;title\x9c",
		"\u009b2J",
		"\x9b2J",
		"\u0090q\u009c\u009fG\u009c\u009ep\u009c\u0098s\u009c",
		"\x90q\x9c\x9fG\x9c\x9ep\x9c\x98s\x9c",
		"\xc2\x9b31m",
		"\xc2\xc2\x9b31m",
		"\xe2\x9b31m",
	)
}

// unfinished has sequences that would swallow what is printed after them.
func unfinished() []string {
	return []string{
		"end\x1b[",
		"end\x1b[31",
		"end\x1b]0;",
		"end\x1b]8;;http://",
		"end\x1bP",
		"end\x1b_",
		"end\x1b^",
		"end\x1bX",
		"end\x1b(",
		"end\x1b#",
		"end\u009b",
		"end\u009d",
		"end\x9b",
		"end\xf0\x9f\x98",
		"end\xe2\x80",
		"end\xc3",
		"0;title\a",
		"31m",
		"\x1b\\",
		"\u009c",
	}
}
