package db

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// processOf returns what tells the process with this id from every other one on this
// machine, before and after it: the boot, the namespace that the id belongs to, and when
// it started. One that has ended, but has not been waited for, is told from what it was.
// "" if there is no such process, or it cannot be told.
func processOf(pid int) string {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	// The second field is a name in parentheses, which may hold anything. The start time
	// is the 22nd.
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	place := machine()
	switch {
	case len(fields) < 20 || place == "":
		return ""
	case string(fields[0]) == "Z" || string(fields[0]) == "X":
		return place + " ended"
	}
	return place + " " + string(fields[19])
}

// machine returns what a process id belongs to: this boot of this machine, and the
// namespace. "" if it cannot be told.
func machine() string {
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(boot)) + " " + space
}
