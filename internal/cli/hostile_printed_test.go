package cli_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"redial/db"
	"redial/internal/cli"
	"redial/ledger"
	"redial/tui/visible/hostile"
)

// runWith is run with other variables in the environment.
func runWith(environ []string, args ...string) (code int, said string) {
	var out bytes.Buffer
	code = cli.Run(context.Background(), args, strings.NewReader(""), &out, &out, append([]string{"TERM=xterm"}, environ...))
	return code, out.String()
}

// What is exported goes to standard output, which is a terminal as often as not.
func TestNothingExportedActsOnTheTerminal(t *testing.T) {
	file := recorded(t, recordHostile)
	for _, format := range []string{"har", "csv", "jsonl", "curl"} {
		code, out, said := run(t, "export", format, "--db", file)
		checkHarmless(t, out+said)
		if code != 0 || len(out) < 100*len(hostile.Strings()) {
			t.Errorf("export %s: exit code %d, %d bytes, %s", format, code, len(out), said)
		}
	}
}

// named gives every session of a file one of the hostile names.
func named(store *db.DB) error {
	if err := recordHostile(store); err != nil {
		return err
	}
	ctx := context.Background()
	sessions, err := store.Sessions(ctx)
	if err != nil {
		return err
	}
	for i := range sessions {
		// A name that is not UTF-8, or none, is refused.
		name := strings.ToValidUTF8("n"+hostile.Strings()[i], "?")
		if err := store.NameSession(ctx, sessions[i].ID, name[:min(len(name), 60)]); err != nil && utf8.ValidString(name[:min(len(name), 60)]) {
			return err
		}
	}
	return nil
}

func TestNoNameOfASessionActsOnTheTerminal(t *testing.T) {
	file := recorded(t, named)
	for _, args := range [][]string{
		{"sessions", "list"}, {"sessions", "list", "--json"}, {"sessions", "show", "1"}, {"sessions", "show", "9", "--json"},
		{"sessions", "prune", "--older-than", "1s", "--dry-run"}, {"sessions", "prune", "--older-than", "1s", "--dry-run", "--json"},
		{"sessions", "prune", "--older-than", "1s", "--yes"}, {"check", "--max-pending", "0"},
	} {
		_, out, said := run(t, append(args, "--db", file)...)
		checkHarmless(t, out+said)
		if out+said == "" && args[0] != "check" {
			t.Errorf("%v says nothing", args)
		}
	}
}

func TestNothingThatACheckNamesActsOnTheTerminal(t *testing.T) {
	for i, bad := range hostile.Strings() {
		if i%8 != int(*seed%8) {
			continue // another seed takes others
		}
		file := recorded(t, func(store *db.DB) error {
			return live(store, life{intent("service"+bad, "order-1"), []ledger.Transition{sent(), lost(), stuck()}}, noon())
		})
		for _, form := range [][]string{{}, {"--json"}} {
			code, out, said := run(t, append([]string{"check", "--max-pending", "0", "--max-pending-age", "1s", "--db", file}, form...)...)
			checkHarmless(t, out+said)
			if code != 1 {
				t.Errorf("%q: exit code %d, %s", bad, code, said)
			}
		}
	}
}

// A configuration may have come with a repository, and its path with an archive.
func TestNothingThatIsConfiguredActsOnTheTerminal(t *testing.T) {
	for i, bad := range hostile.Strings() {
		if i%4 != int(*seed%4) {
			continue // another seed takes others
		}
		home := t.TempDir()
		path := filepath.Join(home, "redial", "config.toml")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{
			"theme = " + strconv.Quote(bad) + "\n", bad, "theme = \"dark\" # " + bad + "\n", strconv.Quote(bad) + " = 1\n",
			"[filters]\n" + strconv.Quote(bad) + " = " + strconv.Quote("host:"+bad) + "\n", "[keys]\nquit = [" + strconv.Quote(bad) + "]\n",
		} {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, args := range [][]string{{"config"}, {"config", "--json"}, {"calls", "list", "--db", path}} {
				_, said := runWith([]string{"XDG_CONFIG_HOME=" + home, "HOME=" + home}, args...)
				checkHarmless(t, said)
			}
		}
		for _, variable := range []string{"XDG_CONFIG_HOME", "HOME", "REDIAL_DB", "USER", "XDG_DATA_HOME"} {
			if strings.Contains(bad, "\x00") {
				continue
			}
			_, said := runWith([]string{variable + "=/" + bad}, "config")
			checkHarmless(t, said)
		}
	}
}
