package cli_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"redial/db"
	"redial/internal/cli"
	"redial/ledger"
	"redial/operation"
	"redial/recorder"
	"redial/transport"
)

// vendor is a server that takes orders, each once for its key, and can be asked for them.
type vendor struct {
	*httptest.Server

	mu     sync.Mutex
	orders map[string]bool
	seen   []*http.Request                               // every request, with its body read into Form's "body"
	before func(http.ResponseWriter, *http.Request) bool // answers in its place, if it returns true
}

func newVendor(t *testing.T) *vendor {
	v := &vendor{orders: map[string]bool{}}
	v.Server = httptest.NewServer(v)
	t.Cleanup(v.Close)
	return v
}

func (v *vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Form = map[string][]string{"body": {string(body)}}
	v.mu.Lock()
	v.seen = append(v.seen, r)
	before := v.before
	v.mu.Unlock()
	if before != nil && before(w, r) {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	key := r.Header.Get("Idempotency-Key")
	if r.Method != http.MethodPost {
		key = strings.TrimPrefix(r.URL.Path, "/orders/")
	}
	switch {
	case r.Method == http.MethodPost:
		v.orders[key] = true
		w.WriteHeader(http.StatusCreated)
	case !v.orders[key]:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodDelete:
		delete(v.orders, key)
	}
}

// requests returns the requests with a method so far.
func (v *vendor) requests(method string) (list []*http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, r := range v.seen {
		if r.Method == method {
			list = append(list, r)
		}
	}
	return list
}

// order returns the intent to order something of the vendor, which keeps its word about
// keys.
func (v *vendor) order(key string) ledger.Intent {
	in := intent("checkout", key)
	in.URL = v.URL + "/orders"
	in.Lookup = &ledger.Lookup{URL: v.URL + "/orders/{key}", Settle: time.Millisecond, Times: 1}
	in.Undo = &ledger.Undo{Method: "DELETE", URL: v.URL + "/orders/{key}"}
	in.Fingerprint = in.Sum()
	return in
}

// ledgerFile makes a file with operations that are pending for an hour, and of which the
// last lookup found nothing a minute ago.
func ledgerFile(t *testing.T, ins ...ledger.Intent) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ops.db")
	fill(t, file, time.Now().Add(-time.Hour), ins...)
	return file
}

func fill(t *testing.T, file string, at time.Time, ins ...ledger.Intent) {
	t.Helper()
	err := withStore(file, func(store *db.DB) error {
		if _, err := store.Enrol(context.Background(), ledger.Session{Service: "checkout", Started: at, LastSeen: at}); err != nil {
			return err
		}
		for _, in := range ins {
			if err := live(store, life{in, []ledger.Transition{sent(), lost(), stuck()}}, at); err != nil {
				return err
			}
			late := lookedUp()
			late.At = time.Now().Add(-time.Minute)
			late.Asked = late.At
			if _, err := store.Add(context.Background(), ledger.ID{Service: in.Service, Key: in.Key}, late); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// act runs one command line as mia, with more in the environment.
func act(t *testing.T, file string, environ []string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	environ = append([]string{"TERM=xterm", "USER=mia"}, environ...)
	code = cli.Run(context.Background(), append(args, "--db", file), strings.NewReader(""), &out, &err, environ)
	return code, out.String(), err.String()
}

// expect checks how a command ended and what it said.
func expect(t *testing.T, what string, code, wantCode int, said, want string) {
	t.Helper()
	if code != wantCode || !strings.Contains(said, want) {
		t.Errorf("%s: exit code %d and %q, want %d and %q", what, code, said, wantCode, want)
	}
}

// stored returns an operation and its life as they are in the file.
func stored(t *testing.T, file, key string) (o ledger.Operation, rows []ledger.Transition) {
	t.Helper()
	err := withStore(file, func(store *db.DB) (err error) {
		id := ledger.ID{Service: "checkout", Key: key}
		if o, err = store.Operation(context.Background(), id); err == nil {
			rows, err = store.Transitions(context.Background(), id)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return o, rows
}

// checkState checks where an operation stands.
func checkState(t *testing.T, file, key string, want ledger.OperationState) ledger.Operation {
	t.Helper()
	o, _ := stored(t, file, key)
	if o.State != want {
		t.Errorf("%s is %s, want %s; last error: %s", key, o.State, want, o.LastError)
	}
	return o
}

// checkout runs the service that the operations belong to, with operations of its own
// unless it only records, and returns when it is live.
func checkout(t *testing.T, file string, serves bool) {
	t.Helper()
	store, err := db.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	rec := recorder.New(store, recorder.Options{Service: "checkout"})
	t.Cleanup(func() { rec.Close(); store.Close() })
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for end := time.After(patience); rec.Session() == 0; {
		select {
		case <-tick.C:
		case <-end:
			t.Fatal("the service is never enrolled")
		}
	}
	if !serves {
		return
	}
	ops := operation.New(&http.Client{Transport: &transport.Transport{Recorder: rec}}, store, operation.Options{
		Session: rec.Session(),
		Credentials: func(_ context.Context, _ ledger.Intent, h http.Header) error {
			h.Set("Authorization", "Bearer of-the-service")
			return nil
		},
	})
	t.Cleanup(func() { ops.Close() })
}
