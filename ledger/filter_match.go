package ledger

import (
	"strings"
	"time"
)

// Match reports whether the filter selects the call. It is the one definition of what a
// filter means; whoever evaluates filters in another way must come to the same calls.
// It looks only at the fields that a call has in a list, so the attempts and waits may
// be missing. What running calls have lasted and waited is counted up to env.End.
func (f Filter) Match(c *Call, env Env) bool { return f.Root == nil || matches(f.Root, c, &env) }

// matches evaluates one node. The parser bounds how deep they lie.
func matches(x Expr, c *Call, env *Env) bool {
	switch x := x.(type) {
	case And:
		for _, part := range x {
			if !matches(part, c, env) {
				return false
			}
		}
		return true
	case Or:
		for _, part := range x {
			if matches(part, c, env) {
				return true
			}
		}
		return false
	case Not:
		return !matches(x.X, c, env)
	case *Term:
		return x.matches(c, env)
	}
	return false
}

// matches evaluates one term.
func (t *Term) matches(c *Call, env *Env) bool {
	switch t.Key {
	case KeyStatus:
		return t.inRange(int64(c.Status))
	case KeyAttempts:
		return t.inRange(int64(c.Attempts))
	case KeySends:
		return t.inRange(int64(c.WireSends))
	case KeySession:
		return t.inRange(int64(c.ID.Session()))
	case KeyDur:
		return t.compares(c.Took + ongoing(c.Running(), c.Started, env))
	case KeyWaited:
		return t.compares(c.Waited + ongoing(c.State == Waiting, c.Since, env))
	case KeyWait:
		return c.WaitedFor.Has(WaitKind(t.Code))
	case KeyOutcome:
		return c.Outcome == Outcome(t.Code)
	case KeyRunning:
		return c.Running() == (t.Code == 1)
	case KeyDuplicate:
		return t.matchesDuplicate(c.Duplicate.Kind)
	case KeyLast:
		return !c.Started.Before(env.End.Add(-t.Duration))
	case KeyAt:
		return t.inClock(c.Started, env.Zone)
	}
	return t.matchesText(c, env)
}

// matchesDuplicate evaluates a term that asks whether a call was sent twice.
func (t *Term) matchesDuplicate(kind DuplicateKind) bool {
	switch t.Code {
	case DuplicateNo:
		return kind == NoDuplicate
	case DuplicateYes:
		return kind != NoDuplicate
	}
	return kind == t.DuplicateKind()
}

// matchesText evaluates a term with a text or a regular expression.
func (t *Term) matchesText(c *Call, env *Env) bool {
	switch t.Key {
	case KeyHost:
		return t.fits(c.Host) || t.fits(withoutPort(c.Host))
	case KeyMethod:
		return t.fits(c.Method)
	case KeyPath:
		return t.fits(c.Path)
	case KeyURL:
		return t.fits(c.URL())
	case KeyKey:
		return t.fits(c.Key)
	case KeyError:
		return t.fits(c.Error)
	case KeyService:
		return t.fits(env.Service)
	case KeyAny:
		return t.fits(c.Key) || t.fits(c.URL())
	}
	return false // KeyState: no call has an operation
}

// fits reports whether a text of a call is what the term asks for.
func (t *Term) fits(value string) bool {
	switch {
	case value == "":
		return t.Regexp == nil && t.Text == ""
	case t.Regexp != nil:
		return t.Regexp.MatchString(value)
	}
	return glob(t.Text, strings.ToLower(value))
}

// glob reports whether s as a whole is what the pattern describes.
func glob(pattern, s string) bool {
	part, pattern, more := strings.Cut(pattern, "*")
	if !more {
		return s == part
	}
	s, ok := strings.CutPrefix(s, part)
	for ok {
		part, pattern, more = strings.Cut(pattern, "*")
		if !more {
			return strings.HasSuffix(s, part)
		}
		_, s, ok = strings.Cut(s, part)
	}
	return false
}

// withoutPort returns a host without its port.
func withoutPort(host string) string {
	i := strings.LastIndexByte(host, ':')
	if i < 0 || strings.HasSuffix(host, "]") {
		return host
	}
	return host[:i]
}

func (t *Term) inRange(n int64) bool { return t.From <= n && n <= t.To }

// compares compares a duration with the term's.
func (t *Term) compares(d time.Duration) bool {
	switch t.Op {
	case OpLess:
		return d < t.Duration
	case OpAtMost:
		return d <= t.Duration
	case OpMore:
		return d > t.Duration
	case OpAtLeast:
		return d >= t.Duration
	}
	return d == t.Duration
}

// ongoing returns how long something that goes on has lasted since it began, 0 when it
// does not.
func ongoing(goes bool, since time.Time, env *Env) time.Duration {
	if !goes {
		return 0
	}
	return max(env.End.Sub(since), 0)
}

// inClock reports whether the time of day lies in the term's range.
func (t *Term) inClock(at time.Time, zone *time.Location) bool {
	if zone == nil {
		zone = time.UTC
	}
	d, from, to := sinceMidnight(at.In(zone)), t.Clock[0], t.Clock[1]
	if to < from {
		return d >= from || d < to
	}
	return d >= from && d < to
}
