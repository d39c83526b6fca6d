package transport

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"time"

	"redial/ledger"
)

// Window is a fixed rate window: at most Limit requests to Host in each period of length
// Per. Window number n begins at n × Per of Unix time, so that it can be lined up with a
// server that counts the same way. Every attempt takes a place. Callers that find no place
// wait, and are let through first come, first served.
//
// Like every fixed window it lets up to twice Limit through within one Per around a
// boundary: Limit just before it and Limit just after.
type Window struct {
	// Host is one host as in a URL, without wildcards. With a port it means that port only,
	// without one every port of the host. Upper and lower case are the same, and so are a
	// name with and without a dot at its end.
	Host string
	// Limit is how many requests a window holds, at least 1.
	Limit int
	// Per is how long a window lasts, more than 0.
	Per time.Duration
}

// validate returns an error that names the first field that cannot be. i is the place of
// the window in [Transport.Windows].
func (w *Window) validate(i int) error {
	field := func(name string) string { return fmt.Sprintf("Windows[%d].%s", i, name) }
	_, _, ok := splitHost(w.Host)
	switch {
	case strings.Contains(w.Host, "*"):
		return invalid(field("Host"), strconv.Quote(w.Host), "a window is for one host, so give each host its own, such as api.example.test")
	case !ok:
		return invalid(field("Host"), strconv.Quote(w.Host), "use a host as in a URL, such as api.example.test or api.example.test:8443")
	case w.Limit <= 0:
		return invalid(field("Limit"), w.Limit, "set how many requests to "+w.Host+" a window holds, at least 1")
	case w.Per <= 0:
		return invalid(field("Per"), w.Per, "set how long a window of "+w.Host+" lasts, such as 4500 * time.Millisecond")
	}
	return nil
}

// splitHost returns the parts of a host as in a URL, in lower case and without the
// brackets of IPv6. It reports false for what is not one.
func splitHost(host string) (name, port string, ok bool) {
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is6() {
		return strings.ToLower(host), "", true
	}
	u, err := url.Parse("http://" + host)
	if err != nil || u.Host != host || u.User != nil || strings.ContainsAny(host, " \t\r\n") {
		return "", "", false
	}
	name, port = windowName(u.Hostname()), u.Port()
	if name == "" || strings.HasSuffix(host, ":") {
		return "", "", false
	}
	if port != "" {
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return "", "", false
		}
	}
	return name, port, true
}

// windowName returns the name that windows know a host by: in lower case and without the
// dot that says that a name is complete, since both reach the same server.
func windowName(host string) string { return strings.TrimSuffix(strings.ToLower(host), ".") }

// window is the state of one Window. Its host's lock guards it.
type window struct {
	host  string // as shown: in lower case, with the port where the Window names one
	port  string // "": every port
	limit int
	per   time.Duration

	// Ends of the current window on the monotonic clock. A clock that is set while the
	// process runs moves neither.
	opened bool // a window was ever opened
	end    time.Duration
	used   int
	number int64 // counts the windows that were opened, to tell whether a place is still of the current one

	queue    queue
	forecast forecast // is made anew for each look ahead
}

func newWindow(w Window) *window {
	name, port, _ := splitHost(w.Host)
	shown := name
	if port != "" {
		shown = net.JoinHostPort(name, port)
	}
	return &window{host: shown, port: port, limit: w.Limit, per: w.Per}
}

// roll opens the next window if the current one has ended. The wall clock, in nanoseconds
// of Unix time, says where the boundaries are; the monotonic one says when they are
// reached. They agree until somebody sets the clock. Then boundaries move to where the
// wall clock wants them, but no window becomes noticeably shorter than per and none
// as long as twice that: a clock that jumps neither stalls callers nor lets a burst through.
func (w *window) roll(wall int64, mono time.Duration) {
	if w.opened && mono < w.end {
		return
	}
	into := time.Duration(wall % int64(w.per))
	if into < 0 {
		into += w.per
	}
	start := mono - into
	end := start + w.per
	if w.opened {
		slack := w.per / 64 // for clocks that are slewed, and for the moment between two readings
		switch {
		case start >= w.end-slack:
			// On the boundary, or some windows later.
		case end <= w.end+slack:
			w.end = end // The wall clock has a moment to go until the boundary.
			return
		default:
			end += w.per
		}
	}
	w.opened, w.end, w.used = true, end, 0
	w.number++
}

// free returns how many requests may go now without waiting.
func (w *window) free() int {
	if w.queue.len > 0 {
		return 0
	}
	return max(w.limit-w.used, 0)
}

// opensFor returns how long a caller with so many others ahead of it has to wait if none
// of them gives up.
func (w *window) opensFor(ahead int, mono time.Duration) time.Duration {
	room := w.limit - w.used
	if ahead < room {
		return 0
	}
	windows := time.Duration((ahead - max(room, 0)) / w.limit)
	if first := w.end - mono; windows <= (maxWait-first)/w.per {
		return first + windows*w.per
	}
	return maxWait
}

// state returns what the window looks like at now, to be shown.
func (w *window) state(now time.Time, mono time.Duration) ledger.Window {
	s := ledger.Window{
		Host:    w.host,
		Limit:   w.limit,
		Per:     w.per,
		Used:    w.used,
		Opens:   now.Add(w.end - mono).Round(0),
		Waiting: w.queue.len,
	}
	if first := w.queue.first; first != nil {
		s.Since = first.waiter.since.Round(0)
	}
	return s
}
