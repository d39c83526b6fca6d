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
}

func newTexts() *texts { return &texts{known: map[int64]string{}} }

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
