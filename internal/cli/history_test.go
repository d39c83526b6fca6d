package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestFiltersAreKeptWhereStateBelongs(t *testing.T) {
	for name, c := range map[string]struct {
		env  map[string]string
		want string
	}{
		"the folder for it":   {map[string]string{"XDG_STATE_HOME": "/var/ana", "HOME": "/home/ana"}, "/var/ana/redial/filters"},
		"none":                {map[string]string{"HOME": "/home/ana"}, "/home/ana/.local/state/redial/filters"},
		"a relative folder":   {map[string]string{"XDG_STATE_HOME": "state", "HOME": "/home/ana"}, "/home/ana/.local/state/redial/filters"},
		"no home":             {map[string]string{"XDG_STATE_HOME": "/var/ana"}, "/var/ana/redial/filters"},
		"nothing at all":      {nil, ""},
		"a home that is none": {map[string]string{"HOME": "ana"}, ""},
	} {
		if got := historyFile(func(k string) string { return c.env[k] }); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestFiltersAreThereTheNextTime(t *testing.T) {
	file := filepath.Join(t.TempDir(), "state", "redial", "filters")
	ctx := context.Background()
	first := &history{file: file}
	if past, err := first.Filters(ctx); err != nil || past != nil {
		t.Fatalf("before anything was used there are %q, %v", past, err)
	}
	for _, add := range [][]string{{"status:5xx"}, {"host:a", "status:5xx"}, {"two\nlines"}, {"漢字"}} {
		if err := first.Add(ctx, add); err != nil {
			t.Fatal(err)
		}
	}
	past, err := (&history{file: file}).Filters(ctx)
	if want := []string{"host:a", "status:5xx", "漢字"}; err != nil || !slices.Equal(past, want) {
		t.Errorf("the next time there are %q, %v; want %q", past, err, want)
	}
	for path, want := range map[string]os.FileMode{file: 0o600, filepath.Dir(file): 0o700} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %v", path, info.Mode().Perm(), err, want)
		}
	}
}

func TestTheFileOfFiltersStaysSmall(t *testing.T) {
	h := &history{file: filepath.Join(t.TempDir(), "filters")}
	for i := range 100 {
		var many []string
		for j := range 20 {
			many = append(many, fmt.Sprintf("key:%d-%d-%s", i, j, strings.Repeat("x", 90)))
		}
		if err := h.Add(context.Background(), many); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(h.file); err != nil || info.Size() > largestState {
			t.Fatalf("the file has %d bytes, %v", info.Size(), err)
		}
	}
	past, err := h.Filters(context.Background())
	if err != nil || len(past) > mostFilters || !strings.HasPrefix(past[len(past)-1], "key:99-19-") {
		t.Errorf("%d filters are left, %v", len(past), err)
	}
	if others, _ := filepath.Glob(h.file + "-*"); others != nil {
		t.Errorf("other files are left: %q", others)
	}
}

func TestWhatCannotBeReadAsFiltersIsSaid(t *testing.T) {
	folder := t.TempDir()
	broken := filepath.Join(folder, "broken")
	if err := os.WriteFile(broken, []byte("status:5xx\n\xff\xfe\n\n\x00\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{folder, os.DevNull} {
		h := &history{file: file}
		if _, err := h.Filters(context.Background()); err == nil || !strings.Contains(err.Error(), "is no file") {
			t.Errorf("reading %s: %v", file, err)
		}
		if err := h.Add(context.Background(), []string{"status:5xx"}); err == nil || !strings.Contains(err.Error(), "is no file") {
			t.Errorf("adding to %s: %v", file, err)
		}
	}
	if past, err := (&history{file: broken}).Filters(context.Background()); err != nil || past[0] != "status:5xx" {
		t.Errorf("what is left of a broken file: %q, %v", past, err)
	}
}
