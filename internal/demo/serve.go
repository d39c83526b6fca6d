package demo

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Headers of the demo's APIs.
const (
	keyHeader = "Idempotency-Key"
	idHeader  = "X-Request-Id" // one for each call, the same in all its attempts
)

// lateness is how long the answer to a late request takes: longer than any patience.
const lateness = 6 * time.Second

// landsAfter is how long after its connection a late request is done.
const landsAfter = 3 * time.Second

// maxBody is more than the shop ever sends.
const maxBody = 1 << 20

// trace is what a broken API answers. It was coloured for a terminal, as such pages are.
const trace = "\x1b[31mpanic\x1b[0m: runtime error: index out of range [7] with length 7\r\n" +
	"goroutine 4711 [running]:\r\nmain.(*Feed).page(0xc000118000, 0x8)\r\n\t/srv/feed/page.go:112 +0x1a5\r\n"

// ServeHTTP counts a request and answers it, or does to it what the seed has in store.
func (v *vendor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		return // It did not arrive whole.
	}
	s := &service{vendor: v, w: w}
	name := strings.TrimSuffix(hostname(r.Host), domain)
	id := r.Header.Get(idHeader)
	s.query = &query{Request: r, body: body, n: callNumber(id)}
	s.place, s.before = v.book.arrive(request{
		Host: r.Host, ID: id, Method: r.Method, Path: r.URL.RequestURI(), Key: r.Header.Get(keyHeader),
	})
	a, ok := v.apis[name]
	if !ok {
		s.answer(inJSON(http.StatusNotFound, object{"error": "no such API: " + r.Host}))
		return
	}
	s.api, s.query.dice = a, dice(v.seed, name+" answer", s.query.n)
	if s.limited() || s.barred() {
		return
	}
	s.mistreat(s.fault())
}

// service is the serving of one request.
type service struct {
	*vendor
	*query
	w      http.ResponseWriter
	api    *api
	place  int // of the request in the account
	before int // earlier requests of the same call
}

// fault returns what befalls the request.
func (s *service) fault() fault {
	fate := s.api.fate(s.seed, s.n)
	plan := fate.sends
	switch {
	case s.looksUp():
		plan = fate.lookups
	case s.takesBack():
		return fine
	}
	if s.before >= len(plan) {
		return fine
	}
	return plan[s.before]
}

// mistreat answers the request as the fault wants it.
func (s *service) mistreat(f fault) {
	if !s.work(s.api.latency(s.query)) {
		return
	}
	switch f {
	case busy:
		s.answer(inJSON(http.StatusServiceUnavailable, object{"error": "overloaded", "hint": "try again"}))
	case busyUntil:
		s.refuse(http.StatusServiceUnavailable, "under maintenance")
	case throttled:
		s.refuse(http.StatusTooManyRequests, "too many requests")
	case broken:
		s.answer(answer{status: http.StatusInternalServerError, body: []byte(trace),
			header: map[string]string{"Content-Type": "text/plain"}})
	case cut:
		s.reset()
	case dropped:
		s.do()
		s.reset()
	case late:
		a := s.do()
		if s.work(lateness) {
			s.answer(a)
		}
	case landing:
		s.landings.Go(s.land)
		s.reset()
	case declined:
		s.answer(inJSON(http.StatusPaymentRequired, object{"error": "the card was declined", "code": "insufficient_funds"}))
	case stale:
		s.answer(s.api.find(s.query, ""))
	case foreign:
		s.answer(s.api.find(s.query, somebodyElses))
	default:
		s.answer(s.do())
	}
}

// land does what was asked for, long after whoever asked has gone.
func (s *service) land() {
	time.Sleep(landsAfter)
	s.do()
}

// work passes the time that something takes, and reports whether the caller is still
// there when it is over.
func (s *service) work(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.Context().Done():
		return false
	}
}

// do does what is asked, unless it was done before under the same key: then it finds the
// answer that was given, or was to be given, then.
func (s *service) do() answer {
	if s.looksUp() {
		return s.truth()
	}
	s.doing.Lock() // two requests with one key must not both find that it is new
	defer s.doing.Unlock()
	if s.takesBack() {
		return s.takeBack()
	}
	key := ""
	if s.api.keys > 0 {
		key = s.Header.Get(keyHeader)
	}
	if key != "" {
		key = s.api.name + " " + key
		if a, ok := s.memory.recall(key, s.api.keys); ok {
			a.header = maps.Clone(a.header)
			a.header["Idempotent-Replayed"] = "true"
			return a
		}
	}
	a := s.api.serve(s.query)
	if a.effect != "" {
		s.book.done(a.effect)
	}
	if key != "" {
		s.memory.keep(key, a)
	}
	return a
}

// refuse answers with a status and the seconds to wait.
func (s *service) refuse(status int, why string) {
	seconds := 1 + s.dice.IntN(3)
	a := inJSON(status, object{"error": why, "retry_after_s": seconds})
	a.header["Retry-After"] = strconv.Itoa(seconds)
	s.answer(a)
}

// limited holds the request against the declared limit, and answers if it is beyond it.
func (s *service) limited() bool {
	l := s.limiters[s.api.name]
	if l == nil {
		return false
	}
	now := time.Now()
	ok, left, opens := l.take(now)
	l.declare(s.w.Header(), left, opens)
	if ok {
		return false
	}
	s.book.violated(fmt.Sprintf("%s of %s came at %s, in a window that had its %d requests",
		s.Header.Get(idHeader), s.Host, now.UTC().Format("15:04:05.000"), l.requests))
	a := inJSON(http.StatusTooManyRequests, object{"error": "rate limit exceeded"})
	a.header["Retry-After"] = strconv.Itoa(int(math.Ceil(opens.Seconds())))
	s.answer(a)
	return true
}

// answer enters the status in the account and then sends the answer, so that no caller
// has seen one that the vendor does not know of.
func (s *service) answer(a answer) {
	s.book.answer(s.place, a.status)
	h := s.w.Header()
	for name, value := range a.header {
		h.Set(name, value)
	}
	h.Set("Server", "vendor/2.3")
	h.Set(idHeader, s.Header.Get(idHeader))
	if s.api != nil && s.api.closes {
		h.Set("Connection", "close")
	}
	s.w.WriteHeader(a.status)
	if a.pace == 0 {
		// An error is the caller's: it has gone.
		_, _ = s.w.Write(a.body)
		return
	}
	s.dribble(a)
}

// dribble sends the body line by line.
func (s *service) dribble(a answer) {
	out := http.NewResponseController(s.w)
	for line := range bytes.Lines(a.body) {
		if _, err := s.w.Write(line); err != nil || out.Flush() != nil || !s.work(a.pace) {
			return
		}
	}
}

// reset ends the connection so that the caller learns nothing.
func (s *service) reset() {
	conn, _, err := http.NewResponseController(s.w).Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		// Without lingering, closing sends a reset instead of an orderly end.
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

// hostname returns a host without its port.
func hostname(host string) string {
	name, _, _ := strings.Cut(host, ":")
	return name
}

// callID names call n of an API.
func callID(api string, n int) string { return fmt.Sprintf("%s-%04d", api, n) }

// callNumber returns the number at the end of an id such as rates-0017, 0 if none is there.
func callNumber(id string) int {
	n, err := strconv.Atoi(id[strings.LastIndex(id, "-")+1:])
	if err != nil {
		return 0
	}
	return n
}
