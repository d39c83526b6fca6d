package cli

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"redial/internal/cli/config"
)

const configHelp = `Config prints what is in force, and where each value comes from: the default, the line of
the configuration, a variable of the environment, or a flag. It takes the flags of the
dashboard, to show what they change. The configuration is redial/config.toml in
$XDG_CONFIG_HOME, or in ~/.config if that is not set; a mistake in it is shown with its line
and column, and then nothing of it is in force. ` + "`go doc redial/internal/cli/config`" + ` shows
every key that it can have.

A credential is the name of a variable; its value is never printed.`

func (a *app) configCommand() *cobra.Command {
	var f dashboardFlags
	asJSON := false
	command := &cobra.Command{
		Use:   "config",
		Short: "Print what is configured, and where it comes from",
		Long:  configHelp,
		Example: `  redial config
  redial config --theme light
  redial config --json`,
		Args: noArguments,
		RunE: func(*cobra.Command, []string) error { return a.printConfig(&f, asJSON) },
	}
	f.register(command.Flags())
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON object for each value, one a line")
	return command
}

// settingJSON is a value with where it comes from, as scripts read it. A pointer is null
// where there is none.
type settingJSON struct {
	Name     string  `json:"name"`
	Value    any     `json:"value"` // a string, a list of strings, or true or false; null for none
	From     string  `json:"from"`  // default, file, environment or flag
	File     *string `json:"file"`
	Line     *int    `json:"line"`
	Variable *string `json:"variable"` // of the environment, that it comes from or refers to
	Set      *bool   `json:"set"`      // whether a variable that it refers to is set
}

// printConfig prints every value that is in force.
func (a *app) printConfig(f *dashboardFlags, asJSON bool) error {
	if _, _, err := f.parse(a); err != nil {
		return err
	}
	c, err := a.config()
	if err != nil {
		return err
	}
	all := a.settings(c, f)
	if asJSON {
		for i := range all {
			if err := a.printJSON(&all[i]); err != nil {
				return err
			}
		}
		return nil
	}
	return a.printSettings(c, all)
}

func (a *app) printSettings(c *config.Config, all []settingJSON) error {
	where := c.Path
	switch {
	case where == "":
		where = "none: HOME is not set, and XDG_CONFIG_HOME is no whole path"
	case !c.Found:
		where += ", which does not exist"
	}
	if err := a.printFacts([]fact{{"configuration", cell{text: where}}}); err != nil {
		return err
	}
	fmt.Fprintln(a.out)
	t := a.out.table(column{name: "NAME"}, column{name: "VALUE"}, column{name: "FROM"})
	for i := range all {
		s := &all[i]
		look := faint
		if s.From != "default" {
			look = plain
		}
		if err := t.add(cell{text: s.Name}, cell{s.words(), look}, cell{s.origin(), look}); err != nil {
			return err
		}
	}
	return t.end()
}

// words are the value as people read it.
func (s *settingJSON) words() string {
	text := ""
	switch v := s.Value.(type) {
	case nil:
		text = "-"
	case []string:
		text = cmp.Or(strings.Join(v, ", "), "none")
	default:
		text = fmt.Sprint(v)
	}
	if s.Set != nil && !*s.Set {
		text += " (not set)"
	}
	return text
}

// origin says where the value comes from.
func (s *settingJSON) origin() string {
	switch {
	case s.Line != nil:
		return fmt.Sprintf("line %d", *s.Line)
	case s.From == "environment":
		return "$" + *s.Variable
	}
	return s.From
}
