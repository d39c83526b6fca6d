package cli

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usageError is a command line that cannot be understood. Its message says where it is
// wrong and what to do.
type usageError struct {
	msg   string
	below []string // lines that belong below the message
}

func (e *usageError) Error() string     { return e.msg }
func (e *usageError) details() []string { return e.below }

func usagef(format string, values ...any) *usageError {
	return &usageError{msg: fmt.Sprintf(format, values...)}
}

// flagError turns what the flag parser says into a usage error. Where an argument before
// the flag is wrong already, that is reported: people read from left to right.
func flagError(cmd *cobra.Command, err error) error {
	if seen := cmd.Flags().Args(); len(seen) > 0 && cmd.Args != nil {
		var usage *usageError
		if errors.As(cmd.Args(cmd, seen), &usage) {
			return usage
		}
	}
	help := fmt.Sprintf("`%s --help` lists its flags", cmd.CommandPath())
	var unknown *pflag.NotExistError
	var valueless *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return unknownFlag(cmd, unknown, help)
	case errors.As(err, &valueless):
		return usagef("flag --%s of %q needs a value: %s", valueless.GetFlag().Name, cmd.CommandPath(), help)
	case errors.As(err, &invalid):
		return usagef("--%s %q: %v", invalid.GetFlag().Name, invalid.GetValue(), reason(invalid))
	}
	return usagef("%v: %s", err, help)
}

// reason returns what is wrong with a flag's value: in our words where it is not the
// number or the yes or no that the flag takes, else as the value itself puts it.
func reason(err *pflag.InvalidValueError) error {
	var number *strconv.NumError
	switch kind := err.GetFlag().Value.Type(); {
	case kind == "bool":
		return errors.New("it is either true or false")
	case errors.As(err, &number):
		return errors.New("it is a whole number from 0 to 18446744073709551615")
	}
	if inner := errors.Unwrap(err); inner != nil {
		return inner
	}
	return err
}

func unknownFlag(cmd *cobra.Command, err *pflag.NotExistError, help string) error {
	name := "--" + err.GetSpecifiedName()
	word := name
	if short := err.GetSpecifiedShortnames(); short != "" {
		name = "-" + err.GetSpecifiedName()
		word = "--" + short // as in -json
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known = append(known, "--"+f.Name)
		}
	})
	if c := child(cmd, err.GetSpecifiedName()); c != nil {
		help = fmt.Sprintf("did you mean `%s`? %s", c.CommandPath(), help)
	} else if like := nearest(word, known); like != "" {
		help = fmt.Sprintf("did you mean %s? %s", like, help)
	}
	return usagef("unknown flag %s for %q: %s", name, cmd.CommandPath(), help)
}

// noArguments refuses arguments of a command that takes none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("unexpected argument %q: %q takes none, `%s --help` shows its use",
		args[0], cmd.CommandPath(), cmd.CommandPath())
}

// oneArgument wants exactly one argument. Name says what it is, as in "a call id".
func oneArgument(name string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch len(args) {
		case 0:
			return usagef("%q needs %s: `%s --help` shows its use", cmd.CommandPath(), name, cmd.CommandPath())
		case 1:
			return nil
		}
		return usagef("unexpected argument %q: %q takes only %s", args[1], cmd.CommandPath(), name)
	}
}

// onlyCommands refuses whatever is not the name of a subcommand.
func onlyCommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			known = append(known, c.Name())
		}
	}
	advice := "it has no commands of its own"
	if len(known) > 0 {
		advice = "it has " + strings.Join(known, ", ")
	}
	if slices.Contains(known, args[0]) {
		advice = "it stands behind --, which ends the commands: leave that out"
	} else if like := nearest(args[0], known); like != "" {
		advice = fmt.Sprintf("did you mean %q? %s", cmd.CommandPath()+" "+like, advice)
	} else if !cmd.HasParent() && exists(args[0]) {
		advice = fmt.Sprintf("a file is opened with `redial --db %s`", args[0])
	}
	return usagef("unknown command %q for %q: %s", args[0], cmd.CommandPath(), advice)
}

// needsCommand is what a command does that has subcommands and nothing of its own.
func needsCommand(cmd *cobra.Command, _ []string) error {
	var known []string
	for _, c := range cmd.Commands() {
		known = append(known, fmt.Sprintf("`%s`", c.CommandPath()))
	}
	return usagef("%q needs a command: %s", cmd.CommandPath(), strings.Join(known, " or "))
}

// nearest returns the known word that word was most likely meant to be, "" for none. It
// asks the parser's own search, which knows only of commands.
func nearest(word string, known []string) string {
	if word == "" {
		return "" // which every word begins with
	}
	names := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, k := range known {
		names.AddCommand(&cobra.Command{Use: k, Run: func(*cobra.Command, []string) {}})
	}
	for _, like := range names.SuggestionsFor(word) {
		return like
	}
	return ""
}
