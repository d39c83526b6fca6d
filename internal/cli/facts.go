package cli

import (
	"fmt"

	"redial/tui/visible"
)

// fact is one line of what is known of something: its name and its value.
type fact struct {
	name  string
	value cell
}

// printFacts writes facts to standard output.
func (a *app) printFacts(facts []fact) error { return a.out.facts(facts) }

// facts writes facts below each other, names at the left and values aligned.
func (o *output) facts(facts []fact) error {
	for _, f := range facts {
		value := o.paint(f.value.style, visible.Text(f.value.text))
		if _, err := fmt.Fprintf(o, "%s  %s\n", o.paint(faint, fmt.Sprintf("%-11s", f.name)), value); err != nil {
			return err
		}
	}
	return nil
}
