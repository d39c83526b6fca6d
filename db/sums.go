package db

import (
	"context"
	"math"
	"time"

	"redial/ledger"
)

// Sums calls each with what [DB.Rollups] returns for the time that a query says, with the
// seconds of each step added up: Second is the first one of a step. Sessions come one after
// another, each oldest first. It ends with the first error that each returns.
//
// It goes through the seconds a few at a time, holds no transaction while each runs, and no
// more in memory than those few, so that a recording of many hours is summed up in passing.
func (d *DB) Sums(ctx context.Context, q ledger.SumQuery, each func(*ledger.Rollup) error) error {
	var sessions []known
	err := d.reads.read(ctx, func(v *view) (err error) {
		sessions, err = v.sessions(ctx, q.Sessions, d.now())
		return err
	})
	for i := 0; i < len(sessions) && err == nil; i++ {
		s := newSumming(&q, sessions[i].ID)
		for err == nil && !s.done {
			err = d.reads.read(ctx, func(v *view) error { return s.page(ctx, v) })
			for j := 0; j < len(s.ready) && err == nil; j++ {
				err = each(&s.ready[j])
			}
			if q.Progress != nil && err == nil {
				length := max(s.to-s.from, 0)
				q.Progress(int64(i)*length+s.seen(), int64(len(sessions))*length)
			}
		}
	}
	return err
}

// sumPage is how many rows of the table rollup one transaction reads.
const sumPage = 2048

// moment is a second at a host, which names a row of the tables rollup and bandwidth.
type moment struct{ second, host int64 }

func (m moment) before(o moment) bool {
	return m.second < o.second || m.second == o.second && m.host < o.host
}

// summing adds up the sums of one session by steps of time.
type summing struct {
	session        ledger.SessionID
	from, to, step int64 // seconds
	latency        bool  // with the histograms

	at    moment           // what has been read, with it
	begin int64            // of the step that is being added up
	hosts map[int64]int    // those that the step has, with their places in sums
	sums  []*ledger.Rollup // those of the step come first
	ready []ledger.Rollup  // sums of steps that are whole
	done  bool

	slowed  []slowed // time spent waiting for bandwidth that comes next
	slowAll bool     // there is no more of it in the file
}

// slowed is a row of the table bandwidth.
type slowed struct {
	moment
	waited time.Duration
}

func newSumming(q *ledger.SumQuery, id ledger.SessionID) *summing {
	s := &summing{session: id, hosts: map[int64]int{}, from: q.From.Unix(), to: ceilSecond(q.To), step: max(int64(q.Step/time.Second), 1), latency: q.Latency}
	s.at = moment{s.from - 1, math.MaxInt64}
	return s
}

// seen returns how many seconds were gone through.
func (s *summing) seen() int64 {
	if s.done {
		return max(s.to-s.from, 0)
	}
	return s.at.second - s.from
}

// page reads the next rows.
func (s *summing) page(ctx context.Context, v *view) error {
	s.ready = s.ready[:0]
	if err := s.bandwidth(ctx, v); err != nil {
		return err
	}
	rows, start, latency := 0, s.at, ""
	if s.latency {
		latency = ", latency"
	}
	err := v.query(ctx, `SELECT second, host, calls, attempts, retried, failed, unknown, "window", backoff, retry_after`+latency+
		` FROM rollup WHERE session = ? AND (second, host) > (?, ?) AND second < ? ORDER BY second, host LIMIT ?`,
		values(int64(s.session), start.second, start.host, s.to, sumPage), func(r row) error {
			rows++
			return s.add(ctx, v, r)
		})
	if err != nil {
		return err
	}
	if s.done = rows < sumPage; s.done {
		s.flush()
	}
	return nil
}

// bandwidth reads the time spent waiting for bandwidth that belongs to the next rows: each
// belongs to one, so that as many as the page has are enough.
func (s *summing) bandwidth(ctx context.Context, v *view) error {
	known, err := v.knows(ctx, transportVersion)
	if err != nil || !known || s.slowAll || len(s.slowed) >= sumPage {
		return err
	}
	after := s.at
	if n := len(s.slowed); n > 0 {
		after = s.slowed[n-1].moment
	}
	n := 0
	err = v.query(ctx, `SELECT second, host, waited FROM bandwidth WHERE session = ? AND (second, host) > (?, ?) AND second < ? ORDER BY second, host LIMIT ?`,
		values(int64(s.session), after.second, after.host, s.to, sumPage), func(r row) error {
			n++
			s.slowed = append(s.slowed, slowed{moment{r.int(0), r.int(1)}, r.duration(2)})
			return nil
		})
	s.slowAll = n < sumPage
	return err
}

// add adds a row to its step.
func (s *summing) add(ctx context.Context, v *view, r row) (err error) {
	s.at = moment{r.int(0), r.int(1)}
	if begin := floorTo(s.at.second, s.step); begin != s.begin || len(s.hosts) == 0 {
		s.flush()
		s.begin = begin
	}
	i, there := s.hosts[s.at.host]
	if !there {
		if i, err = s.open(ctx, v, s.at.host); err != nil {
			return err
		}
	}
	t := s.sums[i]
	t.Calls += r.int(2)
	t.Attempts += r.int(3)
	t.Retried += r.int(4)
	t.Failed += r.int(5)
	t.Unknown += r.int(6)
	for kind := range 3 {
		t.Waited[kind] += r.duration(7 + kind)
	}
	for len(s.slowed) > 0 && !s.at.before(s.slowed[0].moment) {
		if s.slowed[0].moment == s.at {
			t.Waited[ledger.BandwidthWait] += s.slowed[0].waited
		}
		s.slowed = s.slowed[1:]
	}
	if !s.latency {
		return nil
	}
	d := decode(r.bytes(10), nil)
	d.addHistogram(&t.Latency)
	return d.end()
}

// open begins the sum of a host in the present step, and returns its place.
func (s *summing) open(ctx context.Context, v *view, host int64) (int, error) {
	name, err := v.text(ctx, host)
	if err != nil {
		return 0, err
	}
	i := len(s.hosts)
	s.hosts[host] = i
	if i == len(s.sums) {
		s.sums = append(s.sums, new(ledger.Rollup))
	}
	*s.sums[i] = ledger.Rollup{Session: s.session, Second: s.begin, Host: name}
	return i, nil
}

// flush ends the present step.
func (s *summing) flush() {
	for i := range len(s.hosts) {
		s.ready = append(s.ready, *s.sums[i])
	}
	clear(s.hosts)
}

// floorTo returns the last multiple of step that is not after n.
func floorTo(n, step int64) int64 { return n - ((n%step)+step)%step }
