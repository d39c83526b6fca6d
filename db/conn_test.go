package db

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
)

// pragmas returns what a connection says about itself.
func pragmas(t *testing.T, c *conn) string {
	t.Helper()
	var said []string
	for _, name := range []string{"busy_timeout", "foreign_keys", "trusted_schema", "cell_size_check", "temp_store", "mmap_size", "query_only", "journal_mode", "synchronous"} {
		_, err := c.one(context.Background(), "PRAGMA "+name, nil, func(r row) error {
			said = append(said, fmt.Sprint(name, "=", r[0]))
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprint(said)
}

func TestEveryConnectionHasItsPragmas(t *testing.T) {
	d, err := Open(filepath.Join(t.TempDir(), "redial.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var hold func(n int)
	hold = func(n int) {
		if n == 0 {
			return
		}
		err := d.reads.read(context.Background(), func(v *view) error {
			const want = "[busy_timeout=1500 foreign_keys=1 trusted_schema=0 cell_size_check=1 temp_store=2 mmap_size=0 query_only=1 journal_mode=wal synchronous=2]"
			if got := pragmas(t, v.conn); got != want {
				t.Errorf("reader %d has %s, want %s", n, got, want)
			}
			hold(n - 1)
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	hold(maxReaders)
	if len(d.reads.idle) != maxIdle {
		t.Errorf("%d connections were kept, want %d", len(d.reads.idle), maxIdle)
	}
	err = d.writer.do(context.Background(), func(context.Context) error {
		const want = "[busy_timeout=1500 foreign_keys=1 trusted_schema=0 cell_size_check=1 temp_store=2 mmap_size=0 query_only=0 journal_mode=wal synchronous=1]"
		if got := pragmas(t, d.writer.c); got != want {
			t.Errorf("the writer has %s, want %s", got, want)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestSQLiteIsNewEnough(t *testing.T) {
	c, err := connect(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	var version string
	if _, err := c.one(context.Background(), "SELECT sqlite_version()", nil, func(r row) error { version = r.text(0); return nil }); err != nil {
		t.Fatal(err)
	}
	var v [3]int
	if _, err := fmt.Sscanf(version, "%d.%d.%d", &v[0], &v[1], &v[2]); err != nil || slices.Compare(v[:], []int{3, 51, 3}) < 0 {
		t.Errorf("version %s can corrupt a file when its log is used anew (%v); 3.51.3 cannot", version, err)
	}
}

func TestAStatementIsKeptButNotForEver(t *testing.T) {
	c, err := connect(":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for i := range 3 * maxStatements {
		if n, err := c.number(context.Background(), fmt.Sprintf("SELECT %d", i)); err != nil || n != int64(i) {
			t.Fatalf("statement %d gives %d (%v)", i, n, err)
		}
	}
	if len(c.stmts) == 0 || len(c.stmts) > maxStatements {
		t.Errorf("%d statements are kept", len(c.stmts))
	}
}
