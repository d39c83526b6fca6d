package pending

import (
	"fmt"
	"testing"

	"redial/ledger"
)

// listed returns operations with these keys.
func listed(keys ...int) (ops []ledger.Operation) {
	for _, k := range keys {
		ops = append(ops, ledger.Operation{Intent: ledger.Intent{Service: "checkout", Key: fmt.Sprint(k)}, State: ledger.OpPending})
	}
	return ops
}

// charmbracelet/bubbles#782: the cursor stood behind the last row after rows had gone.
func TestTheSelectionBelongsToAnOperation(t *testing.T) {
	for _, c := range []struct {
		name   string
		before []int
		choose int // row
		then   []int
		keep   bool   // the selected one is known to have left
		want   string // key that is selected
		row    int
	}{
		{"others come before it", []int{1, 2, 3}, 1, []int{7, 8, 1, 2, 3}, true, "2", 3},
		{"others before it go", []int{1, 2, 3}, 2, []int{3}, true, "3", 0},
		{"it leaves and is kept in its row", []int{1, 2, 3}, 1, []int{1, 3}, true, "2", 1},
		{"it leaves for good", []int{1, 2, 3}, 1, []int{1, 3}, false, "3", 1},
		{"the last one leaves for good", []int{1, 2, 3}, 2, []int{1, 2}, false, "2", 1},
		{"all leave and it is kept", []int{1, 2, 3}, 2, nil, true, "3", 0},
		{"all leave for good", []int{1, 2, 3}, 2, nil, false, "", -1},
		{"the first ones come", nil, 0, []int{1, 2}, false, "1", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newList()
			l.resize(3)
			l.set(listed(c.before...), nil)
			l.move(c.choose)
			var keep *ledger.Operation
			if o := l.selected(); o != nil && c.keep {
				now := *o
				keep = &now
			}
			l.set(listed(c.then...), keep)
			if l.chosen.Key != c.want || l.cursor != c.row {
				t.Errorf("%q is selected in row %d, want %q in row %d", l.chosen.Key, l.cursor, c.want, c.row)
			}
			if from, to := l.inSight(); l.cursor >= 0 && (l.cursor < from || l.cursor >= to) {
				t.Errorf("row %d is not in sight, %d to %d are", l.cursor, from, to)
			}
		})
	}
}

func TestWhatIsKeptGoesWithTheSelection(t *testing.T) {
	l := newList()
	l.resize(5)
	l.set(listed(1, 2, 3), nil)
	l.move(1)
	kept := *l.selected()
	l.set(listed(1, 3), &kept)
	l.move(1)
	if l.chosen.Key != "3" || len(l.ops) != 2 {
		t.Errorf("%q of %d is selected, want 3 of 2", l.chosen.Key, len(l.ops))
	}
}

func TestMarksGoWithTheirOperations(t *testing.T) {
	l := newList()
	l.resize(5)
	l.set(listed(1, 2, 3), nil)
	l.mark()
	l.mark()
	l.set(listed(2, 3), nil)
	if got := l.marked(); len(got) != 1 || got[0].Key != "2" {
		t.Errorf("marked is %v", got)
	}
}

func TestWithoutARedactorNothingSecretIsShown(t *testing.T) {
	o := ledger.Operation{Intent: ledger.Intent{
		URL: "https://ana:pw@pay.example.test/charges?token=s3cret", Body: []byte("s3cret"),
		Header: []ledger.Field{{Name: "X-Token", Value: "s3cret"}},
		Lookup: &ledger.Lookup{URL: "https://pay.example.test/charges/{key}?token=s3cret", Header: []ledger.Field{{Name: "X-Token", Value: "s3cret"}}},
		Undo:   &ledger.Undo{Method: "POST", URL: "https://pay.example.test/undo/{key}", Body: []byte("s3cret")},
	}, Result: &ledger.Result{Body: []byte("s3cret")}}
	shown := Redact{}.operation(&o)
	if shown.URL != "https://pay.example.test/charges?…" || shown.Undo.URL != "https://pay.example.test/undo/{key}" || shown.Lookup.URL != "https://pay.example.test/charges/{key}?…" {
		t.Errorf("shown are %q, %q and %q", shown.URL, shown.Undo.URL, shown.Lookup.URL)
	}
	if shown.Body != nil || shown.Header != nil || shown.Result != nil || shown.Lookup.Header != nil || shown.Undo.Body != nil {
		t.Errorf("shown is %+v", shown)
	}
	if o.Body == nil || o.Lookup.Header == nil {
		t.Error("the operation itself was changed")
	}
}
