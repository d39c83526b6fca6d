package ledger

import (
	"slices"
	"strings"
	"testing"
)

func TestEveryKeyThatIsListedIsOneThatTheParserKnows(t *testing.T) {
	keys := FilterKeys()
	if len(keys) != len(keyNames)-1 {
		t.Errorf("%d keys are listed, and there are %d", len(keys), len(keyNames)-1)
	}
	if !slices.IsSortedFunc(keys, func(a, b Key) int { return strings.Compare(a.String(), b.String()) }) {
		t.Errorf("the keys are not listed by name: %v", keys)
	}
}

func TestTheWordsOfAKeyAreAllThatItTakes(t *testing.T) {
	for _, key := range FilterKeys() {
		words := key.Words()
		for _, w := range words {
			if _, err := ParseFilter(key.String() + ":" + w); err != nil {
				t.Errorf("%s:%s: %v", key, w, err)
			}
		}
		if _, err := ParseFilter(key.String() + ":qqqqq"); words != nil && err == nil {
			t.Errorf("%s takes qqqqq, which is none of its words", key)
		}
	}
}

func TestAKeyOfCallsAloneSelectsNoOperation(t *testing.T) {
	for _, key := range FilterKeys() {
		if key.OfOperations() {
			continue
		}
		value := "1"
		if w := key.Words(); w != nil {
			value = w[len(w)-1]
		} else if key == KeyWaited {
			value = ">=0s"
		}
		f := mustParse(t, key.String()+":"+value)
		if f.MatchOperation(new(Operation), Env{}) {
			t.Errorf("%s selects an operation", f.Text)
		}
		if !key.OfCalls() {
			t.Errorf("%s is of nothing", key)
		}
	}
}
