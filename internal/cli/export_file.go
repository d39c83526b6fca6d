package cli

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// exportFile is a file that is there whole, or not at all: it has another name until it is
// kept.
type exportFile struct {
	*bufio.Writer
	file  *os.File
	name  string
	force bool
}

// createExport begins a file that only its owner can read. It refuses a file that is there
// unless it is told to overwrite it, and the recording in any case.
func createExport(name string, force bool, recording string) (*exportFile, error) {
	there, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("look for %s: %w", name, err)
	case isRecording(name, recording):
		return nil, fmt.Errorf("%s belongs to the recording: give -o another name", name)
	case !force:
		return nil, fmt.Errorf("%s is there already: give -o another name, or --force to overwrite it", name)
	case !there.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a regular file: give -o another name", name)
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".redial-export-*") // It has mode 0600.
	if err != nil {
		return nil, fmt.Errorf("create %s: %w", name, err)
	}
	return &exportFile{bufio.NewWriterSize(f, 64<<10), f, name, force}, nil
}

// isRecording reports whether a file is the recording or one of those that go with it.
func isRecording(name, recording string) bool {
	is, err := os.Stat(name)
	if err != nil {
		return false
	}
	for _, end := range []string{"", "-wal", "-shm", "-journal"} {
		if own, err := os.Stat(recording + end); err == nil && os.SameFile(is, own) {
			return true
		}
	}
	return false
}

// keep gives the file its name. Where that has been taken meanwhile, it is not.
func (e *exportFile) keep() error {
	err := e.Flush()
	if closed := e.file.Close(); err == nil {
		err = closed
	}
	switch {
	case err != nil:
	case e.force:
		err = os.Rename(e.file.Name(), e.name)
	default:
		if err = os.Link(e.file.Name(), e.name); err == nil {
			return os.Remove(e.file.Name())
		}
		if !errors.Is(err, fs.ErrExist) && !exists(e.name) { // Not every file system has links.
			err = os.Rename(e.file.Name(), e.name)
		}
	}
	if err != nil {
		os.Remove(e.file.Name())
		return fmt.Errorf("write %s: %w", e.name, err)
	}
	return nil
}

// discard leaves nothing behind.
func (e *exportFile) discard() {
	e.file.Close()
	os.Remove(e.file.Name())
}
