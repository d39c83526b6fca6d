package ledger

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

func TestQuantilesLieLessThanAQuarterAboveTheExactOnes(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		var h Histogram
		exact := make([]time.Duration, 1+random.IntN(500))
		for i := range exact {
			exact[i] = time.Duration(random.Uint64() >> (1 + random.IntN(63))) // of every magnitude
			h.Add(exact[i])
		}
		slices.Sort(exact)
		if h.Count() != int64(len(exact)) {
			t.Fatalf("round %d: counted %d of %d", round, h.Count(), len(exact))
		}
		for _, q := range []float64{0, 0.01, 0.5, 0.9, 0.95, 0.99, 1} {
			want := exact[max(int(math.Ceil(q*float64(len(exact))))-1, 0)] // the nearest rank
			if got := h.Quantile(q); got < want || float64(got) > 1.25*float64(want) {
				t.Fatalf("round %d: quantile %v of %d is %d, exactly %d", round, q, len(exact), got, want)
			}
		}
	}
}

func TestEveryDurationHasTheBucketThatEndsAtOrAboveIt(t *testing.T) {
	check := func(d time.Duration) {
		i := bucket(d)
		if i < 0 || i >= buckets || upper(i) < d || i > 0 && upper(i-1) >= d {
			t.Fatalf("%d is in bucket %d of %d, which ends at %d", d, i, buckets, upper(i))
		}
	}
	for d := range time.Duration(5000) {
		check(d)
	}
	for shift := range 63 {
		for off := range time.Duration(3) {
			check(max(1<<shift+off-1, 0))
		}
	}
	check(math.MaxInt64)
}

func TestHistogramTakesExtremes(t *testing.T) {
	var h Histogram
	if h.Count() != 0 || h.Quantile(0.5) != 0 {
		t.Errorf("the empty one has %d, median %v", h.Count(), h.Quantile(0.5))
	}
	h.Add(math.MinInt64)
	h.Add(-1)
	h.Add(0)
	h.Add(math.MaxInt64)
	if h.Counts[0] != 3 || h.Count() != 4 || h.Quantile(1) != math.MaxInt64 || h.Quantile(0) != 0 {
		t.Errorf("%d at 0, %d in all, from %v to %v", h.Counts[0], h.Count(), h.Quantile(0), h.Quantile(1))
	}
	if h.Quantile(-1) != h.Quantile(0) || h.Quantile(2) != h.Quantile(1) {
		t.Errorf("beyond the ends: %v and %v", h.Quantile(-1), h.Quantile(2))
	}
}

func TestFullBucketsStayFull(t *testing.T) {
	var h, o Histogram
	for i := range h.Counts {
		h.Counts[i], o.Counts[i] = math.MaxUint32-1, 5
	}
	h.Merge(&o)
	h.Add(0)
	if h.Counts[0] != math.MaxUint32 || h.Counts[buckets-1] != math.MaxUint32 {
		t.Errorf("counts are %d and %d", h.Counts[0], h.Counts[buckets-1])
	}
	if h.Count() != buckets*math.MaxUint32 || h.Quantile(1) != math.MaxInt64 {
		t.Errorf("%d in all, the last is %d", h.Count(), h.Quantile(1))
	}
}

func TestMergedHistogramsCountWhatBothCounted(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	var a, b, both Histogram
	for range 1000 {
		d := time.Duration(random.Int64N(int64(time.Minute)))
		both.Add(d)
		if d%2 == 0 {
			a.Add(d)
		} else {
			b.Add(d)
		}
	}
	if a.Merge(&b); a != both {
		t.Error("two halves together are not the whole")
	}
}

func BenchmarkHistogramAdd(b *testing.B) {
	var h Histogram
	for b.Loop() {
		h.Add(123456789)
	}
}
