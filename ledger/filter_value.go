package ledger

import (
	"slices"
	"strings"
)

// parseTerm makes a term of its token. A range of durations becomes two.
func parseTerm(t token) (Expr, error) {
	key, err := parseKey(t)
	if err != nil {
		return nil, err
	}
	term, v := &Term{Key: key, Start: t.start, End: t.end}, t.value
	switch {
	case v.start == v.end:
		return nil, span{t.start, v.start}.wrong("%s: needs a value", key)
	case key.isText():
		return term, term.setText(v)
	case v.form == slashed:
		return nil, v.wrong("%s takes no regular expression", key)
	}
	switch key {
	case KeyDur, KeyWaited:
		return term.durations(v)
	case KeyLast:
		return term, term.setLast(v)
	case KeyAt:
		return term, term.setClock(v)
	case KeyWait:
		return term, term.setCode(v, uint8(WindowWait))
	case KeyOutcome:
		return term, term.setCode(v, uint8(Answered))
	case KeyRunning:
		return term, term.setCode(v, 0)
	case KeyDuplicate:
		return term, term.setCode(v, DuplicateNo)
	}
	return term, term.setRange(v)
}

// isText reports whether the key's values are texts.
func (k Key) isText() bool {
	switch k {
	case KeyAny, KeyHost, KeyMethod, KeyPath, KeyURL, KeyKey, KeyError, KeyService, KeyState:
		return true
	}
	return false
}

// parseKey finds the key of a term.
func parseKey(t token) (Key, error) {
	if t.name == "" {
		return KeyAny, t.lacksColon()
	}
	name := strings.ToLower(t.name)
	if i := slices.Index(keyNames[:], name); i > 0 {
		return Key(i), nil
	}
	if best := near(name, keyNames[1:]); best != "" {
		return 0, t.key.wrong("unknown key %q: did you mean %s? To look for the text itself, put it in quotes", clip(name), best)
	}
	return 0, t.key.wrong("unknown key %q: the keys are %s; to look for the text itself, put it in quotes",
		clip(name), strings.Join(slices.Sorted(slices.Values(keyNames[1:])), ", "))
}

// lacksColon catches attempts>1, which as a bare word would find nothing in silence.
func (t token) lacksColon() error {
	i := strings.IndexAny(t.value.text, "<>")
	if t.value.form != plain || i < 1 || !slices.Contains(keyNames[1:], strings.ToLower(t.value.text[:i])) {
		return nil
	}
	return t.wrong("a colon belongs behind the key: %s:%s", t.value.text[:i], clip(t.value.text[i:]))
}

// setCode reads one of the words of a code, whose numbers begin at first.
func (t *Term) setCode(v literal, first uint8) error {
	words := t.Key.Words()
	i := slices.Index(words, strings.ToLower(v.text))
	if i < 0 {
		return v.wrong("%q is not a value of %s: %s", clip(v.text), t.Key, hint(v.text, words...))
	}
	t.Code = first + uint8(i)
	return nil
}

// cutOp splits a comparison from the front of a value.
func cutOp(s string) (Op, string) {
	for _, o := range []struct {
		sign string
		op   Op
	}{{">=", OpAtLeast}, {"<=", OpAtMost}, {">", OpMore}, {"<", OpLess}, {"=", OpEqual}} {
		if rest, ok := strings.CutPrefix(s, o.sign); ok {
			return o.op, rest
		}
	}
	return OpEqual, s
}
