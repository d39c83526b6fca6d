package db

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strconv"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The ways in which a file can be unfit. Test for them with [errors.Is]; what [Open] and
// the methods of [DB] return also names the file and says what to do.
var (
	// ErrNotRedial: the file is something else, or was changed by something else.
	ErrNotRedial = errors.New("not a redial database")
	// ErrDamaged: SQLite cannot make sense of the file.
	ErrDamaged = errors.New("damaged")
	// ErrNewer: the file was made by a newer redial.
	ErrNewer = errors.New("made by a newer redial")
	// ErrNotWritable: the file or its folder may not be written.
	ErrNotWritable = errors.New("not writable")
	// ErrFull: no room is left.
	ErrFull = errors.New("no room left")
	// ErrLocked: another process kept the file locked for longer than redial waits.
	ErrLocked = errors.New("locked by another process")
	// ErrNetwork: the file lies on a file system that does not keep SQLite's promises.
	ErrNetwork = errors.New("on a network file system")
	// ErrClosed: the DB has been closed.
	ErrClosed = errors.New("closed")
)

// Error is an error that concerns a database file as a whole.
type Error struct {
	Path string
	Kind error  // one of the errors above, fs.ErrNotExist or fs.ErrInvalid
	Text string // what is the matter, and what to do about it
	Err  error  // what lies beneath, nil if nothing does
}

// Error returns one line that names the file and says what to do.
func (e *Error) Error() string { return shown(e.Path) + " " + e.Text }

// Unwrap returns Kind and Err.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// shown returns a path as it can stand in a line.
func shown(path string) string {
	for _, r := range path {
		if !strconv.IsPrint(r) {
			return strconv.Quote(path)
		}
	}
	return path
}

// absent says that something is not in the file, and where to see what is. It is an
// [fs.ErrNotExist] that does not speak of files.
type absent string

func (e absent) Error() string { return string(e) }

func (e absent) Unwrap() error { return fs.ErrNotExist }

// refuse returns an error about the file at path. It leaves alone what already is one,
// and what is no fault of the file.
func refuse(path string, err error) error {
	var known *Error
	if err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	text, kind := classify(err)
	if kind == nil {
		return err
	}
	return &Error{Path: path, Kind: kind, Text: text, Err: err}
}

// What follows from a full disk.
const (
	thenGoesOn = ", recording goes on by itself"
	thenStart  = ", or name another file (--db, REDIAL_DB), and start again: nothing is recorded"
)

// whenFull adds to an error about a full disk what follows from it, which only the caller
// knows. It leaves others alone.
func whenFull(err error, then string) error {
	var e *Error
	if !errors.As(err, &e) || e.Kind != ErrFull {
		return err
	}
	told := *e
	told.Text += then
	return &told
}

// unsureError is the error of a commit that failed. What was to be committed may be in the
// log, where whoever opens the file next can find it.
type unsureError struct{ error }

func (e unsureError) Unwrap() error { return e.error }

func unsure(err error) error {
	if err == nil {
		return nil
	}
	return unsureError{err}
}

// whenUnsure adds to an error about a commit that failed what follows from it for an
// operation. It leaves others alone.
func whenUnsure(err error) error {
	var e *Error
	if !errors.As(err, new(unsureError)) || !errors.As(err, &e) {
		return err
	}
	told := *e
	told.Text += "; what was to be written may be there all the same: look before you do it again, and use the same key"
	return &told
}

// isFsync reports whether an error is that something did not reach the disk.
func isFsync(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && (e.Code() == sqlite3.SQLITE_IOERR_FSYNC || e.Code() == sqlite3.SQLITE_IOERR_DIR_FSYNC)
}

// classify returns the kind of an error and the words for it; nil for one that it does
// not know.
func classify(err error) (text string, kind error) {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return classifyFile(err)
	}
	switch code := e.Code(); code & 0xff {
	case sqlite3.SQLITE_NOTADB:
		return notRedial, ErrNotRedial
	case sqlite3.SQLITE_CORRUPT:
		return "is damaged: keep it for `sqlite3 FILE .recover`, and record to another file (--db, REDIAL_DB)", ErrDamaged
	case sqlite3.SQLITE_FULL:
		return "cannot grow, its disk is full: free some space", ErrFull
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL:
		return "is locked by another process: end that one, or record to another file (--db, REDIAL_DB)", ErrLocked
	case sqlite3.SQLITE_READONLY:
		return notWritable, ErrNotWritable
	case sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		if outOfFiles() {
			return tooManyFiles, ErrNotWritable
		}
		return "cannot be opened: it and its folder must be readable and writable by you", ErrNotWritable
	case sqlite3.SQLITE_IOERR:
		return classifyIO(e)
	}
	return "", nil
}

// classifyIO is classify for errors of reading and writing. SQLite has a code of its own for
// a full disk, but not where the index of the log does not fit; and what a quota or a limit
// on file sizes does is to it like any other failure.
func classifyIO(e *sqlite.Error) (text string, kind error) {
	switch e.Code() {
	case sqlite3.SQLITE_IOERR_SHMSIZE:
		return "has no room for the index of its log (-shm), its disk is full or a quota or a limit on file sizes is reached: free some space", ErrFull
	case sqlite3.SQLITE_IOERR_WRITE:
		return "cannot be written (" + e.Error() + "): look after its disk, quotas and limits on file sizes, or record to another file (--db, REDIAL_DB)", ErrDamaged
	}
	return "cannot be read or written (" + e.Error() + "): look after its disk, or record to another file (--db, REDIAL_DB)", ErrDamaged
}

// classifyFile is classify for errors of the operating system.
func classifyFile(err error) (text string, kind error) {
	switch {
	case errors.As(err, new(absent)):
		return "", nil
	case errors.Is(err, fs.ErrPermission):
		return notWritable, ErrNotWritable
	case errors.Is(err, syscall.ELOOP):
		return "is a link that leads in a circle: remove the link, or name another file (--db, REDIAL_DB)", fs.ErrNotExist
	case errors.Is(err, syscall.ENAMETOOLONG):
		return "has too long a name: name a file with a shorter one (--db, REDIAL_DB)", fs.ErrInvalid
	case errors.Is(err, syscall.ENOTDIR):
		return "cannot exist, as what should be its folder is a file: name another file (--db, REDIAL_DB)", fs.ErrNotExist
	case errors.Is(err, fs.ErrNotExist):
		return "does not exist: check --db and REDIAL_DB, or start a service that records to it", fs.ErrNotExist
	case isFull(err):
		return "cannot be made, its disk is full: free some space", ErrFull
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return tooManyFiles, ErrNotWritable
	case isReadOnlyFS(err):
		return notWritable, ErrNotWritable
	}
	return "", nil
}

// outOfFiles reports whether no file can be opened now, which SQLite does not tell from one
// that may not be.
func outOfFiles() bool {
	f, err := os.Open(os.DevNull)
	if err == nil {
		_ = f.Close()
	}
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

const (
	tooManyFiles = "cannot be opened, as too many files are open: close some, or raise the limit (ulimit -n)"

	notRedial   = "is not a redial database, and was left as it is: name another file (--db, REDIAL_DB)"
	notWritable = "cannot be written: make it and its folder writable, or record to another file (--db, REDIAL_DB)"
)
