package db

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"redial/ledger"
)

// writer owns the only connection of a [DB] that writes. All of it but its channels
// belongs to the goroutine that runs loop.
type writer struct {
	path     string
	requests chan request
	errands  *errands
	changed  func()        // called when the ledger of operations has been written
	quit     chan struct{} // closed by close
	done     chan error    // what closing gave

	c        *conn // nil: not open
	file     identity
	log      identity // of the write-ahead log, which SQLite keeps as long as c is open
	cache    *cache
	sessions map[ledger.SessionID]*enrolled // those that write through this DB
	sweep    checkpointer
	served   int  // groups of errands
	unsynced bool // an fsync of the log has failed, and what is in it may not be on the disk; see renew
}

// request is something to be done by the writer's goroutine.
type request struct {
	ctx    context.Context
	run    func(context.Context) error
	result chan error
}

// enrolled is a session that writes through a [DB].
type enrolled struct {
	session ledger.Session
	process string
	// id is the session's number in the file. It is the one that it was given, unless the
	// file was replaced by one in which another session has that number.
	id int64
	// early has the calls of a batch that are in the file although the rest of it is not.
	early map[ledger.CallID]bool

	last    ledger.Batch // that was written, without its lists
	written int64        // calls, in this file and in those whose place it took
	lost    int64        // of these, the ones that are not in this file
}

// row returns the rowid of a call of the session.
func (e *enrolled) row(id ledger.CallID) int64 {
	return int64(ledger.NewCallID(ledger.SessionID(e.id), id.N()))
}

// place returns the row of a call of any session. One that is not this one's keeps its number.
func (e *enrolled) place(id ledger.CallID) int64 {
	if id.Session() != e.session.ID {
		return int64(id)
	}
	return e.row(id)
}

func newWriter(path string) *writer {
	return &writer{
		path:     path,
		requests: make(chan request),
		errands:  newErrands(),
		changed:  func() {},
		quit:     make(chan struct{}),
		done:     make(chan error, 1),
		sessions: map[ledger.SessionID]*enrolled{},
	}
}

// loop serves requests until close is called, errands before others.
func (w *writer) loop() {
	for {
		select {
		case <-w.errands.ready:
			w.serve()
		case r := <-w.requests:
			w.serve()
			r.result <- whenFull(refuse(w.path, r.run(r.ctx)), thenGoesOn)
		case <-w.quit:
			for _, e := range w.errands.close() {
				e.result <- outcome{err: ErrClosed}
			}
			w.done <- w.end()
			return
		}
	}
}

// do has run called by the writer's goroutine. It gives up waiting for it when ctx ends.
// Once run has begun, do waits for its end, so that nobody has to guess whether it was
// done; run ends its own waits when ctx does.
func (w *writer) do(ctx context.Context, run func(context.Context) error) error {
	r := request{ctx, run, make(chan error, 1)}
	select {
	case <-w.quit:
		return ErrClosed
	default:
	}
	select {
	case w.requests <- r:
		return <-r.result
	case <-ctx.Done():
		return ctx.Err()
	case <-w.quit:
		return ErrClosed
	}
}

// close ends the goroutine and closes the connection.
func (w *writer) close() error {
	close(w.quit)
	return <-w.done
}

// transact runs do in a transaction. If anything fails, nothing of it stays, in the file
// or in memory.
func (w *writer) transact(ctx context.Context, do func() error) error {
	err := w.attempt(ctx, soon, do)
	if err == nil {
		w.sweep.after(w.c)
	}
	return err
}

// attempt is transact without what comes after it.
func (w *writer) attempt(ctx context.Context, when durability, do func() error) error {
	if err := w.ensure(ctx); err != nil {
		return err
	}
	err := w.c.synchronous(when)
	if err == nil {
		err = w.c.begin(ctx)
	}
	if err == nil {
		if err = do(); err == nil {
			err = unsure(w.c.commit())
		}
		w.c.rollback()
	}
	if err == nil && when == durably {
		err = w.stayed()
	}
	if err != nil {
		w.cache = newCache(w.c)
		w.unsynced = w.unsynced || isFsync(err)
		if _, kind := classify(err); kind == ErrDamaged {
			_ = w.shut() // what the connection believes may be wrong: the next one looks afresh
		}
	}
	return err
}

// ensure opens the file if it is not open, or is not the one that is at its path any
// more: a deleted one is made anew, and the sessions that write to it are enrolled again.
func (w *writer) ensure(ctx context.Context) error {
	if w.c != nil {
		here, err := w.inPlace()
		if here || err != nil {
			return err
		}
		if err := w.leave(); err != nil {
			return err
		}
	}
	if err := makeFolder(w.path); err != nil {
		return err
	}
	if err := w.open(ctx); err != nil {
		return err
	}
	err := w.renew()
	if err == nil {
		err = w.enrolAgain(ctx)
	}
	if err != nil {
		return errors.Join(err, w.shut())
	}
	return nil
}

// renew moves the log into the file and empties it, if an fsync of it has failed. The system
// forgets what it could not write to the disk, and calls the next fsync a success: behind
// such a gap nothing that is appended would be found after a power cut.
func (w *writer) renew() error {
	if !w.unsynced {
		return nil
	}
	waiting, _, err := w.c.checkpoint("TRUNCATE")
	if err == nil && waiting > 0 {
		err = &Error{Path: w.path, Kind: ErrLocked, Text: "failed to reach the disk, and its log is in use: writing goes on when those who read it have left it"}
	}
	w.unsynced = err != nil
	return err
}

// leave closes a file that was moved or deleted. Where it went it shall be whole, and
// nothing of its log may stay at the path: whoever opened another file there would take the
// log for that file's own, and write it over what is in it.
func (w *writer) leave() error {
	defer lockFolder(w.path)() // so that nobody of ours opens a file there in the meantime
	w.sweep.rest()
	_, _, err := w.c.checkpoint("TRUNCATE")
	if log, statErr := os.Stat(w.path + "-wal"); statErr == nil && w.log.same(identity{log}) {
		if log.Size() > 0 {
			return &Error{Path: w.path, Kind: ErrLocked, Err: err,
				Text: "was moved while its log was in use: recording goes on when those who read it have closed it"}
		}
		if err := w.removeLog(); err != nil {
			return err
		}
	}
	return w.shut()
}

// removeLog removes the empty log of a file that was moved or deleted, and its index. Others
// may still have that file open: when they leave it, they empty this log once more, which
// must not be the one of the file that is at the path by then.
func (w *writer) removeLog() error {
	for _, suffix := range [...]string{"-shm", "-wal"} {
		if err := os.Remove(w.path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// inPlace reports whether the file and its log are still those at the path. Without its
// log, others would write the file as if what is in the log had never been.
func (w *writer) inPlace() (bool, error) {
	for _, part := range [...]struct {
		name string
		was  identity
	}{{w.path, w.file}, {w.path + "-wal", w.log}} {
		info, err := os.Stat(part.name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return false, nil
		case err != nil:
			return false, err
		case !part.was.same(identity{info}):
			return false, nil
		}
	}
	return true, nil
}

// stayed returns an error if the file has left its place while it was written: nobody will
// find there what was written.
func (w *writer) stayed() error {
	here, err := w.inPlace()
	if err == nil && !here {
		err = &Error{Path: w.path, Kind: fs.ErrNotExist,
			Text: "was moved or deleted while an operation was written to it: do it again, it goes to the file that is there then"}
	}
	return err
}

// end closes the file for good. If another one has taken its place, it leaves that one
// alone.
func (w *writer) end() error {
	if w.c == nil {
		return nil
	}
	if here, err := w.inPlace(); err == nil && !here {
		if err := w.leave(); err != nil {
			return errors.Join(err, w.shut())
		}
		return nil
	}
	return w.shut()
}

// shut closes the connection, if there is one.
func (w *writer) shut() error {
	if w.c == nil {
		return nil
	}
	err := errors.Join(w.sweep.dismiss(), w.c.close())
	w.c, w.cache = nil, nil
	return err
}

// open opens the file, and makes it if it is missing. A file that is not ours is left
// alone.
func (w *writer) open(ctx context.Context) (err error) {
	if err := checkPlace(w.path); err != nil {
		return err
	}
	defer lockFolder(w.path)()
	made := false
	found, err := identify(w.path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := create(w.path); err != nil {
			return err
		}
		made = true
	} else if err != nil {
		return err
	}
	if err := peek(ctx, w.path); err != nil {
		return err
	}
	if _, err := inspect(ctx, w.path); err != nil {
		return err
	}
	if !made {
		if err := keepPrivate(w.path, found); err != nil {
			return err
		}
	}
	if err = w.connect(ctx); err != nil {
		_ = w.shut()
		if made {
			remove(w.path)
		}
	}
	return err
}

// connect opens the connection that writes, to a file that may be written. It takes no
// lock if the schema is current, so that a service starts while another one writes.
func (w *writer) connect(ctx context.Context) (err error) {
	if w.c, err = connect(dsn(w.path, writing)); err != nil {
		return err
	}
	if readOnly, err := w.c.readOnly(); err != nil || readOnly {
		return errors.Join(err, &Error{Path: w.path, Kind: ErrNotWritable, Text: notWritable})
	}
	h, err := readHeader(ctx, w.c)
	if err == nil && h.version != schemaVersion() {
		if err = migrate(ctx, w.c, w.path); err == nil {
			// The file itself shall say that it is ours. If it cannot yet, it is still empty,
			// and opens nevertheless.
			_, _, _ = w.c.checkpoint("TRUNCATE")
		}
	}
	if err != nil {
		return err
	}
	if w.sweep.helper, err = connect(dsn(w.path, writing)); err != nil {
		return err
	}
	if w.file, err = identify(w.path); err != nil {
		return err
	}
	log, err := os.Stat(w.path + "-wal")
	w.log, w.cache = identity{log}, newCache(w.c)
	return err
}
