package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"redial/db"
	"redial/internal/cli"
	"redial/tui/visible"
	"redial/tui/visible/hostile"
)

// run runs one command line in this process.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, err bytes.Buffer
	code = cli.Run(context.Background(), args, strings.NewReader(""), &out, &err, []string{"TERM=xterm"})
	return code, out.String(), err.String()
}

// checkHarmless checks that no character of a text can act on a terminal.
func checkHarmless(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if safe := visible.Text(line); safe != line {
			t.Fatalf("%+q reaches the terminal", line)
		}
	}
}

func TestNothingRecordedActsOnTheTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hostile.db")
	if err := withStore(file, recordHostile); err != nil {
		t.Fatal(err)
	}
	all := hostile.Strings()
	for _, list := range []string{"sessions", "calls"} {
		_, out, said := run(t, list, "list", "--db", file)
		checkHarmless(t, out+said)
		if got := strings.Count(out, "\n"); got != len(all)+1 {
			t.Errorf("%s list prints %d lines for %d rows and a heading", list, got, len(all))
		}
	}
	ids := map[string][]string{"sessions": nil, "calls": nil}
	for list := range ids {
		_, out, said := run(t, list, "list", "--json", "--db", file)
		checkHarmless(t, out+said)
		for line := range strings.Lines(out) {
			var v struct{ ID string }
			if err := json.Unmarshal([]byte(line), &v); err != nil {
				t.Fatalf("%q is no JSON: %v", line, err)
			}
			ids[list] = append(ids[list], v.ID)
		}
	}
	for list, ids := range ids {
		if len(ids) != len(all) {
			t.Errorf("%s list --json has %d of %d", list, len(ids), len(all))
		}
		for _, id := range ids {
			for _, form := range [][]string{{}, {"--json"}} {
				code, out, said := run(t, append([]string{list, "show", id, "--db", file}, form...)...)
				checkHarmless(t, out+said)
				if code != 0 || out == "" {
					t.Errorf("%s show %s %v: exit code %d, %q", list, id, form, code, said)
				}
			}
		}
	}
}

func TestNothingRecordedOfOperationsActsOnTheTerminal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hostile.db")
	if err := withStore(file, recordHostileOperations); err != nil {
		t.Fatal(err)
	}
	all := hostile.Strings()
	_, out, said := run(t, "ops", "list", "--db", file)
	checkHarmless(t, out+said)
	if got := strings.Count(out, "\n"); got != len(all)+1 {
		t.Errorf("ops list prints %d lines for %d rows and a heading", got, len(all))
	}
	_, out, said = run(t, "ops", "list", "--json", "--db", file)
	checkHarmless(t, out+said)
	if got := strings.Count(out, "\n"); got != len(all) {
		t.Errorf("ops list --json prints %d lines for %d rows", got, len(all))
	}
	var keys []string
	for i := range all {
		keys = append(keys, fmt.Sprintf("order-%d", i))
		code, out, said := run(t, "ops", "show", keys[i], "--db", file, fmt.Sprintf("--json=%v", i%2 == 0))
		checkHarmless(t, out+said)
		if code != 0 || out == "" {
			t.Errorf("ops show %s: exit code %d, %q", keys[i], code, said)
		}
	}
	for _, verb := range []string{"lookup", "replay", "compensate", "note", "confirm", "reopen"} {
		args := append([]string{"ops", verb, "--yes", "--as", "mia", "--reason", "x", "--db", file}, keys...)
		_, out, said := run(t, args...)
		checkHarmless(t, out+said)
		if got := strings.Count(out+said, "\n"); got != len(all) {
			t.Errorf("ops %s says %d lines of %d operations", verb, got, len(all))
		}
	}
}

func TestJSONTellsWhatWasRecordedCharacterByCharacter(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hostile.db")
	if err := withStore(file, recordHostile); err != nil {
		t.Fatal(err)
	}
	_, out, _ := run(t, "calls", "list", "--json", "--db", file)
	for i, line := range strings.Split(strings.TrimSuffix(out, "\n"), "\n") {
		var c struct {
			Key *string `json:"operation_key"`
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		want := strings.ToValidUTF8(hostile.Strings()[i], "\ufffd")
		got := ""
		if c.Key != nil {
			got = *c.Key
		}
		if strings.ReplaceAll(got, "\ufffd", "") != strings.ReplaceAll(want, "\ufffd", "") {
			t.Errorf("key %+q is told as %+q", want, got)
		}
	}
}

func TestWhatIsTypedComesBackHarmless(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "empty.db")
	if err := withStore(file, func(*db.DB) error { return nil }); err != nil {
		t.Fatal(err)
	}
	for _, bad := range hostile.Strings() {
		for _, args := range [][]string{
			{bad}, {"--" + bad}, {"calls", bad}, {"calls", "show", bad}, {"sessions", "show", bad}, {"help", bad},
			{"calls", "list", "--db", filepath.Join(dir, bad, "none.db")}, {"calls", "list", "--db", file, "--filter", bad},
			{"calls", "list", "--db", file, "--filter", "nokey:" + bad}, {"demo", "--for", bad}, {"--theme", bad}, {"completion", bad},
			{"ops", bad}, {"ops", "show", bad, "--db", file}, {"ops", "list", "--filter", bad, "--db", file}, {"check", "--max-pending", bad},
			{"ops", "confirm", bad, "--yes", "--as", bad, "--reason", bad, "--db", file}, {"ops", "replay", bad, "--yes", "--as", "mia", "--despite", bad},
			{"ops", "lookup", "--as", "mia", "--filter", bad, "--limit", "1", "--db", file}, {"ops", "note", bad, bad, "--as", "mia", "--db", file},
			{"ops", "lookup", "a", "--as", "mia", "--header", bad}, {"ops", "lookup", "a", "--as", "mia", "--header", "https://a.test X: " + bad},
			{"ops", "lookup", "a", "--as", "mia", "--resolve", bad}, {"ops", "lookup", "a", "--as", "mia", "--resolve", "a:1:" + bad},
		} {
			_, out, said := run(t, args...)
			checkHarmless(t, out+said)
		}
	}
}
