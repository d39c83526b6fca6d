package db_test

import (
	"context"
	"reflect"
	"slices"
	"testing"
	"time"

	"redial/ledger"
)

// rollupsOf sums calls up in the plainest way.
func rollupsOf(list []ledger.Call) []ledger.Rollup {
	type key struct {
		session ledger.SessionID
		second  int64
		host    string
	}
	sums := map[key]*ledger.Rollup{}
	for i := range list {
		c := &list[i]
		k := key{c.ID.Session(), c.Started.Add(c.Took).Unix(), c.Host}
		r := sums[k]
		if r == nil {
			r = &ledger.Rollup{Session: k.session, Second: k.second, Host: k.host}
			sums[k] = r
		}
		r.Calls++
		r.Attempts += int64(c.Attempts)
		if c.Attempts > 1 {
			r.Retried++
		}
		nothing := len(c.AttemptList) > 0 && c.AttemptList[0].Reason == ledger.LookUp && (c.Status == 404 || c.Status == 410)
		if c.Status == 0 || c.Status >= 400 && !nothing || c.Error != "" {
			r.Failed++
		}
		if c.Outcome == ledger.Unknown {
			r.Unknown++
		}
		for _, w := range c.Waits {
			r.Waited[w.Kind] += w.Took
		}
		r.Latency.Add(c.Took)
	}
	flat := []ledger.Rollup{}
	for _, r := range sums {
		flat = append(flat, *r)
	}
	sortRollups(flat)
	return flat
}

// sortRollups puts rollups of one second, whose order is not promised, in one.
func sortRollups(list []ledger.Rollup) {
	slices.SortFunc(list, func(a, b ledger.Rollup) int {
		switch {
		case a.Second != b.Second:
			return int(a.Second - b.Second)
		case a.Session != b.Session:
			return int(a.Session - b.Session)
		case a.Host < b.Host:
			return -1
		}
		return 1
	})
}

func TestRollupsAreTheSumOfTheCalls(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	var all []ledger.Call
	for s := ledger.SessionID(1); s <= 2; s++ {
		enrol(t, d, session("checkout"))
		list := mixed(s, 500)
		for i := range list { // crowd them into a minute, and bring them out of order
			list[i].Started = start.Add(time.Duration(i*7919%60000) * time.Millisecond)
		}
		for batch := range slices.Chunk(list, 13) {
			write(t, d, &ledger.Batch{Session: s, Calls: batch})
		}
		all = append(all, list...)
	}
	want := rollupsOf(all)
	got, err := d.Rollups(context.Background(), nil, start.Add(-time.Hour), start.Add(time.Hour))
	if !slices.IsSortedFunc(got, func(a, b ledger.Rollup) int { return int(a.Second - b.Second) }) {
		t.Error("they are not in order")
	}
	sortRollups(got)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("there are %d rollups (%v), want %d", len(got), err, len(want))
	}
	from, to := start.Add(10*time.Second), start.Add(20*time.Second)
	want = slices.DeleteFunc(want, func(r ledger.Rollup) bool {
		return r.Session != 2 || r.Second < from.Unix() || r.Second > to.Unix() // to lies within a second, which counts
	})
	got, err = d.Rollups(context.Background(), []ledger.SessionID{2}, from, to)
	sortRollups(got)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("there are %d rollups of ten seconds (%v), want %d", len(got), err, len(want))
	}
}

func TestARollupThatWasForgottenIsAddedTo(t *testing.T) {
	d := open(t, newFile(t))
	s := enrol(t, d, session("checkout"))
	var all []ledger.Call
	add := func(list ...ledger.Call) {
		t.Helper()
		write(t, d, &ledger.Batch{Session: s, Calls: list})
		all = append(all, list...)
	}
	add(plainCall(s, 1))
	if err := d.Write(context.Background(), &ledger.Batch{Session: s, Calls: []ledger.Call{plainCall(s, 2), plainCall(s+1, 1)}}); err == nil {
		t.Fatal("a call of another session is accepted")
	}
	late := plainCall(s, 2) // after a failure, nothing is remembered
	late.Started = start.Add(time.Second)
	add(late)
	var many []ledger.Call
	for n := range int64(5000) { // more than are remembered
		many = append(many, plainCall(s, n+3))
	}
	add(many...)
	for n := range int64(10) {
		late := plainCall(s, 6000+n)
		late.Started = start.Add(time.Duration(n) * time.Second)
		add(late)
	}
	want := rollupsOf(all)
	got, err := d.Rollups(context.Background(), nil, start, start.Add(3*time.Hour))
	sortRollups(got)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("there are %d rollups (%v), want %d", len(got), err, len(want))
	}
}
