package db

import (
	"os"
	"strings"
	"sync"
	"time"

	"redial/ledger"
)

// lookEvery is how long what is known of a process is taken to be so: a dashboard reads its
// sessions with every batch that arrives, and to ask the system each time would cost more
// than the query.
const lookEvery = time.Second

// maxSeen bounds how many processes are remembered.
const maxSeen = 4096

// neighbours knows the processes of this machine. It is safe for concurrent use.
type neighbours struct {
	host    string
	machine string

	mu   sync.Mutex
	seen map[neighbour]sighting
}

// neighbour is what a session says of its process.
type neighbour struct {
	pid                 int
	host, boot, written string
}

// sighting is what was known of a process at a time.
type sighting struct {
	at         time.Time
	runs, gone bool
}

func newNeighbours() *neighbours {
	host, _ := os.Hostname()
	return &neighbours{host: host, machine: machine(), seen: map[neighbour]sighting{}}
}

// process reports whether the process of a session is known to run, and whether it is
// known to be gone, now or less than a second ago.
func (n *neighbours) process(s *ledger.Session, written string, now time.Time) (runs, gone bool) {
	who := neighbour{s.PID, s.Host, s.Boot, written}
	n.mu.Lock()
	defer n.mu.Unlock()
	last, known := n.seen[who]
	if age := now.Sub(last.at); known && age >= 0 && age < lookEvery {
		return last.runs, last.gone
	}
	runs, gone = n.look(s, written)
	if len(n.seen) >= maxSeen {
		clear(n.seen)
	}
	n.seen[who] = sighting{now, runs, gone}
	return runs, gone
}

// look is process without memory. What a process wrote about itself at enrolment tells it
// from a later one with the same id; without that, an id says something only if no process
// has it.
func (n *neighbours) look(s *ledger.Session, written string) (runs, gone bool) {
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
