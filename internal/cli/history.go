package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

const (
	mostFilters  = 200      // that are left when the file has grown too large
	largestState = 64 << 10 // bytes of the file, a little more or less
)

// history keeps the filters that were used in the dashboard, one a line, the latest last, in
// a file that only its user can read: a filter can have in it what nobody else should see.
// Several dashboards can use it; each adds its lines at the end.
type history struct {
	file string
	mu   sync.Mutex
}

// historyFile returns where the filters are kept: redial/filters in $XDG_STATE_HOME, or in
// ~/.local/state if that is not set; "" if there is no such place. A relative folder counts
// as not set (XDG Base Directory Specification).
func historyFile(getenv func(string) string) string {
	folder := getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(getenv("HOME"), ".local", "state")
	}
	if !filepath.IsAbs(folder) {
		return ""
	}
	return filepath.Join(folder, "redial", "filters")
}

// Filters returns the filters that were used, the latest last; none if there is no file yet.
func (h *history) Filters(context.Context) ([]string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	filters, err := h.read()
	if err != nil {
		return nil, fmt.Errorf("read the filters that were used before: %w", err)
	}
	return filters, nil
}

// Add adds filters at the end. A file that has grown large is made small again.
func (h *history) Add(_ context.Context, filters []string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.add(filters); err != nil {
		return fmt.Errorf("keep the filter for the next time: %w", err)
	}
	return nil
}

func (h *history) add(filters []string) error {
	if err := os.MkdirAll(filepath.Dir(h.file), 0o700); err != nil {
		return err
	}
	if err := h.regular(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(h.file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(lines(filters)) // in one piece, so that lines of others are not mixed with it
	info, statErr := f.Stat()
	if err = errors.Join(err, statErr, f.Close()); err != nil || info.Size() <= largestState {
		return err
	}
	return h.shrink()
}

// shrink leaves the latest filters, each once. It puts another file in the place of this
// one, so that whoever reads has all of one or of the other.
func (h *history) shrink() error {
	filters, err := h.read()
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(h.file), "filters-*") // only the user can read it
	if err != nil {
		return err
	}
	_, err = f.WriteString(lines(filters))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), h.file)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// lines returns filters one a line. One that is none, since it has a line break in it, is
// left out.
func lines(filters []string) string {
	var b strings.Builder
	for _, text := range filters {
		if !strings.ContainsAny(text, "\n\r") {
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}

// read returns the latest filters of the file, each once.
func (h *history) read() ([]string, error) {
	err := h.regular()
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	f, err := os.Open(h.file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	from := max(0, info.Size()-largestState)
	data, err := io.ReadAll(io.NewSectionReader(f, from, largestState))
	if err != nil {
		return nil, err
	}
	text := string(data)
	if from > 0 {
		_, text, _ = strings.Cut(text, "\n") // the first line may have lost its beginning
	}
	return latest(strings.Split(text, "\n")), nil
}

// regular returns an error unless the path is that of a file, which alone can be read
// without waiting for anybody.
func (h *history) regular() error {
	info, err := os.Stat(h.file)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file", h.file)
	}
	return err
}

// latest returns the last of several filters, each once, where it was used last.
func latest(all []string) []string {
	var out []string
	for _, text := range slices.Backward(all) {
		if text != "" && utf8.ValidString(text) && !slices.Contains(out, text) && len(out) < mostFilters {
			out = append(out, text)
		}
	}
	slices.Reverse(out)
	return out
}
