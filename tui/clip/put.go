package clip

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"redial/tui/draw"
)

// mostOSC is how long a text terminals take by OSC 52: xterm and others drop what has more
// than 100,000 bytes in base64.
const mostOSC = 74_000

// Clipboard is where copies go.
type Clipboard struct {
	Environ []string // of the terminal, as os.Environ returns it
	Folder  string   // where files are written
}

// PutMsg tells what became of a copy.
type PutMsg struct {
	Said string
	Err  error
}

// Put copies an item of a subject, which is named in the answer. The item goes to a file
// if that is wanted or cannot be helped.
func (c Clipboard) Put(ctx context.Context, subject string, item Item, toFile bool) tea.Cmd {
	what := fmt.Sprintf("copied %s of %s, %s", item.Name, subject, draw.Bytes(int64(len(item.Text))))
	why := c.unfit(item.Text)
	if toFile || why != "" {
		if why != "" {
			why = " (" + why + ")"
		}
		folder := c.Folder
		return func() tea.Msg {
			name, err := write(folder, item)
			return PutMsg{what + ", to " + filepath.Base(name) + " beside the recording" + why, err}
		}
	}
	tmux := c.getenv("TMUX") != ""
	return tea.Batch(tea.SetClipboard(item.Text), func() tea.Msg {
		if !tmux {
			return PutMsg{Said: what + ", to the terminal's clipboard"}
		}
		if err := c.buffer(ctx, item.Text); err != nil {
			return PutMsg{Said: what + ", to the terminal's clipboard, if tmux lets it through: " + err.Error()}
		}
		return PutMsg{Said: what + ", to tmux's buffer and the terminal's clipboard"}
	})
}

// unfit says why a text cannot go to the clipboard, "" if it can.
func (c Clipboard) unfit(s string) string {
	term := c.getenv("TERM")
	switch {
	case len(s) > mostOSC:
		return "too long for terminals"
	case !utf8.ValidString(s) || strings.ContainsFunc(s, acts):
		return "pasted it would act on a terminal"
	case term == "linux" || strings.HasPrefix(term, "vt") || c.getenv("TERM_PROGRAM") == "Apple_Terminal":
		return "this terminal gives no access to a clipboard"
	}
	return ""
}

// acts reports whether a character acts on what it is pasted into.
func acts(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// patience is how long tmux may take.
const patience = 2 * time.Second

// buffer puts a text into tmux's buffer and lets tmux hand it to the terminal it runs in.
func (c Clipboard) buffer(ctx context.Context, s string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", "load-buffer", "-w", "-")
	cmd.Stdin, cmd.Env = strings.NewReader(s), slices.Clone(c.Environ)
	return cmd.Run()
}

func (c Clipboard) getenv(name string) string {
	value := ""
	for _, entry := range c.Environ {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value = v
		}
	}
	return value
}

// write writes an item to a new file, which only its owner can read.
func write(folder string, item Item) (name string, err error) {
	f, err := os.CreateTemp(folder, "redial-copied-*.txt") // It has mode 0600.
	if err != nil {
		return "", fmt.Errorf("write the copy to a file: %w", err)
	}
	_, err = f.WriteString(item.Text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err != nil {
		os.Remove(f.Name())
		return "", fmt.Errorf("write the copy to %s: %w", f.Name(), err)
	}
	return f.Name(), nil
}
