package transport_test

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"
)

// act is what a server does with one request: how much of it it reads, whether it does the
// work, what it says, and how it leaves the connection.
type act struct {
	read reach
	work bool
	say  string
	end  ending
}

// reach is how far a server reads.
type reach int

const (
	wholly   reach = iota
	headOnly       // no byte of the body
	unread         // not a byte
)

// ending is how a server leaves a connection.
type ending int

const (
	keeps   ending = iota // for the next request
	hangsUp               // closed
	resets                // reset
	hangs                 // open and silent, until the client has gone
)

// point is where exchanges fail: what the server does with the first requests. All others
// it does and answers with 200.
type point struct {
	name, story string
	acts        []act
	refusals    int           // how many dials are refused before the first that is not
	reused      bool          // the connection has served a request before
	timeout     time.Duration // of an attempt
	leaves      bool          // the caller leaves once the first request was read

	certificates []tls.Certificate // of a server that nobody trusts; nil: no TLS
	spoil        string            // what is wrong with the request's body, if it has one
}

// errDiskGone is what a body that fails returns.
var errDiskGone = errors.New("the disk is gone")

// inHTTP is an answer as it stands on the wire.
func inHTTP(status, body string, header ...string) string {
	lines := append(header, fmt.Sprintf("Content-Length: %d", len(body)))
	return "HTTP/1.1 " + status + "\r\n" + strings.Join(lines, "\r\n") + "\r\n\r\n" + body
}

var (
	works = act{work: true, say: inHTTP("200 OK", "done")}
	busy  = act{say: inHTTP("503 Service Unavailable", "busy")}
)

// points are those of the matrix, in the order of an exchange.
func points() []*point {
	return append(append(before(), during()...), answers()...)
}

// before are the points before the server has read anything.
func before() []*point {
	return []*point{
		{name: "refused once", refusals: 1,
			story: "Nobody listens at first. What was not sent may always be sent again, if there is a body to send."},
		{name: "refused for good", refusals: 99,
			story: "Nobody listens at all."},
		{name: "certificate refused", certificates: untrusted(),
			story: "The client does not trust the server's certificate. It would not the next time either."},
		{name: "reset unread", acts: []act{{read: unread, end: resets}},
			story: "The server resets a new connection before it has read a byte. The client cannot know that."},
		{name: "the body fails", spoil: "fails",
			story: "The request's own body returns an error after four bytes. A body that GetBody makes would fail as well."},
		{name: "the body is short", spoil: "short",
			story: "The request's body ends before the length that the request names."},
		{name: "the body cannot be made again", spoil: "again", acts: []act{busy},
			story: "The server is busy, and GetBody returns an error: the caller gets the response that there is."},
	}
}

// during are the points while or after the server reads, before it has answered.
func during() []*point {
	lost := act{work: true, end: resets}
	return []*point{
		{name: "reset after the head", acts: []act{{read: headOnly, end: resets}},
			story: "The server reads the head of the request and resets the connection."},
		{name: "reset after the request", acts: []act{{end: resets}},
			story: "The server reads all of the request, does nothing and resets the connection."},
		{name: "answer lost", acts: []act{lost},
			story: "The server does the work, and resets the connection instead of answering."},
		{name: "answer lost again and again", acts: []act{lost, lost, lost, lost},
			story: "The server does the work each time, and never answers."},
		{name: "hung up", acts: []act{{work: true, end: hangsUp}},
			story: "The server does the work and closes the connection instead of answering."},
		{name: "half a head", acts: []act{{work: true, say: "HTTP/1.1 200 O", end: hangsUp}},
			story: "The server does the work and dies in the first line of its answer."},
		{name: "no HTTP", acts: []act{{say: "SSH-2.0-OpenSSH\r\n\r\n", end: hangsUp}},
			story: "What listens there speaks another protocol."},
		{name: "early hints, then lost", acts: []act{{work: true, say: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", end: resets}},
			story: "An interim response is no answer."},
		{name: "no answer in time", acts: []act{{work: true, end: hangs}}, timeout: 3 * time.Second,
			story: "The server does the work and says nothing until the attempt's own timeout is over."},
		{name: "the caller leaves", acts: []act{{work: true, end: hangs}}, leaves: true,
			story: "The caller's context is cancelled once the server has read the request."},
		{name: "hung up on a used connection", reused: true, acts: []act{{work: true, end: hangsUp}},
			story: "The same as hung up, on a connection that has served a request before. Here net/http itself\nsends again what is a GET or has a key, which is counted (×2)."},
		{name: "answer lost on a used connection", reused: true, acts: []act{lost},
			story: "The same as answer lost, on a connection that has served a request before."},
	}
}

// answers are the points at which the server answers.
func answers() []*point {
	status := func(s string, header ...string) act { return act{say: inHTTP(s, "no", header...)} }
	lost := act{work: true, end: resets}
	return []*point{
		{name: "nothing fails",
			story: "The server does the work and says so."},
		{name: "503 once", acts: []act{busy},
			story: "The server is busy at first. A 503 is no proof that nothing was done."},
		{name: "503 for good", acts: []act{busy, busy, busy},
			story: "The server is busy all the time: the caller gets its last answer, not an error."},
		{name: "503 after the work", acts: []act{{work: true, say: busy.say}},
			story: "The server does the work, and something between says 503."},
		{name: "503, then lost", acts: []act{{say: inHTTP("503 Service Unavailable", "busy", "Connection: close"), end: hangsUp}, lost},
			story: "The server is busy at first, and then does the work and resets the next connection."},
		{name: "429 and Retry-After: 0", acts: []act{status("429 Too Many Requests", "Retry-After: 0")},
			story: "The server throttles for less than a second."},
		{name: "429 and Retry-After: 3600", acts: []act{status("429 Too Many Requests", "Retry-After: 3600")},
			story: "The server asks for more time than the policy allows. Asking it sooner would be rude."},
		{name: "500", acts: []act{status("500 Internal Server Error")},
			story: "The server has failed, and nobody knows how far it got."},
		{name: "409", acts: []act{status("409 Conflict")},
			story: "The server knows better."},
		{name: "body broken off", acts: []act{{work: true, say: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", end: hangsUp}},
			story: "The server does the work and dies in its answer's body, which the caller is reading by then."},
		{name: "503 broken off", acts: []act{{say: "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 9\r\n\r\nhalf", end: hangsUp}},
			story: "The body of an answer that is given up does not matter."},
	}
}

// spoils makes something wrong with the request's body, at a point where that is so.
func (p *point) spoils(r *http.Request) {
	switch p.spoil {
	case "fails":
		r.Body = spoiled{r.Body, io.MultiReader(io.LimitReader(r.Body, 4), failingReader{errDiskGone})}
	case "short":
		r.ContentLength++
	case "again":
		if r.GetBody != nil {
			r.GetBody = func() (io.ReadCloser, error) { return nil, errDiskGone }
		}
	}
}

// spoiled is a body of which other bytes are read.
type spoiled struct {
	io.Closer
	io.Reader
}

// untrusted returns the certificates of a server that nobody trusts.
func untrusted() []tls.Certificate {
	s := httptest.NewUnstartedServer(nil)
	s.StartTLS()
	defer s.Close()
	return s.TLS.Certificates
}
