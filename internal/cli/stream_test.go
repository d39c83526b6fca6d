package cli_test

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"redial/db"
)

// longList starts a list that is longer than any buffer between it and its reader.
func longList(t *testing.T) (list *exec.Cmd, reader *os.File, said *bytes.Buffer) {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	file := recorded(t, func(store *db.DB) error { return recordMany(store, 50_000) })
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer writer.Close()
	said = &bytes.Buffer{}
	list = exec.Command(path, "calls", "list", "--db", file)
	list.Stdout, list.Stderr = writer, said
	if err := list.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = list.Process.Kill()
		_ = reader.Close()
	})
	if _, err := bufio.NewReaderSize(reader, 16).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return list, reader, said
}

// ended waits for the end of a command.
func ended(t *testing.T, command *exec.Cmd) {
	t.Helper()
	stuck := time.AfterFunc(patience, func() { _ = command.Process.Kill() })
	_ = command.Wait()
	if !stuck.Stop() {
		t.Fatal("it does not end")
	}
}

func TestAListWhoseReaderIsGoneEndsWithoutAWord(t *testing.T) {
	list, reader, said := longList(t)
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	ended(t, list)
	status := list.ProcessState.Sys().(syscall.WaitStatus)
	if quiet := status.ExitStatus() == 0 || status.Signal() == syscall.SIGPIPE; !quiet || said.Len() > 0 {
		t.Errorf("it ends with %v and says %q", list.ProcessState, said)
	}
}

func TestAnInterruptEndsALongList(t *testing.T) {
	list, reader, said := longList(t)
	if err := list.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	n := 0
	for lines := bufio.NewScanner(reader); lines.Scan(); {
		n++
	}
	ended(t, list)
	if code := list.ProcessState.ExitCode(); code != 1 || said.String() != "redial: interrupted before it was done\n" {
		t.Errorf("it ends with code %d and says %q", code, said)
	}
	if n >= 50_000-1 {
		t.Error("all of it was listed")
	}
}
