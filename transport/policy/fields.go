package policy

import (
	"fmt"
	"net/http"

	"redial/ledger"
	"redial/transport"
)

// fields says what is done with each key of a table.
type fields map[string]field

// field takes the value of a key. at is the key's path.
type field func(r *reader, at string, value any) error

func (r *reader) config(c *Config, tree map[string]any) error {
	// Routes begin with what [retry] says, wherever in the file that stands.
	if v, ok := tree["retry"]; ok {
		if err := retry(&c.Retry)(r, "retry", v); err != nil {
			return err
		}
	}
	return r.table("", tree, fields{
		"retry":     func(*reader, string, any) error { return nil },
		"budget":    budget(&c.Budget),
		"routes":    tables(&c.Routes, route(&c.Retry)),
		"windows":   tables(&c.Windows, window),
		"no_pause":  boolean(&c.NoPause),
		"bandwidth": tables(&c.Bandwidth, bandwidth),
	})
}

func window(w *transport.Window) fields {
	return fields{
		"host":  text(&w.Host),
		"path":  text(&w.Path),
		"kind":  oneOf(&w.Kind, windowKinds()),
		"limit": integer(&w.Limit),
		"per":   duration(&w.Per),
		"burst": integer(&w.Burst),
	}
}

func windowKinds() map[string]transport.WindowKind {
	kinds := map[string]transport.WindowKind{}
	for _, k := range []transport.WindowKind{transport.FixedWindow, transport.SlidingWindow, transport.GCRA} {
		kinds[k.String()] = k
	}
	return kinds
}

func bandwidth(b *transport.Bandwidth) fields {
	return fields{"host": text(&b.Host), "up": integer(&b.Up), "down": integer(&b.Down)}
}

// route returns the fields of a route that begins with a policy.
func route(all *transport.Retry) func(*transport.Route) fields {
	return func(to *transport.Route) fields {
		to.Retry = *all
		return fields{
			"name":    text(&to.Name),
			"methods": list(&to.Methods, text),
			"host":    text(&to.Host),
			"path":    text(&to.Path),
			"retry":   retry(&to.Retry),
			"budget":  budget(&to.Budget),
		}
	}
}

func budget(b *transport.Budget) field {
	return table(fields{
		"burst":      integer(&b.Burst),
		"ratio":      number(&b.Ratio),
		"per_second": number(&b.PerSecond),
		"off":        boolean(&b.Off),
	})
}

// retry reads a policy. Its preset comes first, so that the other keys change that.
func retry(to *transport.Retry) field {
	return func(r *reader, at string, value any) error {
		if t, ok := value.(map[string]any); ok {
			if preset, ok := t["preset"]; ok {
				if err := oneOf(to, presets())(r, join(at, "preset"), preset); err != nil {
					return err
				}
			}
		}
		return table(retryFields(to))(r, at, value)
	}
}

func presets() map[string]transport.Retry {
	return map[string]transport.Retry{
		"safe": transport.SafeRetry, "strict": transport.StrictRetry, "article": transport.ArticleRetry, "off": {},
	}
}

func retryFields(to *transport.Retry) fields {
	return fields{
		"preset":          func(*reader, string, any) error { return nil },
		"attempts":        integer(&to.Attempts),
		"base":            duration(&to.Base),
		"max":             duration(&to.Max),
		"multiplier":      number(&to.Multiplier),
		"jitter":          oneOf(&to.Jitter, jitters()),
		"attempt_timeout": duration(&to.AttemptTimeout),
		"share_deadline":  boolean(&to.ShareDeadline),
		"limit":           duration(&to.Limit),
		"max_retry_after": duration(&to.MaxRetryAfter),
		"statuses":        list(&to.Statuses, integer),
		"errors":          list(&to.Errors, choice(errorKinds())),
		"in_flight":       inFlight(to),
		"key_header":      text(&to.KeyHeader),
		"repeat":          oneOf(&to.Repeat, repeats()),
		"strict":          boolean(&to.Strict),
		"advisors":        list(&to.Advisors, choice(advisors())),
	}
}

func jitters() map[string]transport.Jitter {
	return map[string]transport.Jitter{
		"none": ledger.NoJitter, "full": ledger.FullJitter, "equal": ledger.EqualJitter, "decorrelated": ledger.DecorrelatedJitter,
	}
}

func errorKinds() map[string]transport.ErrorKind {
	kinds := map[string]transport.ErrorKind{}
	for _, k := range []transport.ErrorKind{transport.DNSError, transport.ConnectError, transport.TimeoutError, transport.LostError} {
		kinds[k.String()] = k
	}
	return kinds
}

func repeats() map[string]transport.Repeat {
	return map[string]transport.Repeat{
		"by-method-or-key": transport.ByMethodOrKey, "by-method": transport.ByMethod, "by-key": transport.ByKey,
		"always": transport.AlwaysRepeat, "never": transport.NeverRepeat,
	}
}

func advisors() map[string]transport.Advisor {
	return map[string]transport.Advisor{
		"github": transport.GitHubLimits, "grpc": transport.GRPCPushback,
		"stripe-should-retry": transport.ShouldRetry("Stripe-Should-Retry"),
		"x-should-retry":      transport.ShouldRetry("X-Should-Retry"),
	}
}

// inFlight reads which header, with which value, marks a 409 whose key is in flight. Without
// a value any will do.
func inFlight(to *transport.Retry) field {
	return func(r *reader, at string, value any) error {
		var name, want string
		if err := table(fields{"header": text(&name), "value": text(&want)})(r, at, value); err != nil {
			return err
		}
		if name == "" {
			return r.wrong(at, "has no header", "name the one that marks a 409 whose key is in flight")
		}
		to.InFlight = func(resp *http.Response) bool {
			values := resp.Header.Values(name)
			return len(values) > 0 && (want == "" || values[0] == want)
		}
		return nil
	}
}

// validate asks the transport what it makes of the whole.
func (r *reader) validate(c *Config) error {
	t := new(transport.Transport)
	c.Apply(t)
	err := t.Validate()
	if e, ok := err.(*transport.FieldError); ok {
		return r.wrong(key(e.Field), fmt.Sprintf("is %v", e.Value), e.Advice)
	}
	return err
}
