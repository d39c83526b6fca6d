package tui

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"redial/ledger"
)

func TestTheCopyMenuTellsWhatThereIsAndAnswers(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("g", "y")
		d.shows("Copy · call 3-", "curl command", "URL", "idempotency key", "- the call has none", "response body", "goes to the terminal's clipboard")
		d.press("esc")
		d.shows("nothing was done: the menu is closed")
		d.hides("Copy · call")
		d.press("y", "y")
		d.shows("copied curl command of call 3-", "to the terminal's clipboard")
		d.press("y", "j", "enter")
		d.shows("copied URL of call 3-")
		d.press("y", "1", "q")
		d.hides("Copy · call")
	})
}

func TestAnAttemptIsCopiedOnceItIsGoneTo(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		d.press("g", "j", "y")
		d.shows(", attempt 2 ")
		d.press("esc", "[", "y")
		d.shows(", attempt 1 ")
		d.press("esc", "enter", "y")
		d.shows(", attempt 2 ")
	})
}

func TestAnOperationIsCopiedAsItMayBeShown(t *testing.T) {
	onDash(t, pendingStory(), 110, 32, func(d *dash) {
		d.press("3", "y")
		d.shows("Copy · operation order-", "curl that looks it up", "curl that SENDS it again")
		d.press("j", "enter")
		d.shows("copied", "of operation order-", "to the terminal's clipboard")
	})
}

func TestWithNothingSelectedNothingIsCopied(t *testing.T) {
	f := story()
	f.ended, f.running, f.ops = nil, nil, nil
	onDash(t, f, 110, 32, func(d *dash) {
		for tab, want := range map[string]string{"1": "no call is selected", "3": "no operation is selected", "4": "nothing can be copied here"} {
			d.press(tab, "y")
			d.shows(want)
		}
	})
}

func TestWhatNoClipboardTakesGoesToAFile(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want string
		keys []string
	}{
		"asked for":    {"plain", "", []string{"f"}},
		"too long":     {strings.Repeat("x", 80_000), "(too long for terminals)", nil},
		"that it acts": {"a\x1b[201~\nrm x\n", "(pasted it would act on a terminal)", nil},
		"binary":       {"\xff\x00", "(pasted it would act on a terminal)", nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := story()
			last := &f.ended[0].AttemptList[len(f.ended[0].AttemptList)-1]
			last.Response.Body = ledger.Body{Data: []byte(c.body), Size: int64(len(c.body))}
			dir := t.TempDir()
			onDash(t, f, 160, 32, func(d *dash) {
				d.model.options.File = filepath.Join(dir, "redial.db")
				d.press("g", "y")
				d.press(c.keys...)
				d.press("j", "j", "j", "j", "j", "j", "enter")
				d.shows("copied response body of call 3-", "redial-copied-", c.want)
				files, err := filepath.Glob(filepath.Join(dir, "*"))
				if err != nil || len(files) != 1 {
					t.Fatalf("there are %v, %v", files, err)
				}
				info, err := os.Stat(files[0])
				data, err2 := os.ReadFile(files[0])
				if err != nil || err2 != nil || info.Mode().Perm() != 0o600 || string(data) != c.body {
					t.Errorf("%v, %v, %v, %d bytes", info.Mode(), err, err2, len(data))
				}
			})
		})
	}
}

func TestACopyThatCannotBeWrittenIsSaid(t *testing.T) {
	onDash(t, story(), 160, 32, func(d *dash) {
		d.model.options.File = filepath.Join(t.TempDir(), "gone", "redial.db")
		d.press("g", "y", "f", "enter")
		d.shows("nothing was copied: write the copy to a file")
	})
}

func TestACopyReachesTheTerminal(t *testing.T) {
	term := onTerminal(t, recording(), stillOptions(), dark())
	term.shows("■ RECORDED")
	term.types("g")
	term.shows("call 3-1200, started")
	term.types("y")
	term.shows("Copy · call")
	term.types("y")
	term.shows("copied curl command")
	var sent string
	term.until("OSC 52", func() bool {
		_, all := term.written(0)
		_, rest, ok := strings.Cut(all, "\x1b]52;c;")
		sent, _, _ = strings.Cut(rest, "\a")
		return ok
	})
	text, err := base64.StdEncoding.DecodeString(sent)
	if err != nil || !strings.Contains(string(text), "curl --url 'https://rates.example.test/fx'") {
		t.Errorf("the terminal got %q, %v", text, err)
	}
}
