package ledger

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestCallIDHoldsSessionAndNumber(t *testing.T) {
	for _, test := range []struct {
		session SessionID
		n       int64
		want    string
	}{
		{3, 1207, "3-1207"},
		{1, 1, "1-1"},
		{0, 5, "0-5"}, // not enrolled yet
		{1<<23 - 1, 1<<40 - 1, "8388607-1099511627775"},
	} {
		id := NewCallID(test.session, test.n)
		if id.Session() != test.session || id.N() != test.n || id.String() != test.want {
			t.Errorf("%d, %d: session %d, number %d, %s", test.session, test.n, id.Session(), id.N(), id)
		}
	}
}

func TestIDsAreReadAsTheyAreWritten(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 1000 {
		id := NewCallID(SessionID(1+random.Int64N(1<<23-1)), 1+random.Int64N(1<<40-1))
		if i == 0 {
			id = NewCallID(1, 1)
		}
		if got, err := ParseCallID(id.String()); err != nil || got != id {
			t.Fatalf("%s was read as %s, %v", id, got, err)
		}
		if got, err := ParseSessionID(id.Session().String()); err != nil || got != id.Session() {
			t.Fatalf("%s was read as %s, %v", id.Session(), got, err)
		}
	}
}

func TestCallIDsSortBySessionAndThenByStart(t *testing.T) {
	inOrder := []CallID{NewCallID(1, 1), NewCallID(1, 2), NewCallID(1, 1<<40-1), NewCallID(2, 1), NewCallID(10, 1), NewCallID(1<<23-1, 1<<40-1)}
	if !slices.IsSorted(inOrder) {
		t.Errorf("%v is not sorted", inOrder)
	}
}

func TestParseCallIDRefusesWhatIsNone(t *testing.T) {
	for _, s := range []string{
		"", "-", "3", "3-", "-7", "3-0", "0-3", "3--7", "3-7-1", "3 - 7", "a-b", "3-1099511627776", "8388608-1",
		"99999999999999999999-1", "1-99999999999999999999", "3-0x7", "3-7\x00", "３-７",
	} {
		if id, err := ParseCallID(s); err == nil {
			t.Errorf("%q was read as %s", s, id)
		}
	}
}

func TestParseSessionIDRefusesWhatIsNone(t *testing.T) {
	for _, s := range []string{"", "0", "-1", "x", "1.5", "8388608", "99999999999999999999", " 1"} {
		if id, err := ParseSessionID(s); err == nil {
			t.Errorf("%q was read as %s", s, id)
		}
	}
}
