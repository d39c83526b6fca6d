package transport

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
)

// Much of what makes a request invalid net/http finds only when it has a connection and
// knows which protocol it speaks. It exports no types for these errors, so their text has
// to do; nothing in what is compared was chosen by a server.

// checkNative returns an error for what net/http's own transport refuses in every request,
// so that nothing is spent on it. Other base transports may be more lenient.
func checkNative(base http.RoundTripper, r *http.Request) error {
	switch {
	case !isNative(base):
		return nil
	case r.Header == nil:
		return errors.New("redial: the request has no Header: make it with http.NewRequest, or set Header to http.Header{}")
	case r.ContentLength != 0 && r.Body == nil && r.URL.Scheme == "http" && certainHTTP1(base):
		return fmt.Errorf("redial: the request has a ContentLength of %d and no Body: set Body, or ContentLength to 0", r.ContentLength)
	}
	return nil
}

// refusedByHTTP1 reports whether net/http refused to write the request to an HTTP/1
// connection. What it had written until then it had not flushed, or was not yet a request.
func refusedByHTTP1(err error) bool {
	text := err.Error()
	return text == "http: invalid Host header" ||
		text == "net/http: can't write control character in Request.URL" ||
		strings.HasPrefix(text, "http: Request.ContentLength=") && strings.HasSuffix(text, " with nil Body") ||
		strings.HasPrefix(text, "invalid Trailer key ") || invalidName(text)
}

// refusedByHTTP2 reports the same for an HTTP/2 connection.
func refusedByHTTP2(err error) bool {
	text, ok := strings.CutPrefix(err.Error(), "http2: ")
	if !ok {
		return false
	}
	for _, prefix := range [...]string{
		"invalid Upgrade request header: ", "invalid Transfer-Encoding request header: ",
		"invalid Connection request header: ", "invalid :protocol header in non-CONNECT request",
		"invalid Host header", "invalid request :path ", "invalid Trailer key ",
		"invalid HTTP header ", "invalid HTTP trailer ",
		"request header list larger than peer's advertised limit",
	} {
		if strings.HasPrefix(text, prefix) {
			return true
		}
	}
	return invalidName(text)
}

// invalidName reports whether the text is that of a host that cannot be put into ASCII.
func invalidName(text string) bool {
	return strings.HasPrefix(text, "idna: invalid label ") || strings.HasPrefix(text, "idna: disallowed rune ")
}

// refusedBeforehand reports whether net/http refused the request before it looked for a
// connection.
func refusedBeforehand(err error) bool {
	return unsupportedScheme(err) || err.Error() == "http: nil Request.Header"
}

func unsupportedScheme(err error) bool {
	return strings.HasPrefix(err.Error(), "unsupported protocol scheme ")
}

// unreachable reports whether the address is none that could ever be dialled: its port is
// not one, or its name has what no name can have.
func unreachable(err error) bool {
	var address *net.AddrError
	if errors.As(err, &address) && address.Err == "invalid port" {
		return true
	}
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsNotFound && (dns.Err == "unknown port" || strings.ContainsAny(dns.Name, ": "))
}

// proxyRefused reports whether a proxy answered CONNECT with 407. The credentials come from
// the proxy's URL, so that the next attempt would show the same. net/http keeps nothing of
// the answer but its reason phrase; a proxy with a phrase of its own is asked again.
func proxyRefused(err error) bool {
	return strings.EqualFold(err.Error(), http.StatusText(http.StatusProxyAuthRequired))
}

// permanent reports whether sending again cannot help.
func permanent(err error) bool {
	return refusedBeforehand(err) || refusedByHTTP1(err) || refusedByHTTP2(err) || unreachable(err) || proxyRefused(err) ||
		serverCertificateRefused(err) || clientCertificateRefused(err) || handshakeRefused(err) ||
		errors.Is(err, errNoAnswer)
}
