package db

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"redial/ledger"
)

func TestNetworkFileSystemsAreKnown(t *testing.T) {
	for magic, want := range map[int64]string{
		0x6969: "NFS", 0xff534d42: "SMB", 0xfe534d42: "SMB", 0x517b: "SMB", 0x01021997: "9P", 0xc36400: "Ceph",
		0xef53: "", 0x9123683e: "", 0x58465342: "", 0x01021994: "", 0x794c7630: "", 0x65735546: "", // ext4, btrfs, xfs, tmpfs, overlay, fuse
	} {
		if got := networkName(magic); got != want {
			t.Errorf("%#x is %q, want %q", magic, got, want)
		}
	}
	if got := networkFS(t.TempDir() + "/redial.db"); got != "" {
		t.Errorf("a temporary folder is on %q", got)
	}
}

func TestAnotherProcessWithTheSameIDIsNotTakenForIt(t *testing.T) {
	n, s := newNeighbours(), &ledger.Session{PID: os.Getpid()}
	for written, want := range map[string][2]bool{
		processOf(s.PID):          {true, false},
		n.machine + " 99999":      {false, true},
		"other-boot pid:[1] 4711": {false, false},
	} {
		if runs, gone := n.process(s, written, time.Now()); runs != want[0] || gone != want[1] {
			t.Errorf("%q: runs %v, gone %v, want %v", written, runs, gone, want)
		}
	}
}

// TestAProcessIsLookedForOnceASecond asks again and again for one that ends meanwhile.
func TestAProcessIsLookedForOnceASecond(t *testing.T) {
	c := exec.Command("/bin/sleep", "60")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	n, s, now := newNeighbours(), &ledger.Session{PID: c.Process.Pid}, time.Now()
	written := processOf(s.PID)
	check := func(when string, at time.Time, alive bool) {
		t.Helper()
		if runs, gone := n.process(s, written, at); runs != alive || gone == alive {
			t.Errorf("%s it runs: %v, is gone: %v", when, runs, gone)
		}
	}
	check("at first", now, true)
	_ = c.Process.Kill()
	_ = c.Wait()
	check("half a second later", now.Add(time.Second/2), true)
	check("a second later", now.Add(time.Second), false)
	check("with a clock set back", now.Add(-time.Hour), false)
	for pid := range 2 * maxSeen {
		n.process(&ledger.Session{PID: -pid}, "", now)
	}
	if len(n.seen) > maxSeen {
		t.Errorf("%d processes are remembered", len(n.seen))
	}
}
