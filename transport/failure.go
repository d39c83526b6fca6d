package transport

import (
	"context"
	"errors"
	"net"
)

// errorKind returns what kind of error an attempt ended with. That a connection took too
// long to be made is a connection that was not made, and a name likewise.
func errorKind(err error) ErrorKind {
	var dns *net.DNSError
	var timeout net.Error
	switch {
	case errors.As(err, &dns):
		return DNSError
	case beforeConnection(err):
		return ConnectError
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return TimeoutError
	}
	return LostError
}
