package db

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// DB is an open database file. It is safe for concurrent use, within a process and with
// other processes, and has to be closed with [DB.Close].
type DB struct {
	path   string
	now    func() time.Time
	reads  *pool
	writer *writer // nil: opened for reading
	close  func() error

	changes *changes
}

// Open opens the database at path for recording and for reading, and makes it, and the
// folder that it is in, if they are missing; an empty file is taken for a new one. ""
// stands for [DefaultPath]. A file that is not redial's, or cannot be used, gives an
// [*Error] and is left as it was.
func Open(path string) (*DB, error) {
	path, err := absolute(path)
	if err != nil {
		return nil, err
	}
	if err := makeFolder(path); err != nil {
		return nil, whenFull(err, thenStart)
	}
	w := newWriter(path)
	if err := w.open(context.Background()); err != nil {
		return nil, whenFull(refuse(path, err), thenStart)
	}
	d := open(path)
	d.writer = w
	w.changed = d.changes.tell
	go w.loop()
	return d, nil
}

// OpenExisting opens the database at path for reading. It does not make a file: one that
// is missing gives an error that wraps [fs.ErrNotExist]. "" stands for [DefaultPath]. A
// file that this process may not write is read nevertheless; if its folder is closed
// to writing too, it is read as it is, without what happens to it later.
func OpenExisting(path string) (*DB, error) {
	path, err := absolute(path)
	if err != nil {
		return nil, err
	}
	d := open(path)
	if err := d.reads.read(context.Background(), func(*view) error { return nil }); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

func open(path string) *DB {
	d := &DB{path: path, now: time.Now, reads: newPool(path)}
	d.changes = newChanges(d.ledgerState())
	d.close = sync.OnceValue(func() error {
		d.changes.close()
		err := d.reads.close() // first, so that the writer is the last to leave and tidies up
		if d.writer != nil {
			err = errors.Join(err, d.writer.close())
		}
		return err
	})
	return d
}

// Path returns the absolute path of the file.
func (d *DB) Path() string { return d.path }

// Close waits for what is being written and read, and closes the file. The last process
// to close it also empties its log. Closing again gives the same result.
func (d *DB) Close() error { return d.close() }

// makeFolder makes the folder of a file, readable by its owner alone, if it is missing.
func makeFolder(path string) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		if errors.Is(err, fs.ErrPermission) || isReadOnlyFS(err) || isFull(err) {
			return refuse(path, err)
		}
		return &Error{Path: path, Kind: ErrNotWritable, Err: err,
			Text: "cannot be made, as " + shown(folder) + " is not a folder: name another file (--db, REDIAL_DB)"}
	}
	return nil
}

// checkPlace returns an error for a file on a file system that SQLite must not be used on.
func checkPlace(path string) error {
	if name := networkFS(path); name != "" {
		return &Error{Path: path, Kind: ErrNetwork, Text: "is on a network file system (" + name +
			"), where SQLite loses data: name a file on a local disk (--db, REDIAL_DB)"}
	}
	return nil
}

// peek looks at the file alone, as if it had no log, and returns an error if it is not ours.
// A log that a killed process left at the path may belong to a file that is gone: SQLite
// would take it for this one's, answer from it whatever the file is, and write it over that.
//
// It looks through SQLite, since to close the file by other means would drop the locks that
// SQLite holds on it elsewhere in this process.
func peek(ctx context.Context, path string) error {
	c, err := connect(dsn(path, alone))
	if err != nil {
		return foreignOnly(err)
	}
	application, err := c.number(ctx, `PRAGMA application_id`)
	switch {
	case err != nil:
		err = foreignOnly(err)
	case application != applicationID:
		err = peekUnnamed(ctx, c, path)
	}
	return errors.Join(err, c.close())
}

// foreignOnly returns err if it says that a file is not ours. What else is the matter, the
// connection that reads the log too will tell.
func foreignOnly(err error) error {
	if _, kind := classify(err); kind == ErrNotRedial {
		return err
	}
	return nil
}

// peekUnnamed is peek for a file without our application_id. Ours is like that, and empty,
// if what made it was killed before it moved the schema from the log into it.
func peekUnnamed(ctx context.Context, c *conn, path string) error {
	h, err := readHeader(ctx, c)
	if err == nil {
		return h.check(path)
	}
	if _, kind := classify(err); kind == ErrDamaged {
		return &Error{Path: path, Kind: ErrNotRedial, Text: notRedial, Err: err}
	}
	return err
}

// inspect looks at a file with a connection that cannot change it. It returns an error
// for one that must not be touched, and whether it is empty.
func inspect(ctx context.Context, path string) (empty bool, err error) {
	c, err := connect(dsn(path, reading))
	if err != nil {
		return false, err
	}
	h, err := checkFile(ctx, c, path)
	return h.empty(), errors.Join(err, c.close())
}

// checkFile returns the header of the file that c reads, and an error if it is not a
// database that this version of redial understands.
func checkFile(ctx context.Context, c *conn, path string) (header, error) {
	if err := c.begin(ctx); err != nil {
		return header{}, err
	}
	defer c.rollback()
	h, err := readHeader(ctx, c)
	if err == nil {
		err = h.check(path)
	}
	if err == nil && !h.empty() {
		err = checkSchema(ctx, c, path, h.version)
	}
	return h, err
}
