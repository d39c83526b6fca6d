package db

import (
	"hash/maphash"
	"slices"
	"strings"

	"redial/ledger"
)

const (
	maxValues = 64   // different values after which a header is taken for one that always differs
	maxNames  = 1024 // headers of which that is counted
	maxName   = 256  // bytes of the name of such a header
)

// headerSets parts the header of a message into a set of fields that comes again, which is
// kept once, and the fields that differ each time. It learns which those are.
type headerSets struct {
	dict   *dict
	values map[string]map[uint64]struct{} // by name, hashes of what was seen; nil: too many
	stable []ledger.Field
	varied []ledger.Field
	set    encoder
}

// varying returns the names of headers that are known to differ each time.
func varying() []string {
	return []string{
		"Age", "Cf-Ray", "Content-Length", "Date", "Etag", "Expires", "Idempotency-Key", "Last-Modified",
		"Ratelimit", "Ratelimit-Remaining", "Ratelimit-Reset", "Retry-After", "Server-Timing", "Set-Cookie", "Traceparent",
		"X-Amz-Cf-Id", "X-Amz-Request-Id", "X-Amzn-Requestid", "X-Amzn-Trace-Id", "X-Correlation-Id",
		"X-Ratelimit-Remaining", "X-Ratelimit-Reset", "X-Request-Id", "X-Runtime",
	}
}

func newHeaderSets(d *dict) *headerSets {
	h := &headerSets{dict: d, values: map[string]map[uint64]struct{}{}}
	for _, name := range varying() {
		h.values[name] = nil
	}
	return h
}

// split returns the id of the set of fields that come again, and the others, which are
// valid until the next call. The id is 0 if there is no such set.
func (h *headerSets) split(fields []ledger.Field) (id int64, rest []ledger.Field) {
	h.stable, h.varied = h.stable[:0], h.varied[:0]
	for _, f := range fields {
		if values, known := h.values[f.Name]; known && values == nil {
			h.varied = append(h.varied, f)
		} else {
			h.stable = append(h.stable, f)
		}
	}
	if len(h.stable) == 0 {
		return 0, fields
	}
	slices.SortStableFunc(h.stable, func(a, b ledger.Field) int { return strings.Compare(a.Name, b.Name) })
	h.set.reset()
	h.set.uint(uint64(len(h.stable)))
	for _, f := range h.stable {
		h.set.literal(f.Name)
		h.set.literal(f.Value)
	}
	if id, ok := h.dict.ids[textKey{textHeaderSet, string(h.set.buf)}]; ok {
		return id, h.varied
	}
	h.learn()
	if id, ok := h.dict.id(textHeaderSet, string(h.set.buf)); ok {
		return id, h.varied
	}
	return 0, fields
}

// learn counts the values of each header of a set that is not in the dictionary.
func (h *headerSets) learn() {
	for _, f := range h.stable {
		values, known := h.values[f.Name]
		switch {
		case !known && (len(h.values) >= maxNames || len(f.Name) > maxName):
			continue
		case !known:
			values = map[uint64]struct{}{}
			h.values[f.Name] = values
		case len(values) >= maxValues:
			h.values[f.Name] = nil
			continue
		}
		values[maphash.String(h.dict.seed, f.Value)] = struct{}{}
	}
}
