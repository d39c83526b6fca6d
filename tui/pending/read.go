package pending

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"redial/ledger"
	"redial/tui/scene"
)

// Store is what this screen reads.
type Store interface {
	Sessions(context.Context) ([]ledger.Session, error)
	// Operations returns the operations that a query selects, without their bodies.
	Operations(context.Context, ledger.OperationQuery) ([]ledger.Operation, error)
	// Operation returns one operation whole, as it is stored.
	Operation(context.Context, ledger.ID) (ledger.Operation, error)
	// Transitions returns what became of an operation, oldest first.
	Transitions(context.Context, ledger.ID) ([]ledger.Transition, error)
	// OperationTotal returns how many operations there are, settled ones included, of one
	// service, or of all for "".
	OperationTotal(ctx context.Context, service string) (int64, error)
	// Reading returns whether the service of an operation has been told of the last word
	// that a person spoke on it.
	Reading(context.Context, ledger.ID) (ledger.Reading, error)
}

// Redact says how operations are made fit to be shown. They are redacted as soon as they
// are read; only a checklist is made from one as it is stored.
type Redact struct {
	Operation  func(*ledger.Operation) ledger.Operation   // nil: headers, answers and the queries of URLs are left out
	Transition func(*ledger.Transition) ledger.Transition // nil: answers are left out
}

func (r Redact) operation(o *ledger.Operation) ledger.Operation {
	if r.Operation != nil {
		return r.Operation(o)
	}
	shown := *o
	shown.URL = bare(o.URL)
	shown.Header, shown.Body, shown.Result = nil, nil, nil
	if o.Lookup != nil {
		l := *o.Lookup
		l.URL, l.Header = bare(l.URL), nil
		shown.Lookup = &l
	}
	if o.Undo != nil {
		shown.Undo = &ledger.Undo{Method: o.Undo.Method, URL: bare(o.Undo.URL)}
	}
	return shown
}

func (r Redact) transition(t *ledger.Transition) ledger.Transition {
	if r.Transition != nil {
		return r.Transition(t)
	}
	shown := *t
	shown.Result = nil
	return shown
}

// bare returns a URL, or the template of one, without what may be secret in it.
func bare(raw string) string {
	head, _, query := strings.Cut(raw, "?")
	scheme, rest, ok := strings.Cut(head, "://")
	if !ok {
		return "‹not a URL›"
	}
	host, path, slash := strings.Cut(rest, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	text := scheme + "://" + host
	if slash {
		text += "/" + path
	}
	if query {
		text += "?…"
	}
	return text
}

// request says what to read.
type request struct {
	seq     int
	filter  ledger.Filter
	settled bool
	limit   int
	chosen  ledger.ID
	zone    *time.Location
	tell    func(seen, total int64) // how far it is
}

// life is an operation with what became of it, redacted.
type life struct {
	op   ledger.Operation
	rows []ledger.Transition
	size int  // bytes of its body
	read bool // everything was read
}

// listMsg brings the list, and the life of the selected operation.
type listMsg struct {
	request request
	ops     []ledger.Operation
	total   int64 // how many there are in the file
	life    life
	cut     bool // the user gave up before the whole list was found
	err     error
}

// Failed returns why the list could not be read, nil if it could.
func (m listMsg) Failed() error { return m.err }

// lifeMsg brings the life of an operation.
type lifeMsg struct {
	seq  int
	life life
	err  error
}

func readList(ctx context.Context, s Store, redact Redact, r request) listMsg {
	m := listMsg{request: r}
	q := ledger.OperationQuery{Filter: r.filter, Open: true, Urgent: true, Limit: r.limit, Zone: r.zone}
	both := r.settled || r.filter.NamesSettled()
	if q.Progress = r.tell; both {
		q.Progress = scene.Part(r.tell, 0, 2)
	}
	if m.ops, m.err = s.Operations(ctx, q); m.err != nil {
		m.giveUp(redact)
		return m
	}
	if m.total, m.err = s.OperationTotal(ctx, ""); m.err != nil {
		return m
	}
	if both {
		q.Progress = scene.Part(r.tell, 1, 2)
		q.Open, q.Urgent, q.Newest = false, false, true
		q.States = []ledger.OperationState{ledger.OpSucceeded, ledger.OpFailed}
		var settled []ledger.Operation
		settled, m.err = s.Operations(ctx, q)
		slices.SortStableFunc(settled, func(a, b ledger.Operation) int { return b.Moved.Compare(a.Moved) })
		m.ops = append(m.ops, settled...)
		if m.err != nil {
			m.giveUp(redact)
			return m
		}
	}
	for i := range m.ops {
		m.ops[i] = redact.operation(&m.ops[i])
	}
	chosen := r.chosen
	if chosen == (ledger.ID{}) && len(m.ops) > 0 {
		chosen = m.ops[0].ID()
	}
	if chosen != (ledger.ID{}) {
		m.life, m.err = readLife(ctx, s, redact, chosen)
	}
	if errors.Is(m.err, ledger.ErrNoOperation) {
		m.life, m.err = life{}, nil
	}
	return m
}

// giveUp leaves of a list whose reading failed what was found until the user gave it up.
func (m *listMsg) giveUp(redact Redact) {
	if m.cut = errors.Is(m.err, context.Canceled); !m.cut {
		m.ops = nil
	}
	for i := range m.ops {
		m.ops[i] = redact.operation(&m.ops[i])
	}
}

func readLife(ctx context.Context, s Store, redact Redact, id ledger.ID) (life, error) {
	o, err := s.Operation(ctx, id)
	if err != nil {
		return life{}, err
	}
	rows, err := s.Transitions(ctx, id)
	if err != nil {
		return life{}, err
	}
	for i := range rows {
		rows[i] = redact.transition(&rows[i])
	}
	return life{op: redact.operation(&o), rows: rows, size: len(o.Body), read: true}, nil
}

// lastLookup returns what the last lookup brought, in words; "" without one.
func lastLookup(rows []ledger.Transition, zone *time.Location) string {
	for i := len(rows) - 1; i >= 0; i-- {
		if t := &rows[i]; t.Code == ledger.CodeLookedUp {
			return t.At.In(zone).Format("Jan 2 15:04:05") + " " + cmp.Or(t.Evidence, t.Reason, t.Finding.String())
		}
	}
	return ""
}
