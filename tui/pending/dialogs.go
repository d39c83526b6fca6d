package pending

import (
	"fmt"
	"time"

	"redial/ledger"
	"redial/tui/dialog"
	"redial/tui/draw"
)

// build fills the dialog with what is to be asked.
func (q *question) build() {
	q.Fields, q.Buttons, q.tail, q.choice, q.reason, q.evidence = nil, nil, nil, nil, nil, nil
	switch q.kind {
	case replay:
		q.buildReplay()
	case undo:
		q.Title, q.Text, q.Foot = "Undo "+q.name(), q.undoText, "nothing is sent until Undo is pressed"
		q.Buttons = []dialog.Button{{Name: pick(q.here, "Undo from here", "Undo"), Off: q.off}}
	case settle:
		q.Title, q.Text, q.Foot = "Settle "+q.name(), q.settleText, "nothing is written until Settle is pressed"
		q.choice = dialog.Choice("we know", "it happened", "it did not happen")
		q.reason, q.evidence = dialog.Text("reason", ""), dialog.Text("evidence", "")
		q.Fields = []*dialog.Field{q.choice, q.reason, q.evidence}
		q.Buttons = []dialog.Button{{Name: "Settle", Off: q.off}}
	case note:
		q.Title, q.Text, q.Foot = "Note on "+q.name(), q.target, "a note changes nothing but the record"
		q.reason = dialog.Text("note", "")
		q.Fields = []*dialog.Field{q.reason}
		q.Buttons = []dialog.Button{{Name: "Write down", Off: q.off}}
		q.Start()
	case reopen, cancel:
		q.Title, q.Text, q.Foot = "Take back the word on "+q.name(), q.reopenText, "nothing is written until Reopen is pressed"
		name := "Reopen"
		if q.kind == cancel {
			q.Title, q.Text, q.Foot, name = "Cancel the plan of "+q.name(), q.cancelText, "nothing is written until it is pressed", "Cancel the plan"
		}
		q.reason = dialog.Text("reason", "")
		q.Fields = []*dialog.Field{q.reason}
		q.Buttons = []dialog.Button{{Name: name, Off: q.off}}
	}
}

func (q *question) name() string {
	if q.op.Name == "" {
		return q.op.Key
	}
	return q.op.Name
}

func (q *question) buildReplay() {
	q.Title, q.Text, q.Foot = "Replay "+q.name(), q.replayText, "nothing is sent until Replay is pressed"
	name := "Replay"
	if q.here {
		q.Title, name = "Send from here? "+q.name(), "Send from here"
		q.Foot = "nothing is sent until it is pressed"
	}
	q.Buttons = []dialog.Button{{Name: name, Off: q.off}}
	if !q.ready {
		return
	}
	if q.op.CanLookUp() {
		look := dialog.Button{Name: "Look up first", Key: &q.scene.Keys.LookUp}
		q.Buttons = []dialog.Button{look, q.Buttons[0]}
	}
	if hard, soft := q.failing(); len(hard) == 0 && len(soft) > 0 {
		n := len(q.op.KeyTail())
		q.tail = dialog.Text(fmt.Sprintf("To do it all the same, type the last %d characters of the key:", n), "")
		q.tail.Narrow = fmt.Sprintf("To override, type the key's last %d:", n)
		q.tail.Typed, q.tail.Size = true, n
		q.Fields = []*dialog.Field{q.tail}
	}
}

// off says why the answer would not count, "" if it would.
func (q *question) off() string {
	switch {
	case q.scene.Stale:
		return "the file cannot be read at the moment"
	case q.moved != "":
		return q.moved + ": " + q.scene.Keys.Cancel.Help().Key + ", and look again"
	case !q.ready:
		return "what it rests on is still being read"
	case q.kind == replay:
		return q.replayOff()
	case q.choice != nil && q.choice.Chosen() < 0:
		return "choose what is known first"
	case q.reason != nil && q.reason.Value() == "":
		return pick(q.kind == note, "the note is empty", "a reason is needed")
	}
	return ""
}

func (q *question) replayOff() string {
	hard, _ := q.failing()
	switch {
	case len(hard) > 0:
		return fmt.Sprintf("it cannot be sent: it does not hold that %s (%s)", hard[0].Text, hard[0].Facts)
	case q.tail != nil && q.tail.Value() != q.op.KeyTail():
		return "type the last characters of the key first"
	}
	return ""
}

// failing returns the checks that do not hold: those that nobody can override, and others.
func (q *question) failing() (hard, soft []ledger.Check) {
	for _, c := range ledger.Failing(q.checks, nil) {
		if c.Name == "" {
			hard = append(hard, c)
		} else {
			soft = append(soft, c)
		}
	}
	return hard, soft
}

// despite returns the names of the checks that the person overrides.
func (q *question) despite() (names []string) {
	if q.kind != replay {
		return nil
	}
	_, soft := q.failing()
	for _, c := range soft {
		names = append(names, c.Name)
	}
	return names
}

func pick(ok bool, yes, no string) string {
	if ok {
		return yes
	}
	return no
}

// target names the operation.
func (q *question) target(w int, dense bool) []string {
	p := q.page(w, dense)
	p.fact("operation", q.op.Name, "")
	p.fact("key", q.op.Key, q.op.Service)
	return p.lines
}

func (q *question) page(w int, dense bool) *page {
	return &page{theme: q.scene.Theme, width: w, dense: dense}
}

func (q *question) replayText(w int, dense bool) []string {
	p := q.page(w, dense)
	p.fact("Send again", q.op.Method+" "+q.op.URL, "")
	p.fact("Same key", q.op.Key, fmt.Sprintf("same %s, sha %s", draw.Bytes(int64(q.size)), sha(&q.op)))
	if !q.ready {
		p.blank()
		p.say(p.theme.Dim, "the checklist is being made…", 1)
		return p.lines
	}
	if dense {
		q.brief(p)
	} else {
		p.fact("Sent by", q.sender, "")
	}
	if q.here {
		p.say(p.theme.Warn, "No live session of "+q.op.Service+" took it. Send from here?", 2)
	}
	if dense {
		return p.lines
	}
	p.blank()
	for _, c := range q.checks {
		p.check(c.OK, c.Text, c.Facts)
	}
	p.blank()
	p.say(p.theme.Text, q.consequence(), 4)
	return p.lines
}

// brief is the checklist where there is little room: first what does not hold.
func (q *question) brief(p *page) {
	holds := ""
	for _, c := range q.checks {
		switch {
		case !c.OK:
			p.check(false, c.Text, c.Facts)
		case holds == "":
			holds = c.Text
		default:
			holds += "; " + c.Text
		}
	}
	if hard, soft := q.failing(); len(hard) == 0 && len(soft) > 0 {
		p.say(p.theme.Warn, "It may be done A SECOND TIME.", 1)
	}
	if holds != "" {
		p.point("✓", p.theme.Good, holds, 4)
	}
	p.say(p.theme.Text, q.consequence(), 6)
}

// consequence says what sending again may lead to.
func (q *question) consequence() string {
	if q.moved != "" {
		return "Somebody was faster: " + q.moved + "."
	}
	hard, soft := q.failing()
	if len(hard) > 0 {
		return "It cannot be sent: it does not hold that " + hard[0].Text + ". Nobody can override that."
	}
	if len(soft) == 0 {
		return "All checks hold. The same request is sent once more with the same key; if the first one was executed, the API answers with the stored result."
	}
	text := fmt.Sprintf("%s. ", pick(len(soft) == 1, "One check fails", fmt.Sprintf("%d checks fail", len(soft))))
	for _, c := range soft {
		switch c.Name {
		case ledger.CheckHonoured:
			return text + "The API is not declared to honour keys: if the first request was executed, this does it A SECOND TIME."
		case ledger.CheckKeyAge:
			return text + "The API may have forgotten the key: if the first request was executed, this does it A SECOND TIME."
		}
	}
	return text + "If the first request was executed, this API should answer with the stored result. If it does not honour keys, it is done A SECOND TIME."
}

func (q *question) undoText(w int, dense bool) []string {
	p := q.page(w, dense)
	if u := q.op.Undo; u != nil {
		p.fact("Send", u.Method+" "+q.op.Fill(u.URL), "")
	}
	p.fact("To undo", q.op.Name+" "+q.op.Key, q.op.State.String())
	p.fact("Sent by", q.sender, "")
	if q.here {
		p.say(p.theme.Warn, "No live session of "+q.op.Service+" took it. Send from here?", 2)
	}
	p.blank()
	p.say(p.theme.Text, "This asks the vendor to take it back. It is an operation of its own, with a key of its own, and it is done once however often it is asked for. "+
		"The operation becomes failed only when that succeeded and a lookup finds nothing any more.", 5)
	p.alarm(q.moved)
	return p.lines
}

func (q *question) settleText(w int, dense bool) []string {
	p := q.page(w, dense)
	p.fact("Operation", q.op.Name, q.op.State.String())
	p.fact("Request", q.op.Method+" "+q.op.URL, "")
	p.fact("Key", q.op.Key, q.op.Service)
	q.reader(p)
	p.blank()
	p.say(p.theme.Text, "Nothing is sent. "+q.told()+" Afterwards redial looks once more; what contradicts you makes it disputed.", 4)
	p.alarm(q.moved)
	return p.lines
}

func (q *question) reopenText(w int, dense bool) []string {
	p := q.page(w, dense)
	p.fact("Operation", q.op.Name, q.op.State.String())
	p.fact("Key", q.op.Key, q.op.Service)
	p.fact("Settled by", q.op.SettledBy.String(), "")
	q.reader(p)
	p.blank()
	text := "It becomes pending again."
	switch {
	case q.read.State == ledger.WasRead || q.read.State == ledger.ReadUnknown:
		text += " " + q.op.Service + " may have acted on the word; it is told that it was taken back."
	case q.read.Listens:
		text += " " + q.op.Service + " is told of the word, and that it was taken back."
	}
	p.say(p.theme.Text, text, 3)
	p.alarm(q.moved)
	return p.lines
}

// reader says whether the service has read the last word of a person, if there is one.
func (q *question) reader(p *page) {
	if q.ready && q.read.State != ledger.NoWord {
		p.fact("Reader", wording(q.read, q.op.Service, q.scene.Zone), "")
	}
}

// wording says in words whether a service has read the last word of a person.
func wording(r ledger.Reading, service string, zone *time.Location) string {
	return r.Words(service, r.At.In(zone).Format("Jan 2 15:04:05"))
}

// told says who learns of a settlement.
func (q *question) told() string {
	if q.ready && !q.read.Listens {
		return "It is written down with your name and the reason; as nobody reads settlements of " + q.op.Service + ", it is only a note there."
	}
	return q.op.Service + " is told what you know, with your name and the reason."
}

func (q *question) cancelText(w int, dense bool) []string {
	p := q.page(w, dense)
	p.fact("Request", q.op.Method+" "+q.op.URL, "")
	p.fact("Key", q.op.Key, q.op.Service)
	p.blank()
	p.say(p.theme.Text, "It was never sent. Cancelled it becomes failed, and is not sent any more.", 3)
	p.alarm(q.moved)
	return p.lines
}
