package demo

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// start runs a demo of two processes that ends with the test.
func start(t *testing.T, length time.Duration) *Demo {
	t.Helper()
	d, err := Start(t.Context(), Options{
		DB: filepath.Join(t.TempDir(), "demo.db"), Seed: testSeed, For: length,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := d.Stop(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// calls returns every call that a demo that has ended left on record.
func (d *Demo) calls(t *testing.T) (list []ledger.Call) {
	t.Helper()
	store, err := db.OpenExisting(d.options.DB)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := d.found.eachCall(t.Context(), store, func(c *ledger.Call) { list = append(list, *c) }); err != nil {
		t.Fatal(err)
	}
	return list
}

func TestTwentySecondsShowTheWholeStoryAndAgree(t *testing.T) {
	t.Parallel()
	d := start(t, 20*time.Second)
	s, err := d.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !s.Agree || len(s.Differences) > 0 {
		t.Errorf("they differ: %s", strings.Join(s.Differences, "\n"))
	}
	calls := d.calls(t)
	for name, happened := range story() {
		if !slices.ContainsFunc(calls, func(c ledger.Call) bool { return happened(&c) }) {
			t.Errorf("it did not come that %s", name)
		}
	}
	operations := d.operations(t)
	for name, happened := range lives() {
		if !slices.ContainsFunc(operations, happened) {
			t.Errorf("there is no operation that %s", name)
		}
	}
	checkTotals(t, s, calls, operations)
	checkOperations(t, s, operations)
	t.Run("sabotage", func(t *testing.T) { sabotage(t, d.found, calls, operations) })
}

// story has what one must see of calls.
func story() map[string]func(*ledger.Call) bool {
	first := func(c *ledger.Call) ledger.Attempt {
		if len(c.AttemptList) == 0 {
			return ledger.Attempt{}
		}
		return c.AttemptList[0]
	}
	at := func(c *ledger.Call, api string) bool { return c.Host == api+domain }
	return map[string]func(*ledger.Call) bool{
		"a call waited for its window": func(c *ledger.Call) bool {
			return at(c, "quota") && c.WaitedFor.Has(ledger.WindowWait)
		},
		"a call backed off and was answered": func(c *ledger.Call) bool {
			return c.WaitedFor.Has(ledger.BackoffWait) && c.Status < 300 && c.Outcome == ledger.Answered
		},
		"a 503 asked for time": func(c *ledger.Call) bool {
			return c.WaitedFor.Has(ledger.RetryAfterWait) && first(c).Status == 503
		},
		"a 429 asked for time": func(c *ledger.Call) bool {
			return c.WaitedFor.Has(ledger.RetryAfterWait) && first(c).Status == 429
		},
		"a 500 was given up after four attempts": func(c *ledger.Call) bool {
			return at(c, "flaky") && c.Attempts == 4 && c.Status == 500
		},
		"a label whose answer was lost was answered from memory": func(c *ledger.Call) bool {
			return at(c, "ship") && c.Attempts == 2 && first(c).Outcome == ledger.Unknown && replayed(c)
		},
		"an answer came too late": func(c *ledger.Call) bool {
			return at(c, "pay") && first(c).Outcome == ledger.Unknown && first(c).Took > 2*time.Second
		},
		"an unkeyed call stayed unknown": func(c *ledger.Call) bool {
			return at(c, "mail") && c.Attempts == 1 && c.Outcome == ledger.Unknown &&
				first(c).Decision == ledger.NotRepeatable
		},
		"a dial was refused": func(c *ledger.Call) bool {
			return c.Host == relay && c.Outcome == ledger.NotSent && first(c).Decision == ledger.AgainNotSent
		},
		"a call was asked for its credentials": func(c *ledger.Call) bool {
			return at(c, "vault") && c.Attempts == 2 && first(c).Status == 401 && first(c).Decision == ledger.AgainAuth && c.Status == 200
		},
		"a call had its credentials at once": func(c *ledger.Call) bool {
			return at(c, "vault") && c.Attempts == 1 && c.Status == 200
		},
		"a download was held back": func(c *ledger.Call) bool {
			return at(c, "files") && c.WaitedFor.Has(ledger.BandwidthWait) && c.Took > time.Second && c.Error == ""
		},
		"a mail was sent twice": func(c *ledger.Call) bool {
			return at(c, "mail") && c.Duplicate.Kind == ledger.NoKey
		},
		"a call took seconds": func(c *ledger.Call) bool {
			return at(c, "slow") && c.Took > 2*time.Second && c.Status == 200
		},
	}
}

// replayed reports whether the last answer came from the vendor's memory.
func replayed(c *ledger.Call) bool {
	last := c.AttemptList[len(c.AttemptList)-1]
	return slices.ContainsFunc(last.Response.Header, func(f ledger.Field) bool { return f.Name == "Idempotent-Replayed" })
}

// checkTotals holds the summary against a count of its own.
func checkTotals(t *testing.T, s Summary, calls []ledger.Call, lives []life) {
	t.Helper()
	attempts, retries, waits := 0, 0, 0
	twice := slices.ContainsFunc(calls, func(c ledger.Call) bool { return c.Duplicate.Kind != ledger.NoDuplicate })
	if twice != (s.Duplicates > 0) {
		t.Errorf("%d duplicates", s.Duplicates)
	}
	for _, c := range calls {
		attempts += c.Attempts
		for _, a := range c.AttemptList {
			if a.N > 1 && a.Reason != ledger.AuthLeg {
				retries++
			}
		}
		waits += len(c.Waits)
	}
	for _, l := range lives {
		for _, row := range l.rows {
			if row.Code == ledger.CodeWaitOver { // each send of an operation is a call of its own
				retries++
			}
		}
	}
	if s.Calls != len(calls) || s.Attempts != attempts || s.Retries != retries {
		t.Errorf("%d calls, %d attempts, %d retries; counted %d, %d, %d",
			s.Calls, s.Attempts, s.Retries, len(calls), attempts, retries)
	}
	ofKind, ofOutcome, atHost := 0, 0, 0
	for _, w := range s.Waits {
		ofKind += w.Count
	}
	for _, n := range s.Outcomes {
		ofOutcome += n
	}
	for _, h := range s.Hosts {
		atHost += h.VendorRequests
	}
	if ofKind != waits || ofOutcome != attempts || atHost != s.VendorRequests {
		t.Errorf("%d waits, %d outcomes, %d requests by host; counted %d, %d, %d",
			ofKind, ofOutcome, atHost, waits, attempts, s.VendorRequests)
	}
}

func TestStoppingEarlyStillAgrees(t *testing.T) {
	t.Parallel()
	d := start(t, 0)
	d.waitForCalls(t, 15)
	s, err := d.Stop()
	if err != nil {
		t.Fatal(err)
	}
	if !s.Agree {
		t.Errorf("they differ: %s", strings.Join(s.Differences, "\n"))
	}
	if again, err := d.Stop(); err != nil || again.Calls != s.Calls {
		t.Errorf("stopped again: %+v, %v", again, err)
	}
}

// waitForCalls waits until so many calls are on record.
func (d *Demo) waitForCalls(t *testing.T, n int) {
	t.Helper()
	store, err := db.OpenExisting(d.options.DB)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	eventually(t, "calls are on record", func() bool {
		calls, err := store.Calls(t.Context(), ledger.Query{Limit: n})
		if err != nil {
			t.Fatal(err)
		}
		return len(calls) >= n
	})
}

func TestASigtermEndsTheShopInOrder(t *testing.T) {
	t.Parallel()
	d := start(t, 0)
	d.waitForCalls(t, 5)
	if err := d.shop.command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s, err := d.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !s.Agree {
		t.Errorf("they differ: %s", strings.Join(s.Differences, "\n"))
	}
}

func TestAKilledShopDoesNotAgree(t *testing.T) {
	t.Parallel()
	d := start(t, 0)
	d.waitForCalls(t, 5)
	if err := d.shop.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	s, err := d.Wait(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Join(s.Differences, "\n")
	if s.Agree || !strings.Contains(words, "demo-shop: signal: killed") || !strings.Contains(words, "did not end its session") {
		t.Errorf("agree %v: %s", s.Agree, words)
	}
}

func TestAVendorThatIsGoneDoesNotAgree(t *testing.T) {
	t.Parallel()
	d := start(t, 0)
	d.waitForCalls(t, 5)
	if err := d.vendor.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-d.vendor.exited
	s, err := d.Stop()
	if err != nil {
		t.Fatal(err)
	}
	if words := strings.Join(s.Differences, "\n"); s.Agree || !strings.Contains(words, "ask the vendor for its account") {
		t.Errorf("agree %v: %s", s.Agree, words)
	}
}

func TestNothingIsLeftWhenTheParentIsKilled(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "demo.db")
	parent := exec.Command(os.Args[0], parentCommand, file)
	input, err := parent.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer input.Close()
	output, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	var where places
	line, err := bufio.NewReader(output).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &where)
	}
	_ = parent.Process.Kill()
	_ = parent.Wait()
	if err != nil {
		t.Fatal(err)
	}
	eventually(t, "the vendor has gone", func() bool {
		conn, err := net.Dial("tcp4", where.Control)
		if err != nil {
			return true
		}
		_ = conn.Close()
		return false
	})
	store, err := db.OpenExisting(file)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	eventually(t, "the shop has ended its session", func() bool {
		sessions, err := store.Sessions(context.Background())
		return err == nil && len(sessions) == 1 && !sessions[0].Ended.IsZero()
	})
}

func TestAShopThatCannotRecordDoesNotStart(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(file, bytes.Repeat([]byte("these are my notes\n"), 500), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Start(t.Context(), Options{DB: file, Seed: testSeed})
	if err == nil {
		_, _ = d.Stop()
		t.Fatal("it started")
	}
	if !strings.Contains(err.Error(), file) {
		t.Errorf("the error does not name the file: %v", err)
	}
}

func TestAnExecutableThatIsNotThereIsNamed(t *testing.T) {
	nowhere := filepath.Join(t.TempDir(), "redial")
	_, err := Start(t.Context(), Options{DB: filepath.Join(t.TempDir(), "demo.db"), Executable: nowhere})
	if err == nil || !strings.Contains(err.Error(), nowhere) {
		t.Errorf("got %v", err)
	}
}
