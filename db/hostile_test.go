package db_test

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// readAll reads everything that there is to read in a file, and returns the errors.
func readAll(d *db.DB) (errs []error) {
	ctx := context.Background()
	add := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	_, err := d.Sessions(ctx)
	add(err)
	for _, newest := range []bool{false, true} {
		_, err = d.Calls(ctx, ledger.Query{Newest: newest})
		add(err)
	}
	_, err = d.Running(ctx, nil)
	add(err)
	_, err = d.Windows(ctx, nil)
	add(err)
	_, err = d.Rollups(ctx, nil, start.Add(-time.Hour), start.Add(1000*time.Hour))
	add(err)
	for n := range int64(3) {
		_, err = d.Call(ctx, ledger.NewCallID(1, n+1))
		add(err)
	}
	return errs
}

func TestRowsThatNobodyWroteAreErrorsAtWorst(t *testing.T) {
	for _, test := range []struct {
		statement string
		fails     bool // something must be said about it
	}{
		{"UPDATE call SET last = randomblob(50)", true},
		{"UPDATE call SET last = x''", false},
		{"UPDATE call SET last = zeroblob(100000000) WHERE id = 1 + (1 << 40)", true},
		{"UPDATE call SET host = 4711", true},
		{"UPDATE call SET host = -1", true},
		{"UPDATE call SET path = 4711", true},
		{"UPDATE call SET path = 1.5, method = 1e300, error = x'ff00'", false},
		{"UPDATE call SET started = 9223372036854775807, took = 9223372036854775807", false},
		{"UPDATE call SET started = -9223372036854775808, took = -9223372036854775808", false},
		{"UPDATE call SET status = -5, outcome = 9223372036854775807, attempts = -9223372036854775808, waits = 300", false},
		{"UPDATE call SET id = -id", false},
		{"UPDATE text SET value = zeroblob(10000000 + id) WHERE id < 5", true},
		{"DELETE FROM text", true},
		{"UPDATE attempt SET data = x'01ffffffffffffffff7f'", true},
		{"UPDATE wait SET rule = x'01ffff', kind = -1", true},
		{"INSERT OR REPLACE INTO wait SELECT id, 0, 1000, -1, -1, -1, -1, x'0100' FROM call", false},
		{"INSERT INTO body SELECT id, 1, 1, zeroblob(5), zeroblob(100000000) FROM call LIMIT 2", true},
		{"INSERT INTO body SELECT id, -1, 7, NULL, NULL FROM call", false},
		{"UPDATE rollup SET latency = randomblob(30)", true},
		{"UPDATE rollup SET second = second - 9223372036854775807", false},
		{"INSERT INTO live VALUES ((1 << 40) + 5000, randomblob(200))", true},
		{"INSERT INTO live VALUES (-7, x'01')", false},
		{"INSERT INTO live VALUES (9223372036854775807, x'01')", false},
		{"UPDATE session SET id = 9223372036854775807", false},
		{"UPDATE session SET id = -3, started = 9223372036854775807, last_seen = -9223372036854775808, pid = -1", false},
		{"UPDATE session SET pid = 9223372036854775807, service = zeroblob(1000000)", false},
		{`INSERT INTO "window" VALUES (1, 1, x'00ff', -1, -1, -1, -9223372036854775808, -1, 9223372036854775807,
			x'ff00', -1, -9223372036854775808, 9223372036854775807, -1, -1, -1, 9223372036854775807)`, false},
		{"INSERT INTO duplicate SELECT id, -1, 9223372036854775807 FROM call", false},
		{"INSERT INTO duplicate SELECT id, 9223372036854775807, -256 FROM call", false},
		{"INSERT INTO redirect SELECT id, -9223372036854775808 FROM call", false},
		{"INSERT OR REPLACE INTO bandwidth SELECT session, second, host, -9223372036854775808 FROM rollup", false},
	} {
		t.Run(test.statement, func(t *testing.T) {
			path := recorded(t)
			sqlite(t, path, "PRAGMA foreign_keys = OFF", test.statement)
			errs := readAll(openExisting(t, path))
			if test.fails && len(errs) == 0 {
				t.Error("nothing is said about it")
			}
			for _, err := range errs {
				if !strings.Contains(err.Error(), "damaged") && !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("it is said that %v", err)
				}
			}
		})
	}
}
