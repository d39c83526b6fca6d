package settings_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"redial/internal/settings"
)

// placed reads a text in which every key is unknown but a, b and c, which take anything.
func placed(text string, known settings.Fields) error {
	return settings.Read("f.toml", text, func(r *settings.Reader, tree settings.Tree) error { return r.Take(tree, known) })
}

func TestAValueIsFoundWhereverTOMLLetsItStand(t *testing.T) {
	for text, want := range map[string]string{
		"a.b.c = 1":                "1:9",
		"a.b.\"c\" = 1":            "1:11",
		"[a]\nb.c = 1":             "2:7",
		"[a.b]\n# c = 2\nc = 1":    "3:5",
		"[ a . 'b' ]\n  c =\t1":    "2:7",
		"a = { b = { c = 1 } }":    "1:17",
		"[a]\nb = {c=1}":           "2:8",
		"[a]\nb = {\"\\u0063\"=1}": "2:15",
		"x = \"\"\"\n[a.b]\nc = 2\"\"\"\n[a.b]\nc = 1": "5:5",
		"x = 'a # b'\n[a.b] # c\nc = 1":                "3:5",
		"x = [\n 1, # ]\n \"]\",\n]\na.b.c = 1":        "5:9",
		"x = 1979-05-27T07:32:00Z\r\na.b.c = 1\r\n":    "2:9",
		"x = '''it''s'''''\na.b.c = 1":                 "2:9",
		"x = \"a\\\\\"\na.b.c = 1":                     "2:9",
		"é = 1\na.b.c = 1":                             "",
	} {
		any := func(*settings.Reader, string, any) error { return nil }
		err := placed(text, settings.Fields{"x": any, "a": settings.Table(settings.Fields{"b": settings.Table(settings.Fields{"c": settings.Text(new(string))})})})
		var wrong *settings.Error
		if want == "" { // é is no bare key
			if !errors.As(err, &wrong) || wrong.Line != 1 {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if !errors.As(err, &wrong) || fmt.Sprintf("%d:%d", wrong.Line, wrong.Column) != want || wrong.Field != "a.b.c" {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestKeysThatNeedQuotesHavePathsOfTheirOwn(t *testing.T) {
	for _, c := range []struct{ path, name, want string }{
		{"", "a", "a"}, {"a", "b-c_1", "a.b-c_1"}, {"a", "b.c", `a."b.c"`}, {"a", "", `a.""`},
		{"origins", "https://a.test", `origins."https://a.test"`}, {"a", "\x1b\"", `a."\x1b\""`},
	} {
		if got := settings.Join(c.path, c.name); got != c.want {
			t.Errorf("%q in %q is %s, want %s", c.name, c.path, got, c.want)
		}
	}
	err := placed("[a]\n\"b.c\" = 1\nb = { c = 2 }", settings.Fields{"a": settings.Table(settings.Fields{
		"b.c": settings.Integer(new(int)), "b": settings.Table(settings.Fields{"c": settings.Text(new(string))}),
	})})
	if want := "f.toml:3:11: a.b.c is 2: make it a string"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestWhatIsInEachOtherTooDeeplyIsRefusedAtOnce(t *testing.T) {
	for name, text := range map[string]string{
		"arrays": "a = " + strings.Repeat("[", 33), "tables": "a = " + strings.Repeat("{b=", 33), "names": "[" + strings.Repeat("a.", 33) + "b]", "a key": strings.Repeat("a.", 33) + "b = 1",
	} {
		err := placed(text, nil)
		var wrong *settings.Error
		if !errors.As(err, &wrong) || wrong.Text != "there are too many tables or arrays in each other here: no setting needs them" {
			t.Errorf("%s: %v", name, err)
		}
	}
	text := "a = '" + strings.Repeat("[", 100) + "' # " + strings.Repeat("[", 100) + "\n" + `b = ["` + strings.Repeat(".", 100) + `"]` + "\n"
	fields := settings.Fields{"a": settings.Text(new(string)), "b": settings.List(new([]string), settings.Text)}
	if err := placed(text, fields); err != nil {
		t.Errorf("in strings and comments: %v", err)
	}
}
