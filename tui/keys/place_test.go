package keys

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"charm.land/bubbles/v2/key"
)

// TestAKeyIsCheckedWhereTheCodeMatchesIt reads which bindings each part of the dashboard
// matches keys against: all of them have to be known for the place where that is, or a key
// that is bound twice there would not be found.
func TestAKeyIsCheckedWhereTheCodeMatchesIt(t *testing.T) {
	for folder, names := range map[string][]string{
		"live":     {"the calls", "the detail of a call"},
		"detail":   {"the detail of a call"},
		"timeline": {"the timeline", "the filter"},
		"pending":  {"the pending operations"},
		"windows":  {"the windows"},
		"hosts":    {"the hosts"},
		"sessions": {"the sessions"},
		"dialog":   {"a dialog"},
		"clip":     {"the copy menu"},
		"filter":   {"the filter", "the calls"}, // its bar also opens it on a screen
	} {
		m := Default()
		var known []*key.Binding
		for _, p := range m.places() {
			if slices.Contains(names, p.name) {
				known = append(known, p.keys...)
			}
		}
		matched := matches(t, filepath.Join("..", folder, "*.go"))
		if len(matched) < 3 {
			t.Errorf("%s matches only %q: the test does not look where it should", folder, matched)
		}
		for _, field := range matched {
			b, ok := reflect.ValueOf(m).Elem().FieldByName(field).Addr().Interface().(*key.Binding)
			if !ok || !slices.Contains(known, b) {
				t.Errorf("%s matches %s, which is not known to be in force in %s", folder, field, strings.Join(names, " or "))
			}
		}
	}
}

// TestAKeyThatHoldsOnEveryScreenIsCheckedOnEach does the same for what is matched before any
// screen is asked.
func TestAKeyThatHoldsOnEveryScreenIsCheckedOnEach(t *testing.T) {
	m := Default()
	matched := slices.Concat(matches(t, "../input.go"), matches(t, "../filters.go"))
	if len(matched) < 8 {
		t.Fatalf("only %q are matched: the test does not look where it should", matched)
	}
	for _, p := range m.places()[:screens] {
		for _, field := range matched {
			if b := reflect.ValueOf(m).Elem().FieldByName(field).Addr().Interface().(*key.Binding); !slices.Contains(p.keys, b) {
				t.Errorf("%s is not known to be in force in %s", field, p.name)
			}
		}
	}
}

// screens is how many places are screens; they come first.
const screens = 7

// matches returns the names of the bindings that the code in files matches keys against.
func matches(t *testing.T, pattern string) (fields []string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || !selects(call.Fun, "key", "Matches") {
				return true
			}
			for _, arg := range call.Args[1:] {
				if s, ok := arg.(*ast.SelectorExpr); ok && (selects(s, "km", s.Sel.Name) || ofKeys(s.X)) {
					fields = append(fields, s.Sel.Name)
				}
			}
			return true
		})
	}
	return fields
}

// selects reports whether an expression is x.name.
func selects(e ast.Expr, x, name string) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, ok := s.X.(*ast.Ident)
	return ok && of.Name == x && s.Sel.Name == name
}

// ofKeys reports whether an expression ends in .Keys or .keys.
func ofKeys(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && strings.EqualFold(s.Sel.Name, "keys")
}
