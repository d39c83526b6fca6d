package transport

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// Route is a policy for some of the requests of a [Transport]: those that Methods, Host and
// Path all fit. It replaces [Transport.Retry] for them as a whole.
type Route struct {
	// Name is what the route is called in records. If empty, its methods, host and path are.
	Name string
	// Methods are those that the route is for, in upper case. If empty, all of them.
	Methods []string
	// Host is a host as in a URL, or *.example.test for all hosts below example.test. With a
	// port it means that port only, without one every port. If empty, every host.
	Host string
	// Path is a pattern for the path, in the language of [http.ServeMux]: /orders/{id} has
	// one segment in the place of {id}; /orders/ is all that is below it, and /orders/{$} not;
	// without such a slash it is that path alone. If empty, every path.
	Path string

	// Retry is the policy for these requests. The zero value sends them once.
	Retry Retry
	// Budget is a budget for these requests alone, apart from that of their host. If it is
	// the zero value, they share in [Transport.Budget].
	Budget Budget
}

// validate returns an error that names the first field that cannot be. i is the place of
// the route in [Transport.Routes].
func (r *Route) validate(i int) error {
	name := fmt.Sprintf("Routes[%d]", i)
	for j, m := range r.Methods {
		if !isToken(m) || m != strings.ToUpper(m) {
			return invalid(fmt.Sprintf("%s.Methods[%d]", name, j), strconv.Quote(m), "use a method in upper case, such as POST")
		}
	}
	if r.Host != "" {
		if _, _, ok := splitHost(strings.TrimPrefix(r.Host, "*.")); !ok || strings.Contains(strings.TrimPrefix(r.Host, "*."), "*") {
			return invalid(name+".Host", strconv.Quote(r.Host), "use a host as in a URL, such as api.example.test, or *.example.test for all below it")
		}
	}
	if r.Path != "" {
		if _, err := parsePath(r.Path); err != nil {
			return invalid(name+".Path", strconv.Quote(r.Path), err.Error())
		}
	}
	if r.Retry.Repeat == AlwaysRepeat && len(r.Methods) == 0 {
		return invalid(name+".Methods", "empty", "name the methods that Retry.Repeat allows to be repeated, such as POST")
	}
	if err := r.Budget.validate(name + ".Budget"); err != nil {
		return err
	}
	return r.Retry.validate(name + ".Retry")
}

// called returns the route's name.
func (r *Route) called() string {
	if r.Name != "" {
		return r.Name
	}
	where := r.Host + r.Path
	if where == "" && len(r.Methods) == 0 {
		where = "*"
	}
	return strings.TrimSpace(strings.Join(r.Methods, ",") + " " + where)
}

// route is a Route, ready to be asked.
type route struct {
	policy  policy
	methods []string
	below   bool   // of host
	host    string // in lower case; "": every host
	port    string // "": every port
	anyPath bool
	path    pathPattern
}

// newRoute returns the route. all is the budget that it shares in, unless it has its own.
func newRoute(r *Route, all *budgets) route {
	made := route{policy: r.Retry.policy(), methods: r.Methods, anyPath: r.Path == ""}
	host, below := strings.CutPrefix(r.Host, "*.")
	if r.Host != "" {
		made.host, made.port, _ = splitHost(host)
		made.below = below
	}
	if r.Path != "" {
		made.path, _ = parsePath(r.Path)
	}
	made.policy.budget = all
	if r.Budget != (Budget{}) {
		made.policy.budget = newBudgets(r.Budget)
	}
	made.policy.words = made.policy.inWords(r.called())
	return made
}

// fits reports whether a request is one of the route's.
func (r *route) fits(method string, u *url.URL, path string) bool {
	return r.fitsMethod(method) && (r.host == "" || r.fitsHost(u)) && (r.anyPath || r.path.match(path))
}

func (r *route) fitsMethod(method string) bool {
	for _, m := range r.methods {
		if m == method {
			return true
		}
	}
	return len(r.methods) == 0
}

func (r *route) fitsHost(u *url.URL) bool {
	host := strings.TrimSuffix(u.Hostname(), ".")
	if r.below {
		cut := len(host) - len(r.host)
		if cut < 2 || host[cut-1] != '.' {
			return false
		}
		host = host[cut:]
	}
	return strings.EqualFold(host, r.host) && (r.port == "" || r.port == portOf(u))
}

// policyFor returns the policy of the first route that fits, or the transport's own.
func (e *engine) policyFor(r *http.Request, method, path string) *policy {
	if r.URL == nil {
		return &e.policy
	}
	for i := range e.routes {
		if e.routes[i].fits(method, r.URL, path) {
			return &e.routes[i].policy
		}
	}
	return &e.policy
}
