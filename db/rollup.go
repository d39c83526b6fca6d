package db

import (
	"context"
	"errors"
	"time"

	"redial/ledger"
)

// maxRollups is how many totals a writer keeps in memory from one batch to the next.
const maxRollups = 4096

// rollups sums up what ends, by second and host. The totals of the seconds that still
// grow are kept in memory and written over those in the file once for each batch, which
// costs a fraction of adding to them there call by call.
type rollups struct {
	c      *conn
	totals map[rollupKey]*ledger.Rollup
	hosts  map[hostKey]*hostTotal
	enc    encoder
	rows   *inserter
	slowed *inserter // for the table bandwidth
	err    error

	touched []rollupKey
}

type rollupKey struct{ session, second, host int64 }

type hostKey struct{ session, host int64 }

// hostTotal is what a session called a host for, since the last flush.
type hostTotal struct{ calls, first, last int64 }

func newRollups(c *conn, d *dict) *rollups {
	return &rollups{
		c:      c,
		totals: map[rollupKey]*ledger.Rollup{},
		hosts:  map[hostKey]*hostTotal{},
		rows: newInserter(c, `INSERT OR REPLACE INTO rollup (session, second, host, calls, attempts, retried, failed, unknown, `+
			`"window", backoff, retry_after, latency)`, 12),
		slowed: newInserter(c, `INSERT OR REPLACE INTO bandwidth (session, second, host, waited)`, 4),
	}
}

// add adds a call that has ended.
func (r *rollups) add(session, host int64, c *ledger.Call) {
	key := rollupKey{session, endSecond(c), host}
	t := r.totals[key]
	if t == nil {
		t = r.load(key)
		r.totals[key] = t
	}
	if t.Second == 0 { // not touched in this batch
		t.Second = key.second
		r.touched = append(r.touched, key)
	}
	sum(t, c)

	at := unixNano(c.Started)
	h := r.hosts[hostKey{session, host}]
	if h == nil {
		h = &hostTotal{first: at, last: at}
		r.hosts[hostKey{session, host}] = h
	}
	h.calls++
	h.first, h.last = min(h.first, at), max(h.last, at)
}

// endSecond returns the second of Unix time in which a call ended.
func endSecond(c *ledger.Call) int64 { return c.Started.Add(c.Took).Unix() }

// sum adds a call to a total.
func sum(t *ledger.Rollup, c *ledger.Call) {
	t.Calls++
	t.Attempts += int64(c.Attempts)
	if retried(c) {
		t.Retried++
	}
	if c.Failed() {
		t.Failed++
	}
	if c.Outcome == ledger.Unknown {
		t.Unknown++
	}
	for i := range c.Waits {
		if w := &c.Waits[i]; int(w.Kind) < len(t.Waited) {
			t.Waited[w.Kind] += w.Took
		}
	}
	t.Latency.Add(c.Took)
}

// retried reports whether a call was sent again. An attempt that only adds the credentials
// that were asked for is a leg of the one before it.
func retried(c *ledger.Call) bool {
	n := c.Attempts
	for i := range c.AttemptList {
		if c.AttemptList[i].Reason == ledger.AuthLeg {
			n--
		}
	}
	return n > 1
}

// load returns the total in the file, an empty one if there is none.
func (r *rollups) load(key rollupKey) *ledger.Rollup {
	t := &ledger.Rollup{}
	_, err := r.c.one(context.Background(), `SELECT calls, attempts, retried, failed, unknown, "window", backoff, retry_after, latency, waited
		FROM rollup LEFT JOIN bandwidth USING (session, second, host) WHERE session = ? AND second = ? AND host = ?`, values(key.session, key.second, key.host),
		func(row row) (err error) {
			*t, err = rollupOf(row, 0)
			return err
		})
	r.err = errors.Join(r.err, err)
	return t
}

// flush writes what has been touched.
func (r *rollups) flush() error {
	for _, key := range r.touched {
		t := r.totals[key]
		t.Second = 0
		r.enc.reset()
		r.enc.histogram(&t.Latency)
		r.rows.add(key.session, key.second, key.host, t.Calls, t.Attempts, t.Retried, t.Failed, t.Unknown,
			int64(t.Waited[ledger.WindowWait]), int64(t.Waited[ledger.BackoffWait]), int64(t.Waited[ledger.RetryAfterWait]),
			append([]byte(nil), r.enc.buf...))
		if slowed := t.Waited[ledger.BandwidthWait]; slowed != 0 {
			r.slowed.add(key.session, key.second, key.host, int64(slowed))
		}
	}
	r.touched = r.touched[:0]
	if len(r.totals) > maxRollups {
		clear(r.totals) // those that still grow are soon read again
	}
	err := errors.Join(r.err, r.rows.flush(), r.slowed.flush())
	r.err = nil
	for key, h := range r.hosts {
		_, e := r.c.exec(`INSERT INTO session_host (session, host, calls, first, last) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, first = min(first, excluded.first), last = max(last, excluded.last)`,
			key.session, key.host, h.calls, h.first, h.last)
		err = errors.Join(err, e)
	}
	clear(r.hosts)
	return err
}

// rollupOf returns the sums of a row from column i on, the time spent waiting for bandwidth
// last.
func rollupOf(r row, i int) (ledger.Rollup, error) {
	d := decode(r.bytes(i+8), nil)
	t := ledger.Rollup{
		Calls: r.int(i), Attempts: r.int(i + 1), Retried: r.int(i + 2), Failed: r.int(i + 3), Unknown: r.int(i + 4),
		Waited:  [ledger.NumWaitKinds]time.Duration{r.duration(i + 5), r.duration(i + 6), r.duration(i + 7), r.duration(i + 9)},
		Latency: d.histogram(),
	}
	return t, d.end()
}
