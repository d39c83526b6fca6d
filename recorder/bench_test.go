package recorder

import (
	"context"
	"testing"
	"time"

	"redial/ledger"
)

// nullStore takes everything and keeps nothing.
type nullStore struct{}

func (nullStore) Enrol(context.Context, ledger.Session) (ledger.SessionID, error) { return 1, nil }
func (nullStore) Write(context.Context, *ledger.Batch) error                      { return nil }
func (nullStore) End(context.Context, ledger.SessionID, time.Time, ledger.Counters) error {
	return nil
}

func BenchmarkRecord(b *testing.B) {
	r := New(nullStore{}, Options{})
	defer r.Close()
	c := aCall(r)
	b.ReportAllocs()
	for b.Loop() {
		r.Record(c)
	}
	report(b, r)
}

func BenchmarkRecordParallel(b *testing.B) {
	r := New(nullStore{}, Options{})
	defer r.Close()
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		c := aCall(r)
		for pb.Next() {
			r.Record(c)
		}
	})
	report(b, r)
}

// report shows how many calls found no room: a figure without them would be too good.
func report(b *testing.B, r *Recorder) {
	b.Helper()
	b.ReportMetric(100*float64(r.Counters().QueueFull)/float64(b.N), "%full")
}
