package ledger

import (
	"net/url"
	"slices"
)

// MatchOperation reports whether the filter selects the operation. Keys that say nothing of
// operations, such as wait:, select none; [ParseOperationFilter] refuses them. status: is that of the answer that was kept,
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
	return parseFor(text, func(t *Term) error {
		if t.Key.OfCalls() {
			return nil
		}
		return span{t.Start, t.End}.wrong("calls have no state: list operations by it, or calls by key: or outcome:")
	})
}

// ParseOperationFilter parses an expression that is to select operations. What only calls
// have is an error there, which says so, and not an answer of no operations. The error is
// always a *[FilterError].
func ParseOperationFilter(text string) (Filter, error) {
	return parseFor(text, func(t *Term) error {
		if t.Key.OfOperations() {
			return nil
		}
		return span{t.Start, t.End}.wrong("operations have no %s:, which is for calls: they have %s", t.Key, keysOfOperations())
	})
}

// keysOfOperations lists the keys that operations have.
func keysOfOperations() string {
	var names []string
	for _, k := range FilterKeys() {
		if k.OfOperations() {
			names = append(names, k.String())
		}
	}
	return enumerate(names, "and")
}

// parseFor parses an expression of which a check accepts every term.
func parseFor(text string, check func(*Term) error) (Filter, error) {
	f, err := ParseFilter(text)
	if err == nil {
		err = firstWrong(f.Root, check)
	}
	if err != nil {
		return Filter{}, err
	}
	return f, nil
}

// firstWrong returns the error that a check has for the first term that it does not accept.
func firstWrong(x Expr, check func(*Term) error) error {
	switch x := x.(type) {
	case And:
		return firstOf(x, check)
	case Or:
		return firstOf(x, check)
	case Not:
		return firstWrong(x.X, check)
	case *Term:
		return check(x)
	}
	return nil
}

// firstOf is firstWrong for several expressions.
func firstOf(parts []Expr, check func(*Term) error) error {
	for _, part := range parts {
		if err := firstWrong(part, check); err != nil {
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
