package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// studio takes pictures of one program. It builds redial at the first picture and keeps the
// binary until it is closed.
type studio struct {
	root    string   // The module's folder.
	db      string   // The database to show; never opened itself, only a copy of it.
	command []string // What to run; empty until redial was built.
	dir     string   // Where the binary lies; "" before it was built.
	font    *typeface
}

// newStudio returns a studio that shows redial, built from the module at root, on a copy of db.
func newStudio(root, db string) *studio {
	return &studio{root: root, db: db}
}

// close removes the binary.
func (s *studio) close() {
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}

// save takes a picture, writes it to a file and prints the file's name.
func (s *studio) save(ctx context.Context, shot shot, file string, stdout io.Writer) error {
	data, err := s.take(ctx, shot)
	if err != nil {
		return fmt.Errorf("take %s: %w", shot.name, err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return err
	}
	_, err = fmt.Fprintln(stdout, file)
	return err
}

// take returns a picture as PNG.
func (s *studio) take(ctx context.Context, shot shot) ([]byte, error) {
	g, err := s.capture(ctx, shot)
	if err != nil {
		return nil, err
	}
	if s.font == nil {
		if s.font, err = loadTypeface(); err != nil {
			return nil, err
		}
	}
	var data bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&data, drawPicture(g, shot.theme, s.font)); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return data.Bytes(), nil
}

// capture runs the program in a folder of its own, goes through the steps of the shot, and
// returns what the terminal shows after the last one.
func (s *studio) capture(ctx context.Context, shot shot) (grid, error) {
	if err := s.build(ctx); err != nil {
		return grid{}, err
	}
	home, err := os.MkdirTemp("", "redial-shot-")
	if err != nil {
		return grid{}, err
	}
	defer os.RemoveAll(home)
	cmd := exec.Command(s.command[0], s.command[1:]...)
	cmd.Dir = home
	cmd.Env = environment(home)
	if s.db != "" {
		if err := copyDatabase(filepath.Join(home, filepath.Base(s.db)), s.db); err != nil {
			return grid{}, err
		}
		cmd.Args = append(cmd.Args, "--db", filepath.Base(s.db))
	}
	term, err := startTerminal(cmd, shot)
	if err != nil {
		return grid{}, err
	}
	defer term.close()
	for _, step := range shot.steps {
		if err := term.press(step.keys); err != nil {
			return grid{}, err
		}
		if err := term.settle(ctx, step.until, shot.live); err != nil {
			return grid{}, err
		}
	}
	if len(shot.steps) == 0 {
		if err := term.settle(ctx, "", shot.live); err != nil {
			return grid{}, err
		}
	}
	return term.grid(), nil
}

// build builds redial, without the state of the repository in it, so that the picture of one
// commit is the picture of the next.
func (s *studio) build(ctx context.Context) error {
	if len(s.command) > 0 {
		return nil
	}
	if _, err := os.Stat(s.db); err != nil {
		return fmt.Errorf("find the database to show: %w", err)
	}
	dir, err := os.MkdirTemp("", "redial-build-")
	if err != nil {
		return err
	}
	s.dir = dir
	binary := filepath.Join(dir, "redial")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-o", binary, ".")
	cmd.Dir = s.root
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build redial: %w\n%s", err, out)
	}
	s.command = []string{binary}
	return nil
}

// environment is all that the program knows of the machine it runs on.
func environment(home string) []string {
	return []string{
		"HOME=" + home,
		"PATH=" + os.Getenv("PATH"),
		"TERM=xterm-256color",
		"COLORTERM=truecolor",
		"LANG=C.UTF-8",
		"LC_ALL=C.UTF-8",
		"TZ=UTC",
	}
}

// copyDatabase copies an SQLite file with what still lies beside it in its log, so that also
// a database that is being written can be shown.
func copyDatabase(to, from string) error {
	for _, suffix := range []string{"", "-wal"} {
		data, err := os.ReadFile(from + suffix)
		if suffix != "" && errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("copy database: %w", err)
		}
		if err := os.WriteFile(to+suffix, data, 0o600); err != nil {
			return fmt.Errorf("copy database: %w", err)
		}
	}
	return nil
}

// moduleRoot returns the folder of redial's go.mod.
func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "redial").Output()
	if err != nil {
		return "", fmt.Errorf("find the module redial; run this inside its folder: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}
