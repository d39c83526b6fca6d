package db

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"strings"

	"redial/ledger"
)

// condition is a test of a row of the table call, in SQL. "1" is true, "0" is false.
type condition struct {
	sql  string
	args []driver.Value
}

func always() condition { return condition{sql: "1"} }
func never() condition  { return condition{sql: "0"} }

func test(sql string, args ...driver.Value) condition { return condition{sql, args} }

// allOf returns the condition that all of these hold.
func allOf(cs ...condition) condition { return join(cs, " AND ", "0", "1") }

// anyOf returns the condition that one of these holds.
func anyOf(cs ...condition) condition { return join(cs, " OR ", "1", "0") }

// join joins conditions. One that equals decisive decides, one that equals neutral
// changes nothing.
func join(cs []condition, operator, decisive, neutral string) condition {
	var parts []string
	var args []driver.Value
	for _, c := range cs {
		switch c.sql {
		case decisive:
			return c
		case neutral:
			continue
		}
		parts, args = append(parts, c.sql), append(args, c.args...)
	}
	if len(parts) == 0 {
		return condition{sql: neutral}
	}
	return condition{"(" + strings.Join(parts, operator) + ")", args}
}

// not returns the condition that c does not hold. What c makes of NULL does not hold.
func not(c condition) condition {
	switch c.sql {
	case "1":
		return never()
	case "0":
		return always()
	}
	return condition{"(" + c.sql + ") IS NOT TRUE", c.args}
}

// bounds encloses what a filter selects: every call that it selects may be in it, and
// every row that must be is selected by it. SQL cannot tell all that a filter asks for,
// so [ledger.Filter.Match] has the last word on each row; but the row has to be read for
// that, and bounds spare most of it.
type bounds struct{ may, must condition }

// exactly returns the bounds of a test that SQL can do as well.
func exactly(c condition) bounds { return bounds{c, c} }

// constant returns the bounds of a test that is the same for all rows.
func constant(holds bool) bounds {
	if holds {
		return exactly(always())
	}
	return exactly(never())
}

// anything returns the bounds of a test of which SQL knows nothing.
func anything() bounds { return bounds{always(), never()} }

// compiler makes SQL of a filter, for one scan.
type compiler struct {
	ctx   context.Context
	view  *view
	scan  *scan
	known bool  // the file has the table duplicate
	err   error // the first error of a statement
}

// expr compiles a node.
func (k *compiler) expr(x ledger.Expr) bounds {
	switch x := x.(type) {
	case ledger.And:
		parts := k.parts(x)
		return bounds{allOf(parts[0]...), allOf(parts[1]...)}
	case ledger.Or:
		parts := k.parts(x)
		return bounds{anyOf(parts[0]...), anyOf(parts[1]...)}
	case ledger.Not:
		b := k.expr(x.X)
		return bounds{not(b.must), not(b.may)}
	case *ledger.Term:
		return k.term(x)
	}
	return anything()
}

// parts compiles a list of nodes into the lists of both bounds.
func (k *compiler) parts(xs []ledger.Expr) (parts [2][]condition) {
	for _, x := range xs {
		b := k.expr(x)
		parts[0], parts[1] = append(parts[0], b.may), append(parts[1], b.must)
	}
	return parts
}

// term compiles a term.
func (k *compiler) term(t *ledger.Term) bounds {
	switch t.Key {
	case ledger.KeyStatus:
		return exactly(test("status BETWEEN ? AND ?", t.From, t.To))
	case ledger.KeyAttempts:
		return exactly(test("attempts BETWEEN ? AND ?", t.From, t.To))
	case ledger.KeySends:
		return exactly(test("sends BETWEEN ? AND ?", t.From, t.To))
	case ledger.KeyDur:
		return exactly(test("took "+operator(t.Op)+" ?", int64(t.Duration)))
	case ledger.KeyWaited:
		return exactly(test("waited "+operator(t.Op)+" ?", int64(t.Duration)))
	case ledger.KeyWait:
		return exactly(test("waits & ? <> 0", int64(1)<<t.Code))
	case ledger.KeyOutcome:
		return exactly(test("outcome = ?", int64(t.Code)))
	case ledger.KeyLast:
		if from, ok := timeValue(k.scan.env.End.Add(-t.Duration)).(int64); ok {
			return exactly(test("started >= ?", from))
		}
		return anything()
	case ledger.KeyAt:
		return k.clock(t)
	case ledger.KeyDuplicate:
		if k.known {
			return exactly(duplicateTest(t))
		}
		return constant(t.Code == ledger.DuplicateNo)
	case ledger.KeySession, ledger.KeyService, ledger.KeyRunning, ledger.KeyState:
		c := ledger.Call{ID: ledger.NewCallID(k.scan.ID, 1)}
		return constant(ledger.Filter{Root: t}.Match(&c, k.scan.env))
	}
	return k.text(t)
}

// duplicateTest returns the test of a term that asks whether a call was sent twice. A call
// that was not has no row in the table duplicate, and no kind.
func duplicateTest(t *ledger.Term) condition {
	switch t.Code {
	case ledger.DuplicateNo:
		return test("kind IS NULL")
	case ledger.DuplicateYes:
		return test("kind > 0")
	}
	return test("kind = ?", int64(t.DuplicateKind()))
}

func operator(op ledger.Op) string {
	switch op {
	case ledger.OpLess:
		return "<"
	case ledger.OpAtMost:
		return "<="
	case ledger.OpMore:
		return ">"
	case ledger.OpAtLeast:
		return ">="
	}
	return "="
}

// text compiles a term that looks at text.
func (k *compiler) text(t *ledger.Term) bounds {
	switch t.Key {
	case ledger.KeyHost:
		return k.column("host", textHost, t, func(c *ledger.Call, s string) { c.Host = s })
	case ledger.KeyMethod:
		return k.column("method", textMethod, t, func(c *ledger.Call, s string) { c.Method = s })
	case ledger.KeyPath:
		return k.column("path", textPath, t, func(c *ledger.Call, s string) { c.Path = s })
	case ledger.KeyError:
		return k.column("error", textError, t, func(c *ledger.Call, s string) { c.Error = s })
	case ledger.KeyKey:
		return k.column("key", 0, t, func(c *ledger.Call, s string) { c.Key = s })
	case ledger.KeyURL, ledger.KeyAny:
		return k.url(t)
	}
	return anything()
}

// column compiles a term that looks at one column, which holds text or ids of texts of a
// kind. set puts a text where the term looks.
func (k *compiler) column(name string, kind textKind, t *ledger.Term, set func(*ledger.Call, string)) bounds {
	fits := func(s string) bool {
		var c ledger.Call
		set(&c, s)
		return ledger.Filter{Root: t}.Match(&c, k.scan.env)
	}
	ids, complete := k.entries(name, kind, fits)
	switch {
	case !complete:
		return anything()
	case kind == textHost: // it is always in the dictionary
		return exactly(ids)
	}
	// Texts are above all integers in SQLite's order, and blobs above all texts.
	must, may := []condition{ids}, []condition{test(name + " >= x''")}
	if t.Regexp == nil {
		must = append(must, test(name+" >= '' AND "+name+` LIKE ? ESCAPE '\'`, like(t.Text)))
	} else {
		may = append(may, test(name+" >= ''"))
	}
	if fits("") {
		must = append(must, test(name+" IS NULL"))
	}
	return bounds{anyOf(append(may, must...)...), anyOf(must...)}
}

// like returns the LIKE pattern of a pattern of the filter language.
func like(pattern string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`, `*`, `%`).Replace(pattern)
}

// entries compiles a test for the ids of those texts that fit. It reports whether all
// texts of the kind were looked at.
func (k *compiler) entries(name string, kind textKind, fits func(string) bool) (c condition, complete bool) {
	if kind == 0 {
		return never(), true
	}
	list, complete, err := k.view.entries(k.ctx, kind)
	if err != nil && k.err == nil {
		k.err = err
	}
	ids := []int64{}
	for _, e := range list {
		if fits(e.value) {
			ids = append(ids, e.id)
		}
	}
	switch len(ids) {
	case 0:
		return never(), complete
	case 1:
		return test(name+" = ?", ids[0]), complete
	}
	array, _ := json.Marshal(ids) // integers always encode
	return test(name+" IN (SELECT value FROM json_each(?))", string(array)), complete
}

// url compiles a term that looks at the URL and perhaps the key. A piece of the pattern
// without the characters that join the parts of a URL lies within one of them, unless
// the path does not begin with a slash.
func (k *compiler) url(t *ledger.Term) bounds {
	piece := longestPiece(t.Text)
	if t.Regexp != nil || piece == "" {
		return anything()
	}
	contains := &ledger.Term{Key: ledger.KeyURL, Text: "*" + piece + "*"}
	whole := contains.Text == t.Text
	all := bounds{never(), never()}
	add := func(b bounds) {
		all.may = anyOf(all.may, b.may)
		if whole {
			all.must = anyOf(all.must, b.must)
		}
	}
	for _, part := range [...]struct {
		name string
		kind textKind
	}{{"scheme", textScheme}, {"host", textHost}, {"path", textPath}, {"query", textQuery}} {
		add(k.column(part.name, part.kind, contains, func(c *ledger.Call, s string) { c.Host = s }))
	}
	if t.Key == ledger.KeyAny {
		add(k.column("key", 0, contains, func(c *ledger.Call, s string) { c.Host = s }))
	}
	odd, _ := k.entries("path", textPath, func(s string) bool { return !strings.HasPrefix(s, "/") })
	all.may = anyOf(all.may, odd, test("path >= '' AND path NOT LIKE '/%'"))
	return all
}

// longestPiece returns the longest part of a pattern that has no wildcard and nothing
// that joins the parts of a URL.
func longestPiece(pattern string) (longest string) {
	for _, piece := range strings.FieldsFunc(pattern, func(r rune) bool { return strings.ContainsRune("*/:?", r) }) {
		if len(piece) > len(longest) {
			longest = piece
		}
	}
	return longest
}
