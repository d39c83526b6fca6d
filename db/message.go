package db

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"strings"

	"redial/ledger"
)

// What a message keeps, in the order in which it is stored.
const (
	messageHeader    = 1 << iota
	messageSize      // of the body
	messageTruncated // is its own value
	messageData      // in the table body, or here; is its own value
	messageEmpty     // data that is there but has no bytes; is its own value
	messageHash      // where the data is; is its own value
	messageSame      // the body is that of an earlier attempt, whose number follows
	messageHere      // what there is of hash and data follows
)

// maxHere is how long a body may be to stay with its attempt. A row of its own would take
// more than it, in the file and in time; a longer one would make the rows of the calls, of
// which searches read so many, longer than they are without it.
const maxHere = 128

// kept reports whether there is anything to store of a message.
func kept(m *ledger.Message) bool {
	b := &m.Body
	return m.Header != nil || b.Data != nil || b.Size != 0 || b.Truncated || b.SHA256 != [sha256.Size]byte{}
}

// hasRow reports whether a body needs a row of its own.
func hasRow(b *ledger.Body) bool { return len(b.Data) > maxHere }

// sameBody returns the number of the earlier attempt that sent the same body as a, 0 if
// none did. A retry usually does, and its body is then kept once.
func sameBody(a *ledger.Attempt, previous []ledger.Attempt) int {
	b := &a.Request.Body
	if !hasRow(b) {
		return 0
	}
	for i := range previous {
		p := &previous[i].Request.Body
		if p.Size == b.Size && p.SHA256 == b.SHA256 && p.Truncated == b.Truncated && bytes.Equal(p.Data, b.Data) {
			return previous[i].N
		}
	}
	return 0
}

// message appends what is kept of a message; same is the number of the attempt that has
// the same body, 0 for none.
func (e *encoder) message(m *ledger.Message, same int) {
	b, has := &m.Body, mask(0)
	has.set(messageHeader, m.Header != nil)
	has.set(messageSize, b.Size != 0)
	has.set(messageTruncated, b.Truncated || len(b.Data) > maxBody)
	has.set(messageData, len(b.Data) > 0)
	has.set(messageEmpty, b.Data != nil && len(b.Data) == 0)
	has.set(messageHash, b.SHA256 != [sha256.Size]byte{})
	has.set(messageSame, same != 0)
	has.set(messageHere, !hasRow(b) && has&(messageData|messageHash) != 0)
	e.uint(uint64(has))
	if has&messageHeader != 0 {
		e.header(m.Header)
	}
	if has&messageSize != 0 {
		e.int(b.Size)
	}
	if has&messageSame != 0 {
		e.int(int64(same))
	}
	if has&messageHere != 0 && has&messageHash != 0 {
		e.buf = append(e.buf, b.SHA256[:]...)
	}
	if has&messageHere != 0 && has&messageData != 0 {
		e.uint(uint64(len(b.Data)))
		e.buf = append(e.buf, b.Data...)
	}
}

// header appends the fields of a message: the id of the set of those that repeat, 0 for
// none, and the others one by one.
func (e *encoder) header(fields []ledger.Field) {
	rest := fields
	id := int64(0)
	if e.headers != nil {
		id, rest = e.headers.split(fields)
	}
	e.uint(uint64(id))
	e.uint(uint64(len(rest)))
	for _, f := range rest {
		e.text(textHeaderName, f.Name)
		e.text(textHeaderValue, f.Value)
	}
}

// bodyPlace says where a body is: in the row of the attempt with this number; 0: it has no
// row.
type bodyPlace int

// message takes what is kept of a message of attempt n.
func (d *decoder) message(m *ledger.Message, n int) (place bodyPlace) {
	has := d.uint()
	if has&messageHeader != 0 {
		m.Header = d.header()
	}
	m.Body.Size = d.ints(has, messageSize)
	m.Body.Truncated = has&messageTruncated != 0
	if has&messageEmpty != 0 {
		m.Body.Data = []byte{}
	}
	if has&messageHere != 0 {
		d.bodyHere(&m.Body, has)
	} else if has&(messageData|messageHash) != 0 {
		place = bodyPlace(n)
	}
	if has&messageSame != 0 {
		place = bodyPlace(d.int())
	}
	return place
}

// bodyHere takes a body that has no row.
func (d *decoder) bodyHere(b *ledger.Body, has uint64) {
	if has&messageHash != 0 {
		copy(b.SHA256[:], d.take(sha256.Size))
	}
	if has&messageData != 0 {
		b.Data = bytes.Clone(d.take(d.uint()))
	}
}

// header takes the fields of a message, sorted by name.
func (d *decoder) header() []ledger.Field {
	fields := []ledger.Field{}
	if id := d.uint(); id != 0 {
		set := decode([]byte(d.entry(int64(id))), nil)
		for range set.count(2, maxList) {
			fields = append(fields, ledger.Field{Name: set.literal(), Value: set.literal()})
		}
		if err := set.end(); err != nil {
			d.fail(err)
		}
	}
	for range d.count(2, maxList) {
		fields = append(fields, ledger.Field{Name: d.text(), Value: d.text()})
	}
	slices.SortStableFunc(fields, func(a, b ledger.Field) int { return strings.Compare(a.Name, b.Name) })
	return fields
}
