package db

import (
	"context"
	"sync"
)

// texts is what readers know of the dictionary. Its entries never change, so they are
// shared, and looked up in whatever transaction needs them.
type texts struct {
	mu    sync.RWMutex
	known map[int64]string
	bytes int
	kinds map[textKind]*entries
}

// entries is what is known of the texts of one kind: all with an id up to last.
type entries struct {
	list  []entry
	last  int64
	bytes int
}

// entry is a row of the dictionary.
type entry struct {
	id    int64
	value string
}

func newTexts() *texts {
	return &texts{known: map[int64]string{}, kinds: map[textKind]*entries{}}
}

// entries returns the texts of a kind. It reports whether it has them all: a file can
// have more of them than are worth keeping in memory.
func (v *view) entries(ctx context.Context, kind textKind) (list []entry, complete bool, err error) {
	t := v.texts
	t.mu.Lock()
	defer t.mu.Unlock()
	e := t.kinds[kind]
	if e == nil {
		e = &entries{}
		t.kinds[kind] = e
	}
	if e.bytes < maxBytes {
		err = v.query(ctx, `SELECT id, CAST(value AS BLOB) FROM text WHERE id > ? AND +kind = ? ORDER BY id LIMIT ?`,
			values(e.last, int64(kind), maxAdded), func(r row) error {
				e.list = append(e.list, entry{r.int(0), r.text(1)})
				e.last = r.int(0)
				e.bytes += len(r.text(1)) + 32
				return nil
			})
	}
	return e.list, err == nil && e.bytes < maxBytes, err
}

// text returns an entry of the dictionary.
func (v *view) text(ctx context.Context, id int64) (s string, err error) {
	t := v.texts
	t.mu.RLock()
	s, ok := t.known[id]
	t.mu.RUnlock()
	if ok {
		return s, nil
	}
	found, err := v.one(ctx, `SELECT value FROM text WHERE id = ? AND octet_length(value) <= ?`, values(id, maxSet), func(r row) error {
		s = r.text(0)
		return nil
	})
	if err != nil || !found {
		return "", orBlob(err)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.known) >= maxCached || t.bytes >= maxBytes {
		clear(t.known)
		t.bytes = 0
	}
	t.known[id] = s
	t.bytes += len(s)
	return s, nil
}

// orBlob returns err, or the error for a row that refers to one that is not there.
func orBlob(err error) error {
	if err == nil {
		return errBlob
	}
	return err
}
