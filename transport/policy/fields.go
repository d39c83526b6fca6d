package policy

import (
	"fmt"
	"net/http"
	"strings"
	"unicode"

	"redial/internal/settings"
	"redial/ledger"
	"redial/transport"
)

// take reads a file.
func (c *Config) take(r *settings.Reader, tree settings.Tree) error {
	// Routes begin with what [retry] says, wherever in the file that stands.
	if v, ok := tree["retry"]; ok {
		if err := retry(&c.Retry)(r, "retry", v); err != nil {
			return err
		}
	}
	err := r.Take(tree, settings.Fields{
		"retry":     func(*settings.Reader, string, any) error { return nil },
		"budget":    budget(&c.Budget),
		"routes":    settings.Tables(&c.Routes, route(&c.Retry)),
		"windows":   settings.Tables(&c.Windows, window),
		"no_pause":  settings.Boolean(&c.NoPause),
		"bandwidth": settings.Tables(&c.Bandwidth, bandwidth),
	})
	if err != nil {
		return err
	}
	return validate(r, c)
}

func window(w *transport.Window) settings.Fields {
	return settings.Fields{
		"host":  settings.Text(&w.Host),
		"path":  settings.Text(&w.Path),
		"kind":  settings.OneOf(&w.Kind, windowKinds()),
		"limit": settings.Integer(&w.Limit),
		"per":   settings.Duration(&w.Per),
		"burst": settings.Integer(&w.Burst),
	}
}

func windowKinds() map[string]transport.WindowKind {
	kinds := map[string]transport.WindowKind{}
	for _, k := range []transport.WindowKind{transport.FixedWindow, transport.SlidingWindow, transport.GCRA} {
		kinds[k.String()] = k
	}
	return kinds
}

func bandwidth(b *transport.Bandwidth) settings.Fields {
	return settings.Fields{"host": settings.Text(&b.Host), "up": settings.Integer(&b.Up), "down": settings.Integer(&b.Down)}
}

// route returns the fields of a route that begins with a policy.
func route(all *transport.Retry) func(*transport.Route) settings.Fields {
	return func(to *transport.Route) settings.Fields {
		to.Retry = *all
		return settings.Fields{
			"name":    settings.Text(&to.Name),
			"methods": settings.List(&to.Methods, settings.Text),
			"host":    settings.Text(&to.Host),
			"path":    settings.Text(&to.Path),
			"retry":   retry(&to.Retry),
			"budget":  budget(&to.Budget),
		}
	}
}

func budget(b *transport.Budget) settings.Field {
	return settings.Table(settings.Fields{
		"burst":      settings.Integer(&b.Burst),
		"ratio":      settings.Number(&b.Ratio),
		"per_second": settings.Number(&b.PerSecond),
		"off":        settings.Boolean(&b.Off),
	})
}

// retry reads a policy. Its preset comes first, so that the other keys change that.
func retry(to *transport.Retry) settings.Field {
	return func(r *settings.Reader, at string, value any) error {
		if t, ok := value.(settings.Tree); ok {
			if preset, ok := t["preset"]; ok {
				if err := settings.OneOf(to, presets())(r, settings.Join(at, "preset"), preset); err != nil {
					return err
				}
			}
		}
		return settings.Table(retryFields(to))(r, at, value)
	}
}

func presets() map[string]transport.Retry {
	return map[string]transport.Retry{
		"safe": transport.SafeRetry, "strict": transport.StrictRetry, "article": transport.ArticleRetry, "off": {},
	}
}

func retryFields(to *transport.Retry) settings.Fields {
	return settings.Fields{
		"preset":          func(*settings.Reader, string, any) error { return nil },
		"attempts":        settings.Integer(&to.Attempts),
		"base":            settings.Duration(&to.Base),
		"max":             settings.Duration(&to.Max),
		"multiplier":      settings.Number(&to.Multiplier),
		"jitter":          settings.OneOf(&to.Jitter, jitters()),
		"attempt_timeout": settings.Duration(&to.AttemptTimeout),
		"share_deadline":  settings.Boolean(&to.ShareDeadline),
		"limit":           settings.Duration(&to.Limit),
		"max_retry_after": settings.Duration(&to.MaxRetryAfter),
		"statuses":        settings.List(&to.Statuses, settings.Integer),
		"errors":          settings.List(&to.Errors, settings.Choice(errorKinds())),
		"in_flight":       inFlight(to),
		"key_header":      settings.Text(&to.KeyHeader),
		"repeat":          settings.OneOf(&to.Repeat, repeats()),
		"strict":          settings.Boolean(&to.Strict),
		"advisors":        settings.List(&to.Advisors, settings.Choice(advisors())),
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
func inFlight(to *transport.Retry) settings.Field {
	return func(r *settings.Reader, at string, value any) error {
		var name, want string
		if err := settings.Table(settings.Fields{"header": settings.Text(&name), "value": settings.Text(&want)})(r, at, value); err != nil {
			return err
		}
		if name == "" {
			return r.Wrong(at, "has no header", "name the one that marks a 409 whose key is in flight")
		}
		to.InFlight = func(resp *http.Response) bool {
			values := resp.Header.Values(name)
			return len(values) > 0 && (want == "" || values[0] == want)
		}
		return nil
	}
}

// validate asks the transport what it makes of the whole.
func validate(r *settings.Reader, c *Config) error {
	t := new(transport.Transport)
	c.Apply(t)
	err := t.Validate()
	if e, ok := err.(*transport.FieldError); ok {
		return r.Wrong(key(e.Field), fmt.Sprintf("is %v", e.Value), e.Advice)
	}
	return err
}

// key returns the path that the name of a Go field has in a file.
func key(field string) string {
	var b strings.Builder
	for i, c := range field {
		if unicode.IsUpper(c) && i > 0 && field[i-1] != '.' {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
