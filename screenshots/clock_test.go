package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAClockThatIsReadElsewhereIsSaidAndNotOverlooked(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, filepath.FromSlash(clockFile))
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"now: clock.Now,", clock + "\n" + clock} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := stopClock(root, t.TempDir()); err == nil || !strings.Contains(err.Error(), clockFile) {
			t.Errorf("%q: error %v, want one that names the file", text, err)
		}
	}
}
