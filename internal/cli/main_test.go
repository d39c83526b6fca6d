package cli_test

import (
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"redial/internal/cli"
)

// buildFolder names the folder in which tests build the real program.
const buildFolder = "REDIAL_TEST_BUILD_FOLDER"

// TestMain lets the test binary be redial when a script calls it so, with the signals
// that main handles.
func TestMain(m *testing.M) {
	testscript.Main(tests{m}, map[string]func(){"redial": func() {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
		context.AfterFunc(ctx, stop)
		os.Exit(cli.Run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ()))
	}})
}

// tests runs the tests with a folder to build in, which is gone afterwards.
type tests struct{ *testing.M }

func (m tests) Run() int {
	folder, err := os.MkdirTemp("", "redial-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	for name, value := range map[string]string{
		buildFolder:       folder,
		"XDG_CONFIG_HOME": filepath.Join(folder, "config"), // and not that of whoever runs the tests
	} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	return m.M.Run()
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setUp,
		Cmds:                commands(),
	})
}
