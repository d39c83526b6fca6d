package clip

import (
	"cmp"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"redial/tui/draw"
	"redial/tui/keys"
	"redial/tui/scene"
	"redial/tui/visible"
)

// Menu asks what to copy, or in what form to export. Make it with [NewMenu].
type Menu struct {
	Subject Subject
	Title   string // what is asked for
	Where   string // where it goes; "" is to the clipboard, or to a file on demand
	ToFile  bool   // write it to a file, not to the clipboard

	scene *scene.Scene
	at    int
}

// Answer is what a key made of the menu.
type Answer int

// The answers.
const (
	Open   Answer = iota // it still asks
	Left                 // nothing is to be copied
	Chosen               // [Menu.Item] is to be copied
)

// NewMenu returns a menu that is open, with the cursor on the first item that there is.
func NewMenu(s *scene.Scene, subject Subject) *Menu {
	m := &Menu{Subject: subject, Title: "Copy", scene: s, at: -1}
	m.move(1)
	m.at = max(m.at, 0)
	return m
}

// Item returns the item at the cursor.
func (m *Menu) Item() *Item { return &m.Subject.Items[m.at] }

// Key handles a key. The key that opened the menu also chooses, so that pressed twice it
// copies the first item.
func (m *Menu) Key(k tea.KeyPressMsg) Answer {
	km := m.scene.Keys
	switch {
	case key.Matches(k, km.Back, km.Quit):
		return Left
	case key.Matches(k, km.Up):
		m.move(-1)
	case key.Matches(k, km.Down, km.Next):
		m.move(1)
	case key.Matches(k, km.ToFile) && m.Where == "":
		m.ToFile = !m.ToFile
	case key.Matches(k, km.Open, km.Copy, km.Export):
		if m.Item().None == "" {
			return Chosen
		}
	}
	return Open
}

// move goes to the next item that there is.
func (m *Menu) move(n int) {
	for i := m.at + n; i >= 0 && i < len(m.Subject.Items); i += n {
		if m.Subject.Items[i].None == "" {
			m.at = i
			return
		}
	}
}

// Bindings returns the keys of the menu.
func (m *Menu) Bindings() scene.Bindings {
	km := m.scene.Keys
	list := []key.Binding{keys.Pair(km.Down, km.Up, "choose"), keys.Does(km.Open, strings.ToLower(m.Title))}
	if m.Where == "" {
		list = append(list, keys.Does(km.ToFile, "to a file or not"))
	}
	list = append(list, keys.Does(km.Back, "cancel"))
	return scene.Bindings{Short: list, Full: []keys.Named{{Title: m.Title, Keys: list}}}
}

const (
	widest = 76
	names  = 25 // columns of the names
)

// View returns the lines of a screen with the menu over them.
func (m *Menu) View(base []string, w, h int) []string {
	width := min(widest, w-2)
	if width < 20 || h < 4 {
		return base
	}
	inner := width - 2
	var lines []string
	from := max(0, m.at-(h-5))
	for i := from; i < len(m.Subject.Items) && len(lines) < h-3; i++ {
		lines = append(lines, m.row(i, inner))
	}
	where := cmp.Or(m.Where, "goes to the terminal's clipboard")
	if m.ToFile {
		where = "goes to a file beside the recording"
	}
	l := draw.NewLine(inner)
	l.Space(3)
	l.Put(m.scene.Theme.Dim, where)
	box := m.scene.Box(m.Title+" · "+m.Subject.Name, "", true).Draw(append(lines, l.String()), width, len(lines)+3)
	return draw.Over(base, box, (w-width)/2, max((h-len(box))/2, 0), w)
}

func (m *Menu) row(i, width int) string {
	th, item := m.scene.Theme, &m.Subject.Items[i]
	l := draw.NewLine(width)
	st, side, mark := th.Text, th.Dim, " "
	if i == m.at {
		st, mark = th.Accent, "▌"
	}
	l.Space(1)
	l.Put(th.Accent, mark)
	l.Space(1)
	if item.None != "" {
		l.Cell(th.Dim, item.Name, names)
		l.Space(1)
		l.Cell(th.Dim, "- "+item.None, l.Left()-1)
		return l.String()
	}
	l.Cell(st, item.Name, names)
	if item.Note != "" {
		l.Space(1)
		l.Cell(side, item.Note, l.Left()-1)
		return l.String()
	}
	l.Right(side, draw.Bytes(int64(len(item.Text))), 9)
	l.Space(2)
	l.Cell(side, visible.Text(item.Text[:min(len(item.Text), width)]), l.Left()-1)
	return l.String()
}
