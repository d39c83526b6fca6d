package operation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"redial/ledger"
)

// match compares a found answer with what the lookup expects of it.
func match(in *ledger.Intent, l *ledger.Lookup, body []byte) (ledger.Verdict, string, error) {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var doc any
	if err := d.Decode(&doc); err != nil {
		return 0, "", errNotJSON
	}
	if l.Count != "" {
		n, err := count(doc, l.Count)
		switch {
		case err != nil:
			return 0, "", err
		case n == 0:
			return ledger.FoundNothing, ", none there", nil
		case n > 1:
			return ledger.FoundTwice, fmt.Sprintf(", %d there", n), nil
		}
	}
	for _, m := range l.Match {
		want := in.FillText(m.Value)
		at, ok := point(doc, m.Pointer)
		if got := scalar(at); !ok || got != want {
			return ledger.FoundOther, fmt.Sprintf(", with %s %q instead of %q", m.Pointer, got, want), nil
		}
	}
	return ledger.FoundMatching, "", nil
}

// count returns how many there are: the length of an array, or a number.
func count(doc any, pointer string) (int, error) {
	at, _ := point(doc, pointer)
	switch v := at.(type) {
	case []any:
		return len(v), nil
	case json.Number:
		if n, err := strconv.Atoi(v.String()); err == nil && n >= 0 {
			return n, nil
		}
	}
	return 0, fmt.Errorf("%s is neither an array nor a number", pointer)
}

// point returns what a JSON pointer (RFC 6901) points at.
func point(doc any, pointer string) (any, bool) {
	if pointer == "" {
		return doc, true
	}
	unescape := strings.NewReplacer("~1", "/", "~0", "~")
	for _, token := range strings.Split(pointer[1:], "/") {
		token = unescape.Replace(token)
		switch v := doc.(type) {
		case map[string]any:
			next, ok := v[token]
			if !ok {
				return nil, false
			}
			doc = next
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) || token != strconv.Itoa(i) {
				return nil, false
			}
			doc = v[i]
		default:
			return nil, false
		}
	}
	return doc, true
}

// scalar returns a string, a number or a boolean as it is written, "" for anything else.
func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}
