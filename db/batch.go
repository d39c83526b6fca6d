package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"redial/ledger"
)

// Write writes a batch whole or not at all; only when operations are written meanwhile, those
// who read can see its first calls before its last. It takes as long as the transaction takes,
// and waits for another process that is writing until ctx ends, but 1.5 seconds at most.
// After an error the batch can be written again.
func (d *DB) Write(ctx context.Context, b *ledger.Batch) error {
	if d.writer == nil {
		return d.errReading()
	}
	return d.writer.do(ctx, func(ctx context.Context) error { return d.writer.write(ctx, b) })
}

// errReading is the error for writing to what was opened for reading.
func (d *DB) errReading() error {
	return &Error{Path: d.path, Kind: ErrNotWritable, Text: "was opened for reading: open it with db.Open"}
}

func (w *writer) write(ctx context.Context, b *ledger.Batch) error {
	s := w.sessions[b.Session]
	if s == nil {
		return fmt.Errorf("write a batch: session %d was not enrolled through this store", b.Session)
	}
	err := w.slices(ctx, s, b)
	if err == nil {
		s.last = ledger.Batch{Session: b.Session, Beat: b.Beat, Counters: b.Counters}
		s.written += int64(len(b.Calls))
	}
	return err
}

// maxBody is how much of a body is kept, whatever the recorder's limit is. SQLite takes
// no more than a gigabyte in one value, and refuses the whole batch beyond.
const maxBody = 64 << 20

// cache is what the writer remembers of the file to spare itself reading. It belongs to
// one connection and is true only as long as every transaction succeeds; after a failure
// it is made anew.
type cache struct {
	c       *conn
	dict    *dict
	enc     encoder
	rollups *rollups
	live    map[int64]*liveRows // by number of the session in the file

	calls, attempts, waits, bodies *inserter
	redirects                      *inserter
	transitions                    *inserter
	added                          map[string]int64 // operations in this transaction, by service
}

func newCache(c *conn) *cache {
	d := newDict(c)
	return &cache{
		c:       c,
		dict:    d,
		enc:     encoder{dict: d.id, headers: newHeaderSets(d)},
		rollups: newRollups(c, d),
		live:    map[int64]*liveRows{},
		calls: newInserter(c, `INSERT OR REPLACE INTO call (id, started, took, host, method, scheme, path, query, status, `+
			`outcome, attempts, sends, waited, waits, key, error, policy, last)`, 18),
		attempts:    newInserter(c, `INSERT OR REPLACE INTO attempt (call, n, data)`, 3),
		waits:       newInserter(c, `INSERT OR REPLACE INTO wait (call, n, kind, before, start, planned, took, rule)`, 8),
		bodies:      newInserter(c, `INSERT OR REPLACE INTO body (call, n, response, sha256, data)`, 5),
		redirects:   newInserter(c, `INSERT OR REPLACE INTO redirect (call, previous)`, 2),
		transitions: newTransitions(c),
		added:       map[string]int64{},
	}
}

// batch writes a batch within the open transaction. If hurry says so on the way, it writes
// only the first n calls.
func (k *cache) batch(s *enrolled, b *ledger.Batch, hurry func() bool) (n int, err error) {
	for ; n < len(b.Calls); n++ {
		if n > 0 && n%maxSlice == 0 && hurry() {
			break
		}
		c := &b.Calls[n]
		if c.ID.Session() != b.Session || c.ID.N() == 0 {
			return 0, fmt.Errorf("write a batch: call %s is not of session %d", c.ID, b.Session)
		}
		row := s.row(c.ID)
		k.call(row, c)
		if c.Previous != 0 {
			k.redirects.add(row, s.place(c.Previous))
		}
		k.rollups.add(s.id, k.dict.host(c.Host), c)
	}
	err = errors.Join(k.calls.flush(), k.attempts.flush(), k.waits.flush(), k.bodies.flush(), k.redirects.flush(), k.rollups.flush(), k.dict.err)
	if n < len(b.Calls) {
		return n, errors.Join(err, k.slice(s, b.Calls[:n]))
	}
	return n, errors.Join(err, k.session(s, b), k.running(s, b), k.windows(s, b), k.duplicates(s, b.Duplicates), k.addGaps(s, b.Gaps))
}

// call adds the rows of a call.
func (k *cache) call(row int64, c *ledger.Call) {
	d := k.dict
	var last driver.Value
	if n := len(c.AttemptList); n > 0 {
		for i := range c.AttemptList[:n-1] {
			k.attempts.add(row, int64(i+1), k.attempt(c.AttemptList, i))
		}
		last = k.attempt(c.AttemptList, n-1)
	}
	k.calls.add(row, unixNano(c.Started), int64(c.Took), d.host(c.Host),
		d.valueNotNull(textMethod, c.Method), d.valueNotNull(textScheme, c.Scheme),
		d.value(textPath, c.Path), d.value(textQuery, c.Query), int64(c.Status), int64(c.Outcome),
		int64(c.Attempts), int64(c.WireSends), int64(c.Waited), int64(c.WaitedFor),
		textValue(c.Key), d.value(textError, c.Error), d.value(textPolicy, c.Policy), last)
	for i := range c.AttemptList {
		a := &c.AttemptList[i]
		if sameBody(a, c.AttemptList[:i]) == 0 {
			k.body(row, a.N, 0, &a.Request.Body)
		}
		k.body(row, a.N, 1, &a.Response.Body)
	}
	for i := range c.Waits {
		w := &c.Waits[i]
		k.enc.reset()
		k.enc.rule(&w.Rule)
		k.waits.add(row, int64(i), int64(w.Kind), int64(w.Before), int64(w.Start), int64(w.Planned), int64(w.Took), k.blob())
	}
}

// attempt returns the blob of attempt i.
func (k *cache) attempt(list []ledger.Attempt, i int) driver.Value {
	k.enc.reset()
	k.enc.attempt(&list[i], i+1, list[:i])
	return k.blob()
}

// blob returns a copy of what has been encoded.
func (k *cache) blob() []byte { return append([]byte(nil), k.enc.buf...) }

// body adds a row for a body, if it needs one.
func (k *cache) body(row int64, n int, response int64, b *ledger.Body) {
	if !hasRow(b) {
		return
	}
	var hash driver.Value
	if b.SHA256 != [len(b.SHA256)]byte{} {
		hash = b.SHA256[:]
	}
	k.bodies.add(row, int64(n), response, hash, b.Data[:min(len(b.Data), maxBody)])
}

// duplicates notes both calls of each pair. A call that is in several pairs keeps the first
// other one, unless all that was known of it was that it was on the wire twice.
func (k *cache) duplicates(s *enrolled, list []ledger.Duplicate) error {
	for _, d := range list {
		later, earlier := s.place(d.Call), s.place(d.Other)
		for _, pair := range [...][2]int64{{later, earlier}, {earlier, later}} {
			_, err := k.c.exec(`INSERT INTO duplicate (call, other, kind) VALUES (?1, ?2, ?3)
				ON CONFLICT DO UPDATE SET other = ?2, kind = ?3 WHERE kind = ?4`, pair[0], pair[1], int64(d.Kind), int64(ledger.WireTwice))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// addGaps adds stretches of which calls are missing.
func (k *cache) addGaps(s *enrolled, gaps []ledger.Gap) error {
	for _, g := range gaps {
		_, err := k.c.exec(`INSERT INTO gap (session, n, "from", "to", calls, reason)
			SELECT ?1, 1 + coalesce(max(n), 0), ?2, ?3, ?4, ?5 FROM gap WHERE session = ?1`,
			s.id, unixNano(g.From), unixNano(g.To), g.Calls, textNotNull(g.Reason))
		if err != nil {
			return err
		}
	}
	return nil
}
