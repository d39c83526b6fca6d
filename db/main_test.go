package db_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// TestMain makes the test binary one of the other processes that tests start, if they ask
// for one.
func TestMain(m *testing.M) {
	var err error
	switch role := os.Getenv("REDIAL_DB_TEST_ROLE"); role {
	case "":
		os.Exit(m.Run())
	case "record":
		err = record(os.Getenv("REDIAL_DB"), os.Getenv("REDIAL_DB_TEST_BATCHES"))
	case "operate":
		err = operate(os.Getenv("REDIAL_DB"), os.Getenv("REDIAL_DB_TEST_BATCHES"))
	case "compete":
		err = compete(os.Getenv("REDIAL_DB"), os.Getenv("REDIAL_DB_TEST_BATCHES"))
	case "watch":
		err = watch(os.Getenv("REDIAL_DB"))
	default:
		err = fmt.Errorf("unknown role %q", role)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// record is a service: it writes batches of ten calls, with one more running, and prints a
// line for each that is in the file: the session and how many calls it has.
func record(path, batches string) error {
	ctx := context.Background()
	d, err := db.Open(path)
	if err != nil {
		return err
	}
	host, _ := os.Hostname()
	s, err := d.Enrol(ctx, ledger.Session{Service: "recorder", Host: host, PID: os.Getpid(), Started: time.Now(), LastSeen: time.Now()})
	if err != nil {
		return err
	}
	most, _ := strconv.Atoi(batches)
	n := int64(0)
	for i := 0; most == 0 || i < most; i++ {
		b := &ledger.Batch{Session: s, Beat: time.Now()}
		for range 10 {
			n++
			b.Calls = append(b.Calls, plainCall(s, n))
		}
		if i+1 != most {
			b.Running = []ledger.Call{runningCall(s, n+1)}
		}
		if err := d.Write(ctx, b); err != nil {
			return err
		}
		fmt.Println(s, n)
	}
	if err := d.End(ctx, s, time.Now(), ledger.Counters{Written: n}); err != nil {
		return err
	}
	return d.Close()
}

// watch is a dashboard: it reads what changes until it is killed. It prints a line for
// each round.
func watch(path string) error {
	d, err := db.Open(path)
	if err != nil {
		return err
	}
	for {
		if err := look(d); err != nil {
			return err
		}
		fmt.Println("seen")
	}
}

// look reads what a dashboard reads.
func look(d *db.DB) error {
	ctx := context.Background()
	if _, err := d.Version(ctx); err != nil {
		return err
	}
	if _, err := d.Sessions(ctx); err != nil {
		return err
	}
	if _, err := d.Calls(ctx, ledger.Query{Newest: true, Limit: 50}); err != nil {
		return err
	}
	if _, err := d.Rollups(ctx, nil, time.Now().Add(-time.Minute), time.Now()); err != nil {
		return err
	}
	_, err := d.Running(ctx, nil)
	return err
}

// process is another process, started by a test.
type process struct {
	*exec.Cmd
	lines *bufio.Scanner
	wrong *os.File
}

// start starts another process in a role, which ends with the test at the latest.
func startProcess(t testing.TB, role, path string, batches int) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(os.Args[0])}
	p.Env = append(os.Environ(), "REDIAL_DB_TEST_ROLE="+role, "REDIAL_DB="+path, "REDIAL_DB_TEST_BATCHES="+strconv.Itoa(batches))
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if p.wrong, err = os.CreateTemp(t.TempDir(), "stderr"); err != nil {
		t.Fatal(err)
	}
	p.Stderr = p.wrong
	p.lines = bufio.NewScanner(out)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	return p
}

// line returns the next line that the process prints, "" when it has ended.
func (p *process) line() string {
	p.lines.Scan()
	return p.lines.Text()
}

// kill kills the process, and reports what it complained of.
func (p *process) kill(t testing.TB) {
	t.Helper()
	_ = p.Process.Kill()
	p.end(t)
}

// end waits for the process to end, and reports what it complained of. It returns the
// last line that it printed.
func (p *process) end(t testing.TB) (last string) {
	t.Helper()
	for p.lines.Scan() {
		last = p.lines.Text()
	}
	_ = p.Wait()
	said, err := os.ReadFile(p.wrong.Name())
	if err != nil || len(said) > 0 {
		t.Errorf("a process said %q (%v)", said, err)
	}
	return last
}
