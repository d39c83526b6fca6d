package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"redial/transport"
	"redial/transport/digest"
)

// relay is a mail server of the shop that has been down for days.
const relay = "mail" + domain + ":2525"

// clients are how the shop calls: one for each policy, on the same connections.
type clients struct {
	safe     *http.Client // for most: three attempts, each of them short
	patient  *http.Client // for what takes long: three attempts without a timeout
	stubborn *http.Client // for what is known to fail: a 500 is retried too
	known    *http.Client // for what wants to know who calls
	base     *http.Transport
}

// newClients returns clients that know where the demo's names live, as a resolver would.
func newClients(o ShopOptions, rec transport.Recorder) clients {
	var dialer net.Dialer
	base := &http.Transport{
		MaxIdleConnsPerHost: 4,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			if address == relay {
				return dialer.DialContext(ctx, network, o.Refused)
			}
			return dialer.DialContext(ctx, network, o.Vendor)
		},
	}
	safe := transport.SafeRetry
	safe.Base, safe.AttemptTimeout = 500*time.Millisecond, 2500*time.Millisecond
	stubborn := transport.ArticleRetry
	stubborn.Attempts, stubborn.Base = 4, time.Second
	client := func(retry transport.Retry, windows ...transport.Window) *http.Client {
		return &http.Client{Transport: &transport.Transport{
			Base: base, Recorder: rec, Retry: retry, Windows: windows,
		}}
	}
	return clients{
		safe: client(safe, windows()...),
		patient: &http.Client{Transport: &transport.Transport{
			Base: base, Recorder: rec, Retry: transport.SafeRetry,
			Bandwidth: []transport.Bandwidth{{Host: "files" + domain, Down: exportRate}},
		}},
		known: &http.Client{Transport: &transport.Transport{
			Base: base, Recorder: rec, Retry: safe,
			Auth: &digest.Digest{Username: vaultUser, Password: vaultPassword, Origins: []string{"http://vault" + domain}},
		}},
		stubborn: client(stubborn),
		base:     base,
	}
}

// windows are what the vendor's manual says. Only the safe client calls these hosts, since
// a window counts what goes through one transport.
func windows() []transport.Window {
	return []transport.Window{
		{Host: "quota" + domain, Limit: quotaLimit.requests, Per: quotaLimit.per},
		{Host: "orders" + domain, Limit: ordersLimit.requests, Per: ordersLimit.per},
	}
}

func (c clients) close() { c.base.CloseIdleConnections() }

// exportRate is how many bytes of an export the shop takes in a second, so that it leaves
// room for the rest.
const exportRate = 20 << 10

// bearer is the shop's credential. It is in no recording.
const bearer = "Bearer eyJhbGciOi.not-a-real-token"

// errand is one call that the shop makes.
type errand struct {
	by     *http.Client
	method string
	host   string // and port
	target string // path and query
	id     string // names the call, in all its attempts
	key    string // idempotency key; "" none
	body   any    // is sent as JSON; nil: none

	reference string // the business number of an operation; "" for other calls
}

// call makes the call, reads the answer to its end and returns its status.
func (s *shop) call(e errand) (int, error) {
	r, err := e.request(s.calls)
	if err != nil {
		return 0, err
	}
	s.count(e.host)
	response, err := e.by.Do(r)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		return response.StatusCode, fmt.Errorf("read the answer to %s: %w", e.id, err)
	}
	return response.StatusCode, nil
}

func (e errand) request(ctx context.Context) (*http.Request, error) {
	var body io.Reader
	if e.body != nil {
		text, err := json.Marshal(e.body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	r, err := http.NewRequestWithContext(ctx, e.method, "http://"+e.host+e.target, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", shopService+"/"+shopVersion)
	r.Header.Set("Accept", "application/json, text/csv;q=0.9")
	if e.host != "vault"+domain {
		r.Header.Set("Authorization", bearer)
	}
	r.Header.Set(idHeader, e.id)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if e.key != "" {
		r.Header.Set(keyHeader, e.key)
	}
	return r, nil
}
