package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print which redial this is",
		Long:  "Version prints what is known of this build: the version of the module, the revision it was built from, and the version of Go.",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			_, err := fmt.Fprintln(a.out, describeBuild(info))
			return err
		},
	}
}

// describeBuild puts into one line what a build knows of itself. Info may be nil.
func describeBuild(info *debug.BuildInfo) string {
	line, revision, changed := "redial", "", ""
	if info != nil {
		if v := info.Main.Version; v != "" {
			line += " " + v
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = " with local changes"
			}
		}
	}
	if revision != "" {
		line += ", revision " + revision + changed
	}
	return fmt.Sprintf("%s, %s, %s/%s", line, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
