package draw_test

import (
	"testing"

	"github.com/charmbracelet/x/ansi"

	"redial/tui/draw"
)

func TestAPaneOverWideCharactersKeepsTheColumns(t *testing.T) {
	for _, line := range []string{"abcdefghij", "日本語日本", "a日本語日b", "\x1b[1ma日本\x1b[m語日b"} {
		for x := range 8 {
			got := draw.Over([]string{line}, []string{"##"}, x, 0, 10)[0]
			plain := ansi.Strip(got)
			if w := ansi.StringWidth(got); w != 10 {
				t.Errorf("%q with a pane at %d is %q, %d columns wide", line, x, plain, w)
			}
			if head := ansi.Truncate(plain, x+2, ""); head[len(head)-2:] != "##" {
				t.Errorf("%q has no pane at %d: %q", line, x, plain)
			}
		}
	}
	if got := draw.Over([]string{"ab"}, []string{"#", "#", "#"}, 0, -1, 2); got[0] != "#b" || len(got) != 1 {
		t.Errorf("a pane beyond the lines gives %q", got)
	}
}
