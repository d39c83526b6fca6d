package demo

import (
	"time"

	"redial/ledger"
)

// Summary is what a demo came to, and whether the recording agrees with what the vendor
// counted and with what the shop did.
type Summary struct {
	Seed     uint64  `json:"seed"`
	DB       string  `json:"db"`
	Session  string  `json:"session"`     // of the shop, in the file
	Duration float64 `json:"duration_ms"` // of the session

	Calls    int                `json:"calls"`
	Attempts int                `json:"attempts"`
	Retries  int                `json:"retries"`  // attempts that were sent again, by the transport or by an operation
	Waits    map[string]WaitSum `json:"waits"`    // by kind; every kind is there
	Outcomes map[string]int     `json:"outcomes"` // of the attempts; every outcome is there

	Operations    map[string]int `json:"operations"`    // by state; every state is there
	Lookups       int            `json:"lookups"`       // of the operations
	Resubmissions int            `json:"resubmissions"` // sends that a lookup had allowed
	Replays       int            `json:"replays"`       // sends that a person asked for
	Unsettled     []Unsettled    `json:"unsettled"`     // operations that are not settled; what waits for a person first
	Effects       map[string]int `json:"effects"`       // what the vendor did, how often, by API and business number

	Undone map[string]int `json:"undone"` // what the vendor took back, in the same way

	Duplicates int `json:"duplicates"` // calls that redial found to repeat another one

	VendorRequests int           `json:"vendor_requests"` // requests that reached the vendor, by its own account
	Hosts          []HostSummary `json:"hosts"`           // by name

	Agree       bool     `json:"agree"`
	Differences []string `json:"differences"` // in words, one line each; empty when both agree
}

// Unsettled is an operation without a final word.
type Unsettled struct {
	Key       string `json:"key"`
	Name      string `json:"name"`
	State     string `json:"state"`
	Effects   int    `json:"effects"`    // how often the vendor did it, which redial does not know
	LastError string `json:"last_error"` // "": nothing went wrong
}

// WaitSum sums up the waits of one kind.
type WaitSum struct {
	Count int     `json:"count"`
	Total float64 `json:"total_ms"`

	took time.Duration // Total, before it lost its precision
}

// HostSummary compares what was recorded of one host to what the vendor counted there.
type HostSummary struct {
	Host           string `json:"host"` // and port, where the URL has one
	Calls          int    `json:"calls"`
	Attempts       int    `json:"attempts"`
	NotSent        int    `json:"not_sent"`   // attempts that never reached the vendor
	WireSends      int    `json:"wire_sends"` // times a request was put on a connection; net/http can send again by itself
	VendorRequests int    `json:"vendor_requests"`

	own int // calls that the shop made itself, and not for an operation
}

// waitKinds and outcomes are all that there are, in the order in which they are shown.
var (
	waitKinds = [...]ledger.WaitKind{ledger.WindowWait, ledger.BackoffWait, ledger.RetryAfterWait, ledger.BandwidthWait}
	outcomes  = [...]ledger.Outcome{ledger.Answered, ledger.NotSent, ledger.Unknown}
)

func newSummary(f *findings) Summary {
	s := Summary{
		Seed: f.seed, DB: f.file, Session: f.session.ID.String(),
		Duration: milliseconds(f.session.End(time.Now()).Sub(f.session.Started)),
		Waits:    map[string]WaitSum{}, Outcomes: map[string]int{},
		Operations: map[string]int{}, Unsettled: []Unsettled{}, Effects: map[string]int{}, Undone: map[string]int{},
		Hosts: []HostSummary{}, Differences: append([]string{}, f.summary.Differences...),
	}
	for _, k := range waitKinds {
		s.Waits[k.String()] = WaitSum{}
	}
	for _, o := range outcomes {
		s.Outcomes[o.String()] = 0
	}
	for state := ledger.OpPrepared; state <= ledger.OpDisputed; state++ {
		s.Operations[state.String()] = 0
	}
	return s
}

// add counts a call. An attempt that was cut off counts as unknown.
func (s *Summary) add(c *ledger.Call) {
	s.Calls++
	for _, a := range c.AttemptList {
		s.Attempts++
		switch a.Reason {
		case ledger.Retry:
			s.Retries++
		case ledger.Resubmit:
			s.Resubmissions++
		case ledger.Replay:
			s.Replays++
		}
		outcome := a.Outcome
		if outcome == ledger.NoOutcome {
			outcome = ledger.Unknown
		}
		s.Outcomes[outcome.String()]++
	}
	for _, w := range c.Waits {
		sum := s.Waits[w.Kind.String()]
		sum.Count++
		sum.took += w.Took
		sum.Total = milliseconds(sum.took)
		s.Waits[w.Kind.String()] = sum
	}
}

func (h *HostSummary) add(c *ledger.Call, forOperation bool) {
	h.Calls++
	if !forOperation {
		h.own++
	}
	for _, a := range c.AttemptList {
		h.Attempts++
		if a.Outcome == ledger.NotSent {
			h.NotSent++
		}
		h.WireSends += a.WireSends
	}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
