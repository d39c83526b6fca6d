package cli

import (
	"bufio"
	"io"

	"github.com/charmbracelet/x/term"
)

// output is standard output or standard error. It keeps the first error of a write and
// returns it from every later one, so that a long list ends when its reader is gone.
type output struct {
	*bufio.Writer
	file   io.Writer // what is written to in the end
	colour bool      // whether styles may be used
}

func newOutput(w io.Writer, environ []string) *output {
	o := &output{Writer: bufio.NewWriterSize(w, 32<<10), file: w}
	o.colour = o.terminal() && getenv(environ, "NO_COLOR") == "" && getenv(environ, "TERM") != "dumb"
	return o
}

// terminal reports whether the output is shown on a terminal.
func (o *output) terminal() bool { return isTerminal(o.file) }

// isTerminal reports whether stream is a file that is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(f.Fd())
}

// style is how a piece of text looks on a terminal with colours. Meaning never hangs on
// it: the words say the same.
type style string

// The styles, as parameters of the sequence that selects them. These are of the 16
// colours that every theme of a terminal defines.
const (
	plain   style = ""
	heading style = "1"
	faint   style = "2"
	good    style = "32"
	doubt   style = "33"
	bad     style = "31"
)

// paint returns text in a style, or as it is where there are no colours.
func (o *output) paint(s style, text string) string {
	if !o.colour || s == plain || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}
