package tui

import (
	"fmt"
	"strings"
	"testing"
)

// dlvhdr/gh-dash#377 and achannarasappa/ticker#60: whole screens were cleared and drawn
// again while numbers changed.
func TestNoScreenIsClearedWhileWhatItShowsChanges(t *testing.T) {
	for _, screen := range []string{"1 Live", "2 Timeline", "3 Pending", "4 Windows", "5 Hosts", "6 Sessions"} {
		t.Run(screen, func(t *testing.T) {
			f := everything()
			c := &counting{Store: f}
			term := onTerminal(t, c, stillOptions(), dark())
			term.shows("[1 Live]")
			term.types(screen[:1])
			term.shows("[" + screen)
			term.quiet(c)
			n, _ := term.written(0)
			for i := range 10 {
				f.change(func(f *fakeStore) {
					f.add("12:04:36.2", "GET", "new.example.test", fmt.Sprint("/", i), "").answered(200, ms).ends()
					f.windows = append(f.windows[:0:0], f.windows...)
					f.windows[0].Used = i
					f.sessions = append(f.sessions[:0:0], f.sessions...)
					f.sessions[0].Calls += int64(i)
				})
				c.wait(term, 3)
			}
			term.quiet(c)
			_, more := term.written(n)
			for _, whole := range []string{"\x1b[2J", "\x1b[J", "\x1b[3J", "\x1b[?1049", "\x1bc"} {
				if strings.Contains(more, whole) {
					t.Errorf("%q was written", whole)
				}
			}
			if frame := len(term.text()); len(more) > 10*frame {
				t.Errorf("%d bytes were written for ten changes of a screen of %d", len(more), frame)
			}
			term.comesToRest(c)
		})
	}
}

// comesToRest fails the test if there is no second and a half in which nothing is written
// though nothing changes.
func (term *terminal) comesToRest(c *counting) {
	term.t.Helper()
	var more string
	for range 10 {
		n, _ := term.written(0)
		c.wait(term, 30)
		if _, more = term.written(n); more == "" {
			return
		}
	}
	term.t.Errorf("nothing changed, and %q was written", more)
}
