package db

import (
	"os"
	"strings"

	"redial/ledger"
)

// neighbours knows the processes of this machine.
type neighbours struct {
	host    string
	machine string
}

func newNeighbours() neighbours {
	host, _ := os.Hostname()
	return neighbours{host: host, machine: machine()}
}

// process reports whether the process of a session is known to run, and whether it is
// known to be gone. What it wrote about itself at enrolment tells it from a later process
// with the same id; without that, an id says something only if no process has it.
func (n neighbours) process(s *ledger.Session, written string) (runs, gone bool) {
	switch {
	case s.PID <= 0 || n.machine == "":
		return false, false
	case written == "":
		boot, _, _ := strings.Cut(n.machine, " ")
		return false, s.Boot == boot && s.Host == n.host && !exists(s.PID)
	case !strings.HasPrefix(written, n.machine+" "):
		return false, false // ids mean something else there
	}
	now := processOf(s.PID)
	if now == "" {
		return false, !exists(s.PID) // it may be hidden from us
	}
	return now == written, now != written
}
