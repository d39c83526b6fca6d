package cli

import (
	"io"

	"golang.org/x/sys/unix"
)

// dropTyped throws away what was typed at a terminal and has not been read yet.
func dropTyped(in io.Reader) {
	if f, ok := in.(interface{ Fd() uintptr }); ok {
		_ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH) // if it is no terminal, there is nothing to drop
	}
}
