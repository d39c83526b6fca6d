package draw

import "github.com/charmbracelet/x/ansi"

// Over returns lines of so many columns with a pane over them whose upper left corner
// stands at x, y. The lines of the pane are equally wide. What it covers of a character
// of two columns leaves a blank.
func Over(lines, pane []string, x, y, width int) []string {
	out := append([]string(nil), lines...)
	for i, p := range pane {
		if y+i < 0 || y+i >= len(out) {
			continue
		}
		behind := x + ansi.StringWidth(p)
		head := ansi.Truncate(out[y+i], x, "")
		tail := ansi.TruncateLeft(out[y+i], behind, "")
		if ansi.StringWidth(tail) > width-behind {
			tail = ansi.TruncateLeft(out[y+i], behind+1, "")
		}
		out[y+i] = head + spaces(max(x-ansi.StringWidth(head), 0)) + p + spaces(max(width-behind-ansi.StringWidth(tail), 0)) + tail
	}
	return out
}
