package cli_test

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"redial/db"
	"redial/internal/cli"
	"redial/ledger"
	"redial/recorder"
)

const byHeader = " Authorization: env:TOKEN"

func TestALookupFromHereSettlesWhatItFinds(t *testing.T) {
	v := newVendor(t)
	v.orders["order-1"] = true
	file := ledgerFile(t, v.order("order-1"), v.order("order-2"))
	code, out, said := act(t, file, []string{"TOKEN=s3cret"}, "ops", "lookup", "order-1", "order-2", "--header", v.URL+byHeader)
	if want := "checkout/order-1: it is succeeded\ncheckout/order-2: it is pending: not found"; code != 0 || !strings.HasPrefix(out, want) {
		t.Errorf("exit code %d, %q, %q", code, out, said)
	}
	if o := checkState(t, file, "order-1", ledger.OpSucceeded); o.Owner != 0 {
		t.Errorf("session %d still owns it", o.Owner)
	}
	checkState(t, file, "order-2", ledger.OpPending)
	for _, r := range v.requests("GET") {
		if r.Header.Get("Authorization") != "s3cret" {
			t.Errorf("%s was asked with %q", r.URL, r.Header)
		}
	}
	if len(v.requests("POST")) > 0 {
		t.Error("a lookup has sent the order")
	}
	_, rows := stored(t, file, "order-1")
	if by := rows[len(rows)-3].Actor.String(); by != "mia" {
		t.Errorf("it was asked for by %q: %+v", by, rows)
	}
	_, calls, _ := act(t, file, nil, "calls", "list", "--json", "--filter", "service:redial key:order-1")
	if strings.Count(calls, "\n") != 1 || !strings.Contains(calls, `"method":"GET"`) || strings.Contains(calls, "s3cret") {
		t.Errorf("the lookup is recorded as %q", calls)
	}
}

func TestALookupThatBringsNothingFails(t *testing.T) {
	v := newVendor(t)
	v.before = func(w http.ResponseWriter, r *http.Request) bool { w.WriteHeader(401); return true }
	file := ledgerFile(t, v.order("order-1"))
	code, out, said := act(t, file, nil, "ops", "lookup", "order-1")
	expect(t, "lookup", code, 1, said, "the lookup failed: GET /orders/order-1: 401 Unauthorized; give it with --header '"+v.URL+" Authorization: env:NAME'\n")
	if out != "" {
		t.Errorf("standard output has %q", out)
	}
	checkState(t, file, "order-1", ledger.OpPending)
}

func TestAReplayGoesThroughTheLiveService(t *testing.T) {
	v := newVendor(t)
	in := v.order("order-1")
	file := ledgerFile(t, in)
	checkout(t, file, true)
	code, out, said := act(t, file, nil, "ops", "replay", "order-1", "--yes", "--reason", "the customer waits")
	if code != 0 || out != "checkout/order-1: it is succeeded\n" || said != "" {
		t.Errorf("exit code %d, %q, %q", code, out, said)
	}
	posts := v.requests("POST")
	if len(posts) != 1 || posts[0].Header.Get("Authorization") != "Bearer of-the-service" ||
		posts[0].Header.Get("Idempotency-Key") != "order-1" || posts[0].Form.Get("body") != string(in.Body) {
		t.Errorf("sent %+v", posts)
	}
	checkState(t, file, "order-1", ledger.OpSucceeded)
	_, rows := stored(t, file, "order-1")
	if !slices.ContainsFunc(rows, func(r ledger.Transition) bool {
		return r.Code == ledger.CodeReplayed && r.Actor.Name == "mia" && strings.Contains(r.Reason, "the customer waits")
	}) {
		t.Errorf("%+v", rows)
	}
	if _, sessions, _ := act(t, file, nil, "sessions", "list", "--json"); strings.Contains(sessions, `"service":"redial"`) {
		t.Error("this process has enrolled, although it did nothing itself")
	}
}

func TestWhenTheLiveServiceDoesNotAnswerItIsDoneFromHere(t *testing.T) {
	v := newVendor(t)
	file := ledgerFile(t, v.order("order-1"), v.order("order-2"))
	checkout(t, file, false)
	code, out, said := act(t, file, []string{"TOKEN=s3cret"}, "ops", "replay", "order-1", "--yes", "--header", v.URL+byHeader)
	expect(t, "replay", code, 0, out+said, "checkout/order-1: it is succeeded\nredial: checkout/order-1: no live session of checkout answers, so it is done from here\n")
	// What the service has, this process may not have.
	code, _, said = act(t, file, nil, "ops", "replay", "order-2", "--yes")
	expect(t, "replay without credentials", code, 1, said, "the credentials are there (missing: Authorization)")
	if posts := v.requests("POST"); len(posts) != 1 {
		t.Errorf("%d orders were sent", len(posts))
	}
	checkState(t, file, "order-2", ledger.OpPending)
}

func TestAServiceThatDiesOverItIsNotWaitedForForEver(t *testing.T) {
	v := newVendor(t)
	file := ledgerFile(t, v.order("order-1"))
	store, err := db.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	rec := recorder.New(store, recorder.Options{Service: "checkout"})
	defer store.Close()
	var service sync.WaitGroup
	service.Go(func() {
		defer rec.Close()
		for end := time.Now().Add(patience); time.Now().Before(end); {
			changed := store.Changed()
			if ask, err := store.ClaimAsk(context.Background(), "checkout", rec.Session()); ask != nil || err != nil {
				return
			}
			<-changed
		}
	})
	code, out, said := act(t, file, nil, "ops", "replay", "order-1", "--yes")
	service.Wait()
	expect(t, "replay", code, 1, out+said, "of checkout took it up and is gone, so nobody knows what it did")
	if len(v.seen) > 0 {
		t.Errorf("%d requests were sent", len(v.seen))
	}
}

func TestACredentialNeverLeavesForAnotherOrigin(t *testing.T) {
	v, other := newVendor(t), newVendor(t)
	v.before = func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, other.URL+"/orders", http.StatusTemporaryRedirect)
		return true
	}
	in := v.order("order-1")
	in.Lookup.URL = other.URL + "/orders/{key}"
	file := ledgerFile(t, in)
	code, _, said := act(t, file, []string{"TOKEN=s3cret"}, "ops", "replay", "order-1", "--yes", "--header", v.URL+byHeader)
	expect(t, "replay", code, 1, said, "it was sent, and it is pending")
	if posts := v.requests("POST"); len(posts) != 1 || posts[0].Header.Get("Authorization") != "s3cret" {
		t.Errorf("the vendor got %v", posts)
	}
	for _, r := range other.seen {
		if r.Method != "GET" || r.Header.Get("Authorization") != "" {
			t.Errorf("the other origin got %s with %v", r.Method, r.Header)
		}
	}
	checkState(t, file, "order-1", ledger.OpPending)
}

func TestAReplayWhoseChecksFailIsRefusedUnlessOverridden(t *testing.T) {
	v := newVendor(t)
	in := v.order("order-1")
	in.Policy.Honoured, in.Withheld = false, nil
	in.Lookup.Times = 2
	in.Fingerprint = in.Sum()
	file := ledgerFile(t, in)
	code, _, said := act(t, file, nil, "ops", "replay", "order-1", "--yes")
	expect(t, "replay", code, 1, said, "nothing was sent, as this does not hold: the API honours keys (not declared: this may do it a second time); "+
		"looked up, and not found (not found 1m ago, 1 of 2 times); --despite honoured --despite looked-up --reason TEXT sends it nevertheless")
	code, _, said = act(t, file, nil, "ops", "replay", "order-1", "--yes", "--despite", "honoured", "--reason", "x")
	expect(t, "replay despite one", code, 1, said, "as this does not hold: looked up, and not found")
	if n := len(v.requests("POST")); n > 0 {
		t.Fatalf("%d orders were sent", n)
	}
	checkState(t, file, "order-1", ledger.OpPending)

	code, out, said := act(t, file, nil, "ops", "replay", "order-1", "--yes", "--despite", "honoured", "--despite", "looked-up", "--reason", "they said so")
	posts := v.requests("POST")
	if code != 0 || len(posts) != 1 {
		t.Errorf("%d orders were sent; exit code %d, %q, %q", len(posts), code, out, said)
	}
	_, rows := stored(t, file, "order-1")
	if !slices.ContainsFunc(rows, func(r ledger.Transition) bool {
		return strings.Contains(r.Reason, "they said so, despite honoured, despite looked-up")
	}) {
		t.Errorf("%+v", rows)
	}
}

func TestAKeyThatIsTooOldIsNotSentUnlessOverridden(t *testing.T) {
	v := newVendor(t)
	in := v.order("order-1")
	in.Withheld = nil
	file := ledgerFile(t)
	fill(t, file, time.Now().Add(-25*time.Hour), in)
	code, _, said := act(t, file, nil, "ops", "replay", "order-1", "--yes")
	expect(t, "replay", code, 1, said, "the key is young enough (1d 01h of 1d 00h); --despite key-age --reason TEXT")
	if n := len(v.seen); n > 0 {
		t.Errorf("%d requests were sent", n)
	}
	code, out, said := act(t, file, nil, "ops", "replay", "order-1", "--yes", "--despite", "key-age", "--reason", "they keep keys for a week")
	expect(t, "replay despite its age", code, 0, out+said, "checkout/order-1: it is succeeded\n")
	if n := len(v.requests("POST")); n != 1 {
		t.Errorf("%d orders were sent", n)
	}
}

// checkCompensated checks that an order was undone, once.
func checkCompensated(t *testing.T, v *vendor, file, key, credential string) {
	t.Helper()
	checkState(t, file, key, ledger.OpFailed)
	checkState(t, file, key+"-undo", ledger.OpSucceeded)
	deletes := v.requests("DELETE")
	if len(deletes) == 0 || deletes[len(deletes)-1].Header.Get("Authorization") != credential || v.orders[key] {
		t.Errorf("undone by %v", deletes)
	}
}

func TestAnOperationIsUndoneByItsServiceOrFromHere(t *testing.T) {
	v := newVendor(t)
	v.orders["order-1"], v.orders["order-2"] = true, true
	bare := v.order("order-3")
	bare.Undo = nil
	file := ledgerFile(t, v.order("order-1"), v.order("order-2"), bare, v.order("order-4"))
	code, _, said := act(t, file, nil, "ops", "compensate", "order-1", "--yes")
	expect(t, "compensate without credentials", code, 1, said, "nothing was sent, as this does not hold: the credentials are there (missing: Authorization)")
	code, _, said = act(t, file, nil, "ops", "compensate", "order-3", "--yes")
	expect(t, "compensate what cannot be", code, 1, said, "it cannot be undone: the service has not declared how")
	code, _, said = act(t, file, []string{"TOKEN=s3cret"}, "ops", "compensate", "order-4", "--yes", "--header", v.URL+byHeader)
	expect(t, "compensate what never arrived", code, 1, said, "the undo is an operation of its own: operation order-4-undo failed: refused with 404 Not Found; `redial ops show` with its key tells more")
	checkState(t, file, "order-4-undo", ledger.OpFailed)

	code, out, said := act(t, file, []string{"TOKEN=s3cret"}, "ops", "compensate", "order-1", "--yes", "--header", v.URL+byHeader)
	expect(t, "compensate", code, 0, out+said, "checkout/order-1: undone, and a lookup finds nothing any more\n")
	checkCompensated(t, v, file, "order-1", "s3cret")

	checkout(t, file, true)
	code, out, said = act(t, file, nil, "ops", "compensate", "order-2", "--yes")
	expect(t, "compensate by the service", code, 0, out+said, "checkout/order-2: undone, and a lookup finds nothing any more\n")
	checkCompensated(t, v, file, "order-2", "Bearer of-the-service")
}

func TestWhatIsUndoneAtAnotherOriginIsSentWhatIsGivenForThat(t *testing.T) {
	v, other := newVendor(t), newVendor(t)
	in := v.order("order-1")
	in.Undo.URL = other.URL + "/orders/{key}"
	file := ledgerFile(t, in)
	code, _, said := act(t, file, []string{"TOKEN=s3cret"}, "ops", "compensate", "order-1", "--yes", "--header", v.URL+byHeader)
	expect(t, "compensate", code, 1, said, "it is undone at "+other.URL+", where what it was sent with must not go")
	expect(t, "the advice", code, 1, said, "give it with --header '"+other.URL+" Authorization: env:NAME'")
	if len(other.seen) > 0 {
		t.Errorf("the other origin got %v", other.seen[0].Header)
	}
	other.orders["order-1"] = true
	code, out, said := act(t, file, []string{"TOKEN=s3cret", "OTHER=an0ther"}, "ops", "compensate", "order-1", "--yes",
		"--header", v.URL+byHeader, "--header", other.URL+" Authorization: env:OTHER")
	expect(t, "compensate with both", code, 0, out+said, "checkout/order-1: undone, and a lookup finds nothing any more\n")
	deletes := other.requests("DELETE")
	if len(deletes) != 1 || deletes[0].Header.Get("Authorization") != "an0ther" || len(v.requests("DELETE")) > 0 {
		t.Errorf("undone by %v", deletes)
	}
	for _, r := range v.requests("GET") {
		if r.Header.Get("Authorization") != "s3cret" {
			t.Errorf("looked up with %v", r.Header)
		}
	}
}

func TestResolveConnectsToTheAddressThatWasGiven(t *testing.T) {
	v := newVendor(t)
	port := v.URL[strings.LastIndexByte(v.URL, ':')+1:]
	in := v.order("order-1")
	in.URL, in.Withheld = "http://api.example.test:"+port+"/orders", nil
	in.Lookup.URL = in.URL + "/{key}"
	in.Fingerprint = in.Sum()
	file := ledgerFile(t, in)
	code, out, said := act(t, file, nil, "ops", "replay", "order-1", "--yes", "--resolve", "api.example.test:"+port+":127.0.0.1")
	expect(t, "replay", code, 0, out+said, "checkout/order-1: it is succeeded\n")
	if posts := v.requests("POST"); len(posts) != 1 || posts[0].Host != "api.example.test:"+port {
		t.Errorf("%v", posts)
	}
}

func TestAnInterruptLeavesTheOperationOnRecord(t *testing.T) {
	v := newVendor(t)
	ctx, interrupt := context.WithCancel(context.Background())
	v.before = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPost {
			interrupt()
			<-r.Context().Done()
		}
		return r.Method == http.MethodPost
	}
	in := v.order("order-1")
	in.Withheld = nil
	file := ledgerFile(t, in, v.order("order-2"))
	var out, said bytes.Buffer
	code := cli.Run(ctx, []string{"ops", "replay", "order-1", "order-2", "--yes", "--as", "mia", "--db", file}, strings.NewReader(""), &out, &said, nil)
	want := "redial: checkout/order-1: interrupted; it is on record, and is checking: `redial ops show checkout/order-1` tells more\n" +
		"redial: 1 operation more: not begun\n"
	if code != 1 || out.String() != "" || said.String() != want {
		t.Errorf("exit code %d, %q, %q, want %q", code, out.String(), said.String(), want)
	}
	if o := checkState(t, file, "order-1", ledger.OpChecking); o.Sends != 2 || o.Doubts != 2 {
		t.Errorf("%d sends, %d in doubt", o.Sends, o.Doubts)
	}
	checkState(t, file, "order-2", ledger.OpPending)
}
