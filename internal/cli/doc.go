// Package cli is redial's command line. It wires the other packages together and turns
// what they say into lines, JSON and exit codes that people and scripts rely on.
//
// Every command promises the same: what was asked for goes to standard output and
// everything else to standard error; the exit code is 0 when it was done, 1 when it
// failed and 2 when the command line was wrong; no byte from a recording reaches the
// terminal as a control. A command that only reads never creates a file or changes one.
package cli
