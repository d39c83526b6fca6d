package demo

import (
	"testing"

	"redial/ledger"
)

func TestAttemptsMatchTheRequestsThatTheyStandFor(t *testing.T) {
	answered := func(status, sends int) ledger.Attempt {
		return ledger.Attempt{Outcome: ledger.Answered, Status: status, WireSends: sends}
	}
	unknown := ledger.Attempt{Outcome: ledger.Unknown, WireSends: 1}
	notSent := ledger.Attempt{Outcome: ledger.NotSent}
	got := func(statuses ...int) (list []request) {
		for _, s := range statuses {
			list = append(list, request{Status: s})
		}
		return list
	}
	for _, test := range []struct {
		name     string
		attempts []ledger.Attempt
		got      []request
		want     bool
	}{
		{"nothing was tried and nothing came", nil, nil, true},
		{"nothing was tried and something came", nil, got(200), false},
		{"one answer", []ledger.Attempt{answered(200, 1)}, got(200), true},
		{"one answer of a base that does not count", []ledger.Attempt{answered(200, 0)}, got(200), true},
		{"another status", []ledger.Attempt{answered(200, 1)}, got(500), false},
		{"an answer that nobody gave", []ledger.Attempt{answered(200, 1)}, nil, false},
		{"a request too many", []ledger.Attempt{answered(200, 1)}, got(200, 200), false},
		{"a request too many, unanswered", []ledger.Attempt{answered(200, 1)}, got(0, 200), false},
		{"sent again by net/http", []ledger.Attempt{answered(200, 2)}, got(0, 200), true},
		{"sent again by net/http, the first never arrived", []ledger.Attempt{answered(200, 2)}, got(200), true},
		{"sent again by net/http after an answer", []ledger.Attempt{answered(200, 2)}, got(503, 200), false},
		{"retried", []ledger.Attempt{answered(503, 1), answered(503, 1), answered(201, 1)}, got(503, 503, 201), true},
		{"retried, in another order", []ledger.Attempt{answered(503, 1), answered(201, 1)}, got(201, 503), false},
		{"retried, one not on record", []ledger.Attempt{answered(503, 1), answered(201, 1)}, got(503, 503, 201), false},
		{"unknown and arrived", []ledger.Attempt{unknown}, got(0), true},
		{"unknown and answered in vain", []ledger.Attempt{unknown}, got(200), true},
		{"unknown and never arrived", []ledger.Attempt{unknown}, nil, true},
		{"unknown and arrived twice", []ledger.Attempt{unknown}, got(0, 0), false},
		{"lost, then answered", []ledger.Attempt{unknown, answered(201, 1)}, got(0, 201), true},
		{"lost on the way there, then answered", []ledger.Attempt{unknown, answered(201, 1)}, got(201), true},
		{"not sent", []ledger.Attempt{notSent, notSent}, nil, true},
		{"not sent, and yet it came", []ledger.Attempt{notSent}, got(0), false},
		{"not sent, then answered", []ledger.Attempt{notSent, answered(200, 1)}, got(200), true},
		{"cut off while it ran", []ledger.Attempt{{}}, got(0), true},
	} {
		if matches(test.attempts, test.got) != test.want {
			t.Errorf("%s: recorded %s, the vendor counted %s: want match %v",
				test.name, attemptWords(test.attempts), requestWords(test.got), test.want)
		}
	}
}
