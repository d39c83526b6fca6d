package db

import (
	"context"
	"database/sql/driver"
	"errors"
	"slices"

	"redial/ledger"
)

const (
	// operationPage is how many operations one transaction reads at most, and operationSpan
	// through how many it goes for them if it has no index.
	operationPage = 512
	operationSpan = 4096
)

// errEnough ends a list that has reached its limit.
var errEnough = errors.New("enough")

// Operations returns the operations that a query selects, without bodies; see
// [DB.EachOperation].
func (d *DB) Operations(ctx context.Context, q ledger.OperationQuery) (list []ledger.Operation, err error) {
	err = d.EachOperation(ctx, q, func(o *ledger.Operation) error {
		list = append(list, *o)
		return nil
	})
	return list, err
}

// EachOperation calls each with every operation that a query selects, in its order and
// without bodies, and returns the first error. Its filter's last: counts back from now. It
// holds no transaction while each runs, so that what changes meanwhile is seen as it is
// when its turn comes. An error that wraps [ledger.ErrNoOperation] says that there is no
// operation After which to begin.
func (d *DB) EachOperation(ctx context.Context, q ledger.OperationQuery, each func(*ledger.Operation) error) error {
	s := &operationScan{query: &q, env: ledger.Env{End: d.now(), Zone: q.Zone}}
	err := d.readOperations(ctx, func(v *view) error { return s.begin(ctx, v) }, nil)
	parts := s.parts()
	for i, part := range parts {
		for s.start(); err == nil && s.at != s.stop; s.tell(i, len(parts)) {
			var page []ledger.Operation
			err = d.readOperations(ctx, func(v *view) error {
				page, err = s.page(ctx, v, part)
				return err
			}, nil)
			for i := 0; i < len(page) && err == nil; i++ {
				err = s.give(&page[i], each)
			}
		}
	}
	if err == errEnough {
		return nil
	}
	return err
}

// operationScan goes through the operations in order of their creation, or back. What it has
// not looked at yet are those after at, up to stop with it; or, back, those after stop, up to
// at with it.
type operationScan struct {
	query *ledger.OperationQuery
	env   ledger.Env
	from  int64 // the operation after which the list begins
	last  int64 // the last one there is
	at    int64
	stop  int64
	given int
}

// back reports whether the newest come first.
func (s *operationScan) back() bool { return s.query.Newest && !s.query.Urgent }

// start begins at the first operation of a part.
func (s *operationScan) start() {
	s.at, s.stop = s.from, s.last
	if s.back() {
		s.at, s.stop = s.last, s.from
	}
}

// tell tells how many numbers of operations were gone through, in which part of how many.
func (s *operationScan) tell(part, parts int) {
	if s.query.Progress == nil {
		return
	}
	each, left := s.last-s.from, s.stop-s.at
	if s.back() {
		left = -left
	}
	s.query.Progress(each*int64(part+1)-left, each*int64(parts))
}

// begin finds out from where to where to go.
func (s *operationScan) begin(ctx context.Context, v *view) (err error) {
	if after := s.query.After; after != (ledger.ID{}) && !s.query.Urgent {
		s.from, err = v.number(ctx, `SELECT id FROM operation WHERE `+byID, idValues(after)...)
		if err != nil || s.from == 0 {
			return orNone(err, after)
		}
	}
	s.last, err = v.number(ctx, `SELECT max(id) FROM operation`)
	return err
}

// operationPart is a part of a list: the operations in some states.
type operationPart []ledger.OperationState

// parts returns the parts of the list in their order. Each holds a state at least.
func (s *operationScan) parts() []operationPart {
	states := s.states()
	disputed := slices.Index(states, ledger.OpDisputed)
	switch {
	case len(states) == 0:
		return nil
	case !s.query.Urgent || disputed < 0 || len(states) == 1:
		return []operationPart{states}
	}
	return []operationPart{{ledger.OpDisputed}, slices.Delete(states, disputed, disputed+1)}
}

// states returns the states in which operations can be that the query selects.
func (s *operationScan) states() (states []ledger.OperationState) {
	for state := ledger.OpPrepared; state <= ledger.OpDisputed; state++ {
		o := ledger.Operation{State: state}
		may := (s.query.States == nil || slices.Contains(s.query.States, state)) && (!s.query.Open || state.Open())
		for _, t := range terms(s.query.Filter.Root) {
			may = may && (t.Key != ledger.KeyState || ledger.Filter{Root: t}.MatchOperation(&o, s.env))
		}
		if may {
			states = append(states, state)
		}
	}
	return states
}

// page reads the next operations of a part that match, and moves on.
func (s *operationScan) page(ctx context.Context, v *view, part operationPart) (page []ledger.Operation, err error) {
	most := operationPage
	if s.query.Limit > 0 && s.query.Filter.Root == nil {
		most = min(most, s.query.Limit-s.given)
	}
	from, spare := part.from()
	end := s.stop
	if !spare {
		if end, err = s.span(ctx, v); err != nil {
			return nil, err
		}
	}
	lo, hi, order := s.at, end, ` ORDER BY id`
	if s.back() {
		lo, hi, order = end, s.at, ` ORDER BY id DESC`
	}
	where := allOf(part.condition(), s.narrow())
	args := append([]driver.Value{lo, hi}, where.args...)
	rows := 0
	err = v.query(ctx, `SELECT `+operationColumns()+` FROM `+from+` WHERE id > ? AND id <= ? AND `+where.sql+order+` LIMIT ?`,
		append(args, int64(most)), func(r row) error {
			rows++
			if s.at = r.int(0); s.back() {
				s.at--
			}
			o, err := operationOf(r)
			if err != nil || !s.query.Filter.MatchOperation(&o.Operation, s.env) {
				return err
			}
			page = append(page, o.Operation)
			return detailsOf(r, &page[len(page)-1].Intent)
		})
	if rows < most {
		s.at = end
	}
	return page, err
}

// span returns up to where the next page goes: not far, since it may go through all that is
// there. What is missing costs nothing.
func (s *operationScan) span(ctx context.Context, v *view) (end int64, err error) {
	text := `SELECT id FROM operation WHERE id > ? AND id <= ? ORDER BY id LIMIT 1`
	lo, hi := s.at, s.stop
	if s.back() {
		text = `SELECT id FROM operation WHERE id > ? AND id <= ? ORDER BY id DESC LIMIT 1`
		lo, hi = hi, lo
	}
	next, err := v.number(ctx, text, lo, hi)
	far := func(a, b int64) bool { return uint64(b)-uint64(a) > operationSpan } // which no number from elsewhere overflows
	switch {
	case err != nil || next == 0:
		return s.stop, err
	case s.back() && far(s.stop, next):
		return next - operationSpan, nil
	case !s.back() && far(next, s.stop):
		return next + operationSpan, nil
	}
	return s.stop, nil
}

// from returns what to read a part from, and whether that has hardly any other rows.
func (p operationPart) from() (table string, spare bool) {
	switch {
	case slices.Equal(p, operationPart{ledger.OpDisputed}):
		return `operation INDEXED BY operation_disputed`, true
	case !slices.Contains(p, ledger.OpSucceeded) && !slices.Contains(p, ledger.OpFailed):
		return `operation INDEXED BY operation_open`, false
	}
	return `operation`, false
}

// condition returns the condition that an operation is in the part, with the words of the
// index that from names.
func (p operationPart) condition() condition {
	if len(p) == int(ledger.OpDisputed) {
		return always()
	}
	table, _ := p.from()
	c := always()
	if table != `operation` {
		c = test(`state <> 'succeeded' AND state <> 'failed'`)
	}
	if len(p) == 1 {
		return allOf(c, test(`state = '`+p[0].String()+`'`)) // the planner has to see the word
	}
	one := never()
	for _, state := range p {
		one = anyOf(one, test(`state = ?`, state.String()))
	}
	return allOf(c, one)
}

// give hands an operation over, unless there were enough.
func (s *operationScan) give(o *ledger.Operation, each func(*ledger.Operation) error) error {
	if err := each(o); err != nil {
		return err
	}
	if s.given++; s.query.Limit > 0 && s.given >= s.query.Limit {
		return errEnough
	}
	return nil
}
