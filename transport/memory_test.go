package transport_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"

	"redial/ledger"
	"redial/transport"
)

// TestASmallBodyInMemoryTravelsWithItsHead holds the transport to what net/http does by
// itself: head and body of a small POST leave in one write, whatever is recorded of them.
func TestASmallBodyInMemoryTravelsWithItsHead(t *testing.T) {
	const text = `{"order":8841}`
	bodies := map[string]func() io.Reader{
		"strings.Reader": func() io.Reader { return strings.NewReader(text) },
		"bytes.Reader":   func() io.Reader { return bytes.NewReader([]byte(text)) },
		"bytes.Buffer":   func() io.Reader { return bytes.NewBufferString(text) },
	}
	for name, body := range bodies {
		t.Run(name, func(t *testing.T) {
			var writes writeCounter
			base := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
				return writes.dial(t), nil
			}}
			defer base.CloseIdleConnections()
			client := &http.Client{Transport: &transport.Transport{Base: base, Retry: transport.SafeRetry}}
			resp, err := client.Post("http://orders.example.test/orders", "application/json", body())
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			got, err := io.ReadAll(resp.Body)
			if err != nil || string(got) != text {
				t.Fatalf("the server saw %q, %v, want %q", got, err, text)
			}
			if len(writes.sizes) != 1 {
				t.Errorf("the request left in %d writes of %v bytes, want 1", len(writes.sizes), writes.sizes)
			}
		})
	}
}

// TestABodyThatIsReadElsewhereIsStillStreamed holds it to the other half: a body that may
// be slow is not waited for, and its head goes first.
func TestABodyThatIsReadElsewhereIsStillStreamed(t *testing.T) {
	var writes writeCounter
	base := &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return writes.dial(t), nil
	}}
	defer base.CloseIdleConnections()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		io.WriteString(writer, "slow")
		writer.Close()
	}()
	req, err := http.NewRequest("PUT", "http://orders.example.test/orders", reader)
	if err != nil {
		t.Fatal(err)
	}
	req.ContentLength = 4
	resp, err := (&transport.Transport{Base: base, Retry: transport.SafeRetry}).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got, _ := io.ReadAll(resp.Body); string(got) != "slow" {
		t.Errorf("the server saw %q, want %q", got, "slow")
	}
	if len(writes.sizes) < 2 {
		t.Errorf("the request left in %d writes, want its head before its body", len(writes.sizes))
	}
}

// Bodies in memory are counted and kept like any other, once for each time that they are
// sent, also when net/http sends them again by itself.
func TestABodyInMemoryIsOnRecord(t *testing.T) {
	s := &h2Server{do: func(n int, f *frames, req seenRequest) bool {
		if n == 1 {
			return f.reset(req.stream, codeRefused)
		}
		return f.ok(req.stream)
	}}
	base, url := s.listen(t)
	for _, retry := range []transport.Retry{{}, quick} {
		s.mu.Lock()
		s.seen = nil
		s.mu.Unlock()
		j := newJournal()
		rt := &transport.Transport{Base: base, Recorder: j, Retry: retry}
		req, err := http.NewRequest(http.MethodPut, url, strings.NewReader(payload))
		if err != nil {
			t.Fatal(err)
		}
		if code, _, err := finish(rt.RoundTrip(req)); code != 200 || err != nil {
			t.Fatal(code, err)
		}
		a := j.only(t).AttemptList[0]
		if a.WireSends != 2 || a.BytesSent != 18 || string(a.Request.Body.Data) != payload {
			t.Errorf("%d wire sends, %d bytes sent, body %q", a.WireSends, a.BytesSent, a.Request.Body.Data)
		}
		for _, r := range s.requests() {
			if r.body != payload {
				t.Errorf("the server saw %q", r.body)
			}
		}
	}
}

// Before there is a connection, nothing was read for sending.
func TestABodyInMemoryThatIsNotSent(t *testing.T) {
	j := newJournal()
	rt := &transport.Transport{Recorder: j, Retry: quick, Base: &http.Transport{
		DialContext: func(context.Context, string, string) (net.Conn, error) { return nil, errLost },
	}}
	req, err := http.NewRequest(http.MethodPost, api, strings.NewReader(payload))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := finish(rt.RoundTrip(req)); !errors.Is(err, errLost) {
		t.Error(err)
	}
	for _, a := range j.only(t).AttemptList {
		if a.BytesSent != 0 || a.Outcome != ledger.NotSent {
			t.Errorf("%d bytes sent, %v", a.BytesSent, a.Outcome)
		}
	}
}

// writeCounter makes connections to a server that answers with the body it was sent, and
// notes how long each write to it was.
type writeCounter struct{ sizes []int }

func (c *writeCounter) dial(t *testing.T) net.Conn {
	client, server := net.Pipe()
	t.Cleanup(func() { server.Close() })
	go func() {
		req, err := http.ReadRequest(bufio.NewReader(server))
		if err != nil {
			return
		}
		body, _ := io.ReadAll(req.Body)
		resp := http.Response{StatusCode: 200, ProtoMajor: 1, ProtoMinor: 1,
			ContentLength: int64(len(body)), Body: io.NopCloser(bytes.NewReader(body))}
		resp.Write(server)
	}()
	return &countedConn{client, c}
}

type countedConn struct {
	net.Conn
	writes *writeCounter
}

func (c *countedConn) Write(p []byte) (int, error) {
	c.writes.sizes = append(c.writes.sizes, len(p))
	return c.Conn.Write(p)
}
