package books_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"redial/ledger"
	"redial/operation/books"
)

// checkCase is what happened to one order, what the client claims, and what is wrong with that.
type checkCase struct {
	name   string
	faults []books.Fault // of the requests
	sends  int
	cancel bool
	claim  *books.Claim
	want   []books.Kind
}

func TestCheckNamesEveryBrokenPromise(t *testing.T) {
	var (
		succeeded = &books.Claim{State: ledger.OpSucceeded}
		failed    = &books.Claim{State: ledger.OpFailed}
		pending   = &books.Claim{State: ledger.OpPending, Key: "key", Since: time.Unix(1, 0), Evidence: "timed out"}
	)
	refuse := []books.Fault{books.ResetBeforeReply}
	for _, c := range []checkCase{
		{"one effect and succeeded", nil, 1, false, succeeded, nil},
		{"one effect and pending", nil, 1, false, pending, nil},
		{"no effect and pending", refuse, 1, false, pending, nil},
		{"no effect and failed", refuse, 1, false, failed, nil},
		{"never sent and failed", nil, 0, false, failed, nil},
		{"undone and failed", nil, 1, true, failed, nil},
		{"two effects", nil, 2, false, succeeded, []books.Kind{books.Twice}},
		{"two effects and undone", nil, 2, true, failed, []books.Kind{books.Twice}},
		{"two effects and pending", nil, 2, false, pending, []books.Kind{books.Twice}},
		{"two effects that nobody knows", nil, 2, false, nil, []books.Kind{books.Twice, books.UnknownEffect}},
		{"an effect that nobody knows", nil, 1, false, nil, []books.Kind{books.UnknownEffect}},
		{"an effect, and a record without a state", nil, 1, false, &books.Claim{}, []books.Kind{books.UnknownEffect}},
		{"sent and not written down", refuse, 1, false, nil, []books.Kind{books.Unwritten}},
		{"submitted and gone", nil, 0, false, nil, []books.Kind{books.Lost}},
		{"succeeded without an effect", refuse, 1, false, succeeded, []books.Kind{books.NoEffect}},
		{"succeeded and never sent", nil, 0, false, succeeded, []books.Kind{books.NoEffect}},
		{"succeeded and undone", nil, 1, true, succeeded, []books.Kind{books.NoEffect}},
		{"failed with an effect", nil, 1, false, failed, []books.Kind{books.FailedEffect}},
		{"sending for ever", nil, 1, false, &books.Claim{State: ledger.OpSending}, []books.Kind{books.Unsettled}},
		{"disputed", nil, 1, false, &books.Claim{State: ledger.OpDisputed}, []books.Kind{books.Unsettled}},
		{"pending without a key", nil, 1, false, &books.Claim{State: ledger.OpPending, Since: time.Unix(1, 0), Evidence: "x"}, []books.Kind{books.Unlisted}},
		{"pending without a time", nil, 1, false, &books.Claim{State: ledger.OpPending, Key: "key", Evidence: "x"}, []books.Kind{books.Unlisted}},
		{"pending without evidence", nil, 1, false, &books.Claim{State: ledger.OpPending, Key: "key", Since: time.Unix(1, 0)}, []books.Kind{books.Unlisted}},
	} {
		t.Run(c.name, c.run)
	}
}

// run brings about what the case says, and checks the claim.
func (c checkCase) run(t *testing.T) {
	s := start(t, books.Options{})
	s.Plan("order-1", c.faults...)
	p := openShop(t, s, books.L2)
	for range c.sends {
		p.post("key", order("order-1"))
	}
	if c.cancel {
		wantStatus(t, "cancel", p.cancel("/order-1"), 200)
	}
	claims := map[string]books.Claim{}
	if c.claim != nil {
		claims["order-1"] = *c.claim
	}
	settle(t, s)
	var got []books.Kind
	for _, v := range s.Check([]string{"order-1"}, claims) {
		got = append(got, v.Kind)
		if !strings.HasPrefix(v.String(), `seed 1, order "order-1": `+string(v.Kind)) {
			t.Errorf("it reads %s", v)
		}
	}
	if !slices.Equal(got, c.want) {
		t.Errorf("got %q, want %q", got, c.want)
	}
}

func TestCheckLooksAtEffectsThatNobodySubmitted(t *testing.T) {
	s := start(t, books.Options{})
	openShop(t, s, books.L1).post("key-1", order("order-1"))
	got := s.Check(nil, nil)
	if len(got) != 1 || got[0].Kind != books.UnknownEffect || got[0].ID != "order-1" {
		t.Errorf("got %v", got)
	}
}
