package db_test

import (
	"context"
	"testing"

	"redial/ledger"
)

// kindOf returns how a call was sent twice, as it is read whole and as it is listed.
func kindOf(t *testing.T, d interface {
	Call(context.Context, ledger.CallID) (ledger.Call, error)
	Calls(context.Context, ledger.Query) ([]ledger.Call, error)
}, id ledger.CallID) ledger.Duplicate {
	t.Helper()
	c, err := d.Call(context.Background(), id)
	if err != nil {
		t.Fatal(err)
	}
	list, err := d.Calls(context.Background(), ledger.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		if list[i].ID == id && list[i].Duplicate != c.Duplicate {
			t.Errorf("%s is %+v in the list and %+v whole", id, list[i].Duplicate, c.Duplicate)
		}
	}
	return c.Duplicate
}

func TestBothCallsOfAPairNameEachOther(t *testing.T) {
	d := open(t, newFile(t))
	before, s := enrol(t, d, session("checkout")), enrol(t, d, session("checkout"))
	write(t, d, &ledger.Batch{Session: before, Calls: []ledger.Call{plainCall(before, 1)}})
	write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{plainCall(s, 1), plainCall(s, 2), plainCall(s, 3), plainCall(s, 4)}})
	old, first, second, third, none := ledger.NewCallID(before, 1), ledger.NewCallID(s, 1), ledger.NewCallID(s, 2), ledger.NewCallID(s, 3), ledger.NewCallID(s, 4)
	b := &ledger.Batch{Session: s, Duplicates: []ledger.Duplicate{
		{Call: first, Other: old, Kind: ledger.NoKey},
		{Call: second, Other: second, Kind: ledger.WireTwice},
		{Call: second, Other: first, Kind: ledger.NoKey},
		{Call: third, Other: second, Kind: ledger.TwoKeys},
		{Call: third, Other: third, Kind: ledger.WireTwice},
	}}
	write(t, d, b)
	write(t, d, b) // as after a failure that was none
	for id, want := range map[ledger.CallID]ledger.Duplicate{
		old:    {Call: old, Other: first, Kind: ledger.NoKey},
		first:  {Call: first, Other: old, Kind: ledger.NoKey},
		second: {Call: second, Other: first, Kind: ledger.NoKey},
		third:  {Call: third, Other: second, Kind: ledger.TwoKeys},
		none:   {},
	} {
		if got := kindOf(t, d, id); got != want {
			t.Errorf("%s is %+v, want %+v", id, got, want)
		}
	}
}

func TestADuplicateWhoseCallWasLostIsNotListed(t *testing.T) {
	d := open(t, newFile(t))
	s := enrol(t, d, session("checkout"))
	write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{plainCall(s, 1)},
		Duplicates: []ledger.Duplicate{{Call: ledger.NewCallID(s, 2), Other: ledger.NewCallID(s, 1), Kind: ledger.NoKey}}})
	if list := calls(t, d, ledger.Query{Filter: filter(t, "duplicate:yes")}); len(list) != 1 || list[0].ID.N() != 1 {
		t.Errorf("listed are %v", ids(list))
	}
}

func TestAnOlderFileHasNoDuplicates(t *testing.T) {
	d := openExisting(t, version1(t))
	for _, text := range []string{"duplicate:yes", "duplicate:no", "-duplicate:two-keys", "wait:bandwidth"} {
		if list, err := d.Calls(context.Background(), ledger.Query{Filter: filter(t, text)}); err != nil || len(list) != 0 {
			t.Errorf("%s: %v (%v)", text, ids(list), err)
		}
	}
	if _, err := d.Windows(context.Background(), nil); err != nil {
		t.Error(err)
	}
	if _, err := d.Rollups(context.Background(), nil, start, start.Add(1)); err != nil {
		t.Error(err)
	}
}
