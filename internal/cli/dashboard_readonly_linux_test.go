package cli_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// An auditor looks at a copy in a folder that nobody may write to.
func TestAReadOnlyDashboardOpensWhatNobodyMayWrite(t *testing.T) {
	file := recorded(t, recordShop)
	folder := filepath.Dir(file)
	built, err := program()
	if err != nil {
		t.Fatal(err)
	}
	binary, err := os.ReadFile(built)
	if err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(folder, "redial") // where somebody else can run it
	if err := os.WriteFile(mine, binary, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(folder, 0o700) })
	for _, mode := range []struct {
		path string
		mode os.FileMode
	}{{file, 0o444}, {folder, 0o555}, {filepath.Dir(folder), 0o755}} {
		if err := os.Chmod(mode.path, mode.mode); err != nil {
			t.Fatal(err)
		}
	}
	as := controllingTerminal()
	if os.Geteuid() == 0 { // for whom modes do not count
		as.Credential = &syscall.Credential{Uid: 65534, Gid: 65534}
	}
	c := startAs(t, as, nil, mine, "--read-only", "--db", file)
	c.waitFor("RECORDED")
	c.press("3")
	c.waitFor("read-only")
	c.press("q")
	if code := c.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
