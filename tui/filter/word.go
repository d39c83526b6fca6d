package filter

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"redial/ledger"
	"redial/tui/visible"
)

// word is the term that the cursor stands in, without what negates it.
type word struct {
	start, end int    // its bytes
	key        string // what stands before the colon; "" without one
	value      string // what stands behind it, up to the cursor; without a colon all of it
	colon      bool
}

// wordAt returns the term of a text in which a byte stands. Blanks and parentheses end a
// term unless they stand in quotes.
func wordAt(text string, at int) word {
	quoted, start, end := false, 0, len(text)
	for i, r := range text {
		switch {
		case r == '"' && (i == 0 || text[i-1] != '\\'):
			quoted = !quoted
			continue
		case quoted || !unicode.IsSpace(r) && r != '(' && r != ')':
			continue
		}
		if i >= at {
			end = i
			break
		}
		start = i + utf8.RuneLen(r)
	}
	for start < at && text[start] == '-' {
		start++
	}
	w := word{start: start, end: max(end, at), value: text[start:at]}
	if key, value, ok := strings.Cut(w.value, ":"); ok {
		w.key, w.value, w.colon = strings.ToLower(key), value, true
	}
	return w
}

// quotable is how long a value may be, in bytes, to be worth offering.
const quotable = 200

// quote returns a value as it has to be written, and whether it can be: what shows as a mark
// on the screen cannot.
func quote(value string) (string, bool) {
	if value == "" || len(value) > quotable || visible.Text(value) != value {
		return "", false
	}
	regexp := len(value) > 1 && value[0] == '/' && value[len(value)-1] == '/'
	if !regexp && !strings.ContainsAny(value, " ()\"\\\u00a0") && !strings.ContainsAny(value[:1], "<>=") {
		return value, true
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`, true
}

// about says what a key looks at, and how its values are written.
func about(k ledger.Key) string {
	switch k {
	case ledger.KeyHost:
		return "who is called; * stands for anything"
	case ledger.KeyMethod:
		return "GET, POST, …"
	case ledger.KeyPath:
		return "path:/orders/*"
	case ledger.KeyURL:
		return "anywhere in the URL"
	case ledger.KeyKey:
		return "idempotency key; key:order-*"
	case ledger.KeyError:
		return "anywhere in the error"
	case ledger.KeyService:
		return "whose calls they are"
	case ledger.KeySession:
		return "number of a session"
	case ledger.KeyStatus:
		return "503, 5xx, 400..499, or 0 for no answer"
	case ledger.KeyAttempts:
		return "how often it was tried: >1"
	case ledger.KeySends:
		return "how often it was put on the wire: >1"
	case ledger.KeyDur:
		return "how long it took: >2s, 1s..2s"
	case ledger.KeyWaited:
		return "how long it waited: >1s"
	}
	return aboutWords(k)
}

func aboutWords(k ledger.Key) string {
	switch k {
	case ledger.KeyWait:
		return "what it waited for"
	case ledger.KeyOutcome:
		return "what is known of its sending"
	case ledger.KeyRunning:
		return "whether it still runs"
	case ledger.KeyState:
		return "how far the operation is"
	case ledger.KeyLast:
		return "how far back: 5m, 2h"
	case ledger.KeyAt:
		return "time of day: 14:05..14:10"
	case ledger.KeyDuplicate:
		return "whether it was sent twice, and how"
	}
	return ""
}

// usual returns values that a key often has; all that there are where it has words.
func usual(k ledger.Key) []string {
	if words := k.Words(); words != nil {
		return words
	}
	switch k {
	case ledger.KeyMethod:
		return []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"}
	case ledger.KeyStatus:
		return []string{"5xx", "4xx", "3xx", "2xx", "0", ">=400", "200", "201", "202", "204", "304", "400", "401", "403", "404", "408", "409", "422", "425", "429", "500", "502", "503", "504"}
	case ledger.KeyAttempts, ledger.KeySends:
		return []string{">1", ">2", "1", "0"}
	case ledger.KeyDur, ledger.KeyWaited:
		return []string{">1s", ">2s", ">5s", ">100ms", ">500ms", "<100ms"}
	case ledger.KeyLast:
		return []string{"1m", "5m", "15m", "1h", "24h"}
	}
	return nil
}

// mostValues is how many values are at hand at most.
const mostValues = 50

// OfCalls returns the values of a key that calls have, the most frequent first; none for a
// key whose values are not worth to be told.
func OfCalls(k ledger.Key, calls []ledger.Call) []string {
	var value func(*ledger.Call) string
	switch k {
	case ledger.KeyHost:
		value = func(c *ledger.Call) string { return c.Host }
	case ledger.KeyPath:
		value = func(c *ledger.Call) string { return c.Path }
	case ledger.KeyKey:
		value = func(c *ledger.Call) string { return c.Key }
	case ledger.KeyError:
		value = func(c *ledger.Call) string { return c.Error }
	default:
		return nil
	}
	counts := map[string]int{}
	for i := range calls {
		counts[value(&calls[i])]++
	}
	return frequent(counts)
}

// frequent returns what was counted, the most frequent first.
func frequent(counts map[string]int) []string {
	delete(counts, "")
	all := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	return all[:min(len(all), mostValues)]
}

// OfOperations returns the values of a key that operations have, the most frequent first.
func OfOperations(k ledger.Key, ops []ledger.Operation) []string {
	counts := map[string]int{}
	for i := range ops {
		switch o := &ops[i]; k {
		case ledger.KeyKey:
			counts[o.Key]++
		case ledger.KeyService:
			counts[o.Service]++
		case ledger.KeyHost:
			if u, err := url.Parse(o.URL); err == nil {
				counts[u.Host]++
			}
		}
	}
	return frequent(counts)
}
