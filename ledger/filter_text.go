package ledger

import (
	"errors"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
)

// The bounds of a regular expression. Its time to match is at most linear in both the
// text and its size.
const (
	maxRegexp     = 512  // bytes
	maxRegexpSize = 5000 // instructions; x{1000} has a thousand
)

// setText reads a text, with wildcards or as a regular expression.
func (t *Term) setText(v literal) error {
	switch {
	case v.form == slashed:
		return t.setRegexp(v)
	case v.form == plain && t.Key != KeyAny && strings.ContainsAny(v.text[:1], "<>"):
		return v.wrong("%s is a text and cannot be compared; to look for %q itself, put it in quotes", t.Key, v.text[:1])
	case v.text == "" && t.Key == KeyAny:
		return v.wrong("there is nothing between these quotes")
	case v.text == "" && t.Key != KeyState:
		return nil
	}
	t.Text = strings.ToLower(v.text)
	switch t.Key {
	case KeyAny, KeyURL, KeyError:
		t.Text = "*" + t.Text + "*"
	case KeyState:
		return t.checkState(v)
	}
	for strings.Contains(t.Text, "**") {
		t.Text = strings.ReplaceAll(t.Text, "**", "*")
	}
	return nil
}

// checkState accepts the states of an operation, and patterns of them.
func (t *Term) checkState(v literal) error {
	states := t.Key.Words()
	if strings.Contains(t.Text, "*") || slices.Contains(states, t.Text) {
		return nil
	}
	return v.wrong("%q is not a state of an operation: %s", clip(v.text), hint(v.text, states...))
}

// setRegexp compiles a regular expression that takes no notice of case.
func (t *Term) setRegexp(v literal) error {
	switch {
	case v.text == "":
		return v.wrong("there is nothing between these slashes")
	case len(v.text) > maxRegexp:
		return v.wrong("a regular expression has at most %d bytes, this one has %d", maxRegexp, len(v.text))
	}
	tree, err := syntax.Parse(v.text, syntax.Perl|syntax.FoldCase)
	if err != nil {
		return v.wrongRegexp(err)
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil || len(program.Inst) > maxRegexpSize {
		return v.wrong("this regular expression is too large: its repetitions make %d steps of it, and %d are allowed", len(program.Inst), maxRegexpSize)
	}
	t.Regexp, err = regexp.Compile("(?i)" + v.text)
	if err != nil {
		return v.wrongRegexp(err)
	}
	return nil
}

// wrongRegexp marks the part of a regular expression that the error is about, where it
// can be told which.
func (v literal) wrongRegexp(err error) error {
	var bad *syntax.Error
	if !errors.As(err, &bad) {
		return v.wrong("this regular expression is not valid: %v", err)
	}
	if at := strings.Index(v.text, bad.Expr); bad.Expr != "" && at == strings.LastIndex(v.text, bad.Expr) {
		start := v.start + len("/") + at
		return span{start, start + len(bad.Expr)}.wrong("%s in a regular expression", bad.Code)
	}
	return v.wrong("%s in a regular expression", bad.Code)
}
