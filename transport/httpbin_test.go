package transport_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mccutchen/go-httpbin/v2/httpbin"

	"redial/transport"
)

// reply is what a client sees of a response.
type reply struct {
	status       int
	proto        string
	header       string
	body         string
	length       int64
	uncompressed bool
	encoding     string
	url          string
	err          string
}

// changing are the parts of an answer that differ from one request to the next.
var changing = regexp.MustCompile(`(?m)Date: .*|Server-Timing: .*|"(?:origin|url|Host)":.*|127\.0\.0\.1:\d+`)

func ask(rt http.RoundTripper, method, url string) reply {
	req, err := http.NewRequest(method, url, nil)
	if err != nil {
		return reply{err: err.Error()}
	}
	resp, err := (&http.Client{Transport: rt}).Do(req)
	if err != nil {
		return reply{err: changing.ReplaceAllString(err.Error(), "~")}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	r := reply{
		status: resp.StatusCode, proto: resp.Proto, length: resp.ContentLength, uncompressed: resp.Uncompressed,
		body: changing.ReplaceAllString(string(body), "~"), encoding: strings.Join(resp.TransferEncoding, ","),
		url: resp.Request.URL.Path,
	}
	if err != nil {
		r.err = err.Error()
	}
	var b strings.Builder
	resp.Header.Write(&b)
	r.header = changing.ReplaceAllString(b.String(), "~")
	return r
}

// A server that nobody here wrote gives the same through the transport as without it.
func TestHTTPBinAnswersTheSame(t *testing.T) {
	s := httptest.NewServer(httpbin.New())
	defer s.Close()
	rt := &transport.Transport{
		Base: s.Client().Transport, Recorder: newJournal(),
		Retry:   transport.Retry{Attempts: 2, Base: time.Millisecond, AttemptTimeout: time.Minute},
		Windows: []transport.Window{{Host: "127.0.0.1", Limit: 1000, Per: time.Second}},
	}
	for _, c := range []struct{ method, path string }{
		{"GET", "/status/200"}, {"GET", "/status/204"}, {"GET", "/status/304"}, {"GET", "/status/404"},
		{"GET", "/status/418"}, {"GET", "/status/429"}, {"GET", "/status/500"}, {"GET", "/status/503"},
		{"POST", "/status/503"}, {"GET", "/delay/0.05"}, {"GET", "/drip?duration=100ms&numbytes=20&delay=10ms"},
		{"GET", "/gzip"}, {"GET", "/deflate"}, {"GET", "/redirect/3"}, {"GET", "/absolute-redirect/2"},
		{"GET", "/stream/5"}, {"GET", "/stream-bytes/5000?seed=1&chunk_size=100"}, {"GET", "/bytes/70000?seed=1"},
		{"GET", "/range/1000"}, {"HEAD", "/get"}, {"GET", "/etag/x"}, {"GET", "/cookies/set?a=b"},
		{"GET", "/unstable?failure_rate=0"}, {"GET", "/unstable?failure_rate=1"}, {"GET", "/image/png"},
		{"GET", "/sse?count=3&duration=50ms"}, {"GET", "/trailers?a=b"}, {"GET", "/response-headers?X-A=1&X-A=2"},
	} {
		t.Run(c.method+c.path, func(t *testing.T) {
			bare, ours := ask(s.Client().Transport, c.method, s.URL+c.path), ask(rt, c.method, s.URL+c.path)
			if sse := strings.HasPrefix(c.path, "/sse"); sse { // its events carry the time
				bare.body, ours.body = "", ""
			}
			if bare != ours {
				t.Errorf("bare: %+v\nours: %+v", bare, ours)
			}
		})
	}
}
