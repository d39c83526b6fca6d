package main

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/term"
)

// TestMain lets the test binary play the program on the terminal as well, so that the tests
// need no other program: "fake" as its first argument, and which one.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "fake" {
		fake(os.Args[2])
		return
	}
	os.Exit(m.Run())
}

// fake shows something on its terminal and then, but for "short", waits until it is killed.
func fake(name string) {
	state, err := term.MakeRaw(os.Stdin.Fd())
	if err != nil {
		fmt.Println("no terminal:", err)
		return
	}
	switch name {
	case "short":
		fmt.Print("\x1b[1mbold\x1b[m \x1b[31mred\x1b[m\r\ngood bye")
		_ = term.Restore(os.Stdin.Fd(), state)
		return
	case "size":
		cols, rows, _ := term.GetSize(os.Stdin.Fd())
		fmt.Printf("%d by %d", cols, rows)
	case "environment":
		fmt.Print(strings.Join(os.Environ(), "\r\n"))
	case "ground":
		fmt.Print("\x1b]11;?\x07")
	case "frame":
		fmt.Print("\x1b[?2026hhalf")
		_, _ = os.Stdin.Read(make([]byte, 1))
		fmt.Print(" and whole\x1b[?2026l")
	case "raw":
		fmt.Print("one\ntwo")
	}
	input := make([]byte, 100)
	for {
		n, err := os.Stdin.Read(input)
		if err != nil {
			return
		}
		fmt.Printf("%q ", input[:n])
	}
}

// fakeStudio returns a studio that takes pictures of a fake program.
func fakeStudio(name string) *studio {
	return &studio{command: []string{os.Args[0], "fake", name}}
}

// text returns the rows of a grid.
func (g grid) text() []string {
	rows := make([]string, g.rows)
	for y := range rows {
		for x := range g.cols {
			rows[y] += g.at(x, y).Content
		}
		rows[y] = strings.TrimRight(rows[y], " ")
	}
	return rows
}

func TestOnePictureIsWrittenToTheFileThatIsAskedFor(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.png")
	var out bytes.Buffer
	args := []string{"--exec", os.Args[0] + " fake size", "--out", file, "--size", "30x4", "--theme", "light", "--until", "30 by 4"}
	if err := run(context.Background(), args, &out, &out); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); got != file+"\n" {
		t.Errorf("printed %q, want the file's name", got)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := img.Bounds().Dx(), 30*cellWidth+2*margin; got != want {
		t.Errorf("the picture of 30 columns is %d pixels wide, want %d", got, want)
	}
}

func TestWrongFlagsAreRefusedByName(t *testing.T) {
	for _, test := range []struct{ args, want string }{
		{"--size 110", "--size"},
		{"--size 0x5", "--size"},
		{"--theme blue", "--theme"},
		{"--exec ls", "--out"},
		{"picture.png", "picture.png"},
	} {
		var out bytes.Buffer
		err := run(context.Background(), strings.Fields(test.args), &out, &out)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that names %s", test.args, err, test.want)
		}
	}
}

func TestAMissingDatabaseIsSaidBeforeAnythingIsBuilt(t *testing.T) {
	s := &studio{root: t.TempDir(), db: filepath.Join(t.TempDir(), "none.db")}
	_, err := s.take(context.Background(), shot{cols: 80, rows: 24})
	if err == nil || !strings.Contains(err.Error(), "none.db") {
		t.Errorf("error %v, want one that names the file", err)
	}
}
