package demo

import (
	"fmt"
	"strings"

	"redial/ledger"
)

// matches reports whether the vendor got exactly the requests that these attempts stand
// for, in that order. An attempt that was not sent stands for none. One that was answered
// stands for a request that was answered with the same status, and before it for as many
// unanswered ones as net/http sent again by itself. One whose outcome is unknown stands
// for as many as it was put on a connection, or for fewer: that is what unknown means.
func matches(attempts []ledger.Attempt, got []request) bool {
	if len(attempts) == 0 {
		return len(got) == 0
	}
	a := &attempts[0]
	for n := range min(mostSends(a), len(got)) + 1 {
		if standsFor(a, got[:n]) && matches(attempts[1:], got[n:]) {
			return true
		}
	}
	return false
}

// mostSends returns how many requests an attempt can stand for.
func mostSends(a *ledger.Attempt) int {
	if a.Outcome == ledger.NotSent {
		return 0
	}
	return max(a.WireSends, 1)
}

func standsFor(a *ledger.Attempt, got []request) bool {
	if a.Outcome != ledger.Answered {
		return true // Not sent is at most none, and unknown is any.
	}
	if len(got) == 0 || got[len(got)-1].Status != a.Status {
		return false
	}
	for _, hidden := range got[:len(got)-1] {
		if hidden.Status != 0 {
			return false
		}
	}
	return true
}

// attemptWords and requestWords put both sides of a comparison into words.
func attemptWords(attempts []ledger.Attempt) string {
	words := make([]string, len(attempts))
	for i, a := range attempts {
		words[i] = a.Outcome.String()
		if a.Outcome == ledger.Answered {
			words[i] = fmt.Sprint(a.Status)
		}
		if a.WireSends > 1 {
			words[i] += fmt.Sprintf(" in %d sends", a.WireSends)
		}
		if a.Outcome == ledger.NoOutcome {
			words[i] = "cut off"
		}
	}
	return listed(words)
}

func requestWords(got []request) string {
	words := make([]string, len(got))
	for i, r := range got {
		words[i] = "one without an answer"
		if r.Status != 0 {
			words[i] = fmt.Sprint(r.Status)
		}
	}
	return listed(words)
}

func listed(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}
