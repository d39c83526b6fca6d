package tui

import (
	"bytes"
	"context"
	"errors"
	"image/color"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"

	"redial/ledger"
)

func dark() color.Color { return color.RGBA{0x10, 0x12, 0x18, 0xff} }

func stillOptions() Options { return Options{Now: still} }

func TestTheMouseWorksOnARealTerminal(t *testing.T) {
	term := onTerminal(t, story(), stillOptions(), dark())
	term.shows("following")
	term.types("\x1b[<0;42;2M\x1b[<0;42;2m") // on the tab of the windows
	term.shows("[4 Windows]")
	term.types("\x1b[<0;4;2M\x1b[<0;4;2m")
	term.shows("[1 Live]")
	term.types("\x1b[<0;20;6M\x1b[<0;20;6m") // on the third call
	term.shows("▌  12:04:30.2 GET  quota.example.test  /items/17")
	term.types("\x1b[<0;20;6M\x1b[<0;20;6m")
	term.shows("Call 3-1202")
	term.types("\x1b[<65;20;6M")
	term.shows("lines 4–")
	term.types("\x1b")
	term.shows("▌  12:04:30.2")
	term.types("q")
	if err := term.ends(); err != nil {
		t.Errorf("q ended with %v", err)
	}
	term.restored()
}

func TestALightTerminalGetsTheLightTheme(t *testing.T) {
	for name, c := range map[string]struct {
		background color.Color
		o          Options
		want       color.Color // of the open tab
	}{
		"light":                  {color.White, Options{}, color.RGBA{0x1f, 0x5f, 0xbf, 0xff}},
		"dark":                   {dark(), Options{}, color.RGBA{0x7c, 0xb7, 0xff, 0xff}},
		"light, but told":        {color.White, Options{Theme: "dark"}, color.RGBA{0x7c, 0xb7, 0xff, 0xff}},
		"no colour":              {dark(), Options{Environ: []string{"TTY_FORCE=1", "TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=yes"}}, nil},
		"no colour, but told":    {dark(), Options{Theme: "dark", Environ: []string{"TTY_FORCE=1", "TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR=1"}}, nil},
		"NO_COLOR that is empty": {dark(), Options{Environ: []string{"TTY_FORCE=1", "TERM=xterm-256color", "COLORTERM=truecolor", "NO_COLOR="}}, color.RGBA{0x7c, 0xb7, 0xff, 0xff}},
		"16 colours":             {dark(), Options{Environ: []string{"TTY_FORCE=1", "TERM=xterm-color"}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			c.o.Now = still
			term := onTerminal(t, story(), c.o, c.background)
			term.shows("following")
			if c.want != nil {
				term.until("the colour of the theme", func() bool { return same(term.cell(2, 1).Style.Fg, c.want) })
				return
			}
			_, all := term.written(0)
			if strings.Contains(all, "[38;2;") || strings.Contains(all, ";38;2;") {
				t.Error("there are colours that the terminal does not have")
			}
		})
	}
}

func (term *terminal) cell(x, y int) uv.Cell {
	term.mu.Lock()
	defer term.mu.Unlock()
	return *term.emu.CellAt(x, y)
}

func same(a, b color.Color) bool {
	if a == nil || b == nil {
		return a == b
	}
	r, g, bl, _ := a.RGBA()
	R, G, B, _ := b.RGBA()
	return r == R && g == G && bl == B
}

func TestNothingIsWrittenWhileNothingChanges(t *testing.T) {
	f := &counting{Store: recording()}
	term := onTerminal(t, f, stillOptions(), dark())
	term.shows("■ RECORDED")
	term.shows("err 2%")
	term.quiet(f)
	n, _ := term.written(0)
	f.wait(term, 10)
	if _, more := term.written(n); more != "" {
		t.Errorf("%d bytes were written: %q", len(more), more)
	}
}

// counting counts how often the file was asked whether it has changed.
type counting struct {
	Store
	mu    sync.Mutex
	asked int
}

func (c *counting) Version(ctx context.Context) (int64, error) {
	c.mu.Lock()
	c.asked++
	c.mu.Unlock()
	return c.Store.Version(ctx)
}

func (c *counting) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked
}

// wait waits until the file was asked n times more.
func (c *counting) wait(term *terminal, n int) {
	term.t.Helper()
	from := c.count()
	term.until("polling", func() bool { return c.count() >= from+n })
}

// quiet waits until no more is written.
func (term *terminal) quiet(c *counting) {
	term.t.Helper()
	for {
		n, _ := term.written(0)
		c.wait(term, 4)
		if m, _ := term.written(0); m == n {
			return
		}
	}
}

// hzqtc and gh-dash users saw whole screens drawn again: dlvhdr/gh-dash#377,
// achannarasappa/ticker#60.
func TestARowThatIsNewIsAllThatIsWritten(t *testing.T) {
	f := story()
	c := &counting{Store: f}
	term := onTerminal(t, c, stillOptions(), dark())
	term.shows("following")
	term.quiet(c)
	for i := range 10 {
		n, _ := term.written(0)
		path := "/new" + string(rune('a'+i))
		f.change(func(f *fakeStore) {
			f.add("12:04:36.2", "GET", "new.example.test", path, "").answered(200, ms).ends()
		})
		term.shows(path)
		term.quiet(c)
		_, more := term.written(n)
		if strings.Contains(more, "\x1b[2J") {
			t.Error("the screen was cleared")
		}
		if len(more) > 4000 {
			t.Errorf("%d bytes were written for one row: %q", len(more), more)
		}
	}
}

// marcus/sidecar PR 161: a mouse sequence that came in two parts was taken for keys.
func TestAMouseSequenceInTwoPartsIsNoText(t *testing.T) {
	term := onTerminal(t, story(), stillOptions(), dark())
	term.shows("following")
	term.types("/")
	term.shows("enter keep the filter")
	for range 5 {
		term.types("\x1b[<65;12")
		<-time.After(5 * time.Millisecond)
		term.types(";5M")
	}
	term.types("abc")
	term.shows("/ abc")
	term.types("\x1b[200~GET\nq\ny\n\x1b[201~")
	term.shows("/ abcGET q y")
	term.types("\x03")
	if err := term.ends(); err != nil {
		t.Errorf("ctrl+c ended with %v", err)
	}
	term.restored()
}

func TestTheTerminalIsRestoredWhenTheContextEnds(t *testing.T) {
	f := story()
	term := &terminal{t: t, emu: vt.NewEmulator(80, 24), done: make(chan error, 1)}
	in, _ := io.Pipe()
	ctx, cancel := context.WithCancelCause(context.Background())
	go func() {
		term.done <- Run(ctx, f, Options{Input: in, Output: term, Width: 80, Height: 24, Environ: []string{"TERM=xterm-256color"}, Now: still, Zone: storyZone()})
	}()
	go func() { _, _ = io.Copy(io.Discard, term.emu) }()
	defer term.hangUp()
	term.shows("following")
	why := errors.New("the machine goes down")
	cancel(why)
	if err := term.ends(); !errors.Is(err, why) {
		t.Errorf("the end of the context ended it with %v", err)
	}
	term.restored()
}

func TestWithoutATerminalNothingIsTouched(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	file, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for name, o := range map[string]Options{
		"no keyboard": {Input: null, Output: new(bytes.Buffer)},
		"no screen":   {Input: strings.NewReader(""), Output: file},
	} {
		err := Run(context.Background(), story(), o)
		if !errors.Is(err, ErrNoTerminal) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s, _ := file.Stat(); s.Size() != 0 {
		t.Errorf("%d bytes were written", s.Size())
	}
	if err := Run(context.Background(), story(), Options{Theme: "pink"}); err == nil || !strings.Contains(err.Error(), `"pink"`) {
		t.Errorf("a theme that is not there: %v", err)
	}
}

// exploding is a store that panics where it is told to.
type exploding struct{ *fakeStore }

func (e exploding) Windows(context.Context, []ledger.SessionID) ([]ledger.Window, error) {
	panic("boom")
}

// charmbracelet/bubbletea#234, #1127 and #1459: a panic left the terminal unusable.
func TestACrashRestoresTheTerminalAndSaysWhere(t *testing.T) {
	term := onTerminal(t, exploding{story()}, stillOptions(), dark())
	err := term.ends()
	if err == nil || !strings.Contains(err.Error(), "crashed: boom") || !strings.Contains(err.Error(), "exploding.Windows") {
		t.Errorf("the crash is told as %v", err)
	}
	term.restored()
}
