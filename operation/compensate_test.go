package operation_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
	"redial/operation"
	"redial/recorder"
	"redial/transport"
)

// witness is a server that agrees with everything, and remembers what it was told.
type witness struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string
}

func newWitness(t *testing.T) *witness {
	w := &witness{}
	w.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.seen = append(w.seen, fmt.Sprintf("%s %s as %s with %q for %t", r.Method, r.URL.Path, r.Header.Get("X-Tenant"), r.Header.Get("Authorization"), strings.HasPrefix(r.Host, "127.")))
	}))
	t.Cleanup(w.Close)
	return w
}

// operations opens those of a shop, which knows these credentials by itself.
func operations(t *testing.T, credentials func(context.Context, ledger.Intent, http.Header) error) (*operation.Operations, *db.DB) {
	store, err := db.Open(filepath.Join(t.TempDir(), "shop.db"))
	if err != nil {
		t.Fatal(err)
	}
	rec := recorder.New(store, recorder.Options{Service: "shop"})
	client := &http.Client{Transport: &transport.Transport{Recorder: rec}}
	ops := operation.New(client, store, operation.Options{Session: rec.Session(), Credentials: credentials})
	t.Cleanup(func() {
		ops.Close()
		rec.Close()
		store.Close()
	})
	return ops, store
}

// What a server was trusted with is none of another one's business, although it undoes what
// the first one did.
func TestCredentialsOfAnOperationDoNotGoToAnotherOriginThatUndoesIt(t *testing.T) {
	for _, test := range []struct {
		name       string
		elsewhere  bool
		given      map[bool]string // for the second server, and for the first one
		undone     string          // what is sent to undo it, "" for nothing
		refusal    string
		underUndos []string // what the intent of the undoing says was withheld
	}{
		{"at the same origin", false, map[bool]string{false: "first"}, `DELETE /orders/7 as acme with "first" for false`, "", []string{"Authorization"}},
		{"elsewhere, where nobody is known", true, map[bool]string{false: "first"}, "", "and Authorization for that origin is not known to this process", nil},
		{"elsewhere, with a name there", true, map[bool]string{false: "first", true: "second"}, `DELETE /orders/7 as acme with "second" for true`, "", []string{"Authorization"}},
		{"at the same origin, unknown after a restart", false, nil, "", "Authorization was withheld from the record", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			first, second := newWitness(t), newWitness(t)
			ops, store := operations(t, func(_ context.Context, in ledger.Intent, h http.Header) error {
				if v := test.given[strings.HasPrefix(in.URL, second.URL)]; v != "" {
					h.Set("Authorization", v)
				}
				return nil
			})
			undoneAt := map[bool]*witness{false: first, true: second}[test.elsewhere]
			r, _ := http.NewRequest("POST", first.URL+"/orders", strings.NewReader("{}"))
			r.Header.Set("Authorization", "the caller's own")
			r.Header.Set("X-Tenant", "acme")
			r.Host = "orders.example.test"
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			_, err := ops.Do(ctx, operation.Operation{Key: "order-7", Ref: "7", Request: r, Undo: &ledger.Undo{Method: "DELETE", URL: undoneAt.URL + "/orders/{ref}"}})
			if err != nil {
				t.Fatal(err)
			}
			_, err = ops.Compensate(ctx, "order-7")
			if test.refusal == "" && err != nil || test.refusal != "" && (err == nil || !strings.Contains(err.Error(), test.refusal) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("it is said: %v", err)
			}
			want := map[*witness][]string{first: {`POST /orders as acme with "the caller's own" for false`}}
			if test.undone != "" {
				want[undoneAt] = append(want[undoneAt], test.undone)
			}
			for _, w := range []*witness{first, second} {
				w.mu.Lock()
				if !slices.Equal(w.seen, want[w]) {
					t.Errorf("got  %q\nwant %q", w.seen, want[w])
				}
				w.mu.Unlock()
			}
			undo, err := store.Operation(ctx, ledger.ID{Service: "shop", Key: "order-7-undo"})
			if (err == nil) != (test.undone != "") || !slices.Equal(undo.Withheld, test.underUndos) {
				t.Errorf("on record as withheld %q (%v), want %q", undo.Withheld, err, test.underUndos)
			}
		})
	}
}

// A server that was closed, or did not know the caller, has undone nothing: it must be possible
// to ask again, and still only once where it did.
func TestWhatFailedToBeUndoneCanBeUndoneLater(t *testing.T) {
	long := strings.Repeat("k", 250)
	for _, test := range []struct {
		name, key string
		before    []string // keys of other operations, which were undone before
		refused   int      // how often
		want      []string // keys of what undoes it, in the end
	}{
		{"refused at first", "order-7", nil, 2, []string{"order-7-undo", "order-7-undo-2", "order-7-undo-3"}},
		{"at once", "order-7", nil, 0, []string{"order-7-undo"}},
		{"a key as long as it may be, that differs at its end", long + "67890", []string{long + "12345"}, 0, []string{long + "-undo", long[:248] + "-undo-2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var mu sync.Mutex
			refuse, undone := 0, map[string]int{}
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				switch {
				case r.Method == "DELETE" && refuse > 0:
					refuse--
					w.WriteHeader(http.StatusForbidden)
				case r.Method == "DELETE":
					undone[r.URL.Query().Get("key")]++
				}
			}))
			defer server.Close()
			ops, store := operations(t, nil)
			ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
			defer cancel()
			done := func(key string) {
				r, _ := http.NewRequest("POST", server.URL, strings.NewReader("{}"))
				if _, err := ops.Do(ctx, operation.Operation{Key: key, Request: r, Undo: &ledger.Undo{Method: "DELETE", URL: server.URL + "?key={key}"}}); err != nil {
					t.Fatal(err)
				}
			}
			for _, key := range test.before {
				done(key)
				if _, err := ops.Compensate(ctx, key); err != nil {
					t.Fatal(err)
				}
			}
			done(test.key)
			mu.Lock()
			refuse = test.refused
			mu.Unlock()
			for range test.refused {
				if _, err := ops.Compensate(ctx, test.key); !errors.Is(err, operation.ErrFailed) {
					t.Errorf("of one that is refused it is said: %v", err)
				}
			}
			for range 2 { // the second one finds it done
				if _, err := ops.Compensate(ctx, test.key); err != nil {
					t.Error(err)
				}
			}
			mu.Lock()
			defer mu.Unlock()
			if undone[test.key] != 1 {
				t.Errorf("undone %d times", undone[test.key])
			}
			for _, key := range test.want {
				if _, err := store.Operation(ctx, ledger.ID{Service: "shop", Key: key}); err != nil {
					t.Errorf("%s: %v", key, err)
				}
			}
		})
	}
}
