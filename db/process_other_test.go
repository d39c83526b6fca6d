//go:build !linux

package db_test

// knowsProcesses says that this system does not tell whether a process runs.
const knowsProcesses = false
