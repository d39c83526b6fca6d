package db

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/adrg/xdg"
)

// busyTimeout is how long a statement waits for a lock that another process holds. It is
// long enough for the batches and checkpoints of others, and short enough that a recorder
// soon knows that its file is locked.
const busyTimeout = 1500 * time.Millisecond

// DefaultPath returns the file that a service and the dashboard share if nobody names
// one: $REDIAL_DB, else redial/redial.db in $XDG_DATA_HOME or what stands for it on this
// system.
func DefaultPath() (string, error) {
	if path := os.Getenv("REDIAL_DB"); path != "" {
		return path, nil
	}
	folder := os.Getenv("XDG_DATA_HOME") // xdg reads it only once
	if _, err := os.UserHomeDir(); err == nil && !filepath.IsAbs(folder) {
		folder = xdg.DataHome // which without a home would be below /
	}
	if !filepath.IsAbs(folder) {
		return "", errors.New("no folder is known for the database, as HOME is not set: name a file with --db or REDIAL_DB")
	}
	return filepath.Join(folder, "redial", "redial.db"), nil
}

// absolute returns the path to use for one that a user gave: with "" replaced by the
// default, absolute, and with links resolved, since SQLite names its sidecars after the
// file that a link leads to.
func absolute(path string) (string, error) {
	if path == "" {
		var err error
		if path, err = DefaultPath(); err != nil {
			return "", err
		}
	}
	if strings.ContainsRune(path, 0) {
		return "", &Error{Path: path, Kind: fs.ErrInvalid, Text: "is no file name: it has a zero byte"}
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(path)
	switch {
	case err == nil:
		return real, checkName(real)
	case !errors.Is(err, fs.ErrNotExist):
		if _, system := os.Stat(path); system != nil {
			err = system // which says it in a way that can be told from others
		}
		return "", refuse(path, err)
	}
	switch info, err := os.Lstat(path); {
	case err != nil:
	case info.Mode()&fs.ModeSymlink == 0:
		return absolute(path) // Another process has just made it.
	default:
		return "", &Error{Path: path, Kind: fs.ErrNotExist, Text: "is a link to a file that does not exist: remove the link, or make the file"}
	}
	return path, checkName(path)
}

// maxPath is how long the path of a database may be: SQLite has 512 bytes for that of its log.
const maxPath = 512 - len("-journal")

// checkName returns an error for a path that leaves no room for the names of the log and its
// index. SQLite would only say that it cannot open the file.
func checkName(path string) error {
	_, err := os.Lstat(path + "-journal") // the longest of them
	if len(path) > maxPath || errors.Is(err, syscall.ENAMETOOLONG) {
		return refuse(path, syscall.ENAMETOOLONG)
	}
	return nil
}

// identity tells a file from another one that took its place.
type identity struct{ info fs.FileInfo }

// same reports whether both are the same file.
func (id identity) same(other identity) bool { return os.SameFile(id.info, other.info) }

// smallest is the size of the smallest database. What is smaller SQLite takes for empty,
// and would write over.
const smallest = 512

// identify looks at the file without opening it: closing a file drops the locks that
// SQLite holds on it elsewhere in this process.
func identify(path string) (identity, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return identity{}, err
	case info.IsDir():
		return identity{}, &Error{Path: path, Kind: ErrNotRedial, Text: "is a folder: name a file in it"}
	case !info.Mode().IsRegular():
		return identity{}, &Error{Path: path, Kind: ErrNotRedial, Text: "is not a regular file: name another one (--db, REDIAL_DB)"}
	case info.Size() > 0 && info.Size() < smallest:
		return identity{}, &Error{Path: path, Kind: ErrNotRedial, Text: notRedial}
	}
	return identity{info}, nil
}

// create makes an empty file that only its owner may read, in a folder that is made the
// same way if it is missing. SQLite gives its sidecars the mode of the file. The caller
// holds the folder's lock.
func create(path string) error {
	// A process that still has a deleted database open shares the index of its log with
	// whoever finds it under this name. It holds nothing worth keeping.
	if err := os.Remove(path + "-shm"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// keepPrivate takes the right to read an empty file from all but its owner, before anything
// is in it and SQLite has given its mode to the sidecars. The caller holds the folder's lock.
func keepPrivate(path string, id identity) error {
	const others = 0o077
	if id.info.Size() > 0 || id.info.Mode().Perm()&others == 0 {
		return nil
	}
	err := os.Chmod(path, id.info.Mode().Perm()&^others)
	if errors.Is(err, fs.ErrPermission) {
		return &Error{Path: path, Kind: ErrNotWritable, Err: err,
			Text: "is empty and not yours, and others may read what would be recorded: remove it, or name another file (--db, REDIAL_DB)"}
	}
	return err
}

// remove removes a file that create made and that nobody has put anything into, and what
// SQLite made beside it: on a full disk they would take what room there is. The caller
// holds the folder's lock.
func remove(path string) {
	for _, suffix := range [...]string{"", "-wal", "-shm"} {
		_ = os.Remove(path + suffix)
	}
}

// access is what a connection is for.
type access int

const (
	reading access = iota // reads; it can still recover the log of a killed writer
	writing               // the one that writes
	frozen                // reads a file that nobody can write, nor keep a log for
	alone                 // reads the header of a file, whatever is in its log
)

// dsn returns the name of the database for the driver. All pragmas are in it, so that no
// connection goes without them.
func dsn(path string, for_ access) string {
	pragmas := []string{
		"busy_timeout(" + strconv.FormatInt(busyTimeout.Milliseconds(), 10) + ")", // first: those after it may have to wait
		"foreign_keys(1)",       // what belongs to a session goes with it
		"trusted_schema(0)",     // a received file must not call functions from its schema
		"cell_size_check(1)",    // finds damage where it is read, not later
		"temp_store(2)",         // memory: no copies of what was recorded in some temporary folder
		"mmap_size(0)",          // a file that is cut short must be an error, not a fatal signal
		"cache_size(-4096)",     // KiB
		"secure_delete(fast)",   // what was deleted is overwritten where that costs no extra page
		"recursive_triggers(0)", // there are no triggers
	}
	query := url.Values{"mode": {"rw"}, "_error_rc": {"1"}, "_dqs": {"0"}, "_defensive": {"1"}}
	switch for_ {
	case writing:
		query.Set("_txlock", "immediate") // a transaction that turns into a writer later fails at once
		pragmas = append(pragmas,
			"journal_mode(WAL)",            // readers go on while it writes
			"synchronous(NORMAL)",          // a killed process loses nothing, and no batch waits for the disk
			"wal_autocheckpoint(0)",        // the writer does that itself, between batches
			"journal_size_limit(33554432)", // a log that once grew is cut when it is used anew
		)
	case reading:
		pragmas = append(pragmas,
			"query_only(1)",
			"cache_size(-2048)", // KiB: there are several of them, and the system keeps what is read often
		)
	case frozen:
		query.Set("immutable", "1")
	case alone:
		query.Set("immutable", "1")
		query.Del("_defensive") // or writable_schema does nothing
		// In the midst of a checkpoint the header tells of more pages than the file has. Only
		// with writable_schema SQLite reads it then, and only if no pragma before it looks.
		pragmas = []string{"writable_schema(1)", "trusted_schema(0)"}
	}
	for _, p := range pragmas {
		query.Add("_pragma", p)
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query.Encode()}
	return u.String()
}
