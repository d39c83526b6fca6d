package palette

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hit is a command that has what is looked for.
type hit struct {
	command int
	score   int   // the higher, the better
	at      []int // the bytes of what it does that are letters of what is looked for
}

// find returns the commands that have all the letters of a text in its order, the best
// first: in what they do, or else with the group that they belong to or the name of the key.
func find(all []Command, text string) []hit {
	want := letters(text)
	var hits []hit
	for i := range all {
		c := &all[i]
		score, at, ok := match(c.Does, want)
		if !ok {
			if score, _, ok = match(c.Of+" "+c.Does, want); ok {
				score -= beside
			} else if ok = text != "" && strings.EqualFold(strings.TrimSpace(text), c.Key); ok {
				score = -beside
			}
		}
		if ok {
			hits = append(hits, hit{i, score, at})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return b.score - a.score })
	return hits
}

// What a letter is worth.
const (
	begins = 8  // at the beginning of a word
	joined = 5  // right behind the one before
	skips  = 1  // less for each letter between
	beside = 40 // less when what it does alone does not have it all
)

// letters returns what is looked for, without blanks.
func letters(text string) []rune {
	var out []rune
	for _, r := range strings.ToLower(text) {
		if !unicode.IsSpace(r) {
			out = append(out, r)
		}
	}
	return out
}

// looked is in how many bytes of a text letters are looked for.
const looked = 200

// match looks for letters in a text. It tries each place where the first letter stands, and
// returns the best.
func match(text string, want []rune) (score int, at []int, ok bool) {
	text = text[:min(len(text), looked)]
	if len(want) == 0 {
		return 0, nil, true
	}
	for i, r := range text {
		if unicode.ToLower(r) != want[0] {
			continue
		}
		s, places, all := from(text, i, want)
		if all && (!ok || s > score) {
			score, at, ok = s, places, true
		}
	}
	return score, at, ok
}

// from takes each letter where it stands first, from a byte of the text on.
func from(text string, start int, want []rune) (score int, at []int, ok bool) {
	before, _ := utf8.DecodeLastRuneInString(text[:start])
	for i, r := range text[start:] {
		if len(at) == len(want) {
			break
		}
		switch here := start + i; {
		case unicode.ToLower(r) != want[len(at)]:
			score -= skips
		case !unicode.IsLetter(before):
			score += begins
			at = append(at, here)
		case len(at) > 0 && at[len(at)-1]+utf8.RuneLen(before) == here:
			score += joined
			at = append(at, here)
		default:
			at = append(at, here)
		}
		before = r
	}
	return score - start/4, at, len(at) == len(want)
}
