package main

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// studio takes pictures of one program. It builds redial at the first picture and keeps the
// binary until it is closed. It is not safe for concurrent use.
type studio struct {
	root    string   // The module's folder, for the build.
	db      string   // The database to show; "" shows none.
	copied  bool     // The program opens a copy of db, so that a picture leaves no trace in it.
	command []string // What to run; nil until redial is built.
	dir     string   // Where the binary lies; "" before it is built.
	font    *typeface
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
	img, err := s.draw(ctx, shot)
	if err != nil {
		return nil, err
	}
	var data bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&data, img); err != nil {
		return nil, fmt.Errorf("encode picture: %w", err)
	}
	return data.Bytes(), nil
}

// draw returns a picture.
func (s *studio) draw(ctx context.Context, shot shot) (*image.NRGBA, error) {
	g, err := s.capture(ctx, shot)
	if err != nil {
		return nil, err
	}
	if s.font == nil {
		if s.font, err = loadTypeface(); err != nil {
			return nil, err
		}
	}
	return drawPicture(g, shot.theme, s.font), nil
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
	cmd, err := s.prepare(home)
	if err != nil {
		return grid{}, err
	}
	term, err := startTerminal(cmd, shot)
	if err != nil {
		return grid{}, err
	}
	defer term.close()
	for _, step := range append([]step{{}}, shot.steps...) {
		if err := term.take(ctx, step, shot.live); err != nil {
			return grid{}, err
		}
	}
	return term.grid(), nil
}

// prepare returns the command to run in a folder, with the database as its argument. A copy
// has a name without a folder, so that a screen that shows the name is the same each time.
func (s *studio) prepare(home string) (*exec.Cmd, error) {
	cmd := exec.Command(s.command[0], s.command[1:]...)
	cmd.Dir = home
	cmd.Env = environment(home)
	if s.db == "" {
		return cmd, nil
	}
	file, err := filepath.Abs(s.db)
	if err != nil {
		return nil, err
	}
	if s.copied {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("copy database: %w", err)
		}
		file = filepath.Base(file)
		if err := os.WriteFile(filepath.Join(home, file), data, 0o600); err != nil {
			return nil, fmt.Errorf("copy database: %w", err)
		}
	}
	cmd.Args = append(cmd.Args, "--db", file)
	return cmd, nil
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
	args := []string{"build", "-trimpath", "-buildvcs=false", "-o", binary}
	if s.copied {
		overlay, err := stopClock(s.root, dir)
		if err != nil {
			return err
		}
		args = append(args, "-overlay", overlay)
	}
	cmd := exec.CommandContext(ctx, "go", append(args, ".")...)
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

// moduleRoot returns the folder of redial's go.mod.
func moduleRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "redial").Output()
	if err != nil {
		return "", fmt.Errorf("find the module redial; run this inside its folder: %w", err)
	}
	return strings.TrimSpace(string(out)), nil
}
