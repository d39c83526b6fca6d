package transport_test

import (
	"encoding/binary"
	"flag"
	"fmt"
	"hash"
	"hash/crc32"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"redial/db"
	"redial/recorder"
	"redial/transport"
)

// long makes the long tests as long as they are meant to be.
var long = flag.Bool("whole", false, "run the whole of the long tests, not a part")

const mib = int64(1 << 20)

// fast are limits that a machine does not reach for long, so that they cost no time.
var fast = []transport.Bandwidth{{Up: 4 << 30, Down: 4 << 30}, {Host: "127.0.0.1", Up: 8 << 30, Down: 8 << 30}}

// flat watches the memory of the process until it is asked.
type flat struct {
	heap, rss   int64 // at the beginning
	most, mostR atomic.Int64
	done, ended chan struct{}
}

func watchMemory() *flat {
	debug.FreeOSMemory()
	f := &flat{done: make(chan struct{}), ended: make(chan struct{})}
	f.heap, f.rss = memoryNow()
	go func() {
		defer close(f.ended)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			heap, rss := memoryNow()
			f.most.Store(max(f.most.Load(), heap))
			f.mostR.Store(max(f.mostR.Load(), rss))
			select {
			case <-tick.C:
			case <-f.done:
				return
			}
		}
	}()
	return f
}

// memoryNow returns the heap in use and the resident set, 0 where that cannot be found out.
func memoryNow() (heap, rss int64) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	statm, _ := os.ReadFile("/proc/self/statm")
	if fields := strings.Fields(string(statm)); len(fields) > 1 {
		pages, _ := strconv.ParseInt(fields[1], 10, 64)
		rss = pages * int64(os.Getpagesize())
	}
	return int64(m.HeapInuse), rss
}

// stayed reports how much the memory grew, and fails if it was not flat.
func (f *flat) stayed(t *testing.T, what string) {
	close(f.done)
	<-f.ended
	heap, rss := f.most.Load()-f.heap, f.mostR.Load()-f.rss
	t.Logf("%s: heap %+.1f MiB, resident set %+.1f MiB at most", what, float64(heap)/float64(mib), float64(rss)/float64(mib))
	if heap > 64*mib || rss > 64*mib {
		t.Errorf("%s takes %d MiB of heap and %d MiB of resident set", what, heap/mib, rss/mib)
	}
}

// pattern is a stream of bytes in which every block of 64 KiB is another.
type pattern struct {
	left, n int64
	block   [64 << 10]byte
	sum     hash.Hash32
}

func newPattern(size int64) *pattern {
	p := &pattern{left: size, sum: newSum()}
	for i := range p.block {
		p.block[i] = byte(i * 7)
	}
	return p
}

func newSum() hash.Hash32 { return crc32.New(crc32.MakeTable(crc32.Castagnoli)) }

// WriteTo writes the whole stream.
func (p *pattern) WriteTo(w io.Writer) (written int64, err error) {
	for p.left > 0 && err == nil {
		binary.BigEndian.PutUint64(p.block[:], uint64(p.n))
		b := p.block[:min(p.left, int64(len(p.block)))]
		p.sum.Write(b)
		var n int
		n, err = w.Write(b)
		p.n, p.left, written = p.n+1, p.left-int64(n), written+int64(n)
	}
	return written, err
}

// recorded returns a recorder that writes to a file, and where that is.
func recorded(t *testing.T) (rec *recorder.Recorder, path string) {
	path = filepath.Join(t.TempDir(), "large.db")
	store, err := db.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return recorder.New(store, recorder.Options{Service: "large"}), path
}

// allWritten closes the recorder and checks that the file has all calls and is small.
func allWritten(t *testing.T, rec *recorder.Recorder, path string, calls int64) {
	if err := rec.Close(); err != nil {
		t.Error(err)
	}
	if c := rec.Counters(); c.Written != calls || c.NotWritten() != 0 {
		t.Errorf("%d calls written, %d not, want %d", c.Written, c.NotWritten(), calls)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > 4*mib {
		t.Errorf("the file: %v, %v", info, err)
	}
}

// A large file is sent from the disk, again after a 503, with nothing kept of it but what the
// recording keeps.
func TestALargeUploadTakesNoMemory(t *testing.T) {
	size := 256 * mib
	if *long {
		size = 1 << 30
	}
	path := sparse(t, size)
	var requests atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 1 {
			io.CopyN(io.Discard, r.Body, 16*mib)
			w.WriteHeader(503)
			return
		}
		sum := newSum()
		n, err := io.Copy(sum, r.Body)
		fmt.Fprintf(w, "%d %x %v", n, sum.Sum32(), err)
	})
	rec, file := recorded(t)
	rt := &transport.Transport{Base: new(http.Transport), Recorder: rec, Retry: quick, Bandwidth: fast}
	defer rt.CloseIdleConnections()
	open := func() (io.ReadCloser, error) { return os.Open(path) }
	memory := watchMemory()
	body, _ := open()
	req, _ := http.NewRequest(http.MethodPut, s.URL, body)
	req.GetBody, req.ContentLength = open, size
	code, got, err := finish(rt.RoundTrip(req))
	memory.stayed(t, "the upload")
	f, _ := open()
	defer f.Close()
	sum := newSum()
	io.Copy(sum, f)
	if want := fmt.Sprintf("%d %x %v", size, sum.Sum32(), nil); code != 200 || got != want || err != nil {
		t.Errorf("%d %q %v, want %q", code, got, err, want)
	}
	allWritten(t, rec, file, 1)
}

// sparse makes a file of which most was never written, but some at its ends and in its middle.
func sparse(t *testing.T, size int64) (path string) {
	f, err := os.Create(filepath.Join(t.TempDir(), "upload"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, at := range []int64{0, size / 2, size - 9} {
		if _, err := f.WriteAt([]byte(payload), at); err != nil {
			t.Fatal(err)
		}
	}
	return f.Name()
}

// A large response goes through to its reader, with nothing kept of it but what the recording
// keeps.
func TestALargeDownloadTakesNoMemory(t *testing.T) {
	size := 1 << 10 * mib
	if *long {
		size *= 10
	}
	sent := make(chan uint32, 1)
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		p := newPattern(size)
		p.WriteTo(w)
		sent <- p.sum.Sum32()
	})
	rec, file := recorded(t)
	rt := &transport.Transport{Base: new(http.Transport), Recorder: rec, Retry: quick, Bandwidth: fast}
	defer rt.CloseIdleConnections()
	memory := watchMemory()
	req, _ := http.NewRequest(http.MethodGet, s.URL, nil)
	resp, err := rt.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	sum := newSum()
	n, err := io.Copy(sum, resp.Body)
	resp.Body.Close()
	memory.stayed(t, "the download")
	if want := <-sent; n != size || sum.Sum32() != want || err != nil {
		t.Errorf("%d bytes, sum %x, %v; want %d, %x", n, sum.Sum32(), err, size, want)
	}
	allWritten(t, rec, file, 1)
}
