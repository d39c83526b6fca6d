package db_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// sqlite runs statements on a file as a foreign program would.
func sqlite(t testing.TB, path string, statements ...string) {
	t.Helper()
	c, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := c.Exec(s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

// recorded returns the path of a closed file of another process, with 300 calls.
func recorded(t testing.TB) string {
	t.Helper()
	data, err := recording()
	if err != nil {
		t.Fatal(err)
	}
	path := newFile(t)
	put(t, path, data)
	return path
}

// recording makes the bytes of such a file once for all tests.
var recording = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "redial")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "redial.db")
	d, err := db.Open(path)
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	s, err := d.Enrol(ctx, session("recorded"))
	for batch := range slices.Chunk(mixed(s, 300), 50) {
		err = errors.Join(err, d.Write(ctx, &ledger.Batch{Session: s, Beat: time.Now(), Calls: batch}))
	}
	if err := errors.Join(err, d.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// unfit is a file that must be refused.
type unfit struct {
	name string
	make func(t *testing.T, path string)
	kind error
	says string
}

// foreign returns files that are not ours.
func foreign() []unfit {
	return []unfit{
		{"text", func(t *testing.T, path string) { put(t, path, bytes.Repeat([]byte("not a database\n"), 500)) }, db.ErrNotRedial, "not a redial database"},
		{"one byte", func(t *testing.T, path string) { put(t, path, []byte("x")) }, db.ErrNotRedial, "not a redial database"},
		{"511 bytes", func(t *testing.T, path string) { put(t, path, bytes.Repeat([]byte("x"), 511)) }, db.ErrNotRedial, "not a redial database"},
		{"512 bytes", func(t *testing.T, path string) { put(t, path, bytes.Repeat([]byte("x"), 512)) }, db.ErrNotRedial, "not a redial database"},
		{"zeros", func(t *testing.T, path string) { put(t, path, make([]byte, 8192)) }, db.ErrNotRedial, "not a redial database"},
		{"foreign database", func(t *testing.T, path string) {
			sqlite(t, path, "CREATE TABLE song (title)", "INSERT INTO song VALUES ('x')")
		}, db.ErrNotRedial, "not a redial database"},
		{"foreign application", func(t *testing.T, path string) {
			sqlite(t, path, "PRAGMA application_id = 77", "CREATE TABLE call (id)")
		}, db.ErrNotRedial, "not a redial database"},
		{"foreign version", func(t *testing.T, path string) { sqlite(t, path, "PRAGMA user_version = 1") }, db.ErrNotRedial, "not a redial database"},
		{"folder", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, db.ErrNotRedial, "is a folder"},
		{"link to nothing", func(t *testing.T, path string) {
			if err := os.Symlink(path+".absent", path); err != nil {
				t.Fatal(err)
			}
		}, fs.ErrNotExist, "is a link to a file that does not exist"},
	}
}

// changed returns files that were ours once.
func changed() []unfit {
	return []unfit{
		{"newer schema", func(t *testing.T, path string) {
			replace(t, path, recorded(t))
			sqlite(t, path, "PRAGMA user_version = 1000")
		}, db.ErrNewer, "newer redial (schema 1000, this one knows"},
		{"view on our name", func(t *testing.T, path string) {
			replace(t, path, recorded(t))
			sqlite(t, path, "ALTER TABLE wait RENAME TO other", "CREATE VIEW wait AS SELECT * FROM other")
		}, db.ErrNotRedial, "view wait that redial did not make"},
		{"trigger", func(t *testing.T, path string) {
			replace(t, path, recorded(t))
			sqlite(t, path, "CREATE TRIGGER evil AFTER INSERT ON call BEGIN DELETE FROM session; END")
		}, db.ErrNotRedial, "trigger evil that redial did not make"},
		{"virtual table", func(t *testing.T, path string) {
			replace(t, path, recorded(t))
			sqlite(t, path, "DROP TABLE body", "CREATE VIRTUAL TABLE body USING fts5(call, n, response, sha256, data)")
		}, db.ErrNotRedial, "table body that redial did not make"},
		{"other columns", func(t *testing.T, path string) {
			replace(t, path, recorded(t))
			sqlite(t, path, "ALTER TABLE call ADD COLUMN evil ANY DEFAULT 5")
		}, db.ErrNotRedial, "table call that redial did not make"},
		{"missing table", func(t *testing.T, path string) { replace(t, path, recorded(t)); sqlite(t, path, "DROP TABLE rollup") }, db.ErrDamaged, "lacks rollup"},
		{"truncated", func(t *testing.T, path string) { replace(t, path, recorded(t)); cut(t, path, 5000) }, db.ErrDamaged, "damaged"},
		{"overwritten header", func(t *testing.T, path string) { replace(t, path, recorded(t)); patch(t, path, 0, make([]byte, 100)) }, db.ErrNotRedial, "not a redial database"},
		{"overwritten schema", func(t *testing.T, path string) {
			replace(t, path, recorded(t))
			patch(t, path, 100, bytes.Repeat([]byte{0xfe}, 3000))
		}, db.ErrDamaged, "damaged"},
	}
}

func TestAFileThatIsUnfitIsRefusedAndLeftAlone(t *testing.T) {
	for _, test := range append(foreign(), changed()...) {
		t.Run(test.name, func(t *testing.T) {
			path := newFile(t)
			test.make(t, path)
			before := snapshot(t, filepath.Dir(path))
			for name, openAs := range map[string]func(string) (*db.DB, error){"Open": db.Open, "OpenExisting": db.OpenExisting} {
				d, err := openAs(path)
				if err == nil {
					_ = d.Close()
					t.Errorf("%s accepts it", name)
					continue
				}
				checkRefusal(t, name, err, path, test.kind, test.says)
			}
			if after := snapshot(t, filepath.Dir(path)); before != after {
				t.Errorf("the folder held\n%s, and now\n%s", before, after)
			}
		})
	}
}

// checkRefusal checks that an error is of a kind, and one line that names the file.
func checkRefusal(t *testing.T, name string, err error, path string, kind error, says string) {
	t.Helper()
	line := err.Error()
	if !errors.Is(err, kind) || !strings.Contains(line, path) || !strings.Contains(line, says) || strings.Contains(line, "\n") {
		t.Errorf("%s says %q, of kind %v: %v; want %q", name, line, kind, errors.Is(err, kind), says)
	}
}

func put(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func replace(t *testing.T, path, with string) {
	t.Helper()
	if err := os.Rename(with, path); err != nil {
		t.Fatal(err)
	}
}

func cut(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

func patch(t *testing.T, path string, at int64, data []byte) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(data, at); err != nil {
		t.Fatal(err)
	}
}

// snapshot returns the names, modes and contents of what is in a folder.
func snapshot(t *testing.T, folder string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		b.WriteString(e.Name() + " " + e.Type().String())
		if e.Type().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&b, " %d bytes, %x", len(data), sha256.Sum256(data))
		}
		b.WriteByte('\n')
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAMissingFileIsMadeByOpenAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b", "redial.db")
	if _, err := db.OpenExisting(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenExisting says %v", err)
	}
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("OpenExisting made the folder: %v", err)
	}
	d := open(t, path)
	enrol(t, d, session("checkout"))
	for name, mode := range map[string]fs.FileMode{
		filepath.Dir(filepath.Dir(path)): 0o700 | fs.ModeDir, filepath.Dir(path): 0o700 | fs.ModeDir,
		path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
	} {
		if info, err := os.Stat(name); err != nil || info.Mode() != mode {
			t.Errorf("%s has mode %v (%v), want %v", name, info.Mode(), err, mode)
		}
	}
}

func TestAnEmptyFileIsTakenForANewOneByOpenAlone(t *testing.T) {
	path := newFile(t)
	put(t, path, nil)
	_, err := db.OpenExisting(path)
	checkRefusal(t, "OpenExisting", err, path, fs.ErrNotExist, "is empty")
	enrol(t, open(t, path), session("checkout"))
	openExisting(t, path)
}

func TestAFolderKeepsItsMode(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "shared")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	open(t, filepath.Join(folder, "redial.db"))
	if info, err := os.Stat(folder); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the folder has mode %v (%v)", info.Mode(), err)
	}
}

func TestAnyFileNameWorks(t *testing.T) {
	for _, name := range []string{"a?b=c&mode=memory", "a#b", "100%41", "two words", "line\nbreak", "ü;'\"", "-wal", "file:x", "a?_pragma=user_version(9)"} {
		path := filepath.Join(t.TempDir(), name)
		d := open(t, path)
		s := enrol(t, d, session("checkout"))
		write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{plainCall(s, 1)}})
		if d.Path() != path {
			t.Errorf("%q: the path is %q", name, d.Path())
		}
		if list := calls(t, openExisting(t, path), ledger.Query{}); len(list) != 1 {
			t.Errorf("%q has %d calls", name, len(list))
		}
		files, err := os.ReadDir(filepath.Dir(path))
		for _, f := range files {
			if !strings.HasPrefix(f.Name(), name) {
				t.Errorf("%q made %q", name, f.Name())
			}
		}
		if err != nil || len(files) != 3 {
			t.Errorf("%q has %d files (%v), want it, its log and the log's index", name, len(files), err)
		}
	}
	if _, err := db.Open("a\x00b"); err == nil {
		t.Error("a zero byte is accepted")
	}
}

func TestALinkLeadsToTheFile(t *testing.T) {
	path := recorded(t)
	link := newFile(t)
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	d := open(t, link)
	enrol(t, d, session("checkout"))
	if d.Path() != path {
		t.Errorf("the path is %s, want %s", d.Path(), path)
	}
	if _, err := os.Stat(link + "-wal"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a log beside the link: %v", err)
	}
}

func TestTheDefaultPathIsFromTheEnvironment(t *testing.T) {
	t.Setenv("REDIAL_DB", "")
	t.Setenv("XDG_DATA_HOME", "/data")
	if path, err := db.DefaultPath(); err != nil || path != "/data/redial/redial.db" {
		t.Errorf("the path is %q (%v)", path, err)
	}
	path := newFile(t)
	t.Setenv("REDIAL_DB", path)
	if got, err := db.DefaultPath(); err != nil || got != path {
		t.Errorf("the path is %q (%v)", got, err)
	}
	if d := open(t, ""); d.Path() != path {
		t.Errorf("Open(\"\") opens %q", d.Path())
	}
}

func TestWithoutAHomeThereIsNoDefaultPath(t *testing.T) {
	for _, v := range []string{"REDIAL_DB", "XDG_DATA_HOME", "HOME"} {
		t.Setenv(v, "")
	}
	if path, err := db.DefaultPath(); err == nil || !strings.Contains(err.Error(), "HOME is not set") {
		t.Errorf("with an empty HOME the path is %q (%v)", path, err)
	}
	os.Unsetenv("HOME")
	if path, err := db.DefaultPath(); err == nil || !strings.Contains(err.Error(), "HOME is not set") {
		t.Errorf("without HOME the path is %q (%v)", path, err)
	}
	t.Setenv("XDG_DATA_HOME", "/data")
	if path, err := db.DefaultPath(); err != nil || path != "/data/redial/redial.db" {
		t.Errorf("without HOME, but with XDG_DATA_HOME, the path is %q (%v)", path, err)
	}
}

func TestAnEmptyFileIsClosedToOthersBeforeItIsRecordedTo(t *testing.T) {
	for mode, want := range map[os.FileMode]os.FileMode{0o644: 0o600, 0o666: 0o600, 0o600: 0o600} {
		path := newFile(t)
		if err := errors.Join(os.WriteFile(path, nil, mode), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		enrol(t, open(t, path), session("checkout"))
		for _, name := range []string{path, path + "-wal", path + "-shm"} {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s was given with %v, and is %v (%v)", filepath.Base(name), mode, info.Mode(), err)
			}
		}
	}
}

func TestDamageThatIsFoundLaterIsAnErrorToo(t *testing.T) {
	path := recorded(t)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := int64(3 * 4096); at < info.Size(); at += 4096 {
		patch(t, path, at, bytes.Repeat([]byte{0x5a}, 2000))
	}
	d, err := db.OpenExisting(path)
	if err == nil {
		defer d.Close()
		_, err = d.Calls(context.Background(), ledger.Query{})
	}
	if err == nil {
		t.Fatal("the calls can be read")
	}
	checkRefusal(t, "Calls", err, path, db.ErrDamaged, "damaged")
}
