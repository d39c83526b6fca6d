package choice

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func split(s string) []string { return strings.Fields(s) }

func TestTheSelectionStaysWithItsNameAndThenWithItsPlace(t *testing.T) {
	var l List
	for _, c := range []struct {
		do     func()
		chosen string
	}{
		{func() {}, ""},
		{func() { l.Set(split("a b c d")) }, "a"},
		{func() { l.Move(2) }, "c"},
		{func() { l.Set(split("d c b a")) }, "c"},
		{func() { l.Set(split("x y z c")) }, "c"},
		{func() { l.Set(split("x y z")) }, "z"},
		{func() { l.Set(nil) }, ""},
		{func() { l.Set(split("a b")) }, "a"},
		{func() { l.Move(9) }, "b"},
		{func() { l.Move(-9) }, "a"},
	} {
		c.do()
		if l.Chosen() != c.chosen {
			t.Errorf("the selected row is %q, want %q", l.Chosen(), c.chosen)
		}
	}
}

func TestTheSelectedRowIsAlwaysInSight(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var l List
	for range 10_000 {
		switch r.IntN(4) {
		case 0:
			l.Set(split(strings.Repeat("row ", r.IntN(30))))
		case 1:
			l.Resize(r.IntN(40) - 5)
		default:
			l.Move(r.IntN(21) - 10)
		}
		from, to := l.InSight()
		if from < 0 || to > l.Len() || l.Len() > 0 && (l.Cursor() < from || l.Cursor() >= to) || to-from > l.Height() {
			t.Fatalf("row %d of %d is selected, and %d to %d are in sight", l.Cursor(), l.Len(), from, to)
		}
		if row, ok := l.At(0); ok != (l.Len() > 0) || ok && row != from {
			t.Fatalf("the first line is row %d (%v)", row, ok)
		}
	}
}
