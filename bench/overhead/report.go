package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	"redial/ledger"
)

// kind is one way to send requests, and what was measured of it: one figure for each round.
type kind struct {
	name      string
	transport http.RoundTripper
	rates     []float64 // requests per second
	costs     []float64 // microseconds of processor time for each request
}

// report prints a line for what of returns for each kind, and each kind's ratios to the
// first one's.
func report(w io.Writer, title string, kinds []*kind, of func([]float64) float64) {
	fmt.Fprint(w, title)
	for _, k := range kinds {
		rates, costs := over(k.rates, kinds[0].rates), over(k.costs, kinds[0].costs)
		fmt.Fprintf(w, " | %s %.0f/s, %.1f µs each", k.name, of(k.rates), of(k.costs))
		if k != kinds[0] {
			fmt.Fprintf(w, ": %.3f of the rate, %.3f of the time", of(rates), of(costs))
		}
	}
	fmt.Fprintln(w)
}

// over divides figure by figure. The first round of all warms up, and is left out.
func over(a, b []float64) []float64 {
	ratios := []float64{}
	for i := range a {
		ratios = append(ratios, a[i]/b[i])
	}
	return ratios
}

func last(figures []float64) float64 { return figures[len(figures)-1] }

// median returns that of all rounds but the one that warmed up.
func median(figures []float64) float64 {
	sorted := slices.Sorted(slices.Values(figures[1:]))
	return sorted[len(sorted)/2]
}

// nowhere is a store that keeps nothing.
type nowhere struct{}

func (nowhere) Enrol(context.Context, ledger.Session) (ledger.SessionID, error) { return 1, nil }
func (nowhere) Write(context.Context, *ledger.Batch) error                      { return nil }
func (nowhere) End(context.Context, ledger.SessionID, time.Time, ledger.Counters) error {
	return nil
}
