package transport

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"

	"redial/ledger"
)

// outcome says what is known of the sending, by the order of evidence: the response; that
// the request was found invalid here; a connection that was asked for and never got; a
// typed error from before there could be one; what the protocol itself guarantees.
// So does a connection that counts, and that nothing was written to since it was got.
// Everything else is unknown. That the request was "written" proves nothing: net/http says
// so before it flushes.
func outcome(answered, local bool, err error, s *stamps) ledger.Outcome {
	switch {
	case answered:
		return ledger.Answered
	case s.gets == 0 && s.gots == 0 && local:
		return ledger.NotSent
	case s.gots == 0 && (s.gets > 0 || beforeConnection(err)):
		return ledger.NotSent
	case s.gots > 0 && s.gots == s.refusals && refusedByHTTP1(err), s.gots == 1 && refusedByHTTP2(err):
		return ledger.NotSent
	case s.gots == 1 && refusedByProtocol(err):
		// With more than one connection an earlier send may have been acted on.
		return ledger.NotSent
	case s.gots == 1 && !s.reused && clientCertificateRefused(err):
		return ledger.NotSent
	case s.gots == 1 && s.count != nil && s.count.seal(s.written):
		return ledger.NotSent
	}
	return ledger.Unknown
}

// refusedHere reports whether net/http itself found the request to be invalid.
func refusedHere(base http.RoundTripper, req *http.Request, err error) bool {
	return isNative(base) && err != nil && (checkFields(req) != nil || refusedBeforehand(err))
}

// beforeConnection reports whether the error is of a kind that only arises before there
// is a connection to send on.
func beforeConnection(err error) bool {
	var op *net.OpError
	if errors.As(err, &op) && slices.Contains([]string{"dial", "proxyconnect", "socks connect"}, op.Op) {
		return true
	}
	var dns *net.DNSError
	return errors.As(err, &dns) || serverCertificateRefused(err)
}

// serverCertificateRefused reports whether the TLS handshake ended because of what the
// server showed: a certificate that is not trusted, or no TLS at all.
func serverCertificateRefused(err error) bool {
	var (
		verification *tls.CertificateVerificationError
		record       tls.RecordHeaderError
		ech          *tls.ECHRejectionError
		authority    x509.UnknownAuthorityError
		hostname     x509.HostnameError
		invalid      x509.CertificateInvalidError
	)
	return errors.As(err, &verification) || errors.As(err, &record) || errors.As(err, &ech) ||
		errors.As(err, &authority) || errors.As(err, &hostname) || errors.As(err, &invalid)
}

// clientCertificateRefused reports whether the server ended the handshake because of the
// client's certificate or for lack of one. In TLS 1.3 the client learns that only after
// it has sent its request, which the server then never decrypts.
func clientCertificateRefused(err error) bool {
	switch alert(err) {
	case "certificate required", "bad certificate", "unsupported certificate", "revoked certificate",
		"expired certificate", "unknown certificate", "unknown certificate authority", "access denied":
		return true
	}
	return false
}

// handshakeRefused reports whether the two sides cannot agree on how to speak TLS.
func handshakeRefused(err error) bool {
	switch alert(err) {
	case "handshake failure", "protocol version not supported", "insufficient security level",
		"unrecognized name", "no application protocol":
		return true
	}
	return false
}

// alert returns the text of the TLS alert that the other side sent, "" without one.
func alert(err error) string {
	var op *net.OpError
	if !errors.As(err, &op) || op.Op != "remote error" || op.Err == nil {
		return ""
	}
	return strings.TrimPrefix(op.Err.Error(), "tls: ")
}

// refusedByProtocol reports whether an HTTP/2 server said, in the terms of RFC 9113,
// section 8.7, that it has not processed the request: by REFUSED_STREAM, or by a GOAWAY
// that names an earlier stream as the last. net/http does not export the types of these
// errors, so their text has to do; it holds nothing that the server chose.
func refusedByProtocol(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		text := err.Error()
		if inner, ok := strings.CutPrefix(text, "http2: Transport: cannot retry err ["); ok {
			text, _, _ = strings.Cut(inner, "] after Request.Body was written")
		}
		switch {
		case text == "http2: Transport received Server's graceful shutdown GOAWAY",
			text == "http2: client conn not usable",
			text == "http2: client conn could not be established",
			strings.HasPrefix(text, "http2: Transport received GOAWAY from server ErrCode:"),
			strings.HasPrefix(text, "stream error: stream ID ") &&
				strings.HasSuffix(text, "; REFUSED_STREAM; received from peer"):
			return true
		}
	}
	return false
}
