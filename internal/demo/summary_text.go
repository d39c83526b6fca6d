package demo

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"redial/ledger"
)

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
	s.writeOperations(&b)
	s.writeHosts(&b)
	s.writeVerdict(&b)
	_, err := io.WriteString(to, b.String())
	return err
}

// mostUnsettled is how many operations a summary lists as text.
const mostUnsettled = 20

// writeOperations writes how the operations stand, and lists those that are not settled.
func (s Summary) writeOperations(b *strings.Builder) {
	total, parts := 0, []string{}
	for state := ledger.OpPrepared; state <= ledger.OpDisputed; state++ {
		if n := s.Operations[state.String()]; n > 0 {
			total += n
			parts = append(parts, fmt.Sprintf("%d %s", n, state))
		}
	}
	fmt.Fprintf(b, "%d operations: %s.\n", total, orNothing(strings.Join(parts, ", ")))
	fmt.Fprintf(b, "%d lookups, %d sent again by themselves after them, %d by a person.\n", s.Lookups, s.Resubmissions, s.Replays)
	fmt.Fprintf(b, "The vendor did %s%s.\n", effectWords(s.Effects, s.Agree), undoneWords(s.Undone))
	fmt.Fprintf(b, "redial found %s.\n\n", duplicateWords(s.Duplicates))
	if len(s.Unsettled) == 0 {
		return
	}
	b.WriteString("Not settled, and how often the vendor did it, which redial cannot know:\n\n")
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, u := range s.Unsettled[:min(len(s.Unsettled), mostUnsettled)] {
		fmt.Fprintf(w, "  %s\t%s\t%s\t%d×\t%s\n", u.State, u.Name, u.Key, u.Effects, u.LastError)
	}
	// A strings.Builder takes everything.
	_ = w.Flush()
	if more := len(s.Unsettled) - mostUnsettled; more > 0 {
		fmt.Fprintf(b, "  and %d more\n", more)
	}
	b.WriteString("\n")
}

// effectWords says how many things the vendor did, and whether any of them twice; known means
// that redial has found those.
func effectWords(effects map[string]int, known bool) string {
	twice := 0
	for _, n := range effects {
		if n > 1 {
			twice++
		}
	}
	if twice > 0 && !known {
		return fmt.Sprintf("%d things, %d of them MORE THAN ONCE", len(effects), twice)
	}
	if twice > 0 {
		return fmt.Sprintf("%d things, %d of them twice", len(effects), twice)
	}
	return fmt.Sprintf("%d things, none of them twice", len(effects))
}

// undoneWords says how many things the vendor took back, "" if none.
func undoneWords(undone map[string]int) string {
	if len(undone) == 0 {
		return ""
	}
	return fmt.Sprintf(", and took %d back", len(undone))
}

// duplicateWords says how many calls repeated another one. The shop has a bug that makes some.
func duplicateWords(n int) string {
	switch n {
	case 0:
		return "no call that was sent twice"
	case 1:
		return "1 call that was sent twice without a key, by a loop of the shop's own"
	}
	return fmt.Sprintf("%d calls that were sent twice without a key, by a loop of the shop's own", n)
}

func orNothing(words string) string {
	if words == "" {
		return "none"
	}
	return words
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
			"missing, nothing was done twice but what redial found to be sent twice, and no\n" +
			"declared limit was exceeded. Of the operations what succeeded was done once, and what\n" +
			"failed was not done or was taken back.\n")
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

func seconds(ms float64) string { return fmt.Sprintf("%.1f s", ms/1000) }
