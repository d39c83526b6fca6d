package transport_test

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"testing"
	"time"

	"redial/ledger"
)

// talker is a server that reads a request and then says and does what it is told.
func talker(t *testing.T, then func(net.Conn)) (url string) {
	return listener(t, func(c net.Conn) {
		if r, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
			r.Body.Close()
			then(c)
		}
	})
}

// listener is a server of connections, each of which it closes when it has been served.
func listener(t *testing.T, serve func(net.Conn)) (url string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				serve(c)
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

// says writes a text and hangs up, by a reset if asked to.
func says(text string, reset bool) func(net.Conn) {
	return func(c net.Conn) {
		_, _ = c.Write([]byte(text))
		if reset {
			_ = c.(*net.TCPConn).SetLinger(0)
		}
	}
}

// What a server does after it has read a request proves nothing but what it says: the head
// of a response is an answer, and all else is doubt.
func TestWhatAServerDoesAfterItReadARequest(t *testing.T) {
	hangs := func(c net.Conn) { _, _ = c.Read(make([]byte, 1)) }
	for _, test := range []struct {
		name string
		then func(net.Conn)
		base *http.Transport
		want ledger.Outcome
	}{
		{"hangs up", says("", false), new(http.Transport), ledger.Unknown},
		{"resets", says("", true), new(http.Transport), ledger.Unknown},
		{"does not answer in time", hangs, &http.Transport{ResponseHeaderTimeout: 30 * time.Millisecond}, ledger.Unknown},
		{"answers what is no HTTP", says("SSH-2.0-OpenSSH\r\n\r\n", false), new(http.Transport), ledger.Unknown},
		{"answers half of a head", says("HTTP/1.1 201 Crea", false), new(http.Transport), ledger.Unknown},
		{"says 103 and resets", says("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", true), new(http.Transport), ledger.Unknown},
		{"says 102 and hangs up", says("HTTP/1.1 102 Processing\r\n\r\n", false), new(http.Transport), ledger.Unknown},
		{"answers half of a body", says("HTTP/1.1 201 Created\r\nContent-Length: 9\r\n\r\nhalf", false), new(http.Transport), ledger.Answered},
		{"answers a broken chunk", says("HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", false), new(http.Transport), ledger.Answered},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			call, _ := verdictOf(t, test.base, talker(t, test.then))
			if got := call.AttemptList[0].Outcome; got != test.want {
				t.Errorf("it is %s, want %s: %s", got, test.want, call.Error)
			}
			test.base.CloseIdleConnections()
		})
	}
}

// Whatever keeps a request from ever getting a connection keeps it from being sent.
func TestWhatEndsBeforeAConnectionWasNotSent(t *testing.T) {
	slow := func(ctx context.Context, _, _ string) (net.Conn, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	noName := func(context.Context, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "nowhere.example.test", IsNotFound: true}}
	}
	for name, base := range map[string]*http.Transport{
		"the caller left while it was dialled": {DialContext: slow},
		"the name is not known": {DialContext: func(ctx context.Context, _, addr string) (net.Conn, error) {
			return noName(ctx, addr)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			if got, err := outcomeOf(t, ctx, base, "http://127.0.0.1:1"); got != ledger.NotSent || err == nil {
				t.Errorf("it is %s: %v", got, err)
			}
		})
	}
}

func TestACallerThatLeavesWhileItWaitsForAConnectionHasSentNothing(t *testing.T) {
	held, let := make(chan struct{}), make(chan struct{})
	url := talker(t, func(c net.Conn) {
		close(held)
		<-let
		says("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", false)(c)
	})
	base := &http.Transport{MaxConnsPerHost: 1}
	defer base.CloseIdleConnections()
	done := make(chan ledger.Outcome)
	go func() {
		got, _ := outcomeOf(t, t.Context(), base, url)
		done <- got
	}()
	<-held
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if got, err := outcomeOf(t, ctx, base, url); got != ledger.NotSent || err == nil {
		t.Errorf("it is %s: %v", got, err)
	}
	close(let)
	if got := <-done; got != ledger.Answered {
		t.Errorf("the first is %s", got)
	}
}
