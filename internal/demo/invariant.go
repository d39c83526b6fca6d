package demo

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"redial/db"
	"redial/ledger"
)

// readOperations reads the operations of the shop, those of earlier sessions of the file too.
func (f *findings) readOperations(ctx context.Context, store *db.DB) (list []ledger.Operation, err error) {
	return store.Operations(ctx, ledger.OperationQuery{Service: shopService})
}

// addOperation counts an operation, and holds what is known of it against what the vendor
// did: what succeeded was done once, what failed was not done or was taken back, and what
// nobody knows was done once at most.
func (f *findings) addOperation(o *ledger.Operation) {
	f.operations[o.Key] = true
	name := effectOf(o)
	f.asked[name] = true
	if o.Created.Before(f.session.Started) && o.Updated.Before(f.session.Started) {
		return // of an earlier session, and of another vendor
	}
	old := o.Created.Before(f.session.Started)
	if o.Compensates != "" {
		f.addUndoing(o, name, old)
		return
	}
	done := f.account.stands(name)
	f.summary.addOperation(o, done)
	switch {
	case o.State == ledger.OpSucceeded && f.account.Undone[name] > 0: // until a lookup shows it
	case o.State == ledger.OpSucceeded && done == 0 && !old:
		f.differ("operation %s succeeded%s, and the vendor did not do %+q", o.Key, saidBy(o), name)
	case o.State == ledger.OpFailed && done > 0:
		f.differ("operation %s failed%s, and the vendor did %+q", o.Key, saidBy(o), name)
	}
	if !old {
		f.deeds++
	}
}

// addUndoing counts an operation that undoes another one. A person asked for it, and not the
// shop.
func (f *findings) addUndoing(o *ledger.Operation, name string, old bool) {
	f.askedBack[name] = true
	undone := f.account.Undone[name]
	f.summary.addOperation(o, undone)
	switch {
	case o.State == ledger.OpSucceeded && undone == 0 && !old:
		f.differ("operation %s succeeded%s, and the vendor did not take %+q back", o.Key, saidBy(o), name)
	case o.State == ledger.OpFailed && undone > 0:
		f.differ("operation %s failed%s, and the vendor took %+q back", o.Key, saidBy(o), name)
	}
}

// saidBy names the person who spoke the final word on an operation, if one did.
func saidBy(o *ledger.Operation) string {
	if o.SettledBy.Kind != ledger.Person {
		return ""
	}
	return fmt.Sprintf(" by the word of %+q", o.SettledBy.Name)
}

// effectOf returns how the vendor names what an operation does: by its API, and by the
// business number in its body.
func effectOf(o *ledger.Operation) string {
	_, host, _ := strings.Cut(o.URL, "://")
	host, _, _ = strings.Cut(host, "/")
	return strings.TrimSuffix(hostname(host), domain) + " " + o.Ref
}

// compareOperations compares what does not belong to a single operation: that what the
// vendor did was asked for, and that each intent is on record.
func (f *findings) compareOperations() {
	for _, name := range slices.Sorted(maps.Keys(f.account.Effects)) {
		api, _, _ := strings.Cut(name, " ")
		if a := apis()[api]; a != nil && a.find != nil && !f.asked[name] {
			f.differ("the vendor did %+q, and no operation on record asked for it", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.account.Undone)) {
		if !f.askedBack[name] {
			f.differ("the vendor took %+q back, and no operation on record asked for it", name)
		}
	}
	if f.report.Calls != nil && f.report.Deeds != f.deeds {
		f.differ("operations: the shop began %d, and %d are on record", f.report.Deeds, f.deeds)
	}
}

// addOperation counts an operation, and lists it if it is not settled.
func (s *Summary) addOperation(o *ledger.Operation, done int) {
	s.Operations[o.State.String()]++
	s.Lookups += o.Lookups
	if o.State.Open() {
		s.Unsettled = append(s.Unsettled, Unsettled{Key: o.Key, Name: o.Name, State: o.State.String(), Effects: done, LastError: o.LastError})
	}
}

// byState sorts what is not settled: what waits for a person first.
func (s *Summary) byState() {
	slices.SortStableFunc(s.Unsettled, func(a, b Unsettled) int {
		return cmp.Compare(slices.Index(unsettledStates[:], a.State), slices.Index(unsettledStates[:], b.State))
	})
}

// unsettledStates are the states that are not final, in the order in which they are listed.
var unsettledStates = [...]string{"disputed", "pending", "checking", "backing-off", "sending", "prepared"}
