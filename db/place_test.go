package db_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"redial/db"
)

// TestANameThatCannotBeIsRefusedWithAdvice names files that no file system has.
func TestANameThatCannotBeIsRefusedWithAdvice(t *testing.T) {
	folder := t.TempDir()
	for from, to := range map[string]string{"a": "b", "b": "a"} {
		if err := os.Symlink(filepath.Join(folder, to), filepath.Join(folder, from)); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name, path string
		kind       error
		says       string
	}{
		{"circle", filepath.Join(folder, "a"), fs.ErrNotExist, "is a link that leads in a circle: remove the link, or"},
		{"folder in a circle", filepath.Join(folder, "a", "redial.db"), fs.ErrNotExist, "is a link that leads in a circle: remove the link, or"},
		{"300 characters", filepath.Join(folder, strings.Repeat("x", 300)), fs.ErrInvalid, "has too long a name: name a file with a shorter one"},
		{"folder of 300", filepath.Join(folder, strings.Repeat("x", 300), "redial.db"), fs.ErrInvalid, "has too long a name: name a file with a shorter one"},
		{"no room for -journal", filepath.Join(folder, strings.Repeat("x", 250)), fs.ErrInvalid, "has too long a name: name a file with a shorter one"},
		{"long path", pathOf(folder, 505), fs.ErrInvalid, "has too long a name: name a file with a shorter one"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for as, openAs := range map[string]func(string) (*db.DB, error){"Open": db.Open, "OpenExisting": db.OpenExisting} {
				d, err := openAs(c.path)
				if err == nil {
					t.Fatal(as, "opens it", d.Close())
				}
				checkRefusal(t, as, err, c.path, c.kind, c.says)
			}
		})
	}
	if files, err := os.ReadDir(folder); err != nil || len(files) != 2 {
		t.Errorf("the folder holds %v (%v), want the two links", files, err)
	}
	path := pathOf(folder, 504)
	enrol(t, open(t, path), session("checkout"))
	if _, err := openExisting(t, path).Sessions(t.Context()); err != nil {
		t.Errorf("a path of 504 bytes is refused: %v", err)
	}
	if _, err := db.OpenExisting(filepath.Join(folder, "absent")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenExisting says %v", err)
	}
}

// pathOf returns a path of so many bytes in a folder.
func pathOf(folder string, size int) string {
	for size-len(folder) > 200 {
		folder = filepath.Join(folder, strings.Repeat("x", 99))
	}
	return folder + "/" + strings.Repeat("x", size-len(folder)-1)
}
