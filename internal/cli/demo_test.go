package cli_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
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
		Operations, Effects      map[string]int
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
	checkOperations(t, file, sum.Operations, sum.Effects)
	if !strings.Contains(said, "--db "+file) {
		t.Errorf("how to open the recording is not said: %q", said)
	}
	_, listed, _ := run(t, "calls", "list", "--json", "--db", file)
	if got := strings.Count(listed, "\n"); got != *sum.Calls {
		t.Errorf("%d calls are listed and %d were summed up", got, *sum.Calls)
	}
}

// checkOperations holds a summary of operations against their list: how many are in each
// state, and that the vendor did what succeeded.
func checkOperations(t *testing.T, file string, states, effects map[string]int) {
	t.Helper()
	_, listed, _ := run(t, "ops", "list", "--json", "--db", file)
	succeeded := 0
	for line := range strings.Lines(listed) {
		var o struct{ State, Name string }
		if err := json.Unmarshal([]byte(line), &o); err != nil {
			t.Fatal(err)
		}
		states[o.State]--
		if o.State == "succeeded" {
			succeeded++
		}
	}
	if succeeded == 0 || len(effects) < succeeded {
		t.Errorf("%d operations succeeded, and the vendor did %v", succeeded, effects)
	}
	for _, state := range []string{"prepared", "sending", "backing-off", "checking", "pending", "succeeded", "failed", "disputed"} {
		if n, ok := states[state]; !ok || n != 0 {
			t.Errorf("operations that are %s: the summary has %d more than the list, or none at all (%v)", state, n, ok)
		}
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

func TestHeadlessDemoSaysWhatIsPendingAndHowToSeeIt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "demo.db")
	code, out, said := headless(t, "--for", "6s", "--db", file)
	if code != 0 {
		t.Fatalf("exit code %d, output %q, said %q", code, out, said)
	}
	told := regexp.MustCompile(`(\d+) operations? (?:is|are) pending(?s:.*)to list them: redial ops list --open --db (.+)\n`).FindStringSubmatch(said)
	if told == nil || told[2] != file {
		t.Fatalf("what is pending is not said: %q", said)
	}
	_, listed, _ := run(t, "ops", "list", "--open", "--json", "--db", file)
	if got := strconv.Itoa(strings.Count(listed, `"state":"pending"`)); got != told[1] {
		t.Errorf("%s operations are said to be pending, and %s are listed", told[1], got)
	}
	if !strings.Contains(out, told[1]+" pending") || !strings.Contains(out, "The vendor did ") || strings.Contains(out, "MORE THAN ONCE") {
		t.Errorf("the summary does not tell of operations:\n%s", out)
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
