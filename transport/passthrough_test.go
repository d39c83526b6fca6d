package transport_test

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"redial/transport"
)

// both runs a test through a transport that does everything, and through the zero value.
func both(t *testing.T, test func(t *testing.T, wrap func(base http.RoundTripper) *transport.Transport)) {
	t.Run("everything", func(t *testing.T) {
		test(t, func(base http.RoundTripper) *transport.Transport {
			retry := quick
			retry.AttemptTimeout = time.Minute
			return &transport.Transport{
				Base: base, Recorder: newJournal(), Retry: retry,
				Windows: []transport.Window{{Host: "127.0.0.1", Limit: 1000, Per: time.Second}},
			}
		})
	})
	t.Run("zero value", func(t *testing.T) {
		test(t, func(base http.RoundTripper) *transport.Transport { return &transport.Transport{Base: base} })
	})
}

func serve(t *testing.T, h http.HandlerFunc) *httptest.Server {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s
}

// A connection that switched protocols can be read, written and half closed.
func TestSwitchingProtocols(t *testing.T) {
	both(t, func(t *testing.T, wrap func(http.RoundTripper) *transport.Transport) {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			conn, rw, _ := w.(http.Hijacker).Hijack()
			defer conn.Close()
			fmt.Fprint(rw, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
			rw.Flush()
			io.Copy(rw, rw) // until the other side closes for writing
			rw.Flush()
		})
		req, _ := http.NewRequest(http.MethodGet, s.URL, nil)
		req.Header.Set("Connection", "Upgrade")
		req.Header.Set("Upgrade", "echo")
		resp, err := wrap(s.Client().Transport).RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		conn, ok := resp.Body.(io.ReadWriteCloser)
		if resp.StatusCode != 101 || !ok {
			t.Fatalf("status %d, body %T is no io.ReadWriteCloser", resp.StatusCode, resp.Body)
		}
		io.WriteString(conn, "hello")
		half, ok := conn.(interface{ CloseWrite() error })
		if !ok || half.CloseWrite() != nil {
			t.Fatalf("%T cannot be closed for writing", conn)
		}
		if b, err := io.ReadAll(conn); string(b) != "hello" || err != nil {
			t.Errorf("read %q, %v", b, err)
		}
	})
}

// Server-sent events arrive one by one, while the response is still open.
func TestEventsAreStreamed(t *testing.T) {
	both(t, func(t *testing.T, wrap func(http.RoundTripper) *transport.Transport) {
		next := make(chan struct{})
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for i := range 3 {
				fmt.Fprintf(w, "data: %d\n\n", i)
				w.(http.Flusher).Flush()
				<-next
			}
		})
		resp, err := wrap(s.Client().Transport).RoundTrip(httptest.NewRequest(http.MethodGet, s.URL, nil))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		lines := bufio.NewScanner(resp.Body)
		for i := range 3 {
			if !lines.Scan() || lines.Text() != fmt.Sprintf("data: %d", i) || !lines.Scan() {
				t.Fatalf("event %d: %q %v", i, lines.Text(), lines.Err())
			}
			next <- struct{}{}
		}
	})
}

// A request body is sent while it is produced.
func TestUploadsAreStreamed(t *testing.T) {
	both(t, func(t *testing.T, wrap func(http.RoundTripper) *transport.Transport) {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			http.NewResponseController(w).EnableFullDuplex()
			w.(http.Flusher).Flush()
			io.Copy(flushing{w}, r.Body)
		})
		pr, pw := io.Pipe()
		req, _ := http.NewRequest(http.MethodPost, s.URL, pr)
		resp, err := wrap(s.Client().Transport).RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		echo := bufio.NewReader(resp.Body)
		for range 3 {
			io.WriteString(pw, "ping\n")
			if line, err := echo.ReadString('\n'); line != "ping\n" || err != nil {
				t.Fatalf("%q %v", line, err)
			}
		}
		pw.Close()
		if _, err := echo.ReadByte(); err != io.EOF {
			t.Error(err)
		}
	})
}

type flushing struct{ http.ResponseWriter }

func (w flushing) Write(p []byte) (int, error) {
	defer w.ResponseWriter.(http.Flusher).Flush()
	return w.ResponseWriter.Write(p)
}

func TestTrailersAreFilledIn(t *testing.T) {
	both(t, func(t *testing.T, wrap func(http.RoundTripper) *transport.Transport) {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Trailer", "Checksum")
			io.WriteString(w, "body")
			w.Header().Set("Checksum", "b0d7")
		})
		resp, err := wrap(s.Client().Transport).RoundTrip(httptest.NewRequest(http.MethodGet, s.URL, nil))
		if err != nil {
			t.Fatal(err)
		}
		finish(resp, nil)
		if got := resp.Trailer.Get("Checksum"); got != "b0d7" {
			t.Errorf("trailer %q", got)
		}
	})
}

func TestEmptyBodiesStayNoBody(t *testing.T) {
	both(t, func(t *testing.T, wrap func(http.RoundTripper) *transport.Transport) {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/204":
				w.WriteHeader(204)
			case "/304":
				w.WriteHeader(304)
			case "/head":
				w.Header().Set("Content-Length", "12345")
			}
		})
		rt := wrap(s.Client().Transport)
		for _, c := range []struct {
			method, path string
			length       int64
		}{{"GET", "/204", 0}, {"GET", "/304", 0}, {"HEAD", "/head", 12345}, {"GET", "/empty", 0}} {
			resp, err := rt.RoundTrip(httptest.NewRequest(c.method, s.URL+c.path, nil))
			if err != nil {
				t.Fatal(err)
			}
			if resp.Body != http.NoBody || resp.ContentLength != c.length {
				t.Errorf("%s %s: body %T, length %d", c.method, c.path, resp.Body, resp.ContentLength)
			}
		}
	})
}

// Over HTTP/2 net/http's empty body is not http.NoBody. It is left alone all the same, and
// the call has ended although nobody closes it.
func TestEmptyBodiesOverHTTP2(t *testing.T) {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "12345")
		if r.Method == http.MethodDelete {
			w.Header().Del("Content-Length")
			w.WriteHeader(204)
		}
	}))
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	for _, method := range []string{http.MethodHead, http.MethodDelete} {
		bare, err := s.Client().Transport.RoundTrip(httptest.NewRequest(method, s.URL, nil))
		if err != nil {
			t.Fatal(err)
		}
		j := newJournal()
		rt := &transport.Transport{Base: s.Client().Transport, Recorder: j, Retry: quick}
		resp, err := rt.RoundTrip(httptest.NewRequest(method, s.URL, nil))
		if err != nil || resp.ProtoMajor != 2 || resp.Body != bare.Body || resp.ContentLength != bare.ContentLength {
			t.Errorf("%s: %+v %v, want it as %+v", method, resp, err, bare)
		}
		j.only(t)
	}
}

func TestGzipIsDecodedAsEver(t *testing.T) {
	both(t, func(t *testing.T, wrap func(http.RoundTripper) *transport.Transport) {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			io.WriteString(z, strings.Repeat(r.Header.Get("Accept-Encoding"), 100))
			z.Close()
		})
		resp, err := wrap(s.Client().Transport).RoundTrip(httptest.NewRequest(http.MethodGet, s.URL, nil))
		if err != nil {
			t.Fatal(err)
		}
		if !resp.Uncompressed || resp.ContentLength != -1 {
			t.Errorf("uncompressed %v, length %d", resp.Uncompressed, resp.ContentLength)
		}
		if _, body, err := finish(resp, nil); body != strings.Repeat("gzip", 100) || err != nil {
			t.Errorf("%q %v", body, err)
		}
	})
}

// Redirects belong to the client, whose CheckRedirect is asked.
func TestRedirectsAreNotFollowed(t *testing.T) {
	both(t, func(t *testing.T, wrap func(http.RoundTripper) *transport.Transport) {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/moved" {
				http.Redirect(w, r, "/here", http.StatusTemporaryRedirect)
				return
			}
			fmt.Fprintf(w, "%s %s", r.Method, sink(r))
		})
		rt := wrap(s.Client().Transport)
		if status, _, err := get(t, rt, s.URL+"/moved"); status != 307 || err != nil {
			t.Errorf("got %d %v, want the redirect itself", status, err)
		}
		asked := 0
		client := &http.Client{Transport: rt, CheckRedirect: func(*http.Request, []*http.Request) error {
			asked++
			return nil
		}}
		resp, err := client.Post(s.URL+"/moved", "application/json", strings.NewReader(payload))
		if _, body, err := finish(resp, err); body != "POST "+payload || err != nil || asked != 1 {
			t.Errorf("%q %v, asked %d times", body, err, asked)
		}
	})
}

// After a 303 the GET that follows has no body, also when it is sent again (golang/go#70180).
func TestSeeOtherDropsTheBody(t *testing.T) {
	var gets atomic.Int32
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch body := sink(r); {
		case r.Method == http.MethodPost:
			http.Redirect(w, r, "/result", http.StatusSeeOther)
		case body != "":
			w.WriteHeader(400)
		case gets.Add(1) == 1:
			w.WriteHeader(503)
		}
	})
	client := &http.Client{Transport: &transport.Transport{Base: s.Client().Transport, Retry: quick}}
	resp, err := client.Post(s.URL, "application/json", strings.NewReader(payload))
	if status, _, err := finish(resp, err); status != 200 || err != nil || gets.Load() != 2 {
		t.Errorf("%d %v after %d GETs", status, err, gets.Load())
	}
}

// A client's timeout ends a call by its context alone, without the CancelRequest that was
// once needed for that and that wrappers got wrong (golang/go#13540, golang/go#34552,
// gregjones/httpcache#67).
func TestClientTimeout(t *testing.T) {
	both(t, func(t *testing.T, wrap func(http.RoundTripper) *transport.Transport) {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		})
		rt := wrap(s.Client().Transport)
		client := &http.Client{Transport: rt, Timeout: 30 * time.Millisecond}
		_, err := client.Get(s.URL)
		var timeout net.Error
		if !errors.As(err, &timeout) || !timeout.Timeout() || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want a timeout", err)
		}
		if _, ok := any(rt).(interface{ CancelRequest(*http.Request) }); ok {
			t.Error("the transport has the deprecated CancelRequest")
		}
	})
}

// closer is a base transport that counts CloseIdleConnections (elastic/apm-agent-go#455).
type closer struct {
	http.RoundTripper
	closed int
}

func (c *closer) CloseIdleConnections() { c.closed++ }

func TestCloseIdleConnectionsIsForwarded(t *testing.T) {
	base := &closer{}
	(&http.Client{Transport: &transport.Transport{Base: &transport.Transport{Base: base}}}).CloseIdleConnections()
	if base.closed != 1 {
		t.Errorf("closed %d times", base.closed)
	}
	(&transport.Transport{Base: baseFunc(nil)}).CloseIdleConnections()
}

// A body may be closed while it is read, as with net/http itself.
func TestCloseDuringRead(t *testing.T) {
	both(t, func(t *testing.T, wrap func(http.RoundTripper) *transport.Transport) {
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			io.WriteString(w, "start")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		})
		resp, err := wrap(s.Client().Transport).RoundTrip(httptest.NewRequest(http.MethodGet, s.URL, nil))
		if err != nil {
			t.Fatal(err)
		}
		read := make(chan error)
		go func() {
			_, err := io.Copy(io.Discard, resp.Body)
			read <- err
		}()
		resp.Body.Close()
		resp.Body.Close()
		if err := <-read; err == nil {
			t.Error("reading a closed body gave no error")
		}
		if _, err := resp.Body.Read(make([]byte, 1)); err == nil {
			t.Error("reading a closed body gave no error")
		}
	})
}

// Schemes of the base transport's own keep working.
func TestOtherSchemesGoThrough(t *testing.T) {
	base := &http.Transport{}
	base.RegisterProtocol("mem", baseFunc(func(r *http.Request) (*http.Response, error) {
		return answer(r, 200, "registered"), nil
	}))
	rt := &transport.Transport{Base: base, Retry: quick, Recorder: newJournal()}
	if status, body, err := get(t, rt, "mem://anything/x"); status != 200 || body != "registered" || err != nil {
		t.Errorf("%d %q %v", status, body, err)
	}
}
