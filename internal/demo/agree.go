package demo

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"redial/db"
	"redial/ledger"
)

// mostDifferences is how many differences a summary names one by one.
const mostDifferences = 20

// findings is all that is known of a demo that has ended, from three sides that do not
// know each other: the recording, the vendor's account and the shop's report.
type findings struct {
	seed uint64
	file string
	pid  int // of the shop

	account account
	report  report

	session     ledger.Session
	summary     Summary
	hosts       map[string]*HostSummary
	requests    map[string][]request        // what the vendor got and no call has claimed, by host and id
	operations  map[string]bool             // on record, by key
	asked       map[string]bool             // what they ask the vendor to do
	askedBack   map[string]bool             // what they ask the vendor to take back
	deeds       int                         // operations that the session began
	sends       map[string][]ledger.Attempt // for operations, whose requests come from several calls, by host and id
	found       map[string]int              // by what they ask for, how often the recording says that a call repeated another one
	differences int
}

// trouble enters that a part of the demo went wrong, which is a difference too.
func (f *findings) trouble(err error) {
	if err != nil {
		f.differ("%s", err.Error())
	}
}

// differ enters a difference in words.
func (f *findings) differ(format string, values ...any) {
	f.differences++
	if f.differences <= mostDifferences {
		f.summary.Differences = append(f.summary.Differences, fmt.Sprintf(format, values...))
	}
}

// sumUp reads the recording and compares it to the rest.
func (f *findings) sumUp(ctx context.Context) (Summary, error) {
	store, err := db.OpenExisting(f.file)
	if err != nil {
		return Summary{}, err
	}
	defer store.Close()
	if err := f.findSession(ctx, store); err != nil {
		return Summary{}, err
	}
	f.prepare()
	operations, err := f.readOperations(ctx, store)
	if err != nil {
		return Summary{}, err
	}
	for i := range operations {
		f.addOperation(&operations[i])
	}
	if err := f.eachCall(ctx, store, f.addCall); err != nil {
		return Summary{}, err
	}
	f.compareRest()
	return f.close(), nil
}

// findSession finds the session of the shop's process.
func (f *findings) findSession(ctx context.Context, store *db.DB) error {
	sessions, err := store.Sessions(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(sessions, func(s ledger.Session) bool { return s.PID == f.pid && s.Service == shopService })
	if i < 0 {
		return fmt.Errorf("find the shop's session in %s: it has none", f.file)
	}
	f.session = sessions[i]
	return nil
}

// eachCall reads every call of the session whole.
func (f *findings) eachCall(ctx context.Context, store *db.DB, visit func(*ledger.Call)) error {
	var ids []ledger.CallID
	query := ledger.Query{Sessions: []ledger.SessionID{f.session.ID}}
	err := store.Each(ctx, query, func(c *ledger.Call) error {
		ids = append(ids, c.ID)
		return nil
	})
	for _, id := range ids {
		if err != nil {
			break
		}
		var c ledger.Call
		if c, err = store.Call(ctx, id); err == nil {
			visit(&c)
		}
	}
	return err
}

// prepare sorts what the vendor got by the call that it belongs to.
func (f *findings) prepare() {
	f.hosts, f.requests = map[string]*HostSummary{}, map[string][]request{}
	f.operations, f.asked, f.askedBack = map[string]bool{}, map[string]bool{}, map[string]bool{}
	f.sends, f.found = map[string][]ledger.Attempt{}, map[string]int{}
	f.summary = newSummary(f)
	for _, r := range f.account.Requests {
		f.host(r.Host).VendorRequests++
		f.requests[r.Host+" "+r.ID] = append(f.requests[r.Host+" "+r.ID], r)
	}
}

// host returns the counts of a host.
func (f *findings) host(name string) *HostSummary {
	if f.hosts[name] == nil {
		f.hosts[name] = &HostSummary{Host: name}
	}
	return f.hosts[name]
}

// addCall counts a call, and compares it to what the vendor got of it.
func (f *findings) addCall(c *ledger.Call) {
	f.summary.add(c)
	f.addDuplicate(c)
	ours := f.operations[c.Key]
	f.host(c.Host).add(c, ours)
	id := requestID(c)
	if id == "" && c.Attempts > 0 {
		f.differ("call %s to %s has no %s on record", c.ID, c.Host, idHeader)
	}
	name := c.Host + " " + id
	if ours {
		f.sends[name] = append(f.sends[name], c.AttemptList...)
		return
	}
	if !matches(c.AttemptList, f.requests[name]) {
		f.differ("%+q to %s, call %s: recorded as %s; the vendor counted %s",
			id, c.Host, c.ID, attemptWords(c.AttemptList), requestWords(f.requests[name]))
	}
	delete(f.requests, name)
}

// addDuplicate notes that the recording says of a call that it repeated another one. What the
// vendor did twice for that reason is no difference: it is what redial is there to find.
func (f *findings) addDuplicate(c *ledger.Call) {
	if c.Duplicate.Kind == ledger.NoDuplicate || c.Duplicate.Other > c.ID || len(c.AttemptList) == 0 {
		return
	}
	f.summary.Duplicates++
	name := strings.TrimSuffix(hostname(c.Host), domain) + " " + reference(c.AttemptList[0].Request.Body.Data)
	f.found[name]++
}

// requestID returns the id that the shop gave to a call.
func requestID(c *ledger.Call) string {
	for _, a := range c.AttemptList {
		for _, h := range a.Request.Header {
			if strings.EqualFold(h.Name, idHeader) {
				return h.Value
			}
		}
	}
	return ""
}

// compareRest compares what does not belong to a single call of the recording.
func (f *findings) compareRest() {
	f.compareSends()
	for _, name := range slices.Sorted(maps.Keys(f.requests)) {
		f.differ("the vendor got %d of %+q, and no call on record sent it", len(f.requests[name]), name)
	}
	f.compareCalls()
	f.compareOperations()
	for _, effect := range slices.Sorted(maps.Keys(f.account.Effects)) {
		if n := f.account.Effects[effect]; n > 1+f.found[effect] {
			f.differ("done %d times instead of once: %+q", n, effect)
		}
	}
	for _, words := range f.account.Violations {
		f.differ("limit exceeded: %+q", words)
	}
	if n := max(f.session.Counters.NotWritten(), f.report.Counters.NotWritten()); n > 0 {
		f.differ("calls that could not be written: %d", n)
	}
	if f.session.Ended.IsZero() {
		f.differ("the shop did not end its session: what it did last may be missing")
	}
	if f.session.Running > 0 {
		f.differ("calls that did not end: %d", f.session.Running)
	}
}

// compareSends compares the sends and the lookups of operations to what the vendor got.
func (f *findings) compareSends() {
	for _, name := range slices.Sorted(maps.Keys(f.sends)) {
		if !matches(f.sends[name], f.requests[name]) {
			f.differ("%+q, for an operation: recorded as %s; the vendor counted %s",
				name, attemptWords(f.sends[name]), requestWords(f.requests[name]))
		}
		delete(f.requests, name)
	}
}

// compareCalls compares how many calls the shop made to how many are on record.
func (f *findings) compareCalls() {
	if f.report.Calls == nil {
		f.differ("the shop did not say how many calls it made")
		return
	}
	names := slices.Collect(maps.Keys(f.report.Calls))
	for host := range f.hosts {
		if _, ok := f.report.Calls[host]; !ok {
			names = append(names, host)
		}
	}
	slices.Sort(names)
	for _, host := range names {
		if made, on := f.report.Calls[host], f.host(host).own; made != on {
			f.differ("calls to %s: the shop made %d, and %d are on record", host, made, on)
		}
	}
}

// close completes the summary.
func (f *findings) close() Summary {
	s := f.summary
	s.VendorRequests = len(f.account.Requests)
	maps.Copy(s.Effects, f.account.Effects)
	maps.Copy(s.Undone, f.account.Undone)
	s.byState()
	for _, h := range f.hosts {
		s.Hosts = append(s.Hosts, *h)
	}
	slices.SortFunc(s.Hosts, func(a, b HostSummary) int { return cmp.Compare(a.Host, b.Host) })
	if more := f.differences - mostDifferences; more > 0 {
		s.Differences = append(s.Differences, fmt.Sprintf("and %d more", more))
	}
	s.Agree = f.differences == 0
	return s
}
