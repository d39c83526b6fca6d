package demo

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
	"redial/recorder"
	"redial/transport"
)

// spendCommand uses up a window, and then waits to be killed.
const spendCommand = "demo-spend"

// spender is a client with a window of three requests, recorded to a file.
func spender(file, target string, kind ledger.WindowKind) (*http.Client, *db.DB, *recorder.Recorder, error) {
	store, err := db.Open(file)
	if err != nil {
		return nil, nil, nil, err
	}
	u, err := url.Parse(target)
	if err != nil {
		return nil, nil, nil, err
	}
	rec := recorder.New(store, recorder.Options{Service: "spender"})
	return &http.Client{Transport: &transport.Transport{
		Recorder: rec,
		Windows:  []transport.Window{{Host: u.Host, Kind: kind, Limit: 3, Per: 1000 * time.Hour, Burst: burst(kind)}},
	}}, store, rec, nil
}

func burst(kind ledger.WindowKind) int {
	if kind == ledger.GCRAWindow {
		return 3
	}
	return 0
}

func runSpend(_ context.Context, args []string) error {
	kind, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	client, _, _, err := spender(args[0], args[1], ledger.WindowKind(kind))
	if err != nil {
		return err
	}
	for range 3 {
		response, err := client.Get(args[1])
		if err != nil {
			return err
		}
		if err := response.Body.Close(); err != nil {
			return err
		}
	}
	_, err = bufio.NewReader(os.Stdin).ReadByte() // the test never writes
	return err
}

func TestAWindowIsAsFullAfterAKillAsItWasBefore(t *testing.T) {
	for _, kind := range []ledger.WindowKind{ledger.FixedWindow, ledger.SlidingWindow, ledger.GCRAWindow} {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			var served atomic.Int64
			server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { served.Add(1) }))
			defer server.Close()
			file := filepath.Join(t.TempDir(), "windows.db")
			spendAndKill(t, file, server.URL, kind)

			client, store, rec, err := spender(file, server.URL, kind)
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			defer rec.Close()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			go func() { ended <- get(ctx, client, server.URL) }()
			eventually(t, "the next call waits for the window", func() bool {
				calls, err := store.Running(t.Context(), []ledger.SessionID{rec.Session()})
				return err == nil && len(calls) == 1 && len(calls[0].Waits) == 1 && calls[0].Waits[0].Kind == ledger.WindowWait
			})
			cancel()
			if err := <-ended; err == nil || served.Load() != 3 {
				t.Errorf("the call returned %v, and the server got %d requests, want 3", err, served.Load())
			}
		})
	}
}

// spendAndKill has another process use the window up, and kills it.
func spendAndKill(t *testing.T, file, target string, kind ledger.WindowKind) {
	t.Helper()
	child := exec.Command(os.Args[0], spendCommand, file, target, strconv.Itoa(int(kind)))
	child.Stderr = os.Stderr
	input, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = child.Wait() }()
	defer func() { _ = child.Process.Kill() }()
	eventually(t, "the window is full in the file", func() bool {
		store, err := db.OpenExisting(file)
		if err != nil {
			return false
		}
		defer store.Close()
		windows, err := store.Windows(t.Context(), nil)
		return err == nil && len(windows) == 1 && windows[0].Used == 3
	})
}

func get(ctx context.Context, client *http.Client, target string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, response.Body)
	if err2 := response.Body.Close(); err == nil {
		err = err2
	}
	if err == nil {
		err = fmt.Errorf("answered with %d", response.StatusCode)
	}
	return err
}
