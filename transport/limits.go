package transport

import (
	"net/http"
	"strings"
	"time"
)

// limit is what a response says about one of the server's limits.
type limit struct {
	quota     int           // requests in a window; 0: it does not say
	per       time.Duration // length of that window; 0: it does not say
	remaining int           // requests left
	resets    time.Duration // until there are more; 0: it does not say, or there are already
}

// maxLimits is how many limits of one response are read.
const maxLimits = 8

// limits are those that a response says something about, the tightest last.
type limits struct {
	list [maxLimits]limit
	n    int
}

func (ls *limits) add(l limit) {
	if ls.n == maxLimits || l.resets < 0 || l.resets > maxReset {
		return
	}
	i := ls.n
	ls.n++
	for ; i > 0 && ls.list[i-1].tighter(l); i-- {
		ls.list[i] = ls.list[i-1]
	}
	ls.list[i] = l
}

// tighter reports whether l leaves less than m.
func (l limit) tighter(m limit) bool {
	if l.remaining != m.remaining {
		return l.remaining < m.remaining
	}
	return l.resets > m.resets
}

// all returns the limits, the tightest last.
func (ls *limits) all() []limit { return ls.list[:ls.n] }

// family is one of the ways to say a limit in three or four fields.
type family struct{ limit, remaining, reset, after string }

// families are the ways that are in use: that of older drafts of RateLimit, and those that
// came before. Whatever the name, what stands in it is of many kinds.
var families = [...]family{
	{"Ratelimit-Limit", "Ratelimit-Remaining", "Ratelimit-Reset", ""},
	{"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "X-Ratelimit-Reset-After"},
	{"X-Rate-Limit-Limit", "X-Rate-Limit-Remaining", "X-Rate-Limit-Reset", "X-Rate-Limit-Reset-After"},
	{"X-Ratelimit-Limit-Requests", "X-Ratelimit-Remaining-Requests", "X-Ratelimit-Reset-Requests", ""},
	{"Anthropic-Ratelimit-Requests-Limit", "Anthropic-Ratelimit-Requests-Remaining", "Anthropic-Ratelimit-Requests-Reset", ""},
}

// saysLimit reports whether a response may say anything about limits. It is asked of every
// response, so it is quick.
func saysLimit(h http.Header) bool {
	if len(h) == 0 {
		return false
	}
	if len(h["Ratelimit"]) > 0 {
		return true
	}
	for i := range families {
		if len(h[families[i].remaining]) > 0 {
			return true
		}
	}
	return false
}

// readLimits reads what the head of a response that arrived at now says about the limits of
// the server: the RateLimit and RateLimit-Policy fields (draft-ietf-httpapi-ratelimit-
// headers-11, and the dictionary of draft 07), or else the first family that there is. What
// is malformed is ignored, and so is all of it in a response from a cache, which is about the
// past.
func readLimits(h http.Header, now time.Time) (ls limits) {
	if !saysLimit(h) || cached(h) {
		return ls
	}
	policies := readPolicies(h)
	if readField(h, policies, &ls); ls.n > 0 {
		return ls
	}
	c := clocksOf(h, now)
	for i := range families {
		if l, ok := families[i].read(h, c); ok {
			for _, p := range policies {
				if l.per == 0 && p.quota == l.quota {
					l.per = p.per
				}
			}
			ls.add(l)
			return ls
		}
	}
	return ls
}

// cached reports whether a response was stored before (RFC 9111, section 5.1).
func cached(h http.Header) bool {
	for _, v := range h["Age"] {
		if v = strings.Trim(v, " \t"); v != "" && strings.Trim(v, "0") != "" {
			return true
		}
	}
	return false
}

// policyItem is a quota policy of the server.
type policyItem struct {
	name   string
	quota  int
	per    time.Duration
	counts bool // requests, not bytes or what runs at the same time
}

// readPolicies reads RateLimit-Policy. In older drafts an item is the quota itself.
func readPolicies(h http.Header) (list []policyItem) {
	field, ok := joinField(h["Ratelimit-Policy"])
	if !ok || field == "" {
		return nil
	}
	ok = parseList(field, func(v bareItem, params []parameter) {
		p := policyItem{name: v.text, counts: true}
		quota := v
		if v.kind != 'i' {
			quota, _ = find(params, "q")
		}
		if quota.kind != 'i' || quota.n < 0 || len(list) == maxLimits {
			return
		}
		p.quota = int(quota.n)
		if w, ok := find(params, "w"); ok && w.kind == 'i' && w.n > 0 {
			p.per = seconds(w.n)
		}
		if unit, ok := find(params, "qu"); ok && unit.text != "requests" && unit.text != "request" {
			p.counts = false
		}
		list = append(list, p)
	})
	if !ok {
		return nil
	}
	return list
}

// readField reads RateLimit.
func readField(h http.Header, policies []policyItem, ls *limits) {
	field, ok := joinField(h["Ratelimit"])
	if !ok || field == "" {
		return
	}
	var found limits
	ok = parseList(field, func(v bareItem, params []parameter) {
		if v.kind == 's' || v.kind == 't' {
			found.addItem(v.text, params, policies)
		}
	})
	if ok {
		*ls = found
		return
	}
	if members, ok := parseDictionary(field); ok {
		ls.addDictionary(members)
	}
}

// addItem adds a service limit item.
func (ls *limits) addItem(name string, params []parameter, policies []policyItem) {
	r, ok := find(params, "r")
	if !ok || r.kind != 'i' || r.n < 0 {
		return
	}
	l := limit{remaining: int(r.n)}
	for _, p := range policies {
		if p.name != name {
			continue
		}
		if !p.counts {
			return
		}
		l.quota, l.per, l.resets = p.quota, p.per, p.per
	}
	if t, ok := find(params, "t"); ok {
		if t.kind != 'i' || t.n < 0 {
			return
		}
		l.resets = seconds(t.n)
	}
	ls.add(l)
}

// addDictionary adds what draft 07 has: limit=100, remaining=50, reset=5.
func (ls *limits) addDictionary(members []parameter) {
	var l limit
	remaining, ok := find(members, "remaining")
	if !ok || remaining.kind != 'i' || remaining.n < 0 {
		return
	}
	l.remaining = int(remaining.n)
	if quota, ok := find(members, "limit"); ok && quota.kind == 'i' && quota.n > 0 {
		l.quota = int(quota.n)
	}
	if t, ok := find(members, "reset"); ok && t.kind == 'i' && t.n >= 0 {
		l.resets = seconds(t.n)
	}
	ls.add(l)
}

// seconds returns n seconds, or the longest duration there is.
func seconds(n int64) time.Duration {
	if n > int64(maxWait/time.Second) {
		return maxWait
	}
	return time.Duration(n) * time.Second
}

// read reads a family. Of several lines the one that leaves least counts.
func (f *family) read(h http.Header, c clocks) (l limit, ok bool) {
	for _, v := range h[f.remaining] {
		if n, valid := parseCount(v); valid && (!ok || n < l.remaining) {
			l.remaining, ok = n, true
		}
	}
	if !ok {
		return l, false
	}
	for _, v := range h[f.limit] {
		if n, valid := parseCount(v); valid {
			l.quota = n
		}
	}
	after := false
	if f.after != "" {
		for _, v := range h[f.after] {
			if d, valid := parseDelta(v); valid && d <= maxReset {
				l.resets, after = max(l.resets, d), true
			}
		}
	}
	if after {
		return l, true // Clocks do not matter to it, so it is the better one.
	}
	for _, v := range h[f.reset] {
		if d, valid := parseReset(v, c); valid {
			l.resets = max(l.resets, d)
		}
	}
	return l, true
}
