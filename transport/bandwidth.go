package transport

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// Bandwidth limits how fast the bodies of a host, or of all hosts together, are sent and
// received. All bodies that are under way at the same time share it, whatever goroutines
// they belong to. Several may hold for one request, such as one for its host and one for
// all hosts, and are then kept together.
//
// It counts the bytes of bodies, as they are handed to Base and to the caller: not heads,
// not TLS, and a response that net/http decompressed counts by what came out. A body is
// read in pieces of at most 50 ms of the rate (or 1 byte, if that is more) and held back
// piece by piece, so that no second sees more than 1.05 times the rate, and nothing is
// buffered. A pause ends at once when the request's context ends or the body is closed. A
// connection that switched to another protocol (101) is not limited.
//
// A slow upload is bounded by [Retry.AttemptTimeout] and by the request's context, but
// not by [net/http.Transport.ResponseHeaderTimeout], which begins when the request was
// written. All pauses of one attempt in one direction are recorded as one wait.
type Bandwidth struct {
	// Host is one host as in a URL, without wildcards. With a port it means that port only,
	// without one every port of the host. Upper and lower case are the same. If empty, the
	// limit is one for all hosts of the transport together.
	Host string
	// Up limits the bodies of requests, in bytes a second. If zero, they are not limited.
	Up int64
	// Down limits the bodies of responses, in bytes a second. If zero, they are not limited.
	Down int64
}

// validate returns an error that names the first field that cannot be. i is the place of
// the limit in [Transport.Bandwidth].
func (b *Bandwidth) validate(i int) error {
	field := func(name string) string { return fmt.Sprintf("Bandwidth[%d].%s", i, name) }
	_, _, ok := splitHost(b.Host)
	switch {
	case strings.Contains(b.Host, "*"):
		return invalid(field("Host"), strconv.Quote(b.Host), "a limit is for one host, such as api.example.test, or for all together if Host is empty")
	case b.Host != "" && !ok:
		return invalid(field("Host"), strconv.Quote(b.Host), "use a host as in a URL, such as api.example.test or api.example.test:8443, or leave it empty for all hosts")
	case b.Up < 0:
		return invalid(field("Up"), b.Up, "use bytes a second, or 0 for no limit")
	case b.Down < 0:
		return invalid(field("Down"), b.Down, "use bytes a second, or 0 for no limit")
	case b.Up == 0 && b.Down == 0:
		return invalid(field("Up"), 0, "set Up or Down, in bytes a second, since this limits nothing")
	}
	return nil
}

// bandwidths finds the limits of a body. A direction that nothing limits is nil.
type bandwidths struct{ up, down *traffic }

// newBandwidths returns nil if there are no limits at all.
func newBandwidths(list []Bandwidth) *bandwidths {
	if len(list) == 0 {
		return nil
	}
	return &bandwidths{
		up:   newTraffic(list, func(b Bandwidth) int64 { return b.Up }),
		down: newTraffic(list, func(b Bandwidth) int64 { return b.Down }),
	}
}

// hostLanes has the lanes of one host.
type hostLanes struct {
	ports map[string]*lane // of the ports that a limit names
	rest  *lane            // of all others; nil without a limit
}

// newTraffic returns the limits of one direction, nil without any.
func newTraffic(list []Bandwidth, rate func(Bandwidth) int64) *traffic {
	t := &traffic{hosts: map[string]*hostLanes{}}
	at := map[server][]*bucket{}
	for _, b := range list {
		if k := newBucket(rate(b)); k != nil {
			name, port, _ := splitHost(b.Host) // "" of "" is "".
			at[server{name, port}] = append(at[server{name, port}], k)
			t.buckets = append(t.buckets, k)
		}
	}
	if len(t.buckets) == 0 {
		return nil
	}
	everywhere := at[server{}]
	t.rest = t.addLane(everywhere)
	for w := range at {
		if w.name == "" {
			continue
		}
		whole := append(slices.Clone(at[server{name: w.name}]), everywhere...)
		if t.hosts[w.name] == nil {
			t.hosts[w.name] = &hostLanes{ports: map[string]*lane{}, rest: t.addLane(whole)}
		}
		if w.port != "" {
			t.hosts[w.name].ports[w.port] = t.addLane(append(slices.Clone(at[w]), whole...))
		}
	}
	return t
}

// addLane returns a new lane of the bodies that take from these buckets, nil without any.
func (t *traffic) addLane(buckets []*bucket) *lane {
	if len(buckets) == 0 {
		return nil
	}
	l := &lane{traffic: t, buckets: buckets, slow: buckets[0]}
	t.lanes = append(t.lanes, l)
	return l
}

// of returns the lane of a body that goes to or comes from a URL, nil without a limit.
func (t *traffic) of(u *url.URL) *lane {
	if t == nil {
		return nil
	}
	s := serverOf(u)
	h := t.hosts[s.name]
	if h == nil {
		return t.rest
	}
	if l := h.ports[cmp.Or(s.port, "80")]; l != nil { // Schemes of Base's own go by the limit of http.
		return l
	}
	return h.rest
}
