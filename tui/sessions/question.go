package sessions

import (
	"context"
	"errors"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/dialog"
	"redial/tui/draw"
	"redial/tui/scene"
	"redial/tui/theme"
)

// question is a dialog about a session: for a name, or about what is to be pruned.
type question struct {
	*dialog.Dialog
	scene   *scene.Scene
	session ledger.Session

	name *dialog.Field // nil: it is about pruning

	which     *dialog.Field // this one, or by age and size
	olderThan *dialog.Field
	maxSize   *dialog.Field
	asked     string // the rule that was asked about last, as it was written
	plan      ledger.PrunePlan
	known     bool   // plan is what that rule comes to
	wrong     string // why there is no plan; "" if nothing is wrong
}

func askName(s *scene.Scene, c *ledger.Session) *question {
	q := &question{scene: s, session: *c, name: dialog.Text("name", c.Name)}
	q.Dialog = dialog.New(s, "Name session "+c.ID.String())
	q.Text = func(w int, _ bool) []string {
		return q.lines(w, s.Theme.Text, q.session.Names()+". A name helps people to find it again; an empty one takes the name away.")
	}
	q.Fields = []*dialog.Field{q.name}
	q.Buttons = []dialog.Button{{Name: "Write down"}}
	q.Foot = "a name changes nothing but the record"
	q.Start()
	return q
}

// Which sessions are to go.
const (
	thisOne = iota
	byAgeAndSize
)

func askPrune(s *scene.Scene, c *ledger.Session) *question {
	q := &question{scene: s, session: *c}
	q.Dialog = dialog.New(s, "Prune recorded sessions")
	q.which = dialog.Choice("which", "only this one: "+c.Names(), "by age and size, as below")
	q.olderThan, q.maxSize = dialog.Text("older than", "14d"), dialog.Text("more than", "")
	q.Text = q.preview
	q.Fields = []*dialog.Field{q.which, q.olderThan, q.maxSize}
	q.Buttons = []dialog.Button{{Name: "Prune", Off: q.off}}
	q.Foot = "nothing goes until Prune is pressed"
	q.asked = q.written()
	return q
}

// written is the rule as it is written.
func (q *question) written() string {
	if q.which.Chosen() != byAgeAndSize {
		return "this"
	}
	return q.olderThan.Value() + "\x00" + q.maxSize.Value()
}

// rule returns the rule that is written.
func (q *question) rule() (r ledger.PruneRule, err error) {
	if q.which.Chosen() != byAgeAndSize {
		return ledger.PruneRule{Only: []ledger.SessionID{q.session.ID}}, nil
	}
	if text := q.olderThan.Value(); text != "" {
		if r.OlderThan, err = ledger.ParseDuration(text); err != nil || r.OlderThan <= 0 {
			return r, errors.New("older than what? Write 14d or 36h, or nothing")
		}
	}
	if text := q.maxSize.Value(); text != "" {
		if r.MaxSize, err = size(text); err != nil {
			return r, err
		}
	}
	if r.OlderThan == 0 && r.MaxSize == 0 {
		return r, errors.New("write how old, or of how many bytes in use the oldest go")
	}
	return r, nil
}

// size reads a number of bytes: 512MB, 2GB.
func size(text string) (int64, error) {
	upper := strings.ToUpper(strings.ReplaceAll(text, " ", ""))
	for _, unit := range []struct {
		name string
		n    float64
	}{{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"KIB", 1 << 10}, {"MIB", 1 << 20}, {"GIB", 1 << 30}} {
		number, ok := strings.CutSuffix(upper, unit.name)
		if !ok {
			continue
		}
		if n, err := strconv.ParseFloat(number, 64); err == nil && n*unit.n >= 1 && n*unit.n < 1<<60 {
			return int64(n * unit.n), nil
		}
	}
	return 0, errors.New("more than how much? Write 512MB or 2GB, or nothing")
}

// off says why nothing can be pruned now, "" if something can.
func (q *question) off() string {
	switch {
	case q.which.Chosen() < 0:
		return "choose which sessions are to go"
	case q.wrong != "":
		return q.wrong
	case !q.known:
		return "what goes is still being looked up"
	case len(q.plan.Go) == 0:
		return "nothing would go"
	}
	return ""
}

func (q *question) lines(w int, st theme.Style, text string) (lines []string) {
	for _, part := range draw.Wrap(text, w, 4) {
		l := draw.NewLine(w)
		l.Put(st, part)
		lines = append(lines, l.String())
	}
	return lines
}

// preview says what goes and what stays.
func (q *question) preview(w int, dense bool) (lines []string) {
	th := q.scene.Theme
	switch p := &q.plan; {
	case q.wrong != "":
		return q.lines(w, th.Warn, q.wrong)
	case !q.known:
		return q.lines(w, th.Dim, "looking up what would go…")
	case len(p.Go) == 0:
		lines = q.lines(w, th.Text, "Nothing would go. "+draw.Bytes(p.Used)+" of the file are in use.")
	default:
		lines = q.lines(w, th.Strong, draw.Plural(int64(len(p.Go)), "session")+" with "+draw.Plural(p.Calls(), "call")+
			" would go: about "+draw.Bytes(p.Bytes())+" of "+draw.Bytes(p.Used)+" in use.")
	}
	for i := range q.plan.Go {
		lines = append(lines, q.line(w, &q.plan.Go[i]))
	}
	for i := range q.plan.Stay {
		lines = append(lines, q.line(w, &q.plan.Stay[i]))
	}
	if !dense {
		lines = append(lines, draw.Blank(w, 1)...)
	}
	return append(lines, q.lines(w, th.Dim, "Operations stay, settled or not. The file keeps its size: the room is used for what is recorded next.")...)
}

// line is a session that goes, or stays.
func (q *question) line(w int, p *ledger.Prunable) string {
	th, c := q.scene.Theme, &p.Session
	l := draw.NewLine(w)
	if p.Why == "" {
		l.Cell(th.Bad, "✗ goes", 8)
	} else {
		l.Cell(th.Good, "★ stays", 8)
	}
	tail := draw.Plural(c.Calls, "call")
	if p.Why != "" {
		tail = p.Why
	}
	name := c.Names()
	if c.Name != "" {
		name = c.Name + " · " + name
	}
	day := c.Started.In(q.scene.Zone).Format("Jan _2 15:04")
	room := max(l.Left()-len(day)-min(draw.Width(tail), 24)-2, 8)
	l.Cell(th.Text, name, room)
	l.Space(1)
	l.Put(th.Dim, day)
	l.Space(1)
	l.Right(th.Dim, tail, l.Left())
	return l.String()
}

// questionKey handles a key while a dialog is open.
func (s *Screen) questionKey(k tea.KeyPressMsg) tea.Cmd {
	q := s.question
	switch q.Key(k) {
	case dialog.Cancelled:
		s.question = nil
		s.plans.Drop()
		s.scene.Say("nothing was done")
		return nil
	case dialog.Open:
		return s.replan()
	}
	s.question = nil
	if q.name == nil {
		return s.prune(&q.plan)
	}
	id, name := q.session.ID, q.name.Value()
	text := "session " + id.String() + " is called " + name
	switch {
	case name == "" && q.session.Name == "":
		text = "session " + id.String() + " has no name, as before"
	case name == "":
		text = "session " + id.String() + " has no name any more"
	}
	return s.act(text, func(ctx context.Context, k Keeper) error { return k.NameSession(ctx, id, name) })
}

// replan asks what the rule comes to, if another one is written now.
func (s *Screen) replan() tea.Cmd {
	q := s.question
	if q == nil || q.name != nil || q.written() == q.asked {
		return nil
	}
	q.asked, q.known, q.wrong = q.written(), false, ""
	s.plans.Drop()
	rule, err := q.rule()
	if err != nil {
		q.wrong = err.Error()
		return nil
	}
	return s.readPlan(rule)
}
