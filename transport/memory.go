package transport

import (
	"bytes"
	"io"
	"net/http"
	"reflect"
	"strings"
)

// net/http writes head and body of a request together if the body is a reader from the
// standard library that holds its bytes in memory, and else flushes the head first, so
// that a slow body does not hold it back. A body that is watched would always be of the
// second kind, and cost every small POST a packet of its own. So a small body in memory is
// taken in whole before the attempt, and net/http gets a reader of the kind it knows.

// maxMemory is the longest body that is taken in whole. Beyond it a packet more or less
// does not count.
const maxMemory = 64 << 10

// nopClosers are the types behind [io.NopCloser], which net/http looks into.
var nopClosers = [...]reflect.Type{
	reflect.TypeOf(io.NopCloser(struct{ io.Reader }{})),
	reflect.TypeOf(io.NopCloser(bytes.NewReader(nil))),
}

// inMemory returns the length of a body that holds its bytes in memory, and few of them; 0
// for any other.
func inMemory(body io.ReadCloser) (n int) {
	t := reflect.TypeOf(body)
	if t != nopClosers[0] && t != nopClosers[1] {
		return 0
	}
	switch r := reflect.ValueOf(body).Field(0).Interface().(type) {
	case *bytes.Reader:
		n = r.Len()
	case *bytes.Buffer:
		n = r.Len()
	case *strings.Reader:
		n = r.Len()
	}
	if n > maxMemory {
		return 0
	}
	return n
}

// hand returns the body as the base transport gets it, with the lock held. Only net/http's
// own transport says when it got a connection, and so whether it has read one in memory.
func (u *upload) hand() io.ReadCloser {
	n := 0
	if u.native && u.pace == nil {
		n = inMemory(u.body.inner)
	}
	if n == 0 {
		return u.body
	}
	data := u.body.whole(n)
	u.taken.Add(int64(len(data)))
	return io.NopCloser(bytes.NewReader(data))
}

// whole reads a body in memory that nobody has begun to read, and closes it. n is its length.
func (b *requestBody) whole(n int) []byte {
	data := make([]byte, n)
	got, _ := io.ReadFull(b.inner, data) // These readers fail only at their end.
	data = data[:got]
	b.mu.Lock()
	b.begun, b.eof = true, true
	b.capture.adopt(data)
	b.mu.Unlock()
	b.discard()
	return data
}

// read returns how many bytes of the upload's bodies were read for sending. One in memory
// counts as read as soon as there is a connection for it.
func (u *upload) read(s *stamps) int64 {
	n := u.sent.Load()
	if s.gots > 0 {
		n += u.taken.Load()
	}
	return n
}

// isNative reports whether base is net/http's own transport.
func isNative(base http.RoundTripper) bool {
	_, ok := base.(*http.Transport)
	return ok
}
