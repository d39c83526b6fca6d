package tui

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestTheLinesThatTheWelcomeShowsCompile checks them as they stand, in a function that uses
// the client.
func TestTheLinesThatTheWelcomeShowsCompile(t *testing.T) {
	code := "package main\n" + imports + "\nfunc main() {\n" + strings.Join(start(""), "\n") + "\n_ = client\n}\n"
	file := filepath.Join(t.TempDir(), "main.go")
	if err := os.WriteFile(file, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "vet", file).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s\n%s", err, out, code)
	}
}

func TestTheWelcomeShowsAllLinesAtEverySizeAndNoMoment(t *testing.T) {
	for _, size := range [][2]int{{60, 16}, {80, 24}, {200, 60}} {
		onDash(t, &fakeStore{version: 1}, size[0], size[1], func(d *dash) {
			d.shows("Nothing is recorded yet", "go mod edit", "store, err := db.Open(", "defer store.Close()", "log.Fatal(err)", "defer rec.Close()", "Recorder: rec}}", "file: ")
			d.hides("+02:00")
		})
	}
}
