package cli

import (
	"errors"

	"github.com/spf13/cobra"
)

const rootHelp = `Redial shows what happened to the calls that a service made to other people's APIs: every
attempt, every wait, and the reason for it.

A service that calls through redial's transport records to a file. Without a command,
redial opens a dashboard on that file, live while the service runs and afterwards as it
was recorded. It reads --db FILE, or else the file that $REDIAL_DB names, or else the one
that is configured, or else $XDG_DATA_HOME/redial/redial.db, which is where services record
to unless told otherwise.

Theme, keys, columns, saved filters, and the credentials and key policies of origins are
configured in $XDG_CONFIG_HOME/redial/config.toml: see ` + "`redial config`" + `.

To see it without a service of your own, run ` + "`redial demo`" + `.

Environment:
  REDIAL_DB   the file, where --db names none
  NO_COLOR    with any value: no colours

Exit codes: 0 done, 1 failed, 2 the command line is wrong.`

const rootExample = `  redial                                      open the dashboard
  redial demo                                 watch a shop call a vendor that misbehaves
  redial calls list --filter 'status:5xx'     list the calls that ended in a 5xx
  redial calls show 3-1207                    one call, with its attempts and waits
  redial ops list --open                      list the operations that are not settled`

// rootCommand builds the whole tree of commands.
func (a *app) rootCommand() *cobra.Command {
	var dashboard dashboardFlags
	root := &cobra.Command{
		Use:     "redial",
		Short:   "See what your service's outbound calls went through",
		Long:    rootHelp,
		Example: rootExample,
		Args:    onlyCommands,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.dashboard(cmd.Context(), &dashboard)
		},
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.PersistentFlags().Var((*fileValue)(&a.db), "db", "the `FILE` with the recording")
	dashboard.register(root.Flags())
	root.SetFlagErrorFunc(flagError)
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { explain(a.out, cmd) })
	root.SetHelpCommand(a.helpCommand())
	root.AddCommand(a.demoCommand(), a.sessionsCommand(), a.callsCommand(), a.opsCommand(),
		a.exportCommand(), a.checkCommand(), a.configCommand(), a.versionCommand(), a.completionCommand())
	root.AddCommand(a.demoVendorCommand(), a.demoShopCommand())
	return root
}

// fileValue is a flag that names a file. An empty name, as an unset variable of a script
// gives it, does not mean the default.
type fileValue string

func (v *fileValue) Set(name string) error {
	if name == "" {
		return errors.New("it is empty, and should name a file")
	}
	*v = fileValue(name)
	return nil
}

func (v *fileValue) Type() string   { return "file" }
func (v *fileValue) String() string { return string(*v) }
