// Command peers measures what a call that succeeds at once costs through redial and through
// other transports of its trade, over one that answers from memory and over loopback, all in
// turns in one run:
//
//	go -C bench run ./peers
//
// The rounds are short and many, and each figure is the one that a quarter of them stay
// below: on a machine that does other things too, those are the rounds that were let alone.
// "over bare" is what is left without the base transport, which is what a wrapper is
// answerable for; "±" is half the distance between the quartiles.
package main

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"
)

func main() {
	var o options
	flag.IntVar(&o.rounds, "rounds", 60, "rounds of each kind")
	flag.DurationVar(&o.length, "for", 25*time.Millisecond, "length of a round")
	flag.StringVar(&o.only, "only", "", "a `scene` to measure alone: memory, headers, body, loopback or upload")
	flag.StringVar(&o.kind, "kind", "", "a `kind` to measure alone, beside bare")
	testing.Init() // Its flags say how long testing.Benchmark measures.
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

type options struct {
	rounds     int
	length     time.Duration
	only, kind string
}

func run(o options) error {
	if err := flag.Set("test.benchtime", o.length.String()); err != nil {
		return err
	}
	server := newServer()
	defer server.Close()
	for _, s := range scenes(server.URL) {
		if o.only != "" && o.only != s.name {
			continue
		}
		kinds, closeAll, err := kindsOver(s.base)
		if err != nil {
			return err
		}
		kinds = slices.DeleteFunc(kinds, func(k *kind) bool {
			return o.kind != "" && k.name != "bare" && !strings.Contains(k.name, o.kind)
		})
		err = measure(s, kinds, o.rounds)
		if err := closeAll(); err != nil {
			return err
		}
		if err != nil {
			return err
		}
		report(s, kinds)
	}
	return nil
}

// figures are those of one round.
type figures struct{ ns, bytes, allocs int64 }

// measure runs every kind in each round, so that none has better times than another. The
// first round warms up.
func measure(s scene, kinds []*kind, rounds int) error {
	for round := range rounds + 1 {
		for _, k := range kinds {
			var failed error
			result := testing.Benchmark(func(b *testing.B) {
				for b.Loop() {
					if err := s.call(k.transport); err != nil {
						failed = fmt.Errorf("%s, %s: %w", s.name, k.name, err)
						b.FailNow()
					}
				}
			})
			if failed != nil {
				return failed
			}
			if round > 0 {
				k.rounds = append(k.rounds, figures{result.NsPerOp(), result.AllocedBytesPerOp(), result.AllocsPerOp()})
			}
		}
	}
	return nil
}

func report(s scene, kinds []*kind) {
	fmt.Printf("\n%s: %s\n", s.name, s.what)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "ns\t±\tover bare\tratio\tbytes\tallocs\t ")
	bare := kinds[0].quarter(func(f figures) int64 { return f.ns })
	for _, k := range kinds {
		ns := k.quarter(func(f figures) int64 { return f.ns })
		bytes := k.quarter(func(f figures) int64 { return f.bytes })
		allocs := k.quarter(func(f figures) int64 { return f.allocs })
		fmt.Fprintf(w, "%d\t%.0f %%\t%+d\t%.2f\t%d\t%d\t  %s\n", ns, k.spread(), ns-bare, float64(ns)/float64(bare), bytes, allocs, k.name)
	}
	w.Flush()
}

// kind is one transport, and what was measured of it.
type kind struct {
	name      string
	transport http.RoundTripper
	rounds    []figures
}

func (k *kind) sorted(of func(figures) int64) []int64 {
	var all []int64
	for _, f := range k.rounds {
		all = append(all, of(f))
	}
	slices.Sort(all)
	return all
}

// quarter returns what a quarter of the rounds stay below.
func (k *kind) quarter(of func(figures) int64) int64 {
	all := k.sorted(of)
	return all[len(all)/4]
}

// spread returns half the distance between the quartiles, in per cent of the lower one.
func (k *kind) spread() float64 {
	all := k.sorted(func(f figures) int64 { return f.ns })
	n := len(all)
	return float64(all[n*3/4]-all[n/4]) / 2 / float64(all[n/4]) * 100
}
