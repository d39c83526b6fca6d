package db_test

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// generated returns a database with as many attempts as REDIAL_BENCH_ATTEMPTS says, a
// million by default: one session of a call each millisecond. With REDIAL_BENCH_DB it is
// made at that path and used again.
func generated(b *testing.B) (*db.DB, time.Time) {
	b.Helper()
	most, err := strconv.ParseInt(os.Getenv("REDIAL_BENCH_ATTEMPTS"), 10, 64)
	if err != nil {
		most = 1_000_000
	}
	path := os.Getenv("REDIAL_BENCH_DB")
	if path == "" {
		path = filepath.Join(b.TempDir(), "redial.db")
	}
	d := open(b, path)
	sessions, err := d.Sessions(context.Background())
	if err != nil {
		b.Fatal(err)
	}
	if len(sessions) == 0 {
		g := newTraffic(enrol(b, d, session("bench")))
		g.every = time.Millisecond
		for n := int64(0); n < most; {
			batch, attempts := g.batch(4096)
			write(b, d, batch)
			n += attempts
		}
	}
	rollups, err := d.Rollups(context.Background(), nil, start, start.Add(1000*time.Hour))
	if err != nil {
		b.Fatal(err)
	}
	return d, time.Unix(rollups[len(rollups)-1].Second, 0)
}

// BenchmarkRead asks what the dashboard asks.
func BenchmarkRead(b *testing.B) {
	d, end := generated(b)
	ctx := context.Background()
	for name, q := range map[string]ledger.Query{
		"latest 200":         {Newest: true, Limit: 200},
		"status":             {Newest: true, Limit: 200, Filter: filter(b, "status:404")},
		"retried":            {Newest: true, Limit: 200, Filter: filter(b, "attempts:>1")},
		"retried and status": {Newest: true, Limit: 200, Filter: filter(b, "attempts:>1 status:404")},
		"host":               {Newest: true, Limit: 200, Filter: filter(b, "host:api3.example.test")},
		"absent host":        {Newest: true, Limit: 200, Filter: filter(b, "host:absent.test")},
		"key":                {Newest: true, Limit: 200, Filter: filter(b, "key:order-5000")},
		"word":               {Newest: true, Limit: 200, Filter: filter(b, "resource/17")},
		"absent word":        {Newest: true, Limit: 200, Filter: filter(b, "absent")},
		"absent expression":  {Newest: true, Limit: 200, Filter: filter(b, "/absent/")},
		"last minute":        {Newest: true, Limit: 200, Filter: filter(b, "at:12:01..12:02 path:*/7")},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := d.Calls(ctx, q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("rollups of 5 minutes", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.Rollups(ctx, nil, end.Add(-5*time.Minute), end); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("sessions", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.Sessions(ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("version", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.Version(ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("call", func(b *testing.B) {
		for b.Loop() {
			if _, err := d.Call(ctx, ledger.NewCallID(1, 5000)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSessions reads a list of sessions that have not ended.
func BenchmarkSessions(b *testing.B) {
	for _, n := range []int{1, 20} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			d := open(b, newFile(b))
			for range n {
				enrol(b, d, session("bench"))
			}
			for b.Loop() {
				if _, err := d.Sessions(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
