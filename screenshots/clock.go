package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// lookedAt is when the recording in demo.db is looked at: minutes after it ended. How long
// something has been pending depends on when one looks, and a picture must be the same
// tomorrow.
var lookedAt = time.Date(2026, 11, 30, 12, 15, 30, 0, time.UTC)

// The one place in redial that reads the clock for its screens.
const (
	clockFile = "internal/cli/run.go"
	clock     = "now: time.Now,"
)

// stopClock writes what makes the build of redial read lookedAt instead of the clock, and
// returns the name of the file for go build -overlay. Nothing else of the program changes.
func stopClock(root, dir string) (string, error) {
	source := filepath.Join(root, filepath.FromSlash(clockFile))
	text, err := os.ReadFile(source)
	if err != nil {
		return "", fmt.Errorf("stop the clock: %w", err)
	}
	if n := strings.Count(string(text), clock); n != 1 {
		return "", fmt.Errorf("stop the clock: %s has %q %d times instead of once", clockFile, clock, n)
	}
	stopped := fmt.Sprintf("now: func() time.Time { return time.Unix(%d, 0) },", lookedAt.Unix())
	replaced := filepath.Join(dir, "run.go")
	if err := os.WriteFile(replaced, []byte(strings.Replace(string(text), clock, stopped, 1)), 0o600); err != nil {
		return "", fmt.Errorf("stop the clock: %w", err)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{source: replaced}})
	if err != nil {
		return "", fmt.Errorf("stop the clock: %w", err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		return "", fmt.Errorf("stop the clock: %w", err)
	}
	return file, nil
}
