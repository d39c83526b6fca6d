package phrase

import (
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

func TestWhySomethingWasSentTwiceFollowsFromTheFirstOfTheTwo(t *testing.T) {
	call := func(status int, second int, kind ledger.DuplicateKind) *ledger.Call {
		c := &ledger.Call{Status: status, Started: time.Unix(int64(second), 0)}
		c.Duplicate.Kind = kind
		return c
	}
	for _, c := range []struct {
		name     string
		c, other *ledger.Call
		want     []string
	}{
		{"the first got no answer", call(0, 1, ledger.NoKey), call(202, 2, ledger.NoKey), []string{"the first got no answer;", "without a key"}},
		{"seen from the second", call(202, 2, ledger.NoKey), call(503, 1, ledger.NoKey), []string{"the first was answered with 503;", "without a key"}},
		{"with two keys", call(202, 2, ledger.TwoKeys), call(0, 1, ledger.TwoKeys), []string{"the first got no answer;", "a new key"}},
		{"the other is not there", call(202, 2, ledger.NoKey), nil, nil},
		{"on the wire", call(202, 2, ledger.WireTwice), call(202, 2, ledger.WireTwice), nil},
	} {
		got := WhyTwice(c.c, c.other)
		if (got == "") != (c.want == nil) {
			t.Errorf("%s: %q", c.name, got)
		}
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q does not say %q", c.name, got, w)
			}
		}
	}
}
