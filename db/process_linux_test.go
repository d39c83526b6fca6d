package db_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"redial/ledger"
)

// knowsProcesses says that this system tells whether a process runs.
const knowsProcesses = true

// goneProcess returns the id of a process that has ended.
func goneProcess(t *testing.T) int {
	t.Helper()
	c := exec.Command(os.Args[0], "-test.run=^$")
	if err := c.Run(); err != nil {
		t.Fatal(err)
	}
	return c.Process.Pid
}

func TestASessionIsDeadWhenItsProcessIsKnownToBeGone(t *testing.T) {
	bootID, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		t.Fatal(err)
	}
	boot, pid := strings.TrimSpace(string(bootID)), goneProcess(t)
	tests := []struct {
		name   string
		change func(*ledger.Session)
		dead   bool
	}{
		{"this process", func(*ledger.Session) {}, false},
		{"gone", func(s *ledger.Session) { s.PID, s.Boot = pid, boot }, true},
		{"gone, before the machine was started anew", func(s *ledger.Session) { s.PID, s.Boot = pid, "0b1c" }, false},
		{"gone, boot unknown", func(s *ledger.Session) { s.PID = pid }, false},
		{"gone, on another machine", func(s *ledger.Session) { s.PID, s.Boot, s.Host = pid, boot, "elsewhere" }, false},
		{"pid unknown", func(s *ledger.Session) { s.PID, s.Boot = 0, boot }, false},
		{"pid of another process", func(s *ledger.Session) { s.PID, s.Boot = os.Getppid(), boot }, false},
	}
	d := open(t, newFile(t))
	for _, test := range tests {
		s := session(test.name)
		test.change(&s)
		id := enrol(t, d, s)
		write(t, d, &ledger.Batch{Session: id, Running: []ledger.Call{runningCall(id, 1)}})
		read, err := d.Session(t.Context(), id)
		if err != nil || read.Dead != test.dead {
			t.Errorf("%s: dead is %v (%v)", test.name, read.Dead, err)
		}
		want := ledger.Waiting
		if test.dead {
			want = ledger.CutOff
		}
		if got := running(t, d, id); got[0].State != want {
			t.Errorf("%s: its call is %s, want %s", test.name, got[0].State, want)
		}
	}
}
