package db

import (
	"context"
	"database/sql/driver"
	"hash/maphash"
)

// textKind is what a text of the dictionary is used for. The numbers are in the file.
type textKind uint8

const (
	textHost        textKind = 1
	textMethod      textKind = 2
	textScheme      textKind = 3
	textPath        textKind = 4
	textQuery       textKind = 5
	textError       textKind = 6
	textPolicy      textKind = 7
	textProto       textKind = 8
	textRemote      textKind = 9
	textHeaderName  textKind = 10
	textHeaderValue textKind = 11
	textHeaderSet   textKind = 12 // a blob; see headers.go
)

const (
	maxCached = 1 << 14 // texts whose ids are kept in memory
	maxBytes  = 1 << 22 // bytes of them all
	maxAdded  = 1 << 16 // texts that one process adds to a file
	maxShort  = 1 << 10 // bytes of a text that is worth an entry
	maxSet    = 1 << 14 // bytes of a header set that is
	renewal   = 1 << 20 // how often a full cache is asked before it is emptied for what is now in use
)

// dict is what a writer knows of the dictionary. A text is given an entry when it is seen
// for the second time: paths with ids in them, which come once, stay in their rows. So do
// those for which no memory is left, as to look each of them up in the file would cost
// more than it saves.
type dict struct {
	c     *conn
	hosts map[string]int64
	ids   map[textKey]int64
	bytes int // of the texts in ids
	asked int // how often id has been called since ids was emptied
	once  map[uint64]struct{}
	seed  maphash.Seed // of the hashes in once: of texts that were seen for the first time
	added int
	err   error // the first error of a statement
}

type textKey struct {
	kind  textKind
	value string
}

func newDict(c *conn) *dict {
	return &dict{c: c, hosts: map[string]int64{}, ids: map[textKey]int64{}, once: map[uint64]struct{}{}, seed: maphash.MakeSeed()}
}

// id returns the id of a text, if it has one or is worth one.
func (d *dict) id(kind textKind, value string) (int64, bool) {
	d.asked++
	key := textKey{kind, value}
	if id, ok := d.ids[key]; ok {
		return id, true
	}
	if d.err != nil || !worthwhile(kind, value) || !d.seen(key) || !d.room() {
		return 0, false
	}
	id := d.find(key, d.added < maxAdded)
	if id != 0 {
		d.ids[key] = id
		d.bytes += len(value)
	}
	return id, id != 0
}

// worthwhile reports whether a text may be given an entry when it comes again.
func worthwhile(kind textKind, value string) bool {
	switch kind {
	case textHeaderValue:
		return false // those that come again are in sets
	case textHeaderSet:
		return len(value) <= maxSet
	}
	return len(value) <= maxShort
}

// seen reports whether a text was seen before, as far as that is remembered.
func (d *dict) seen(key textKey) bool {
	hash := maphash.Comparable(d.seed, key)
	if _, ok := d.once[hash]; ok {
		return true
	}
	if len(d.once) >= maxCached {
		clear(d.once)
	}
	d.once[hash] = struct{}{}
	return false
}

// room reports whether there is memory for one more text.
func (d *dict) room() bool {
	if len(d.ids) < maxCached && d.bytes < maxBytes {
		return true
	}
	if d.asked < renewal {
		return false
	}
	clear(d.ids)
	d.bytes, d.asked = 0, 0
	return true
}

// host returns the id of a host, which always gets an entry. What is beyond reason of its
// name is cut off.
func (d *dict) host(name string) int64 {
	name = name[:min(len(name), maxShort)]
	if id, ok := d.hosts[name]; ok {
		return id
	}
	id := d.find(textKey{textHost, name}, true)
	if len(d.hosts) >= maxCached {
		clear(d.hosts)
	}
	if id != 0 {
		d.hosts[name] = id
	}
	return id
}

// find looks a text up in the file, where another process may have put it, and adds it if
// that is asked for. It returns 0 if there is none.
func (d *dict) find(key textKey, add bool) int64 {
	value := textNotNull(key.value)
	id, err := d.c.number(context.Background(), `SELECT id FROM text WHERE kind = ? AND value = ?`, int64(key.kind), value)
	if err == nil && id == 0 && add {
		var added driver.Result
		if added, err = d.c.exec(`INSERT INTO text (kind, value) VALUES (?, ?)`, int64(key.kind), value); err == nil {
			id, err = added.LastInsertId()
			d.added++
		}
	}
	if err != nil && d.err == nil {
		d.err = err
	}
	return id
}

// value returns what stands for a text in a column of type ANY.
func (d *dict) value(kind textKind, s string) driver.Value {
	if s == "" {
		return nil
	}
	return d.valueNotNull(kind, s)
}

// valueNotNull is value for a column that may not be NULL.
func (d *dict) valueNotNull(kind textKind, s string) driver.Value {
	if id, ok := d.id(kind, s); ok {
		return id
	}
	return textNotNull(s)
}
