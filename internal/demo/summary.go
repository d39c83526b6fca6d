package demo

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
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
	Retries  int                `json:"retries"`  // attempts that were not the first of their call
	Waits    map[string]WaitSum `json:"waits"`    // by kind; every kind is there
	Outcomes map[string]int     `json:"outcomes"` // of the attempts; every outcome is there

	VendorRequests int           `json:"vendor_requests"` // requests that reached the vendor, by its own account
	Hosts          []HostSummary `json:"hosts"`           // by name

	Agree       bool     `json:"agree"`
	Differences []string `json:"differences"` // in words, one line each; empty when both agree
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
}

// waitKinds and outcomes are all that there are, in the order in which they are shown.
var (
	waitKinds = [...]ledger.WaitKind{ledger.WindowWait, ledger.BackoffWait, ledger.RetryAfterWait}
	outcomes  = [...]ledger.Outcome{ledger.Answered, ledger.NotSent, ledger.Unknown}
)

func newSummary(f *findings) Summary {
	s := Summary{
		Seed: f.seed, DB: f.file, Session: f.session.ID.String(),
		Duration: milliseconds(f.session.End(time.Now()).Sub(f.session.Started)),
		Waits:    map[string]WaitSum{}, Outcomes: map[string]int{},
		Hosts: []HostSummary{}, Differences: append([]string{}, f.summary.Differences...),
	}
	for _, k := range waitKinds {
		s.Waits[k.String()] = WaitSum{}
	}
	for _, o := range outcomes {
		s.Outcomes[o.String()] = 0
	}
	return s
}

// add counts a call. An attempt that was cut off counts as unknown.
func (s *Summary) add(c *ledger.Call) {
	s.Calls++
	for _, a := range c.AttemptList {
		s.Attempts++
		if a.Reason == ledger.Retry {
			s.Retries++
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

func (h *HostSummary) add(c *ledger.Call) {
	h.Calls++
	for _, a := range c.AttemptList {
		h.Attempts++
		if a.Outcome == ledger.NotSent {
			h.NotSent++
		}
		h.WireSends += a.WireSends
	}
}

// Write writes the summary as text.
func (s Summary) Write(to io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Demo with seed %d, %s, recorded to %s as session %s.\n\n", s.Seed, seconds(s.Duration), s.DB, s.Session)
	fmt.Fprintf(&b, "%d calls made %d attempts, %d of them retries.\n", s.Calls, s.Attempts, s.Retries)
	b.WriteString("Attempts: ")
	for i, o := range outcomes {
		fmt.Fprintf(&b, "%s%d %s", separator(i), s.Outcomes[o.String()], strings.ReplaceAll(o.String(), "-", " "))
	}
	b.WriteString(".\nWaits:    ")
	for i, k := range waitKinds {
		w := s.Waits[k.String()]
		fmt.Fprintf(&b, "%s%d %s (%s)", separator(i), w.Count, k, seconds(w.Total))
	}
	b.WriteString(".\n\n")
	s.writeHosts(&b)
	s.writeVerdict(&b)
	_, err := io.WriteString(to, b.String())
	return err
}

func (s Summary) writeHosts(b *strings.Builder) {
	const cells = "%s\t%v\t%v\t%v\t%v\t%v\t\n"
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, cells, "host", "calls", "attempts", "not sent", "wire sends", "vendor counted")
	width := 0
	for _, h := range s.Hosts {
		width = max(width, len(h.Host))
	}
	var sum HostSummary
	for _, h := range s.Hosts {
		fmt.Fprintf(w, cells, fmt.Sprintf("%-*s", width, h.Host), h.Calls, h.Attempts, h.NotSent, h.WireSends, h.VendorRequests)
		sum.Calls += h.Calls
		sum.Attempts += h.Attempts
		sum.NotSent += h.NotSent
		sum.WireSends += h.WireSends
		sum.VendorRequests += h.VendorRequests
	}
	fmt.Fprintf(w, cells, fmt.Sprintf("%-*s", width, "all"), sum.Calls, sum.Attempts, sum.NotSent, sum.WireSends, sum.VendorRequests)
	// A strings.Builder takes everything.
	_ = w.Flush()
}

func (s Summary) writeVerdict(b *strings.Builder) {
	if s.Agree {
		b.WriteString("\nThe recording and the vendor's own account agree, request by request: nothing is\n" +
			"missing, nothing was done twice, and no declared limit was exceeded.\n")
		return
	}
	b.WriteString("\nThe recording and the vendor's own account DIFFER:\n")
	for _, d := range s.Differences {
		fmt.Fprintf(b, "  - %s\n", d)
	}
}

// separator stands before item i of a list.
func separator(i int) string {
	if i == 0 {
		return ""
	}
	return ", "
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func seconds(ms float64) string { return fmt.Sprintf("%.1f s", ms/1000) }
