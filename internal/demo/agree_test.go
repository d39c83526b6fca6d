package demo

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"redial/ledger"
)

// sabotage falsifies one side of a demo that agreed, in every way there is, and wants
// each of them to be noticed.
func sabotage(t *testing.T, honest *findings, calls []ledger.Call, lives []life) {
	for _, test := range []struct {
		name  string
		spoil func(*findings, []ledger.Call) []ledger.Call
		words string
	}{
		{"nothing is spoiled", func(_ *findings, c []ledger.Call) []ledger.Call { return c }, ""},
		{"a call is not on record", func(_ *findings, c []ledger.Call) []ledger.Call {
			return slices.Delete(c, answeredOnce(c), answeredOnce(c)+1)
		}, "no call on record sent it"},
		{"an attempt is not on record", func(_ *findings, c []ledger.Call) []ledger.Call {
			i := retried(c)
			c[i].AttemptList = slices.Delete(slices.Clone(c[i].AttemptList), 0, 1)
			return c
		}, "recorded as"},
		{"an attempt is on record twice", func(_ *findings, c []ledger.Call) []ledger.Call {
			i := answeredOnce(c)
			c[i].AttemptList = append(slices.Clone(c[i].AttemptList), c[i].AttemptList[0])
			return c
		}, "recorded as"},
		{"another status is on record", func(_ *findings, c []ledger.Call) []ledger.Call {
			i := answeredOnce(c)
			c[i].AttemptList = slices.Clone(c[i].AttemptList)
			c[i].AttemptList[0].Status = 299
			return c
		}, "recorded as 299"},
		{"a request was not counted by the vendor", func(f *findings, c []ledger.Call) []ledger.Call {
			i := slices.IndexFunc(f.account.Requests, func(r request) bool { return r.Status == 200 })
			f.account.Requests = slices.Delete(f.account.Requests, i, i+1)
			return c
		}, "the vendor counted"},
		{"a request came from somewhere else", func(f *findings, c []ledger.Call) []ledger.Call {
			f.account.Requests = append(f.account.Requests, request{Host: "rates" + domain, ID: "rates-9999", Status: 200})
			return c
		}, "rates-9999"},
		{"an order was made twice", func(f *findings, c []ledger.Call) []ledger.Call {
			f.account.Effects["orders order-8838"] = 2
			return c
		}, "done 2 times"},
		{"an operation was done twice", func(f *findings, c []ledger.Call) []ledger.Call {
			f.account.Effects["pay order-8838"]++
			return c
		}, `done 2 times instead of once: "pay order-8838"`},
		{"the effect of an operation was lost", func(f *findings, c []ledger.Call) []ledger.Call {
			delete(f.account.Effects, "orders order-8838")
			return c
		}, `operation order-8838 succeeded, and the vendor did not do "orders order-8838"`},
		{"what succeeded was taken back, and nobody asked for it", func(f *findings, c []ledger.Call) []ledger.Call {
			f.account.Undone["stock order-8839"] = 1
			return c
		}, "the vendor took \"stock order-8839\" back, and no operation on record asked for it"},
		{"something was done that no operation asked for", func(f *findings, c []ledger.Call) []ledger.Call {
			f.account.Effects["pay order-1"] = 1
			return c
		}, `the vendor did "pay order-1", and no operation on record asked for it`},
		{"an intent is not on record", func(f *findings, c []ledger.Call) []ledger.Call {
			f.report.Deeds++
			return c
		}, "operations: the shop began"},
		{"a send of an operation is not on record", func(_ *findings, c []ledger.Call) []ledger.Call {
			i := slices.IndexFunc(c, func(c ledger.Call) bool { return strings.HasPrefix(c.Key, "order-") && c.Status == 201 })
			return slices.Delete(c, i, i+1)
		}, "orders.example.test orders-"},
		{"a limit was exceeded", func(f *findings, c []ledger.Call) []ledger.Call {
			f.account.Violations = []string{"quota-0004 came too early"}
			return c
		}, "quota-0004"},
		{"the recorder lost a call", func(f *findings, c []ledger.Call) []ledger.Call {
			f.report.Counters.QueueFull++
			return c
		}, "calls that could not be written: 1"},
		{"the shop made a call more", func(f *findings, c []ledger.Call) []ledger.Call {
			f.report.Calls["slow"+domain]++
			return c
		}, "calls to slow.example.test: the shop made"},
		{"the shop knows of no call to a host", func(f *findings, c []ledger.Call) []ledger.Call {
			delete(f.report.Calls, "slow"+domain)
			return c
		}, "calls to slow.example.test: the shop made 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := honest.copy()
			s := f.compare(test.spoil(f, slices.Clone(calls)), lives)
			words := strings.Join(s.Differences, "\n")
			if s.Agree != (test.words == "") || !strings.Contains(words, test.words) {
				t.Errorf("agree %v, differences:\n%s", s.Agree, words)
			}
		})
	}
}

// copy returns the findings before they were compared.
func (f *findings) copy() *findings {
	return &findings{session: f.session, account: account{
		Requests: slices.Clone(f.account.Requests), Effects: maps.Clone(f.account.Effects), Undone: map[string]int{},
	}, report: report{Calls: maps.Clone(f.report.Calls), Deeds: f.report.Deeds}}
}

// compare sums up calls and operations that were read before.
func (f *findings) compare(calls []ledger.Call, lives []life) Summary {
	f.prepare()
	for i := range lives {
		f.addOperation(&lives[i].Operation)
	}
	for i := range calls {
		f.addCall(&calls[i])
	}
	f.compareRest()
	return f.close()
}

// answeredOnce returns a call of the shop's own that was answered at once.
func answeredOnce(calls []ledger.Call) int {
	return slices.IndexFunc(calls, func(c ledger.Call) bool {
		return c.Key == "" && len(c.AttemptList) == 1 && c.AttemptList[0].Outcome == ledger.Answered
	})
}

func retried(calls []ledger.Call) int {
	return slices.IndexFunc(calls, func(c ledger.Call) bool {
		return len(c.AttemptList) > 1 && c.AttemptList[0].Outcome == ledger.Answered
	})
}
