package hosts

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
)

// sums adds up what ended at a host.
type sums struct {
	calls, attempts, retried, failed int64
	waited                           [ledger.NumWaitKinds]time.Duration
	latency                          ledger.Histogram
}

func (s *sums) add(r *ledger.Rollup) {
	s.calls += r.Calls
	s.attempts += r.Attempts
	s.retried += r.Retried
	s.failed += r.Failed
	for k, d := range r.Waited {
		s.waited[k] += d
	}
	s.latency.Merge(&r.Latency)
}

func (s *sums) merge(o *sums) {
	s.calls += o.calls
	s.attempts += o.attempts
	s.retried += o.retried
	s.failed += o.failed
	for k, d := range o.waited {
		s.waited[k] += d
	}
	s.latency.Merge(&o.latency)
}

// wait returns how long the calls waited, for whatever it was.
func (s *sums) wait() (total time.Duration) {
	for _, d := range s.waited {
		total += d
	}
	return total
}

// grid has the sums of a frame, by slice and host.
type grid struct {
	frame frame
	cells map[int64]map[string]*sums // by the first second of the slice
	read  int64                      // up to which second everything was read
}

func newGrid(f frame) grid {
	return grid{frame: f, cells: map[int64]map[string]*sums{}, read: f.from}
}

// unsettled is how many seconds are read again, since calls may still end in them.
const unsettled = 3

// move moves the grid on to a later frame of the same kind.
func (g *grid) move(f frame) {
	g.frame = f
	g.read = max(floor(g.read-unsettled, f.size), f.from)
	for at := range g.cells {
		if at < f.from || at >= g.read {
			delete(g.cells, at)
		}
	}
}

// whole reports whether all of the frame was read.
func (g *grid) whole() bool { return g.read >= g.frame.to }

// done returns how much of the frame was read, in percent.
func (g *grid) done() int64 { return (g.read - g.frame.from) * 100 / max(g.frame.to-g.frame.from, 1) }

// part is what is read at a time.
type part struct {
	frame frame
	from  int64
}

func (g *grid) next() part { return part{g.frame, g.read} }

// partMsg brings a part of a grid.
type partMsg struct {
	seq   int
	part  part
	upTo  int64 // what comes before it was read
	cells map[int64]map[string]*sums
	err   error
}

// Failed returns why the sums could not be read, nil if they could.
func (m partMsg) Failed() error { return m.err }

const (
	chunk    = 300                   // seconds that are read at once, so that little is held at a time
	partTime = 60 * time.Millisecond // how long a part takes, so that it is seen to go on
)

// readPart reads as much of a frame as can be read in partTime.
func readPart(ctx context.Context, s Store, seq int, p part) tea.Msg {
	m := partMsg{seq: seq, part: p, upTo: p.from, cells: map[int64]map[string]*sums{}}
	for began := time.Now(); m.upTo < p.frame.to; {
		to := min(m.upTo+chunk, p.frame.to)
		q := ledger.SumQuery{
			Sessions: p.frame.sessions, From: time.Unix(m.upTo, 0), To: time.Unix(to, 0),
			Step: time.Duration(p.frame.size) * time.Second, Latency: true,
		}
		m.err = s.Sums(ctx, q, func(r *ledger.Rollup) error {
			cell(m.cells, r.Second, r.Host).add(r)
			return nil
		})
		if m.err != nil {
			return m
		}
		if m.upTo = to; time.Since(began) > partTime {
			break
		}
	}
	return m
}

func cell(cells map[int64]map[string]*sums, at int64, host string) *sums {
	hosts := cells[at]
	if hosts == nil {
		hosts = map[string]*sums{}
		cells[at] = hosts
	}
	if hosts[host] == nil {
		hosts[host] = new(sums)
	}
	return hosts[host]
}

// take puts in what was read. A part can end within a slice.
func (g *grid) take(m *partMsg) {
	for at, hosts := range m.cells {
		for host, s := range hosts {
			cell(g.cells, at, host).merge(s)
		}
	}
	g.read = m.upTo
}

// row is a host over the whole frame.
type row struct {
	host  string
	sums  sums
	times []int64 // attempts by slice
}

// rows returns a row for each host, in no order.
func (g *grid) rows() []row {
	at := map[string]int{}
	var rows []row
	for second, hosts := range g.cells {
		for host, s := range hosts {
			i, ok := at[host]
			if !ok {
				i = len(rows)
				at[host] = i
				rows = append(rows, row{host: host, times: make([]int64, g.frame.slices())})
			}
			rows[i].sums.merge(s)
			if n := int((second - g.frame.from) / g.frame.size); n >= 0 && n < len(rows[i].times) {
				rows[i].times[n] += s.attempts
			}
		}
	}
	return rows
}
