package db

import (
	"context"
	"slices"
	"time"

	"redial/ledger"
)

// Sums returns what [DB.Rollups] returns for the seconds from one moment up to another,
// with those of each step added up: Second is the first one of a step, which begins at a
// multiple of it. Latency is left out, which makes a long session quick to sum up. A step
// of less than a second is one.
func (d *DB) Sums(ctx context.Context, ids []ledger.SessionID, from, to time.Time, step time.Duration) (list []ledger.Rollup, err error) {
	seconds := max(int64(step/time.Second), 1)
	err = d.reads.read(ctx, func(v *view) error {
		list = nil
		tables, err := v.sumTables(ctx)
		if err != nil {
			return err
		}
		sessions, err := v.sessions(ctx, ids, d.now())
		for i := 0; i < len(sessions) && err == nil; i++ {
			err = v.query(ctx, `SELECT second / ?1 * ?1 AS first, host, sum(calls), sum(attempts), sum(retried), sum(failed), sum(unknown), `+
				`sum("window"), sum(backoff), sum(retry_after), `+tables+` WHERE session = ?2 AND second >= ?3 AND second < ?4 GROUP BY first, host`,
				values(seconds, int64(sessions[i].ID), from.Unix(), ceilSecond(to)), func(r row) error {
					t := sumOf(r)
					t.Session = sessions[i].ID
					t.Host, err = v.text(ctx, r.int(1))
					list = append(list, t)
					return err
				})
		}
		return err
	})
	slices.SortStableFunc(list, func(a, b ledger.Rollup) int { return int(min(max(a.Second-b.Second, -1), 1)) })
	return list, err
}

// sumTables returns the sum of the time spent waiting for bandwidth, and the tables of all
// sums.
func (v *view) sumTables(ctx context.Context) (string, error) {
	known, err := v.knows(ctx, transportVersion)
	if !known {
		return `0 FROM rollup`, err
	}
	return `sum(waited) FROM rollup LEFT JOIN bandwidth USING (session, second, host)`, err
}

// sumOf returns the sums of a row, which begins with the second.
func sumOf(r row) ledger.Rollup {
	return ledger.Rollup{
		Second: r.int(0), Calls: r.int(2), Attempts: r.int(3), Retried: r.int(4), Failed: r.int(5), Unknown: r.int(6),
		Waited: [ledger.NumWaitKinds]time.Duration{r.duration(7), r.duration(8), r.duration(9), r.duration(10)},
	}
}
