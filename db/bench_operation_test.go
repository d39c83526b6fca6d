package db_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// BenchmarkIntent writes intents before their sends: one caller alone, one while 100,000
// attempts a second are recorded, and many at a time. It tells the ratio to an fsync of the
// same run. Run it with -benchtime=5s.
func BenchmarkIntent(b *testing.B) {
	b.Run("alone", func(b *testing.B) { benchmarkIntent(b, 1, 0) })
	b.Run("recording", func(b *testing.B) { benchmarkIntent(b, 1, 100_000) })
	b.Run("64 callers", func(b *testing.B) { benchmarkIntent(b, 64, 0) })
	b.Run("64 callers recording", func(b *testing.B) { benchmarkIntent(b, 64, 100_000) })
}

func benchmarkIntent(b *testing.B, callers, attempts int) {
	folder := b.TempDir()
	bare := fsyncs(b, filepath.Join(folder, "bare"))
	d := open(b, filepath.Join(folder, "redial.db"))
	stop := make(chan struct{})
	var recorded atomic.Int64
	var recording sync.WaitGroup
	if attempts > 0 {
		recording.Go(func() { recordSteadily(b, d, attempts, stop, &recorded) })
	}
	var next atomic.Int64
	took := make([][]time.Duration, callers)
	began := time.Now()
	b.ResetTimer()
	var calling sync.WaitGroup
	for i := range callers {
		calling.Go(func() {
			for n := next.Add(1); n <= int64(b.N); n = next.Add(1) {
				in := busyIntent(n)
				at := time.Now()
				if _, err := d.Create(context.Background(), in, ledger.Transition{To: ledger.OpSending, At: at, Code: ledger.CodeSent}, 1); err != nil {
					b.Error(err)
					return
				}
				took[i] = append(took[i], time.Since(at))
			}
		})
	}
	calling.Wait()
	b.StopTimer()
	lasted := time.Since(began).Seconds()
	close(stop)
	recording.Wait()
	all := slices.Concat(took...)
	slices.Sort(all)
	p50 := all[len(all)/2]
	b.ReportMetric(float64(p50.Microseconds()), "p50-µs")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds()), "p99-µs")
	b.ReportMetric(float64(all[len(all)-1].Microseconds()), "max-µs")
	b.ReportMetric(float64(bare.Microseconds()), "fsync-µs")
	b.ReportMetric(float64(p50)/float64(bare), "p50/fsync")
	b.ReportMetric(float64(b.N)/lasted, "operations/s")
	if attempts > 0 {
		b.ReportMetric(float64(recorded.Load())/lasted, "attempts/s")
	}
}

// busyIntent returns an intent as a service makes them.
func busyIntent(n int64) ledger.Intent {
	in := ledger.Intent{
		Service: "checkout", Key: fmt.Sprintf("order-%d", n), Name: "create order", Ref: fmt.Sprint(n), Method: "POST", URL: "https://api.example.test/v1/orders",
		Header: []ledger.Field{{Name: "Content-Type", Value: "application/json"}}, Withheld: []string{"Authorization"},
		Body:   fmt.Appendf(nil, `{"order":%d,"items":[{"sku":"A-1","count":2}],"customer":"c-77"}`, n),
		Policy: ledger.KeyPolicy{Honoured: true},
		Lookup: &ledger.Lookup{URL: "https://api.example.test/v1/orders?key={key}", Match: []ledger.Match{{Pointer: "/ref", Value: "{ref}"}}},
	}
	in.Fingerprint = in.Sum()
	return in
}

// fsyncs returns the median time of an append of 4 KiB and an fsync.
func fsyncs(b *testing.B, path string) time.Duration {
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	took := make([]time.Duration, 1000)
	for i := range took {
		at := time.Now()
		if _, err := f.WriteAt(page, int64(i)*4096); err != nil {
			b.Fatal(err)
		}
		if err := f.Sync(); err != nil {
			b.Fatal(err)
		}
		took[i] = time.Since(at)
	}
	slices.Sort(took)
	return took[len(took)/2]
}

// recordSteadily records so many attempts a second, in batches of 20 ms, until stop is
// closed.
func recordSteadily(b *testing.B, d *db.DB, attempts int, stop <-chan struct{}, recorded *atomic.Int64) {
	const every = 20 * time.Millisecond
	s, err := d.Enrol(context.Background(), session("bench"))
	if err != nil {
		b.Error(err)
		return
	}
	g := newTraffic(s)
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		batch, n := g.batch(attempts * int(every) / int(time.Second) * 100 / 108)
		if err := d.Write(context.Background(), batch); err != nil {
			b.Error(err)
			return
		}
		recorded.Add(n)
	}
}
