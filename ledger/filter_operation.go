package ledger

import (
	"net/url"
	"slices"
)

// MatchOperation reports whether the filter selects the operation. Keys that say nothing of
// operations, such as wait:, select none. status: is that of the answer that was kept,
// attempts: and sends: count the steps into sending, dur: is the time from the first of
// them to the last transition, and last: and at: ask for its creation.
func (f Filter) MatchOperation(o *Operation, env Env) bool {
	return f.Root == nil || matchesOperation(f.Root, o, &env)
}

func matchesOperation(x Expr, o *Operation, env *Env) bool {
	switch x := x.(type) {
	case And:
		for _, part := range x {
			if !matchesOperation(part, o, env) {
				return false
			}
		}
		return true
	case Or:
		for _, part := range x {
			if matchesOperation(part, o, env) {
				return true
			}
		}
		return false
	case Not:
		return !matchesOperation(x.X, o, env)
	case *Term:
		return x.matchesOperation(o, env)
	}
	return false
}

func (t *Term) matchesOperation(o *Operation, env *Env) bool {
	switch t.Key {
	case KeyAttempts, KeySends:
		return t.inRange(int64(o.Sends))
	case KeyStatus:
		return o.Result != nil && t.inRange(int64(o.Result.Status))
	case KeyDur:
		return !o.FirstSent.IsZero() && t.compares(o.Updated.Sub(o.FirstSent))
	case KeyLast:
		return !o.Created.Before(env.End.Add(-t.Duration))
	case KeyAt:
		return t.inClock(o.Created, env.Zone)
	case KeyState:
		return t.fits(o.State.String())
	}
	return t.matchesOperationText(o)
}

func (t *Term) matchesOperationText(o *Operation) bool {
	switch t.Key {
	case KeyHost:
		u, err := url.Parse(o.URL)
		return err == nil && (t.fits(u.Host) || t.fits(withoutPort(u.Host)))
	case KeyPath:
		u, err := url.Parse(o.URL)
		return err == nil && t.fits(u.EscapedPath())
	case KeyMethod:
		return t.fits(o.Method)
	case KeyURL:
		return t.fits(bare(o.URL))
	case KeyKey:
		return t.fits(o.Key)
	case KeyError:
		return t.fits(o.LastError)
	case KeyService:
		return t.fits(o.Service)
	case KeyAny:
		return t.fits(o.Key) || t.fits(o.Name) || t.fits(bare(o.URL))
	}
	return false
}

// ParseCallFilter parses an expression that is to select calls. What only operations have
// is an error there, which says so, and not an answer of no calls.
func ParseCallFilter(text string) (Filter, error) {
	f, err := ParseFilter(text)
	if err == nil {
		err = ofCalls(f.Root)
	}
	if err != nil {
		return Filter{}, err
	}
	return f, nil
}

// ofCalls returns an error for a term that says nothing of calls.
func ofCalls(x Expr) error {
	switch x := x.(type) {
	case And:
		return firstOf(x, ofCalls)
	case Or:
		return firstOf(x, ofCalls)
	case Not:
		return ofCalls(x.X)
	case *Term:
		if x.Key == KeyState {
			return span{x.Start, x.End}.wrong("calls have no state: list operations by it, or calls by key: or outcome:")
		}
	}
	return nil
}

// firstOf returns the first error of those that a check has.
func firstOf(parts []Expr, check func(Expr) error) error {
	for _, part := range parts {
		if err := check(part); err != nil {
			return err
		}
	}
	return nil
}

// NamesSettled reports whether the filter asks for operations that are settled by their
// state, as state:failed does. What follows a not names nothing.
func (f Filter) NamesSettled() bool { return namesSettled(f.Root) }

func namesSettled(x Expr) bool {
	switch x := x.(type) {
	case And:
		return slices.ContainsFunc(x, namesSettled)
	case Or:
		return slices.ContainsFunc(x, namesSettled)
	case *Term:
		return x.Key == KeyState && (x.fits(OpSucceeded.String()) || x.fits(OpFailed.String()))
	}
	return false
}

// bare returns a URL without userinfo.
func bare(raw string) string {
	u, err := url.Parse(raw)
	if err != nil || u.User == nil {
		return raw
	}
	u.User = nil
	return u.String()
}
