package ledger

import "time"

// PruneRule says which recorded sessions are to go. A session goes if it is too old, or if
// there is too much; see [PrunePlan] for those that stay whatever the rule says.
type PruneRule struct {
	OlderThan time.Duration // those whose recording ended longer ago; 0: none for that
	MaxSize   int64         // bytes that the file may have in use; the oldest go until that holds; 0: none for that
	Only      []SessionID   // these, and no others, whatever their age; nil: all are looked at
}

// PrunePlan says what a rule comes to. Sessions that are live, or are silent and may go on,
// that are pinned, or that have a part in an operation that is not settled, stay.
// Operations, with all that became of them, stay in any case.
type PrunePlan struct {
	Go   []Prunable // oldest first
	Stay []Prunable // those that the rule would take if nothing spoke against it, with Why
	Used int64      // bytes of the file that are in use
}

// Prunable is a session that goes, or would.
type Prunable struct {
	Session Session
	Bytes   int64  // that it takes up, by its part of all calls
	Why     string // it stays: "live", "pinned", …; "": it goes
}

// Bytes returns about how much becomes free for what is recorded later. The file keeps its
// size.
func (p *PrunePlan) Bytes() (n int64) {
	for i := range p.Go {
		n += p.Go[i].Bytes
	}
	return n
}

// Calls returns how many calls go.
func (p *PrunePlan) Calls() (n int64) {
	for i := range p.Go {
		n += p.Go[i].Session.Calls
	}
	return n
}
