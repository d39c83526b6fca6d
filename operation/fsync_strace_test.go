//go:build linux && strace

package operation_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"redial/operation/books"
)

// SIGKILL does not test fsync, since the page cache survives it. So the system calls of a
// shop are watched: for each request that carries a key, the same process must before it
// have written a page of the log that names the key, and then have completed an fsync of
// the log, and both after the last request with that key.
func TestAnFsyncCompletesBetweenEveryStepAndItsFirstByte(t *testing.T) {
	server, err := books.New(99, books.Options{Rate: 0.4, LookupRate: 0.1, Hang: time.Second, RetryAfter: "0",
		Faults: []books.Fault{books.ResetBeforeReply, books.CommitReset, books.TooMany, books.Unavailable, books.Truncated}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	dir := t.TempDir()
	trace := filepath.Join(dir, "trace")
	shop := shopCommand(t, server, filepath.Join(dir, "shop.db"), "s")
	shop.Env = append(shop.Env, "REDIAL_TEST_PAIRS=100")
	shop.Args = append([]string{"strace", "-f", "-s", "65536", "-e", "trace=pwrite64,fsync,fdatasync,write,open,openat", "-o", trace}, shop.Args...)
	if shop.Path, err = exec.LookPath("strace"); err != nil {
		t.Fatal(err)
	}
	if out, err := shop.Output(); err != nil || !strings.Contains(string(out), "settled") {
		t.Fatalf("the shop said %q: %v", out, err)
	}
	w := readTrace(t, trace)
	first, again := 0, 0
	for key, n := range w.sends {
		first++
		again += n - 1
		if len(w.faults[key]) > 0 {
			t.Errorf("%s: %v", key, w.faults[key])
		}
	}
	t.Logf("%d operations, and %d sends after the first of each, all behind an fsync", first, again)
	if first != 200 || again < 20 {
		t.Errorf("the trace shows %d operations and %d sends after the first", first, again)
	}
}

// watch is what the system calls of a process have shown so far.
type watch struct {
	logs    map[string]bool // descriptors of the write-ahead log
	pending map[string]string
	written map[string]bool // keys in pages that were written since their last send
	durable map[string]bool // and that an fsync has completed for
	sends   map[string]int
	faults  map[string][]string
}

var (
	callLine = regexp.MustCompile(`^(\d+) +(\w+)\((.*)$`)
	resumed  = regexp.MustCompile(`^(\d+) +<\.\.\. (\w+) resumed>(.*)$`)
	openLog  = regexp.MustCompile(`-wal", .* = (\d+)$`)
	keyName  = regexp.MustCompile(`key-order-s-\d+`)
	keyLine  = regexp.MustCompile(`(?i)idempotency-key: (key-order-s-\d+)\\r`)
)

func readTrace(t *testing.T, path string) *watch {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := &watch{logs: map[string]bool{}, pending: map[string]string{}, written: map[string]bool{}, durable: map[string]bool{},
		sends: map[string]int{}, faults: map[string][]string{}}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		w.line(lines.Text())
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return w
}

// line takes in one line. A call that strace shows in two parts begins with its first and
// is complete with its second.
func (w *watch) line(line string) {
	if m := resumed.FindStringSubmatch(line); m != nil {
		w.completed(m[2], w.pending[m[1]]+m[3])
		return
	}
	m := callLine.FindStringSubmatch(line)
	if m == nil {
		return
	}
	if m[2] == "write" {
		w.send(m[3]) // its first byte may leave as soon as it begins
	}
	if args, cut := strings.CutSuffix(m[3], "<unfinished ...>"); cut {
		w.pending[m[1]] = args
		return
	}
	w.completed(m[2], m[3])
}

func (w *watch) completed(call, args string) {
	fd, _, _ := strings.Cut(args, ",")
	fd, _, _ = strings.Cut(fd, ")")
	fd = strings.TrimSpace(fd)
	switch call {
	case "open", "openat":
		if m := openLog.FindStringSubmatch(args); m != nil {
			w.logs[m[1]] = true
		}
	case "pwrite64":
		if w.logs[fd] {
			for _, key := range keyName.FindAllString(args, -1) {
				w.written[key] = true
			}
		}
	case "fsync", "fdatasync":
		if w.logs[fd] && strings.HasSuffix(args, "= 0") {
			for key := range w.written {
				w.durable[key] = true
			}
		}
	}
}

// send takes in what is written to a socket.
func (w *watch) send(args string) {
	m := keyLine.FindStringSubmatch(args)
	if m == nil || !strings.Contains(args, `"POST `) {
		return
	}
	key := m[1]
	w.sends[key]++
	switch {
	case !w.written[key]:
		w.faults[key] = append(w.faults[key], "sent, and no page with its key was written before")
	case !w.durable[key]:
		w.faults[key] = append(w.faults[key], "sent, and no fsync of the log completed after its page was written")
	}
	delete(w.written, key)
	delete(w.durable, key)
}
