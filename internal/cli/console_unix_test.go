//go:build unix

package cli_test

import "syscall"

// controllingTerminal makes a program's standard input the terminal that controls it, so
// that what is typed and what happens to the terminal reaches it as in a shell.
func controllingTerminal() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Setctty: true}
}
