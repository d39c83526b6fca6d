package ledger

import (
	"math"
	"math/bits"
	"time"
)

// Four buckets for each power of two from 2^subBits ns keep a quantile within a quarter of
// its true value.
const (
	subBits = 2
	buckets = (64 - subBits) << subBits
)

// Histogram counts durations in logarithmic buckets: exact in number, and within 25 % in
// value. A bucket that is full stays full. The zero value is empty.
type Histogram struct {
	Counts [buckets]uint32
}

// Add counts one duration. A negative one counts as zero.
func (h *Histogram) Add(d time.Duration) {
	if n := &h.Counts[bucket(d)]; *n < math.MaxUint32 {
		*n++
	}
}

// Merge adds all that o has counted.
func (h *Histogram) Merge(o *Histogram) {
	for i, n := range o.Counts {
		h.Counts[i] += min(n, math.MaxUint32-h.Counts[i])
	}
}

// Count returns how many durations were counted.
func (h *Histogram) Count() int64 {
	var n int64
	for _, c := range h.Counts {
		n += int64(c)
	}
	return n
}

// Quantile returns an upper bound of the q-quantile, less than a quarter above it, and 0
// when empty. q lies in [0, 1], and what lies beyond counts as the nearer end.
func (h *Histogram) Quantile(q float64) time.Duration {
	total := h.Count()
	if total == 0 {
		return 0
	}
	rank := max(int64(math.Ceil(min(max(q, 0), 1)*float64(total)))-1, 0) // the nearest rank
	for i, n := range h.Counts {
		if rank < int64(n) {
			return upper(i)
		}
		rank -= int64(n)
	}
	return 0
}

// bucket returns the index for d.
func bucket(d time.Duration) int {
	n := uint64(max(d, 0))
	if n < 1<<subBits {
		return int(n)
	}
	shift := bits.Len64(n) - 1 - subBits
	return shift<<subBits + int(n>>shift)
}

// upper returns the largest duration that bucket i counts.
func upper(i int) time.Duration {
	if i < 1<<(subBits+1) {
		return time.Duration(i)
	}
	shift := i>>subBits - 1
	return time.Duration((uint64(i)-uint64(shift)<<subBits+1)<<shift - 1)
}
