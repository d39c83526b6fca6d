package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// memory is what a process holds, in bytes.
type memory struct{ resident, anonymous int64 }

// memoryOf reads it from Linux.
func memoryOf(pid int) (m memory, err error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return m, err
	}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		n, _ := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		switch name {
		case "VmRSS":
			m.resident = n << 10
		case "RssAnon":
			m.anonymous = n << 10
		}
	}
	return m, nil
}

func (m memory) String() string {
	return fmt.Sprintf("%.1f MB resident, %.1f MB of it its own", float64(m.resident)/1e6, float64(m.anonymous)/1e6)
}

// usage is what a process has used so far.
type usage struct {
	cpu time.Duration
	at  time.Time
}

// tick is the unit in which Linux tells of processor time.
const tick = time.Second / 100

// usageOf reads it from Linux.
func usageOf(pid int) (u usage, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return u, err
	}
	text := string(stat)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	const user, system = 11, 12 // counted from the field behind the name
	if len(fields) <= system {
		return u, fmt.Errorf("read the processor time of process %d: %q", pid, text)
	}
	for _, i := range []int{user, system} {
		n, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return u, err
		}
		u.cpu += time.Duration(n) * tick
	}
	u.at = time.Now()
	return u, nil
}

// share returns how much of one core was used since then, in percent.
func (u usage) share(then usage) float64 {
	return 100 * float64(u.cpu-then.cpu) / float64(u.at.Sub(then.at))
}

// load returns the load of the machine over the last minute.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
