package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"redial/ledger"
)

// actFlags are what the commands that act on operations are told.
type actFlags struct {
	yes      bool
	as       string
	limit    uint64
	reason   string
	evidence string
	despite  []string
	headers  []string
	resolves []string

	expression filterValue
	cmd        *cobra.Command // that they belong to

	// What settle makes of them.
	filter      ledger.Filter
	credentials credentials
	hosts       resolutions
	policies    policies
}

func (f *actFlags) register(flags *pflag.FlagSet, d *deed) {
	flags.Var(&f.expression, "filter", "in place of keys, the operations that match `EXPR`; needs --limit")
	flags.Uint64Var(&f.limit, "limit", 0, "with --filter, act on at most `N` operations, the oldest")
	flags.StringVar(&f.as, "as", "", "the `NAME` of who acts, for the record; $USER, or the account's name, if not given")
	flags.BoolVar(&f.yes, "yes", false, "do not ask before it is done; a check that fails still refuses it")
	about := "why, for the record: a `TEXT`"
	if d.reasoned {
		about += "; needed"
	}
	if d.takes != "" {
		about = "the `TEXT`, if it is no argument: then all arguments are keys"
	}
	flags.StringVar(&f.reason, "reason", "", about)
	if d.proven {
		flags.StringVar(&f.evidence, "evidence", "", "what it rests on, such as a number in the other system: a `TEXT`")
	}
	if d.checked {
		flags.StringArrayVar(&f.despite, "despite", nil, "send although this `CHECK` does not hold: "+
			strings.Join(softChecks(), ", ")+"; needs --reason, can be repeated")
	}
	if d.sends {
		flags.StringArrayVar(&f.headers, "header", nil, "a credential from the environment for one origin, as `'ORIGIN NAME: env:VARIABLE'`; can be repeated")
		flags.StringArrayVar(&f.resolves, "resolve", nil, "connect to this address for that host and port, as `HOST:PORT:ADDRESS`; can be repeated")
	}
}

// softChecks are the checks that --despite overrides.
func softChecks() []string {
	return []string{ledger.CheckHonoured, ledger.CheckKeyAge, ledger.CheckLookedUp}
}

// of returns the flags of a command that runs.
func (f *actFlags) of(cmd *cobra.Command) *actFlags {
	f.cmd = cmd
	return f
}

// settle checks the command line of a deed, works out what its flags say, and returns the
// keys among its arguments. Nothing has been read or sent when it fails.
func (f *actFlags) settle(a *app, d *deed, args []string) (keys []string, err error) {
	if d.takes != "" && !f.given("reason") {
		if len(args) == 0 || len(args) == 1 && f.expression == "" {
			return nil, usagef("\"redial ops %s\" needs a key and a text: `redial ops %s --help` shows its use", d.verb, d.verb)
		}
		f.reason, args = args[len(args)-1], args[:len(args)-1]
	}
	if err := f.settleTargets(d, args); err != nil {
		return nil, err
	}
	f.reason, f.evidence, f.as = strings.TrimSpace(f.reason), strings.TrimSpace(f.evidence), strings.TrimSpace(f.as)
	if f.as == "" && !f.given("as") {
		f.as = a.account()
	}
	switch {
	case f.as == "":
		return nil, usagef("it is not known who acts: say it with --as NAME")
	case d.reasoned && f.reason == "":
		return nil, errNoReason(d)
	}
	if err := f.settleDespite(); err != nil {
		return nil, err
	}
	if f.credentials, err = a.credentials(f.headers); err != nil {
		return nil, err
	}
	conf, err := a.config()
	if err != nil {
		return nil, err
	}
	f.policies = policies{conf}
	if f.hosts, err = parseResolutions(f.resolves); err != nil {
		return nil, err
	}
	if d.asks && !f.yes {
		return args, a.checkAskable()
	}
	return args, nil
}

func (f *actFlags) given(flag string) bool { return f.cmd.Flags().Changed(flag) }

// settleTargets checks that the command line names operations in one way.
func (f *actFlags) settleTargets(d *deed, keys []string) (err error) {
	if f.filter, err = ledger.ParseOperationFilter(string(f.expression)); err != nil {
		return filterError(string(f.expression), err, f.cmd)
	}
	switch {
	case len(keys) == 0 && !f.given("filter"):
		return usagef("\"redial ops %s\" needs the key of an operation, or --filter: `redial ops list --open` prints those that are not settled", d.verb)
	case !f.given("filter") && f.given("limit"):
		return usagef("--limit is for --filter, and here the keys say what to act on")
	case !f.given("filter"):
		return nil
	case len(keys) > 0:
		return usagef("unexpected argument %q: either keys or --filter say what to act on", keys[0])
	case f.filter.Root == nil:
		return usagef("--filter: it is empty, and would match every operation: say which ones")
	case f.limit == 0:
		return usagef("--filter needs --limit N: on how many operations to act at most")
	}
	return nil
}

func (f *actFlags) settleDespite() error {
	for _, name := range f.despite {
		if !slices.Contains(softChecks(), name) {
			return usagef("--despite %q: there is no such check to override, it is one of %s", name, strings.Join(softChecks(), ", "))
		}
	}
	if len(f.despite) > 0 && f.reason == "" {
		return usagef("--despite needs --reason TEXT: why it is sent although %s does not hold", strings.Join(f.despite, " or "))
	}
	return nil
}

// checkAskable returns an error when there is nobody to ask.
func (a *app) checkAskable() error {
	none := ""
	switch {
	case !isTerminal(a.in):
		none = "standard input"
	case !a.err.terminal():
		none = "standard error"
	default:
		return nil
	}
	return usagef("this asks before it acts, and %s is no terminal: --yes does it without", none)
}

// override is how a failing check can be overridden, "" if it cannot.
func override(checks []ledger.Check) string {
	var flags []string
	for _, c := range checks {
		if c.Name == "" {
			return ""
		}
		flags = append(flags, "--despite "+c.Name)
	}
	return fmt.Sprintf("; %s --reason TEXT sends it nevertheless, and it may then happen a second time", strings.Join(flags, " "))
}
