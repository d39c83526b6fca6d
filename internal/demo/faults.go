package demo

import (
	"hash/fnv"
	"math/rand/v2"
)

// fault is how the vendor mistreats one request.
type fault uint8

const (
	fine      fault = iota
	busy            // 503
	busyUntil       // 503 with Retry-After
	throttled       // 429 with Retry-After
	broken          // 500, and a trace that was meant for the vendor's own terminal
	cut             // the connection is reset before anything is done
	dropped         // it is done, and then the connection is reset
	late            // it is done, and the answer comes after the caller has lost patience
	landing         // the connection is reset, and it is done some time after that
	declined        // 402: a refusal for good
	stale           // a lookup that does not know yet
	foreign         // a lookup that finds what belongs to somebody else
)

// faults are what befalls the first, second, … of some requests; those after its end are
// fine.
type faults []fault

// fate is what befalls one call: its requests, and those that ask whether it was done.
type fate struct{ sends, lookups faults }

// deck has what befalls the calls of one API. The calls are dealt from it in shuffled
// rounds, so that every fate comes up once in as many calls as there are fates.
type deck []fate

// fate returns what befalls call n, n from 1. It depends on nothing else than what is
// given.
func (d deck) fate(seed uint64, name string, n int) fate {
	if len(d) == 0 || n < 1 {
		return fate{}
	}
	round, place := (n-1)/len(d), (n-1)%len(d)
	order := dice(seed, name, round).Perm(len(d))
	return d[order[place]]
}

// dice returns the random numbers that belong to call n of an API.
func dice(seed uint64, api string, n int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(api))
	return rand.New(rand.NewPCG(seed, h.Sum64()^uint64(n)))
}
