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
)

// deck has what befalls the calls of one API. The calls are dealt from it in shuffled
// rounds, so that every plan comes up once in as many calls as there are plans. A plan
// has the faults of a call's first, second, … request; those after its end are fine.
type deck [][]fault

// plan returns what befalls call n of an API, n from 1. It depends on nothing else.
func (d deck) plan(seed uint64, api string, n int) []fault {
	if len(d) == 0 || n < 1 {
		return nil
	}
	round, place := (n-1)/len(d), (n-1)%len(d)
	order := dice(seed, api, round).Perm(len(d))
	return d[order[place]]
}

// dice returns the random numbers that belong to call n of an API.
func dice(seed uint64, api string, n int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(api))
	return rand.New(rand.NewPCG(seed, h.Sum64()^uint64(n)))
}
