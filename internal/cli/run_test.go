package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"redial/ledger"
)

// fullWriter takes nothing.
type fullWriter struct{ err error }

func (w fullWriter) Write([]byte) (int, error) { return 0, w.err }

func TestEveryErrorIsSaidOnLinesOfItsOwn(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		code int
		said string
	}{
		"none":         {nil, 0, ""},
		"one":          {errors.New("open x: no"), 1, "redial: open x: no\n"},
		"usage":        {usagef("no such thing"), 2, "redial: no such thing\n"},
		"marked usage": {&usageError{"wrong", []string{"  a\x1bb", "  ^"}}, 2, "redial: wrong\n  a␛b\n  ^\n"},
		"two":          {errors.Join(errors.New("read"), fmt.Errorf("twice: %w", errors.New("close"))), 1, "redial: read\nredial: twice: close\n"},
		"controls":     {errors.New("a\x1b[2J\nb"), 1, "redial: a␛[2J␊b\n"},
		"interrupted":  {fmt.Errorf("read: %w", context.Canceled), 1, "redial: interrupted before it was done\n"},
		"crash":        {crashError{errors.New("the dashboard crashed: boom\n\ngoroutine 1:\n\tat x.go")}, 1, "redial: the dashboard crashed: boom\ngoroutine 1:\n    at x.go\n"},
		"crash in a demo": {errors.Join(crashError{errors.New("crashed\nstack")}, errors.New("differ")), 1,
			"redial: crashed\nstack\nredial: differ\n"},
	} {
		t.Run(name, func(t *testing.T) {
			var said bytes.Buffer
			a := &app{out: newOutput(&bytes.Buffer{}, nil), err: newOutput(&said, nil)}
			if code := a.finish(c.err); code != c.code || said.String() != c.said {
				t.Errorf("code %d and %q, want %d and %q", code, said.String(), c.code, c.said)
			}
		})
	}
}

func TestOutputThatCannotBeWrittenIsAFailureUnlessItsReaderIsGone(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		code int
		said string
	}{
		"no room":     {syscall.ENOSPC, 1, "redial: write to standard output: no space left on device\n"},
		"closed":      {syscall.EBADF, 1, "redial: write to standard output: bad file descriptor\n"},
		"broken pipe": {syscall.EPIPE, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var said bytes.Buffer
			code := Run(context.Background(), []string{"version"}, nil, fullWriter{c.err}, &said, nil)
			if code != c.code || said.String() != c.said {
				t.Errorf("code %d and %q, want %d and %q", code, said.String(), c.code, c.said)
			}
		})
	}
}

// A filter is shown around what is wrong in it, however long it is.
func TestWhatIsWrongInALongFilterIsShownOnOneLine(t *testing.T) {
	for name, c := range map[string]struct{ filter, marked string }{
		"far in":   {strings.Repeat("host:日本 ", 100) + "hots:x " + strings.Repeat("host:a ", 50), "hots"},
		"all":      {strings.Repeat("k", 300) + ":x", "kkkk"},
		"too long": {strings.Repeat("b", 5000), "bbbb"},
	} {
		_, err := ledger.ParseFilter(c.filter)
		var usage *usageError
		if !errors.As(filterError(c.filter, err, &cobra.Command{}), &usage) || len(usage.below) != 2 {
			t.Fatalf("%s: the error is %v", name, usage)
		}
		text, mark := usage.below[0], usage.below[1]
		if ansi.StringWidth(text) > 170 || ansi.StringWidth(mark) > 130 {
			t.Errorf("%s: shown is\n%s\n%s", name, text, mark)
		}
		at := strings.IndexByte(mark, '^')
		if got := ansi.Cut(text, at, at+4); got != c.marked || !strings.Contains(text, "…") {
			t.Errorf("%s: marked is %q in\n%s\n%s", name, got, text, mark)
		}
	}
}

func TestHelpNamesEveryKeyOfTheFilterLanguage(t *testing.T) {
	for k := ledger.KeyHost; k <= ledger.KeyAt; k++ {
		if name := k.String(); name == "" || !strings.Contains(callsListHelp, " "+name+":") {
			t.Errorf("the help does not name %q", name)
		}
	}
}
