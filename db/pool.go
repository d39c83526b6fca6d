package db

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"sync"

	"modernc.org/sqlite"
)

const (
	maxReaders = 8 // connections that read at the same time; whoever comes then waits
	maxIdle    = 2 // connections that are kept for the next one: each holds pages of the file
)

// pool holds the connections that read. It notices when another file takes the place of
// the one that they read.
type pool struct {
	path       string
	slots      chan struct{}
	neighbours *neighbours

	mu         sync.Mutex
	closed     bool
	file       identity
	generation int64 // counts the files that were at the path
	idle       []*conn
	texts      *texts
	watch      *conn // for version alone
}

// view is one read transaction.
type view struct {
	*conn
	texts      *texts
	neighbours *neighbours
	schema     int64 // version of the file's schema; 0: not asked yet
}

// knows reports whether the file has what a version of the schema brought. One that is only
// read is not changed, and another process may bring it up to date at any time.
func (v *view) knows(ctx context.Context, version int64) (_ bool, err error) {
	if v.schema == 0 {
		v.schema, err = v.number(ctx, `PRAGMA user_version`)
	}
	return v.schema >= version, err
}

func newPool(path string) *pool {
	return &pool{path: path, slots: make(chan struct{}, maxReaders), neighbours: newNeighbours()}
}

// read calls do with a read transaction: all that do reads is as of one moment. It must
// be short, as the log cannot be used anew while it lasts.
func (p *pool) read(ctx context.Context, do func(*view) error) error {
	select {
	case p.slots <- struct{}{}:
		defer func() { <-p.slots }()
	case <-ctx.Done():
		return ctx.Err()
	}
	c, texts, generation, err := p.take(ctx)
	if err != nil {
		return refuse(p.path, err)
	}
	if err = c.begin(ctx); err == nil {
		err = do(&view{conn: c, texts: texts, neighbours: p.neighbours})
	}
	c.rollback()
	p.give(c, generation, err)
	if errors.Is(err, errBlob) {
		err = &Error{Path: p.path, Kind: ErrDamaged, Text: "is damaged (" + err.Error() + "): keep it for `sqlite3 FILE .recover`", Err: err}
	}
	return refuse(p.path, err)
}

// take returns a connection to the file that is now at the path.
func (p *pool) take(ctx context.Context) (c *conn, t *texts, generation int64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.follow(ctx); err != nil {
		return nil, nil, 0, err
	}
	if n := len(p.idle); n > 0 {
		c = p.idle[n-1]
		p.idle = p.idle[:n-1]
	} else if c, err = openReader(p.path); err != nil {
		return nil, nil, 0, err
	}
	return c, p.texts, p.generation, nil
}

// give takes a connection back, unless the file is another one by now or the connection
// may have been harmed.
func (p *pool) give(c *conn, generation int64, err error) {
	var harmed *sqlite.Error
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed || generation != p.generation || len(p.idle) >= maxIdle || errors.As(err, &harmed) {
		_ = c.close()
		return
	}
	p.idle = append(p.idle, c)
}

// follow checks the file at the path if it is not the one of the last call.
func (p *pool) follow(ctx context.Context) error {
	if p.closed {
		return ErrClosed
	}
	now, err := identify(p.path)
	if err != nil {
		return err
	}
	if p.texts != nil && now.same(p.file) {
		return nil
	}
	if err := checkPlace(p.path); err != nil {
		return err
	}
	if err := peek(ctx, p.path); err != nil {
		return err
	}
	c, err := openReader(p.path)
	if err != nil {
		return err
	}
	h, err := checkFile(ctx, c, p.path)
	if err == nil && h.empty() {
		err = &Error{Path: p.path, Kind: fs.ErrNotExist, Text: "is empty: start a service that records to it (db.Open)"}
	}
	if err != nil {
		return errors.Join(err, c.close())
	}
	p.drop()
	p.file, p.texts, p.idle = now, newTexts(), []*conn{c}
	p.generation++
	return nil
}

// drop closes the connections that nobody uses.
func (p *pool) drop() {
	for _, c := range p.idle {
		_ = c.close()
	}
	if p.watch != nil {
		_ = p.watch.close()
	}
	p.idle, p.watch = nil, nil
}

// close waits for those that read, and closes all connections.
func (p *pool) close() error {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	for range cap(p.slots) {
		p.slots <- struct{}{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop()
	for range cap(p.slots) {
		<-p.slots
	}
	return nil
}

// openReader opens a connection for reading. A file in a folder where no log can be kept
// is read as it lies there, if it has no log.
func openReader(path string) (*conn, error) {
	c, err := connect(dsn(path, reading))
	if err == nil {
		_, err = c.number(context.Background(), `SELECT count(*) FROM sqlite_schema`)
		if err == nil {
			return c, nil
		}
		err = errors.Join(err, c.close())
	}
	if _, kind := classify(err); kind != ErrNotWritable || outOfFiles() {
		return nil, err
	}
	if log, err2 := os.Stat(path + "-wal"); err2 == nil && log.Size() > 0 {
		return nil, &Error{Path: path, Kind: ErrNotWritable, Err: err,
			Text: "has a log (-wal) that cannot be read where it is: copy both to a folder that you may write"}
	}
	return connect(dsn(path, frozen))
}

// Version returns a number that changes whenever the file has been written, by this
// process or another one.
func (d *DB) Version(ctx context.Context) (int64, error) {
	n, err := d.reads.version(ctx)
	return n, refuse(d.path, err)
}

func (p *pool) version(ctx context.Context) (int64, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.follow(ctx); err != nil {
		return 0, err
	}
	if p.watch == nil {
		c, err := openReader(p.path)
		if err != nil {
			return 0, err
		}
		p.watch = c
	}
	n, err := p.watch.number(ctx, `PRAGMA data_version`)
	if err != nil {
		_ = p.watch.close()
		p.watch = nil
		return 0, err
	}
	return p.generation<<32 | n, nil
}
