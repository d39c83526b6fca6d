package transport

import "time"

// maxStamps is how many requests a sliding window remembers one by one. With a higher limit
// those within Per/maxStamps of each other are remembered as one group, by its last: a
// place then comes back up to that much later than it might, and never earlier. So a window
// needs at most 64 KiB whatever its limit.
const maxStamps = 1024

// sliding is a sliding log: at most limit requests in any stretch of time of length per.
type sliding struct {
	limit int
	per   time.Duration
	grain time.Duration // requests so close to each other are one group; 0: only those at the same moment

	log   []stamp // oldest first, from head on
	head  int
	count int // requests in the log
}

// stamp is a group of requests.
type stamp struct {
	first, last time.Duration // when they went
	n           int
}

func newSliding(limit int, per time.Duration) *sliding {
	s := &sliding{limit: limit, per: per}
	if limit > maxStamps {
		s.grain = per / maxStamps
	}
	return s
}

// roll forgets what is older than per.
func (s *sliding) roll(_ int64, mono time.Duration) {
	for s.head < len(s.log) && s.log[s.head].last <= mono-s.per {
		s.count -= s.log[s.head].n
		s.head++
	}
	if s.head == len(s.log) {
		s.log, s.head = s.log[:0], 0
	}
}

func (s *sliding) room(time.Duration) int { return max(s.limit-s.count, 0) }

// after goes through the log once: behind all of it, places come back as they were taken.
func (s *sliding) after(k int, mono time.Duration) time.Duration {
	room := s.room(mono)
	if k < room {
		return 0
	}
	rounds := time.Duration((k - room) / s.limit)
	nth := (k - room) % s.limit
	wait := s.per // of those that are only about to go
	for _, g := range s.log[s.head:] {
		if nth < g.n {
			wait = max(g.last+s.per-mono, 0)
			break
		}
		nth -= g.n
	}
	if rounds > (maxWait-wait)/s.per {
		return maxWait
	}
	return wait + rounds*s.per
}

func (s *sliding) spend(mono time.Duration) time.Duration {
	s.count++
	if n := len(s.log); n > s.head {
		if g := &s.log[n-1]; mono-g.first < max(s.grain, 1) {
			g.last = max(g.last, mono)
			g.n++
			return mono
		}
	}
	if len(s.log) == cap(s.log) && s.head > len(s.log)/2 {
		s.log, s.head = s.log[:copy(s.log, s.log[s.head:])], 0
	}
	s.log = append(s.log, stamp{mono, mono, 1})
	return mono
}

func (s *sliding) refund(mark, _ time.Duration) {
	for i := len(s.log) - 1; i >= s.head; i-- {
		g := &s.log[i]
		if mark < g.first {
			continue
		}
		if mark > g.last {
			return // It is too old to count.
		}
		s.count--
		if g.n--; g.n == 0 {
			s.log = append(s.log[:i], s.log[i+1:]...)
		}
		return
	}
}

func (s *sliding) used(mono time.Duration) (int, time.Duration) {
	if s.head == len(s.log) {
		return 0, mono
	}
	return s.count, s.log[s.head].last + s.per
}

// restore knows of the requests before only when the oldest ceases to count. The others may
// have been as late as that, or as now.
func (s *sliding) restore(used int, opens, mono time.Duration) {
	oldest := min(opens-s.per, mono)
	if opens <= mono-s.per {
		return
	}
	used = min(used, s.limit-s.count)
	if used <= 0 {
		return
	}
	rest := min(opens, mono)
	old := []stamp{{oldest, oldest, 1}, {rest, rest, used - 1}}
	if oldest <= mono-s.per {
		old = old[1:]
	}
	s.insert(old)
}

// insert adds groups to the log, which stays in order.
func (s *sliding) insert(groups []stamp) {
	for _, g := range groups {
		if g.n == 0 {
			continue
		}
		i := len(s.log)
		for i > s.head && s.log[i-1].last > g.last {
			i--
		}
		s.log = append(s.log, stamp{})
		copy(s.log[i+1:], s.log[i:])
		s.log[i] = g
		s.count += g.n
	}
}

func (s *sliding) idle(mono time.Duration) bool {
	return s.head == len(s.log) || s.log[len(s.log)-1].last <= mono-s.per
}
