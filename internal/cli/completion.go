package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

const completionHelp = `Completion prints a script that teaches your shell to complete redial's commands and
flags when you press tab. To try it in the shell that you are in:

  bash        source <(redial completion bash)
  zsh         source <(redial completion zsh)
  fish        redial completion fish | source
  powershell  redial completion powershell | Out-String | Invoke-Expression

To keep it, put that line into the file that your shell reads when it starts.`

func (a *app) completionCommand() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:       "completion bash|zsh|fish|powershell",
		Short:     "Print a script that completes commands in your shell",
		Long:      completionHelp,
		Example:   "  source <(redial completion bash)",
		ValidArgs: shells,
		Args: func(cmd *cobra.Command, args []string) error {
			if err := oneArgument("a shell: "+strings.Join(shells, ", "))(cmd, args); err != nil {
				return err
			}
			for _, s := range shells {
				if args[0] == s {
					return nil
				}
			}
			return usagef("unknown shell %q: it is one of %s", args[0], strings.Join(shells, ", "))
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.out, true)
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.out)
			}
			return fmt.Errorf("no completion for %s", args[0])
		},
	}
}
