package transport

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"redial/ledger"
)

// WindowKind says how a [Window] counts.
type WindowKind = ledger.WindowKind

// The kinds of window.
const (
	// FixedWindow counts in windows that lie one behind the other: number n begins at n × Per
	// of Unix time, so that it can be lined up with a server that counts the same way. It lets
	// up to twice Limit through within one Per around a boundary: Limit just before it and
	// Limit just after.
	FixedWindow = ledger.FixedWindow
	// SlidingWindow lets at most Limit through in any stretch of time of length Per. It
	// remembers each request; with a Limit above 1,024 it remembers groups of them, and a
	// place can come back up to Per/1024 late.
	SlidingWindow = ledger.SlidingWindow
	// GCRA, the generic cell rate algorithm, lets one request through each Per/Limit, and
	// Burst at once after a time without any.
	GCRA = ledger.GCRAWindow
)

// Window is a rate window: at most Limit requests in each period of length Per, counted
// as Kind says. The zero Kind is a [FixedWindow]. Every attempt takes a place in each window
// that it falls into, in all of them or in none, and gets it back if it provably never
// reached the server. Callers that find no place wait.
//
// Callers that need the same windows are let through first come, first served. One that
// waits for a slow window, such as that of its key, holds up nobody who does not need
// that one; once it gets to a window that both need, it goes before those who came to the
// host later.
//
// A window counts within one Transport of one process. N processes with the same window send
// up to N × Limit in Per: give each its share, Limit/N, or rely on what the server says
// about its own limit, which narrows the windows of each ([Transport.NoPause]).
type Window struct {
	// Host is one host as in a URL, without wildcards. With a port it means that port only,
	// without one every port of the host. Upper and lower case are the same, and so are a
	// name with and without a dot at its end. If empty, the window is for every host, and
	// counts each apart.
	Host string
	// Path narrows the window to the requests whose path fits this pattern, which share it.
	// The pattern is as in [http.ServeMux]: /items/{id} has one segment in the place of {id},
	// /items/ is all that is below it. If empty, every path.
	Path string
	// Key counts apart the requests for which it returns different texts, such as the account
	// that a request is made for. "" is not counted at all. It is called once for each call
	// before it is sent, from the call's goroutine; it must not change the request. The texts
	// are recorded as names of windows, so they must not be secrets. If nil, all requests
	// count together.
	Key func(*http.Request) string
	// Kind is how the window counts.
	Kind WindowKind
	// Limit is how many requests a window holds, at least 1.
	Limit int
	// Per is how long a window lasts, more than 0.
	Per time.Duration
	// Burst is how many requests a [GCRA] lets through at once after a time without any. If
	// zero, 1. The other kinds have none.
	Burst int
}

// maxKeys is how many keys a window counts apart for each host, and for how many hosts a
// window without a Host counts apart. Beyond it keys and hosts are forgotten that have all of
// their places; as long as there are none of these, further ones share a window.
const maxKeys = 1024

// overflow is the name of what keys, or hosts, beyond maxKeys share.
const overflow = "(others)"

// validate returns an error that names the first field that cannot be. i is the place of
// the window in [Transport.Windows].
func (w *Window) validate(i int) error {
	field := func(name string) string { return fmt.Sprintf("Windows[%d].%s", i, name) }
	_, _, ok := splitHost(w.Host)
	where := w.Host
	if where == "" {
		where = "each host"
	}
	switch {
	case strings.Contains(w.Host, "*"):
		return invalid(field("Host"), strconv.Quote(w.Host), "a window is for one host, such as api.example.test, or without a Host for every host, counted apart")
	case !ok && w.Host != "":
		return invalid(field("Host"), strconv.Quote(w.Host), "use a host as in a URL, such as api.example.test or api.example.test:8443")
	case !w.pathOK():
		return invalid(field("Path"), strconv.Quote(w.Path), errPathPattern.Error())
	case w.Kind > GCRA:
		return invalid(field("Kind"), uint8(w.Kind), "use FixedWindow, SlidingWindow or GCRA")
	case w.Limit <= 0:
		return invalid(field("Limit"), w.Limit, "set how many requests to "+where+" a window holds, at least 1")
	case w.Per <= 0:
		return invalid(field("Per"), w.Per, "set how long a window of "+where+" lasts, such as 4500 * time.Millisecond")
	case w.Burst < 0:
		return invalid(field("Burst"), w.Burst, "set how many requests to "+where+" may go at once, or 0 for 1")
	case w.Burst > 0 && w.Kind != GCRA:
		return invalid(field("Burst"), w.Burst, "only a GCRA has a burst: set Kind to GCRA, or Burst to 0")
	case w.Kind == GCRA && time.Duration(w.Burst) > maxWait/2/interval(w.Limit, w.Per):
		return invalid(field("Burst"), w.Burst, "it would take centuries to save up for that: use a smaller one")
	}
	return nil
}

func (w *Window) pathOK() bool {
	_, err := parsePath(w.Path)
	return w.Path == "" || err == nil
}

// spec is a Window, ready to be asked.
type spec struct {
	Window
	place int           // in [Transport.Windows]
	paths pathPattern   // means nothing without a Path
	host  string        // as shown: in lower case, with the port where the Window names one; "": every host
	port  string        // "": every port
	slow  time.Duration // how long a full window needs at most until there is a place again
}

// holds reports whether the window counts requests to a port.
func (s *spec) holds(port string) bool { return s.port == "" || s.port == port }

// window is the state of one Window for one key. Its host's lock guards it.
type window struct {
	spec *spec
	name string // what it is for beside the host
	meter
	server   allowance       // what the server said is left
	declared ledger.Declared // what it said last, to be shown

	held  int // places of waiters that still wait for another window
	pins  int // waiters that need it, wherever they stand
	queue queue
	alarm alarm
}

// room returns how many more places can be taken now.
func (w *window) room(mono time.Duration) int {
	return max(w.server.narrow(w.meter.room(mono), mono)-w.held, 0)
}

// free returns how many requests may go now without waiting.
func (w *window) free(mono time.Duration) int {
	if w.queue.len() > 0 {
		return 0
	}
	return w.room(mono)
}

// opens returns how long a caller with so many others ahead of it, who hold no place yet, has
// to wait if none of them gives up. It costs the same however many they are. It is exact where
// all who wait need this window alone, and else an estimate: who also waits for another
// window may come here later than that.
func (w *window) opens(ahead int, mono time.Duration) time.Duration {
	return w.server.delay(w.meter.after(ahead+w.held, mono), ahead+w.held, mono)
}

// least returns how long it takes at least until there is a place, whoever leaves, and whether
// it is what the server said that makes it so long.
func (w *window) least(mono time.Duration) (wait time.Duration, told bool) {
	own := w.meter.after(0, mono)
	wait = w.server.delay(own, 0, mono)
	return wait, wait > own
}

// told reports whether what the server said holds up those who come now.
func (w *window) told(mono time.Duration) bool { return w.server.narrow(w.held+1, mono) <= w.held }

// idle reports whether the window can be forgotten.
func (w *window) idle(mono time.Duration) bool {
	return w.pins == 0 && w.held == 0 && w.queue.len() == 0 && w.meter.idle(mono) && mono >= w.server.until
}

// refund gives back the place in a slot.
func (w *window) refund(s *slot, mono time.Duration) {
	w.meter.refund(s.mark, mono)
	w.server.refund(s.serial)
}
