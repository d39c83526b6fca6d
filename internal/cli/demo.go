package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"redial/db"
	"redial/internal/demo"
	"redial/ledger"
	"redial/tui/visible"
)

const demoHelp = `Demo starts two processes: a vendor that misbehaves on purpose and a shop that calls it
through redial as any service would. All of it stays on this machine. The shop records to
a new file, and the dashboard opens on that file. Within a minute you see a rate window
fill and open, a backoff and a Retry-After count down, and a call that gives up; an order
whose answer was lost and is found again, one that never arrived and is sent again with its
key, and charges and vouchers of which nobody knows whether they happened. Press 3 for
those: l looks one up, r has the shop send it again, s settles it.

When you leave, the vendor's own account is compared with the recording: whether every
request that arrived is on record, and none that did not; whether what succeeded was done
once, what failed was not done or was taken back, and nothing was done twice. If not, the
exit code is 1.

With --db it records to that file, as another session if the file has some already.`

// headlessFor is how long a demo without a dashboard runs unless told otherwise.
const headlessFor = 10 * time.Second

type demoFlags struct {
	headless, json bool
	length         durationValue
	seed           uint64
	theme          themeValue
}

func (a *app) demoCommand() *cobra.Command {
	var f demoFlags
	command := &cobra.Command{
		Use:   "demo",
		Short: "Watch a shop call a vendor that misbehaves",
		Long:  demoHelp,
		Example: `  redial demo
  redial demo --headless --for 30s
  redial demo --headless --seed 7 --db demo.db --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.demo(cmd.Context(), f) },
	}
	flags := command.Flags()
	flags.BoolVar(&f.headless, "headless", false, "no dashboard: run for a while and print a summary")
	flags.BoolVar(&f.json, "json", false, "print the summary as one JSON object; needs --headless")
	flags.Var(&f.length, "for", "how long the shop calls: a `DURATION` such as 10s or 5m; until you leave if not given, and 10s with --headless")
	flags.Uint64Var(&f.seed, "seed", 1, "which faults the vendor has: every `NUMBER` is another story")
	flags.Var(&f.theme, "theme", themeUsage)
	return command
}

// demo runs vendor and shop, shows them or waits, and reports on both.
func (a *app) demo(ctx context.Context, f demoFlags) error {
	if f.json && !f.headless {
		return usagef("--json needs --headless: with a dashboard there is nothing to print")
	}
	if !f.headless {
		if err := a.checkTerminal(); err != nil {
			return fmt.Errorf("%w, or `redial demo --headless`", err)
		}
		if _, _, err := new(dashboardFlags).parse(a); err != nil {
			return err
		}
	}
	store, err := a.demoFile()
	if err != nil {
		return err
	}
	summary, ran := a.runDemo(ctx, f, store)
	closed := store.Close()
	reported := a.reportDemo(f, summary, store.Path())
	return errors.Join(ran, closed, reported)
}

// demoFile opens the file that is recorded to: a new one, unless --db names another.
// What $REDIAL_DB names belongs to real services and is left alone.
func (a *app) demoFile() (*db.DB, error) {
	file := a.db
	if file == "" {
		folder, err := os.MkdirTemp("", "redial-demo-")
		if err != nil {
			return nil, fmt.Errorf("make a folder for the demo: %w; name a file with --db", err)
		}
		file = filepath.Join(folder, "demo.db")
	}
	return db.Open(file)
}

// runDemo runs the demo until its time is over, the user leaves, or ctx ends.
func (a *app) runDemo(ctx context.Context, f demoFlags, store *db.DB) (*demo.Summary, error) {
	length := time.Duration(f.length)
	if f.headless && length == 0 {
		length = headlessFor
	}
	if f.headless {
		a.say("the demo runs for %s and records to %s", length, store.Path())
	}
	running, err := demo.Start(ctx, demo.Options{DB: store.Path(), Seed: f.seed, For: length})
	if err != nil {
		return nil, err
	}
	var shown error
	if f.headless {
		_, err = running.Wait(ctx)
	} else {
		shown = a.show(ctx, store, store.Path(), &dashboardFlags{theme: f.theme})
	}
	summary, stopped := running.Stop()
	if stopped != nil {
		return nil, errors.Join(err, shown, stopped)
	}
	return &summary, shown
}

// reportDemo prints the summary, if there is one, and how to see the recording again.
func (a *app) reportDemo(f demoFlags, summary *demo.Summary, file string) error {
	defer func() {
		a.say("the recording is in %s", file)
		a.say("to open it again: %s --db %s", programName(), quote(file))
		a.sayPending(summary, file)
	}()
	if summary == nil {
		return nil
	}
	if err := a.printSummary(f, summary); err != nil {
		return err
	}
	if err := a.out.Flush(); err != nil {
		return err
	}
	if !summary.Agree {
		return errors.New("the vendor's account and the recording differ")
	}
	return nil
}

// sayPending says how many operations wait for a person, and how to see them.
func (a *app) sayPending(summary *demo.Summary, file string) {
	n := 0
	if summary != nil {
		n = summary.Operations[ledger.OpPending.String()]
	}
	switch n {
	case 0:
		return
	case 1:
		a.say("1 operation is pending, as nobody knows whether it happened: press 3 there, or")
	default:
		a.say("%d operations are pending, as nobody knows whether they happened: press 3 there, or", n)
	}
	a.say("to list them: %s ops list --open --db %s", programName(), quote(file))
}

func (a *app) printSummary(f demoFlags, summary *demo.Summary) error {
	if f.json {
		return a.printJSON(summary)
	}
	var text strings.Builder
	if err := summary.Write(&text); err != nil {
		return err
	}
	for line := range strings.Lines(text.String()) {
		fmt.Fprintln(a.out, visible.Text(strings.TrimSuffix(line, "\n")))
	}
	return nil
}

// programName is what to type to get this program again. Under `go run` there is no
// program of that name to be found.
func programName() string {
	if path, err := os.Executable(); err == nil && strings.Contains(filepath.ToSlash(path), "/go-build") {
		return "go run ."
	}
	return "redial"
}

// quote writes a path so that a shell takes it as one word.
func quote(path string) string {
	safe := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:,@%", r) || r > 0x7f
	}
	if path != "" && strings.IndexFunc(path, func(r rune) bool { return !safe(r) }) < 0 {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
