package transport_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"redial/ledger"
	"redial/transport"
)

// A policy can say which kinds of error it sends again after.
func TestAPolicyNamesTheErrorsToSendAgainAfter(t *testing.T) {
	failures := map[transport.ErrorKind][]error{
		transport.DNSError: {
			&net.DNSError{Err: "no such host", Name: "api.example.test", IsNotFound: true},
			&net.OpError{Op: "dial", Err: &net.DNSError{Err: "i/o timeout", IsTimeout: true}},
		},
		transport.ConnectError: {
			&net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED},
			&net.OpError{Op: "proxyconnect", Err: syscall.ECONNRESET},
			&net.OpError{Op: "dial", Err: context.DeadlineExceeded},
		},
		transport.TimeoutError: {
			&transport.AttemptTimeoutError{After: 1},
			fmt.Errorf("read: %w", &net.OpError{Op: "read", Err: syscall.ETIMEDOUT}),
			context.DeadlineExceeded,
		},
		transport.LostError: {
			errLost,
			&net.OpError{Op: "read", Err: syscall.ECONNRESET},
		},
	}
	for kind, errs := range failures {
		for _, err := range errs {
			for _, c := range []struct {
				kinds []transport.ErrorKind
				again bool
			}{
				{nil, true},
				{[]transport.ErrorKind{}, false},
				{[]transport.ErrorKind{kind}, true},
				{[]transport.ErrorKind{(kind + 1) % 4, (kind + 2) % 4, (kind + 3) % 4}, false},
			} {
				retry := quick
				retry.Errors = c.kinds
				call, sent := sendOnce(t, &transport.Transport{Retry: retry}, "PUT", api, false, failure(err), status(200))
				if (sent == 2) != c.again {
					t.Errorf("%v with %v: sent %d times", err, c.kinds, sent)
				}
				if d := decisions(call)[0]; !c.again && d != ledger.Vetoed {
					t.Errorf("%v with %v: decided %v", err, c.kinds, d)
				}
				if words := ledger.Explain(&call, &call.AttemptList[0]); !c.again && !strings.Contains(words, "policy does not send again after such an error") {
					t.Error(words)
				}
			}
		}
	}
}

// The kinds are told apart as net/http's own errors are, too.
func TestErrorsOfNetHTTPHaveTheirKind(t *testing.T) {
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	for name, c := range map[string]struct {
		url  string
		kind transport.ErrorKind
	}{
		"refused":          {"http://" + closed.Addr().String(), transport.ConnectError},
		"lost in the head": {talker(t, says("HTTP/1.1 2", true)), transport.LostError},
	} {
		for _, only := range []bool{true, false} {
			retry := quick
			retry.Attempts, retry.Errors = 2, []transport.ErrorKind{c.kind}
			if !only {
				retry.Errors = []transport.ErrorKind{(c.kind + 1) % 4, (c.kind + 2) % 4, (c.kind + 3) % 4}
			}
			j := newJournal()
			rt := &transport.Transport{Base: &http.Transport{}, Recorder: j, Retry: retry}
			get(t, rt, c.url)
			if n := len(j.only(t).AttemptList); (n == 2) != only {
				t.Errorf("%s: %d attempts with errors %v", name, n, retry.Errors)
			}
			rt.CloseIdleConnections()
		}
	}
}
