package operation

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"redial/ledger"
	"redial/transport"
	"redial/transport/digest"
)

// challengeOf is a digest challenge that needs no credentials to be checked.
func challengeOf(nonce string) reply {
	return reply{status: 401, header: http.Header{"Www-Authenticate": {fmt.Sprintf(`Digest realm="R", nonce="%s", qop="auth"`, nonce)}}}
}

// A leg that adds credentials belongs to the send that it is made for: what the 401 before
// it was is no doubt about what the operation did.
func TestAnOperationWhoseServerWantsCredentials(t *testing.T) {
	unreachable := &net.OpError{Op: "dial", Err: errors.New("connection refused")}
	for _, test := range []struct {
		name    string
		replies []reply
		state   ledger.OperationState
		life    string
	}{
		{"one step, two legs, one effect", []reply{challengeOf("a"), {}}, ledger.OpSucceeded, "sent answered"},
		{"a refusal with credentials is one", []reply{challengeOf("a"), {status: 400}}, ledger.OpFailed, "sent refused"},
		{"refused credentials are a refusal", []reply{challengeOf("a"), challengeOf("b")}, ledger.OpFailed, "sent refused"},
		{"a lost leg is looked up, with credentials, too", []reply{challengeOf("a"), {err: errReset}, challengeOf("b"), {status: 200}}, ledger.OpSucceeded,
			"sent no-answer looked-up found"},
		{"a leg that was not sent is sent in a step of its own", []reply{challengeOf("a"), {err: unreachable}, challengeOf("b"), {}}, ledger.OpSucceeded,
			"sent not-sent wait-over answered"},
		{"a 503 behind a leg is the operation's", []reply{challengeOf("a"), {status: 503}, challengeOf("b"), {status: 200}}, ledger.OpSucceeded,
			"sent server-error looked-up found"},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := newBench(t, test.replies...)
				b.ops.client.Transport.(*transport.Transport).Auth = &digest.Digest{
					Username: "shop", Password: "pw1", Origins: []string{"https://orders.example.test"},
				}
				_, err := b.ops.Do(t.Context(), order("order-8841"))
				o, _ := b.store.Operation(t.Context(), ledger.ID{Service: "shop", Key: "order-8841"})
				if life := strings.Join(b.store.life("order-8841"), " "); o.State != test.state || life != test.life {
					t.Errorf("it is %s\n got %s\nwant %s", o.State, life, test.life)
				}
				b.checkError(t, &o, err)
				b.checkSends(t)
				b.ops.Close()
			})
		})
	}
}

// Over real connections the wire sends of the legs are told apart from net/http's own.
func TestARefusalBehindALegIsDefinite(t *testing.T) {
	for status, want := range map[int]ledger.OperationState{201: ledger.OpSucceeded, 403: ledger.OpFailed} {
		var mu sync.Mutex
		requests, effects := 0, 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			if requests++; r.Header.Get("Authorization") == "" {
				w.Header().Set("WWW-Authenticate", `Digest realm="R", nonce="n", qop="auth"`)
				w.WriteHeader(401)
				return
			}
			effects++
			w.WriteHeader(status)
		}))
		store := newMemory()
		client := &http.Client{Transport: &transport.Transport{
			Base: s.Client().Transport, Auth: &digest.Digest{Username: "shop", Password: "pw1", Origins: []string{s.URL}},
		}}
		ops := New(client, store, Options{Session: 1})
		op := order("order-8841")
		op.Request, _ = http.NewRequest("POST", s.URL+"/orders", strings.NewReader(`{"sku":55}`))
		op.Lookup = nil
		ops.Do(t.Context(), op)
		o, _ := store.Operation(t.Context(), ledger.ID{Service: "shop", Key: "order-8841"})
		if o.State != want || o.Sends != 1 || requests != 2 || effects != 1 {
			t.Errorf("%d: it is %s after %d sends, %d requests and %d effects", status, o.State, o.Sends, requests, effects)
		}
		ops.Close()
		s.Close()
	}
}
