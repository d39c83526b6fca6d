package cli

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"redial/tui/visible"
)

const (
	// sampleRows is how many rows a table looks at before it settles its columns. Rows
	// that come later are written as they come, so that a list of any length needs little
	// memory and begins soon.
	sampleRows = 500
	// widestColumn is how wide a column becomes at most. A longer cell is written whole
	// and moves what stands to its right.
	widestColumn = 60
)

// table writes rows in aligned columns below a line of headings.
type table struct {
	out     *output
	columns []column
	rows    [][]cell
	widths  []int // nil until settled
}

type column struct {
	name  string
	right bool // numbers stand at the right
}

// cell is one text of a table, and how it looks.
type cell struct {
	text  string
	style style
}

func (o *output) table(columns ...column) *table { return &table{out: o, columns: columns} }

// add adds one row. Its texts may hold anything: they are made visible here.
func (t *table) add(cells ...cell) error {
	for i := range cells {
		cells[i].text = visible.Text(cells[i].text)
	}
	if t.widths != nil {
		return t.write(cells)
	}
	t.rows = append(t.rows, cells)
	if len(t.rows) < sampleRows {
		return nil
	}
	return t.settle()
}

// end writes what is still held back. A table without rows writes nothing.
func (t *table) end() error {
	if t.widths != nil || len(t.rows) == 0 {
		return nil
	}
	return t.settle()
}

// settle fixes the widths and writes the headings and the rows so far.
func (t *table) settle() error {
	t.widths = make([]int, len(t.columns))
	head := make([]cell, len(t.columns))
	for i, c := range t.columns {
		head[i] = cell{c.name, heading}
		t.widths[i] = ansi.StringWidth(c.name)
		for _, row := range t.rows {
			t.widths[i] = max(t.widths[i], min(ansi.StringWidth(row[i].text), widestColumn))
		}
	}
	if err := t.write(head); err != nil {
		return err
	}
	for _, row := range t.rows {
		if err := t.write(row); err != nil {
			return err
		}
	}
	t.rows = nil
	return nil
}

func (t *table) write(row []cell) error {
	var line strings.Builder
	for i, c := range row {
		pad := strings.Repeat(" ", max(0, t.widths[i]-ansi.StringWidth(c.text)))
		if i > 0 {
			line.WriteString("  ")
		}
		if t.columns[i].right {
			line.WriteString(pad)
		}
		line.WriteString(t.out.paint(c.style, c.text))
		if !t.columns[i].right && i < len(row)-1 {
			line.WriteString(pad)
		}
	}
	line.WriteByte('\n')
	_, err := t.out.WriteString(line.String())
	return err
}
