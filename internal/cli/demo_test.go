package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// headless runs a short demo and returns its exit code and what it printed.
func headless(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	var out, said strings.Builder
	command := exec.Command(path, append([]string{"demo", "--headless", "--for", "1500ms"}, args...)...)
	command.Env = append(os.Environ(), "TMPDIR="+t.TempDir(), "REDIAL_DB="+filepath.Join(t.TempDir(), "service.db"))
	command.Stdout, command.Stderr = &out, &said
	_ = command.Run()
	return command.ProcessState.ExitCode(), out.String(), said.String()
}

func TestHeadlessDemoSumsUpInOneObject(t *testing.T) {
	file := filepath.Join(t.TempDir(), "demo.db")
	code, out, said := headless(t, "--seed", "7", "--db", file, "--json")
	if code != 0 || strings.Count(out, "\n") != 1 {
		t.Fatalf("exit code %d, output %q, said %q", code, out, said)
	}
	var sum struct {
		Calls, Attempts, Retries *int
		Waits, Outcomes          map[string]any
		VendorRequests           *int `json:"vendor_requests"`
		Agree                    *bool
	}
	if err := json.Unmarshal([]byte(out), &sum); err != nil {
		t.Fatal(err)
	}
	if sum.Calls == nil || *sum.Calls == 0 || sum.Attempts == nil || sum.Retries == nil || sum.VendorRequests == nil ||
		sum.Agree == nil || !*sum.Agree || len(sum.Waits) == 0 || len(sum.Outcomes) == 0 {
		t.Errorf("the summary is %s", out)
	}
	if !strings.Contains(said, "--db "+file) {
		t.Errorf("how to open the recording is not said: %q", said)
	}
	_, listed, _ := run(t, "calls", "list", "--json", "--db", file)
	if got := strings.Count(listed, "\n"); got != *sum.Calls {
		t.Errorf("%d calls are listed and %d were summed up", got, *sum.Calls)
	}
}

func TestHeadlessDemoRecordsToANewFileAndPrintsWhere(t *testing.T) {
	for _, args := range [][]string{nil, {"--json"}} {
		code, out, said := headless(t, args...)
		if code != 0 || !strings.Contains(out, "agree") {
			t.Fatalf("exit code %d, output %q, said %q", code, out, said)
		}
		again := regexp.MustCompile(`to open it again: redial --db (.+)\n`).FindStringSubmatch(said)
		if again == nil {
			t.Fatalf("how to open the recording is not said: %q", said)
		}
		if info, err := os.Stat(again[1]); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the file: %v, %v", info, err)
		}
		if _, listed, _ := run(t, "calls", "list", "--json", "--db", again[1]); listed == "" {
			t.Errorf("no call is in %s", again[1])
		}
	}
}

func TestDemoOpensTheDashboardAndSumsUpWhenItIsLeft(t *testing.T) {
	c := open(t, nil, "demo", "--theme", "none")
	c.waitFor("LIVE")
	c.waitFor("example.test")
	c.press("q")
	if code := c.wait(); code != 0 {
		t.Errorf("exit code %d:\n%s", code, c.text())
	}
	c.checkLeft()
	c.waitFor("to open it again: redial --db ")
	c.waitFor("agree, request by request")
	if colours.MatchString(c.written()) {
		t.Error("the theme none has colours")
	}
}
