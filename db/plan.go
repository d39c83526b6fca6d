package db

import (
	"context"
	"database/sql/driver"
	"math"
	"strings"
	"time"

	"redial/ledger"
)

// plan is how the calls that a filter may match are found.
type plan struct {
	index string // "": by row
	where string // begins with AND; "": all
	args  []driver.Value
	never bool // no call can match
	all   bool // every call matches
	known bool // the file has the table duplicate
}

// duplicates stands for an index: the table that has a row for each call that was sent
// twice, and no other.
const duplicates = "duplicate"

// sql returns the statement for a page. Its arguments are the first and the last row, the
// plan's own, and how many.
func (p *plan) sql(order string) string {
	switch p.index {
	case duplicates:
		return `SELECT ` + callColumns + `, other, kind FROM duplicate CROSS JOIN call ON id = duplicate.call
			WHERE duplicate.call BETWEEN ? AND ?` + p.where + ` ORDER BY duplicate.call ` + order + ` LIMIT ?`
	case "":
		return selectCalls(p.known, "", "call") + ` WHERE id BETWEEN ? AND ?` + p.where + ` ORDER BY id ` + order + ` LIMIT ?`
	}
	return selectCalls(p.known, "", "call INDEXED BY "+p.index) + ` WHERE id BETWEEN ? AND ?` + p.where + ` ORDER BY id ` + order + ` LIMIT ?`
}

// plan finds a plan for a scan, and narrows the scan to the times at which calls that match
// can have started.
func (v *view) plan(ctx context.Context, s *scan) (plan, error) {
	known, err := v.knows(ctx, transportVersion)
	if err != nil {
		return plan{}, err
	}
	root := s.filter.Root
	if root == nil {
		return plan{all: true, known: known}, nil
	}
	k := &compiler{ctx: ctx, view: v, scan: s, known: known}
	may := k.expr(root).may
	if k.err != nil {
		return plan{}, k.err
	}
	p := plan{never: may.sql == "0", known: known}
	if may.sql != "1" {
		p.where, p.args = " AND "+may.sql, may.args
	}
	terms := required(root)
	if err = s.narrow(ctx, v, k, terms); err != nil || p.never {
		return p, err
	}
	return p, p.choose(ctx, v, s, terms)
}

// required returns the terms that a call must match whatever else it matches.
func required(x ledger.Expr) (terms []*ledger.Term) {
	switch x := x.(type) {
	case *ledger.Term:
		return []*ledger.Term{x}
	case ledger.And:
		for _, part := range x {
			terms = append(terms, required(part)...)
		}
	}
	return terms
}

// candidate is an index that has every call that a term matches.
type candidate struct {
	index string
	cond  condition // what makes SQLite see that the index will do, and narrows it
}

// indexFor returns the index for a term, if there is one. The first part of each
// condition is that of the index, word for word.
func indexFor(t *ledger.Term) (c candidate, ok bool) {
	switch {
	case t.Key == ledger.KeyKey && t.Regexp == nil && literalKey(t.Text):
		return candidate{"call_key", test("key IS NOT NULL AND key = ? COLLATE NOCASE", t.Text)}, true
	case t.Key == ledger.KeyStatus && (t.From >= 400 || t.From == 0 && t.To == 0):
		return candidate{"call_failed", test("(status >= 400 OR status = 0) AND status BETWEEN ? AND ?", t.From, t.To)}, true
	case t.Key == ledger.KeyOutcome && ledger.Outcome(t.Code) != ledger.Answered:
		return candidate{"call_doubt", test("outcome <> 1 AND outcome = ?", int64(t.Code))}, true
	case t.Key == ledger.KeyAttempts && t.From > 1:
		return candidate{"call_retried", test("attempts > 1 AND attempts BETWEEN ? AND ?", t.From, t.To)}, true
	case t.Key == ledger.KeyDur && atLeast(t, time.Second):
		return candidate{"call_slow", test("took >= 1000000000 AND took "+operator(t.Op)+" ?", int64(t.Duration))}, true
	case t.Key == ledger.KeyWaited && atLeast(t, 1):
		return candidate{"call_waited", test("waits <> 0 AND waited "+operator(t.Op)+" ?", int64(t.Duration))}, true
	case t.Key == ledger.KeyWait:
		return candidate{"call_waited", test("waits <> 0 AND waits & ? <> 0", int64(1)<<t.Code)}, true
	case t.Key == ledger.KeyDuplicate && t.Code != ledger.DuplicateNo:
		return candidate{duplicates, duplicateTest(t)}, true
	case t.Key == ledger.KeyError && (t.Regexp != nil || t.Text != ""):
		return candidate{"call_error", test("error IS NOT NULL")}, true
	}
	return candidate{}, false
}

// atLeast reports whether a term asks for at least a duration.
func atLeast(t *ledger.Term, d time.Duration) bool {
	return t.Op == ledger.OpAtLeast && t.Duration >= d || t.Op == ledger.OpMore && t.Duration >= d-1
}

// literalKey reports whether a pattern names one key, in characters of which SQLite knows
// the case.
func literalKey(pattern string) bool {
	_, plain := textNotNull(pattern).(string)
	return pattern != "" && plain && !strings.Contains(pattern, "*")
}

// enough is how many entries of an index are counted to compare it with others.
const enough = 1000

// choose picks the index with the fewest entries for the terms, if there is one.
func (p *plan) choose(ctx context.Context, v *view, s *scan, terms []*ledger.Term) error {
	least, best := int64(math.MaxInt64), candidate{}
	for _, t := range terms {
		c, ok := indexFor(t)
		if !ok || c.index == duplicates && !p.known {
			continue
		}
		n, err := v.entriesOf(ctx, s, c)
		if err != nil {
			return err
		}
		if n < least {
			least, best = n, c
		}
	}
	if best.index != "" {
		p.index, p.never = best.index, least == 0
		p.where += " AND " + best.cond.sql
		p.args = append(p.args, best.cond.args...)
	}
	return nil
}

// entriesOf returns about how many entries an index has for a scan: it counts up to enough,
// and takes what lies behind them to be as dense. It returns more than that for an index that
// lacks calls which could be meant.
func (v *view) entriesOf(ctx context.Context, s *scan, c candidate) (n int64, err error) {
	if c.index == "call_key" { // it cannot tell the case of keys that are not plain
		odd, err := v.number(ctx, `SELECT count(*) FROM (SELECT 1 FROM call INDEXED BY call_key
			WHERE key IS NOT NULL AND key COLLATE NOCASE >= x'' LIMIT 1)`)
		if err != nil || odd > 0 {
			return math.MaxInt64, err
		}
	}
	column, table := "id", "call INDEXED BY "+c.index
	if c.index == duplicates {
		column, table = "call", "duplicate"
	}
	args := append(append(values(s.lo, s.hi), c.cond.args...), int64(enough))
	var rows int64
	_, err = v.one(ctx, `SELECT count(*), max(`+column+`) - min(`+column+`) FROM (SELECT `+column+` FROM `+table+
		` WHERE `+column+` BETWEEN ? AND ? AND `+c.cond.sql+` ORDER BY `+column+` `+s.order()+` LIMIT ?)`, args, func(r row) error {
		n, rows = r.int(0), r.int(1)
		return nil
	})
	if n == enough {
		n = int64(float64(n) * max(1, float64(s.hi-s.lo)/float64(max(rows, 1))))
	}
	return n, err
}
