package cli_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// setUp gives a script a home of its own, no file to fall back to, and a zone that is the
// same everywhere.
func setUp(env *testscript.Env) error {
	env.Setenv("HOME", env.WorkDir)
	testdata, err := filepath.Abs("testdata")
	if err != nil {
		return err
	}
	env.Setenv("TESTDATA", testdata)
	env.Setenv("TZ", "UTC")
	env.Setenv("GORACE", "atexit_sleep_ms=0") // The race detector holds up every exit for a second.
	env.Setenv("TERM", "xterm-256color")
	env.Setenv("ESC", "\x1b")
	env.Setenv("REDIAL_DB", "")
	env.Setenv("XDG_DATA_HOME", "")
	env.Setenv("XDG_CONFIG_HOME", "")
	env.Setenv("XDG_STATE_HOME", "")
	return nil
}

func commands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"usage":     func(ts *testscript.TestScript, _ bool, args []string) { wrong(ts, 2, args) },
		"fails":     func(ts *testscript.TestScript, _ bool, args []string) { wrong(ts, 1, args) },
		"narrow":    narrow,
		"snapshot":  snapshot,
		"unchanged": unchanged,
		"record":    record,
		"mode":      mode,
		"cut":       cut,
		"lines":     lines,
		"jsonlines": jsonLines,
		"newer":     newer,
		"full":      full,
	}
}

// wrong runs redial and expects an exit code, nothing on standard output, and one line on
// standard error that matches a pattern. Below it only a marked expression may stand.
func wrong(ts *testscript.TestScript, code int, args []string) {
	err := ts.Exec("redial", args[1:]...)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != code {
		ts.Fatalf("exit: %v, want code %d", err, code)
	}
	if out := ts.ReadFile("stdout"); out != "" {
		ts.Fatalf("standard output has %q", out)
	}
	said := ts.ReadFile("stderr")
	first, rest, _ := strings.Cut(said, "\n")
	if !strings.HasPrefix(first, "redial: ") || !regexp.MustCompile(args[0]).MatchString(first) {
		ts.Fatalf("%q does not match %q", first, args[0])
	}
	for _, line := range strings.Split(strings.TrimSuffix(rest, "\n"), "\n") {
		if line != "" && !strings.HasPrefix(line, "  ") {
			ts.Fatalf("more than one line: %q", said)
		}
	}
}

// narrow checks that no line of the last output is longer, flags and examples apart.
func narrow(ts *testscript.TestScript, _ bool, args []string) {
	most, err := strconv.Atoi(args[0])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		if len(line) > most && !strings.HasPrefix(line, "  ") {
			ts.Fatalf("line of %d bytes: %q", len(line), line)
		}
	}
}

// snapshot remembers every file below the given ones: contents, mode and time.
func snapshot(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.WriteFile(ts.MkAbs(".snapshot"), []byte(describeFiles(ts, args)), 0o600))
}

// unchanged checks that the files are as they were at the last snapshot.
func unchanged(ts *testscript.TestScript, _ bool, args []string) {
	if now, before := describeFiles(ts, args), ts.ReadFile(".snapshot"); now != before {
		ts.Fatalf("files have changed\nbefore:\n%snow:\n%s", before, now)
	}
}

func describeFiles(ts *testscript.TestScript, names []string) string {
	var b strings.Builder
	for _, name := range names {
		ts.Check(filepath.WalkDir(ts.MkAbs(name), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, "%s %v\n", path, info.Mode())
			if info.Mode().IsRegular() {
				text, err := os.ReadFile(path)
				fmt.Fprintf(&b, "%v %x\n", info.ModTime(), text)
				return err
			}
			return nil
		}))
	}
	return b.String()
}

// mode checks the permissions of a file.
func mode(ts *testscript.TestScript, _ bool, args []string) {
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[0] {
		ts.Fatalf("%s has mode %s, want %s", args[1], got, args[0])
	}
}

// cut overwrites the second half of a file with noise, as a failing disk would.
func cut(ts *testscript.TestScript, _ bool, args []string) {
	text := []byte(ts.ReadFile(args[0]))
	for i := len(text) / 4; i < len(text); i++ {
		text[i] = byte(i * 7)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o600))
}

// lines checks how many lines the last output has.
func lines(ts *testscript.TestScript, _ bool, args []string) {
	if got := strconv.Itoa(strings.Count(ts.ReadFile("stdout"), "\n")); got != args[0] {
		ts.Fatalf("%s lines, want %s", got, args[0])
	}
}

// jsonLines checks that every line of the last output is an object with just these keys.
func jsonLines(ts *testscript.TestScript, _ bool, keys []string) {
	out := ts.ReadFile("stdout")
	if out == "" {
		ts.Fatalf("there is no output")
	}
	slices.Sort(keys)
	for line := range strings.Lines(out) {
		var object map[string]any
		ts.Check(json.Unmarshal([]byte(line), &object))
		if got := slices.Sorted(maps.Keys(object)); !slices.Equal(got, keys) {
			ts.Fatalf("keys %q, want %q", got, keys)
		}
	}
}

// newer raises the number of the schema that a file says it has.
func newer(ts *testscript.TestScript, _ bool, args []string) {
	const userVersion = 60 // where SQLite keeps it, in four bytes
	text := []byte(ts.ReadFile(args[0]))
	binary.BigEndian.PutUint32(text[userVersion:], 9999)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), text, 0o600))
}

// full runs redial with a standard output that has no room.
func full(ts *testscript.TestScript, _ bool, args []string) {
	device, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	ts.Check(err)
	defer device.Close()
	var said strings.Builder
	var exit *exec.ExitError
	program, err := exec.LookPath("redial")
	ts.Check(err)
	command := exec.Command(program, args[1:]...)
	command.Dir, command.Stdout, command.Stderr = ts.Getenv("WORK"), device, &said
	if err := command.Run(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		ts.Fatalf("exit: %v, want code 1", err)
	}
	if !regexp.MustCompile("^redial: " + args[0] + "\n$").MatchString(said.String()) {
		ts.Fatalf("standard error has %q", said.String())
	}
}
