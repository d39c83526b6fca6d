package cli_test

import (
	"strings"
	"testing"

	"redial/ledger"
)

func TestBeforeItActsItTellsTheFactsAndAsks(t *testing.T) {
	v := newVendor(t)
	in := v.order("order-8841")
	in.Policy.Honoured = false
	in.URL = strings.Replace(in.URL, "http://", "http://shop:hunter2@", 1)
	in.Fingerprint = in.Sum()
	file := ledgerFile(t, in)
	c := open(t, []string{"USER=mia", "TOKEN=s3cret"}, "ops", "replay", "order-8841", "--db", file,
		"--header", v.URL+byHeader, "--despite", "honoured", "--reason", "they said so")
	c.waitFor("Type yes to replay it:")
	for _, want := range []string{
		"replay       checkout/order-8841", "name         create order", "request      POST http://[redacted]@" + strings.TrimPrefix(v.URL, "http://") + "/orders",
		"host         " + strings.TrimPrefix(v.URL, "http://"), "key          order-8841", "state        pending since 20", "effect       The same bytes are sent once more, with the same key.",
		"sent by      this process, as no session of checkout is live",
		"overridden   the API honours keys: not declared: this may do it a second time", "holds        the bytes are the same: fingerprint matches",
		"holds        the key is young enough: 1h of 1d 00h", "holds        nobody else is sending it: no lease",
		"holds        the credentials are there: from the environment", "holds        looked up, and not found: not found 1m ago",
		"beware       this may do it a second time",
	} {
		if !strings.Contains(c.text(), want) {
			t.Errorf("%q is not on the screen:\n%s", want, c.text())
		}
	}
	if len(v.seen) > 0 {
		t.Errorf("it was sent before the answer")
	}
	c.press("yes\r")
	if code := c.wait(); code != 0 {
		t.Errorf("exit code %d:\n%s", code, c.text())
	}
	c.waitFor("checkout/order-8841: it is succeeded")
	if n := len(v.requests("POST")); n != 1 {
		t.Errorf("%d orders were sent", n)
	}
	if strings.Contains(c.written(), "hunter2") || strings.Contains(c.written(), "s3cret") {
		t.Errorf("a secret is on the screen:\n%s", c.text())
	}
}

func TestWhateverIsNotAYesIsANo(t *testing.T) {
	v := newVendor(t)
	file := ledgerFile(t, v.order("order-1"))
	for name, keys := range map[string]string{"no": "no\r", "nothing": "\r", "one letter": "y\r", "more": "yes please\r", "end of input": "\x04", "unfinished": "yes\x04\x04"} {
		t.Run(name, func(t *testing.T) {
			c := open(t, nil, "ops", "confirm", "order-1", "--reason", "x", "--as", "mia", "--db", file)
			c.waitFor("Nothing is sent. It is written down that it happened: pending → succeeded.")
			c.waitFor("Type yes to confirm it:")
			c.press(keys)
			if code := c.wait(); code != 1 {
				t.Errorf("exit code %d", code)
			}
			c.waitFor("redial: checkout/order-1: nothing was done, as you did not say yes")
		})
	}
	checkState(t, file, "order-1", ledger.OpPending)
}

func TestAnInterruptAtTheQuestionDoesNothing(t *testing.T) {
	v := newVendor(t)
	file := ledgerFile(t, v.order("order-1"))
	c := open(t, nil, "ops", "confirm", "order-1", "--reason", "x", "--as", "mia", "--db", file)
	c.waitFor("Type yes to confirm it:")
	c.press("\x03")
	if code := c.wait(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	c.waitFor("checkout/order-1: interrupted; it is on record, and is pending")
	checkState(t, file, "order-1", ledger.OpPending)
}

func TestEachOperationIsAskedForAndWhatWasTypedBeforeIsNoAnswer(t *testing.T) {
	v := newVendor(t)
	file := ledgerFile(t, v.order("order-1"), v.order("order-2"))
	c := open(t, nil, "ops", "confirm", "order-1", "order-2", "--reason", "x", "--as", "mia", "--db", file)
	c.waitFor("Type yes to confirm it:")
	c.press("yes\ryes\ryes\r")
	c.waitFor("confirm      checkout/order-2")
	c.until("does not ask twice", func() bool { return strings.Count(c.text(), "Type yes to confirm it:") == 2 })
	c.press("no\r")
	if code := c.wait(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	c.waitFor("redial: checkout/order-2: nothing was done, as you did not say yes")
	checkState(t, file, "order-1", ledger.OpSucceeded)
	checkState(t, file, "order-2", ledger.OpPending)
}

func TestASettlementThatComesWhileThePersonThinksWins(t *testing.T) {
	v := newVendor(t)
	file := ledgerFile(t, v.order("order-1"))
	c := open(t, nil, "ops", "confirm", "order-1", "--reason", "x", "--as", "mia", "--db", file)
	c.waitFor("Type yes to confirm it:")
	code, out, said := act(t, file, nil, "ops", "fail", "order-1", "--yes", "--reason", "x", "--as", "noa")
	expect(t, "the other", code, 0, out+said, "checkout/order-1: it is failed\n")
	c.press("yes\r")
	if code := c.wait(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	c.waitFor("nothing was changed: noa made it failed at ")
	if o := checkState(t, file, "order-1", ledger.OpFailed); o.SettledBy.Name != "noa" {
		t.Errorf("settled by %s", o.SettledBy)
	}
}
