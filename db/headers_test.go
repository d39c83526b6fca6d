package db_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

// count returns the number that a query gives.
func count(t *testing.T, path, query string) (n int64) {
	t.Helper()
	c, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.QueryRow(query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// withHeaders returns calls whose headers are in part the same each time, and in part not.
func withHeaders(s ledger.SessionID, calls int) []ledger.Call {
	list := make([]ledger.Call, calls)
	for i := range list {
		c := plainCall(s, int64(i+1))
		a := &c.AttemptList[0]
		a.Request.Header = append(requestHeader(), ledger.Field{Name: "X-Attempt-Token", Value: fmt.Sprintf("%032x", i*i)}) // nobody knows that it differs
		a.Response.Header = responseHeader(c.Started, int64(i))
		if i%3 == 0 {
			a.Response.Header = append(a.Response.Header, ledger.Field{Name: "Vary", Value: "Origin"}, ledger.Field{Name: "Set-Cookie", Value: "[redacted]"}, ledger.Field{Name: "Set-Cookie", Value: "ü\x00"})
		}
		list[i] = c
	}
	return list
}

// sorted returns the fields of a message in the order in which they are read.
func sorted(fields []ledger.Field) []ledger.Field {
	fields = slices.Clone(fields)
	slices.SortStableFunc(fields, func(a, b ledger.Field) int { return strings.Compare(a.Name, b.Name) })
	return fields
}

func TestHeadersAreReadAsTheyWereWritten(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	s := enrol(t, d, session("checkout"))
	list := withHeaders(s, 400)
	store(t, d, s, list)
	for i := range list {
		c, err := d.Call(context.Background(), list[i].ID)
		if err != nil {
			t.Fatal(err)
		}
		got, want := &c.AttemptList[0], &list[i].AttemptList[0]
		if !reflect.DeepEqual(got.Request.Header, sorted(want.Request.Header)) || !reflect.DeepEqual(got.Response.Header, sorted(want.Response.Header)) {
			t.Fatalf("call %s has headers\n%q\n%q, want\n%q\n%q", c.ID, got.Request.Header, got.Response.Header, want.Request.Header, want.Response.Header)
		}
	}
	if n := count(t, path, "SELECT count(*) FROM text WHERE kind = 12"); n < 2 || n > 10 {
		t.Errorf("there are %d sets of headers, want one for each sort of request and response", n)
	}
	if n := count(t, path, "SELECT sum(length(last)) / count(*) FROM call WHERE id > 200 + (1 << 40)"); n > 170 {
		t.Errorf("an attempt takes %d bytes, as if its headers were all written out", n)
	}
}

func TestABodyThatIsSentAgainIsKeptOnce(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	s := enrol(t, d, session("checkout"))
	data := make([]byte, 64<<10)
	for i := range data {
		data[i] = byte(rand.Uint32())
	}
	body := ledger.Body{Data: data, Size: int64(len(data)), SHA256: sha256.Sum256(data)}
	c := plainCall(s, 1)
	c.AttemptList = nil
	for n := range 5 {
		c.AttemptList = append(c.AttemptList, ledger.Attempt{N: n + 1, Status: 503, Outcome: ledger.Answered, RetryAfter: -1, Request: ledger.Message{Body: body}})
	}
	other := slices.Clone(data)
	other[7]++
	c.AttemptList[3].Request.Body = ledger.Body{Data: other, Size: body.Size, SHA256: sha256.Sum256(other)}
	c.Summarise()
	write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{c}})
	got, err := d.Call(context.Background(), c.ID)
	if err != nil || !reflect.DeepEqual(got, c) {
		t.Errorf("the call is read as another one (%v)", err)
	}
	if n := count(t, path, "SELECT count(*) FROM body"); n != 2 {
		t.Errorf("%d bodies are kept, want 2", n)
	}
}

func TestABodyIsReadAsItWasWhereverItIs(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	s := enrol(t, d, session("checkout"))
	c := plainCall(s, 1)
	c.AttemptList = nil
	hash := sha256.Sum256([]byte("all of it"))
	for n, b := range []ledger.Body{
		{Data: []byte("x"), Size: 1, SHA256: hash},
		{Data: []byte("x"), Size: 1},
		{Data: []byte("x"), Size: 1, SHA256: hash},
		{Data: []byte{}, Size: 9, SHA256: hash, Truncated: true},
		{Size: 9, SHA256: hash, Truncated: true},
		{Size: 9, Truncated: true},
		{Data: []byte(strings.Repeat("x", 128)), Size: 128, SHA256: hash},
		{Data: []byte(strings.Repeat("x", 129)), Size: 129, SHA256: hash},
		{Data: []byte(strings.Repeat("x", 129)), Size: 129},
		{Data: []byte(strings.Repeat("x", 129)), Size: 129, SHA256: hash},
	} {
		c.AttemptList = append(c.AttemptList, ledger.Attempt{N: n + 1, Status: 503, Outcome: ledger.Answered, RetryAfter: -1,
			Request: ledger.Message{Body: b}, Response: ledger.Message{Body: b}})
	}
	c.Summarise()
	write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{c}})
	got, err := d.Call(context.Background(), c.ID)
	if err != nil || !reflect.DeepEqual(got, c) {
		t.Errorf("the call is read as another one (%v)", err)
	}
	if n := count(t, path, "SELECT count(*) FROM body"); n != 5 {
		t.Errorf("%d bodies have rows of their own, want the long ones: 2 that were sent, 3 that came", n)
	}
}

func TestAHugeBodyDoesNotKeepABatchFromBeingWritten(t *testing.T) {
	d := open(t, newFile(t))
	s := enrol(t, d, session("checkout"))
	c := plainCall(s, 1)
	c.AttemptList[0].Response.Body = ledger.Body{Data: make([]byte, 64<<20+1), Size: 64<<20 + 1}
	write(t, d, &ledger.Batch{Session: s, Calls: []ledger.Call{c}})
	got, err := d.Call(context.Background(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	if b := got.AttemptList[0].Response.Body; len(b.Data) != 64<<20 || b.Size != 64<<20+1 || !b.Truncated {
		t.Errorf("%d bytes of %d are kept, truncated %v", len(b.Data), b.Size, b.Truncated)
	}
}

func TestTextsThatComeOnceStayInTheirRows(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	s := enrol(t, d, session("checkout"))
	var list []ledger.Call
	for n := range int64(1000) {
		c := plainCall(s, n+1)
		c.Path, c.Query, c.Error = fmt.Sprintf("/orders/%d", n), fmt.Sprintf("t=%d", n), fmt.Sprintf("dial %d", n)
		c.Host = strings.Repeat("h", int(n)*3) + ".test"
		list = append(list, c)
	}
	store(t, d, s, list)
	if n := count(t, path, "SELECT count(*) FROM text WHERE kind IN (4, 5, 6)"); n != 0 {
		t.Errorf("%d texts are in the dictionary", n)
	}
	for i, c := range calls(t, d, ledger.Query{}) {
		want := list[i]
		want.Host = want.Host[:min(len(want.Host), 1024)]
		want.AttemptList = nil
		if !reflect.DeepEqual(c, want) {
			t.Fatalf("a call is\n%+v, want\n%+v", c, want)
		}
	}
}

func TestTextsMayOutgrowMemory(t *testing.T) {
	d := open(t, newFile(t))
	s := enrol(t, d, session("checkout"))
	var paths []string
	for i := range 17_000 { // more than are kept in memory, twice each, so that they are worth an entry
		p := fmt.Sprintf("/p/%d", i)
		paths = append(paths, p, p)
	}
	paths = append(paths, "/p/0", "/p/0", "/p/16999", "/p/16999")
	list := make([]ledger.Call, len(paths))
	for i, path := range paths {
		list[i] = plainCall(s, int64(i+1))
		list[i].Path = path
		list[i].Started = start // in one second: this is not about rollups
	}
	for batch := range slices.Chunk(list, 4096) {
		write(t, d, &ledger.Batch{Session: s, Calls: batch})
	}
	i := 0
	err := d.Each(context.Background(), ledger.Query{}, func(c *ledger.Call) error {
		if c.Path != paths[i] {
			return fmt.Errorf("call %s has path %s, want %s", c.ID, c.Path, paths[i])
		}
		i++
		return nil
	})
	if err != nil || i != len(paths) {
		t.Errorf("there are %d calls (%v), want %d", i, err, len(paths))
	}
	for _, path := range []string{"/p/0", "/p/16999"} {
		if got := calls(t, d, ledger.Query{Filter: filter(t, "path:"+path)}); len(got) != 4 {
			t.Errorf("%s is found %d times, want 4", path, len(got))
		}
	}
}

func TestABeatDoesNotGoBack(t *testing.T) {
	d := open(t, newFile(t))
	s := enrol(t, d, session("checkout"))
	beat := time.Now().Add(time.Hour).UTC().Round(0)
	write(t, d, &ledger.Batch{Session: s, Beat: beat})
	write(t, d, &ledger.Batch{Session: s, Beat: beat.Add(-time.Minute)})
	if got, err := d.Session(context.Background(), s); err != nil || !got.LastSeen.Equal(beat) {
		t.Errorf("the last beat is %v (%v), want %v", got.LastSeen, err, beat)
	}
}
