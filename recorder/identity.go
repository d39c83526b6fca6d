package recorder

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"redial/ledger"
)

// bootFile holds an id that Linux draws at each boot. Other systems do not have it.
const bootFile = "/proc/sys/kernel/random/boot_id"

// describe returns the session of this process as it is to be enrolled.
func describe(o Options) ledger.Session {
	now := time.Now()
	host, err := os.Hostname()
	if err != nil {
		host = ""
	}
	return ledger.Session{
		Service: o.Service, Version: o.Version,
		Host: host, PID: os.Getpid(), Boot: bootID(),
		Started: now, LastSeen: now,
	}
}

// bootID identifies the machine's boot, "" where that is not known.
func bootID() string {
	id, err := os.ReadFile(bootFile)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

// executable returns the base name of the running program.
func executable() string {
	path, err := os.Executable()
	if err != nil {
		path = os.Args[0]
	}
	return strings.TrimSuffix(filepath.Base(path), ".exe")
}
