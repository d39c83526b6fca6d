package cli_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"redial/db"
	"redial/ledger"
)

func TestAFilterPicksAtMostTheLimitOfThoseThatTheCommandAppliesTo(t *testing.T) {
	v := newVendor(t)
	file := ledgerFile(t, v.order("order-1"), v.order("order-2"), v.order("order-3"), v.order("other-4"))
	act(t, file, nil, "ops", "confirm", "order-1", "--yes", "--reason", "x")
	code, out, said := act(t, file, nil, "ops", "fail", "--filter", "key:order-*", "--limit", "1", "--yes", "--reason", "x")
	if code != 0 || out != "checkout/order-2: it is failed\n" || said != "redial: 1 operation more would match and are left as they are: --limit is 1\n" {
		t.Errorf("exit code %d, %q, %q", code, out, said)
	}
	code, out, said = act(t, file, nil, "ops", "fail", "--filter", "key:order-*", "--limit", "9", "--yes", "--reason", "x")
	expect(t, "the rest", code, 0, out+said, "checkout/order-3: it is failed\n")
	code, out, said = act(t, file, nil, "ops", "fail", "--filter", "key:order-*", "--limit", "9", "--yes", "--reason", "x")
	expect(t, "none", code, 0, out+said, "redial: no operation that `redial ops fail` applies to matches key:order-*\n")
	checkState(t, file, "other-4", ledger.OpPending)
}

func TestSeveralKeysAreAnsweredInALineEach(t *testing.T) {
	v := newVendor(t)
	file := ledgerFile(t, v.order("order-1"), v.order("order-2"))
	code, out, said := act(t, file, nil, "ops", "confirm", "order-1", "order-9", "order-2", "checkout/order-1", "--yes", "--reason", "x")
	if code != 1 || out != "checkout/order-1: it is succeeded\ncheckout/order-2: it is succeeded\n" ||
		said != "redial: no operation has the key \"order-9\": `redial ops list` prints those that are there\n" {
		t.Errorf("exit code %d, %q, %q", code, out, said)
	}
}

func TestOneOfTwoSettlersWins(t *testing.T) {
	v := newVendor(t)
	file := ledgerFile(t, v.order("order-1"))
	verbs, codes, said := []string{"confirm", "fail"}, [2]int{}, [2]string{}
	var settlers sync.WaitGroup
	for i, verb := range verbs {
		settlers.Go(func() {
			var out string
			codes[i], out, said[i] = act(t, file, nil, "ops", verb, "order-1", "--yes", "--reason", "I know", "--as", "who-"+verb)
			said[i] += out
		})
	}
	settlers.Wait()
	if codes[0]+codes[1] != 1 {
		t.Fatalf("exit codes %v, %q", codes, said)
	}
	winner := slices.Index(codes[:], 0)
	o, _ := stored(t, file, "order-1")
	if o.SettledBy.Name != "who-"+verbs[winner] || !strings.Contains(said[1-winner], o.SettledBy.Name) {
		t.Errorf("settled by %s; the other was told %q", o.SettledBy, said[1-winner])
	}
}

func TestSettlingReopeningAndNotes(t *testing.T) {
	v := newVendor(t)
	file := ledgerFile(t, v.order("order-1"))
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{0, "checkout/order-1: it is failed\n", []string{"fail", "order-1", "--yes", "--reason", "their day is closed", "--evidence", "page 4"}},
		{0, "checkout/order-1: noted\n", []string{"note", "order-1", "wait for it"}},
		{1, "it is failed, by mia, since 20", []string{"confirm", "order-1", "--yes", "--reason", "no"}},
		{1, "it is failed, by mia, since 20", []string{"replay", "order-1", "--yes"}},
		{0, "checkout/order-1: it is pending; the word: nobody reads settlements of checkout\n", []string{"reopen", "order-1", "--yes", "--reason", "another order"}},
		{1, "it is pending, and only what is succeeded or failed can be reopened", []string{"reopen", "order-1", "--yes", "--reason", "again"}},
		{0, "checkout/order-1: noted\n", []string{"note", "order-1", "asked their support"}},
		{0, "checkout/order-1: noted\n", []string{"note", "order-1", "--reason", "and again"}},
		{0, "checkout/order-1: it is succeeded\n", []string{"confirm", "checkout/order-1", "--yes", "--reason", "they found it", "--evidence", "no. 77120"}},
	} {
		code, out, said := act(t, file, nil, append([]string{"ops"}, c.args...)...)
		expect(t, strings.Join(c.args, " "), code, c.code, out+said, c.want)
	}
	o, rows := stored(t, file, "order-1")
	last := rows[len(rows)-1]
	if o.SettledBy.Name != "mia" || last.Code != ledger.CodeConfirmed || last.Reason != "they found it" || last.Evidence != "no. 77120" {
		t.Errorf("%+v", last)
	}
	if note := rows[len(rows)-3]; note.Code != ledger.CodeNote || note.Reason != "asked their support" || note.From != note.To {
		t.Errorf("%+v", note)
	}
	if len(v.seen) > 0 {
		t.Errorf("the vendor was bothered with %d requests", len(v.seen))
	}
}

func TestWhoTakesAWordBackIsToldWhetherTheServiceHasReadIt(t *testing.T) {
	v := newVendor(t)
	file := ledgerFile(t, v.order("order-1"))
	reads := func(upTo int64) {
		t.Helper()
		if err := withStore(file, func(store *db.DB) error { return store.MarkRead(context.Background(), "checkout", 0, upTo) }); err != nil {
			t.Fatal(err)
		}
	}
	shows := func(want string) {
		t.Helper()
		code, out, said := act(t, file, nil, "ops", "show", "order-1", "--json")
		expect(t, "show --json", code, 0, out+said, want)
	}
	shows(`"settlement_read":null,"settlement_read_at":null`)
	act(t, file, nil, "ops", "fail", "order-1", "--yes", "--reason", "x")
	shows(`"settlement_read":"nobody","settlement_read_at":null`)
	reads(0)
	shows(`"settlement_read":"no","settlement_read_at":null`)
	code, out, said := act(t, file, nil, "ops", "show", "order-1")
	expect(t, "show", code, 0, out+said, "not read by checkout yet")
	reads(1 << 40)
	shows(`"settlement_read":"yes","settlement_read_at":"20`)

	c := open(t, nil, "ops", "reopen", "order-1", "--reason", "x", "--as", "mia", "--db", file)
	c.waitFor("reader       read by checkout at 20")
	c.waitFor("Type yes to reopen it:")
	c.press("yes\r")
	if code := c.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	c.waitFor("it is pending; the word: read by checkout at 20")
	_, rows := stored(t, file, "order-1")
	if last := rows[len(rows)-1]; last.Code != ledger.CodeReopened || !strings.HasPrefix(last.Evidence, "read by checkout at 20") {
		t.Errorf("on record is %+v", last)
	}
}
