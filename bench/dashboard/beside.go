package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"redial/bench/synthetic"
	"redial/db"
	"redial/ledger"
	"redial/recorder"
)

// record is the service: it makes calls until it is told to stop.
func record(ctx context.Context, path string, rate int) error {
	store, err := db.Open(path)
	if err != nil {
		return err
	}
	defer store.Close()
	rec := recorder.New(store, recorder.Options{Service: "checkout"})
	source := synthetic.New(3)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	begun, made := time.Now(), 0
	for {
		select {
		case <-ctx.Done():
			return rec.Close()
		case now := <-tick.C:
			for ; made < int(now.Sub(begun).Seconds()*float64(rate)); made++ {
				var call ledger.Call
				source.Next(&call, now)
				call.ID = rec.NewID()
				rec.Record(&call)
			}
		}
	}
}

// copied makes a copy of a file beside it.
func copied(path string) (string, error) {
	from, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer from.Close()
	to, err := os.CreateTemp(filepath.Dir(path), "redial-dashboard-*.db")
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	if err2 := to.Close(); err == nil {
		err = err2
	}
	return to.Name(), err
}

// beside measures what the dashboard costs while a service records to the same file, and
// when nothing happens.
func beside(ctx context.Context, o options, t *table) error {
	path, err := copied(o.path)
	if err != nil {
		return err
	}
	defer func() {
		for _, end := range []string{"", "-wal", "-shm"} {
			os.Remove(path + end)
		}
	}()
	if err := idle(ctx, o, path, t); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	service := exec.CommandContext(ctx, self, "-write", path, "-rate", strconv.Itoa(o.rate))
	service.Stderr = os.Stderr
	if err := service.Start(); err != nil {
		return err
	}
	defer service.Wait()
	defer service.Process.Signal(os.Interrupt)
	return busy(ctx, o, path, t)
}

// idle measures what is written and used while nothing changes.
func idle(ctx context.Context, o options, path string, t *table) error {
	term, err := start(ctx, 200, 60, o.binary, "--db", path)
	if err != nil {
		return err
	}
	defer term.end()
	if _, err := term.until(term.started, "the sums in the header", shows("err ")); err != nil {
		return err
	}
	term.quiet(time.Second)
	pid, written := term.command.Process.Pid, term.bytes()
	then, err := usageOf(pid)
	if err != nil {
		return err
	}
	if err := rest(ctx, o.length); err != nil {
		return err
	}
	now, err := usageOf(pid)
	if err != nil {
		return err
	}
	t.say("S9 nothing changes: bytes written", "0", fmt.Sprintf("%d in %v", term.bytes()-written, o.length))
	t.say("   of one core", "", fmt.Sprintf("%.1f %%", now.share(then)))
	return nil
}

// busy measures it on each screen beside the service.
func busy(ctx context.Context, o options, path string, t *table) error {
	term, err := start(ctx, 200, 60, o.binary, "--db", path)
	if err != nil {
		return err
	}
	defer term.end()
	if _, err := term.until(term.started, "the service", shows("LIVE", "following")); err != nil {
		return err
	}
	pid := term.command.Process.Pid
	for _, s := range []struct{ key, name string }{{"1", "live"}, {"2", "timeline"}, {"3", "pending"}, {"4", "windows"}, {"5", "hosts"}, {"6", "sessions"}} {
		if _, err := term.press(s.key, s.name, shows("["+s.key)); err != nil {
			return err
		}
		if err := rest(ctx, 2*time.Second); err != nil {
			return err
		}
		then, err := usageOf(pid)
		if err != nil {
			return err
		}
		written, length := term.bytes(), o.length/2
		if err := rest(ctx, length); err != nil {
			return err
		}
		now, err := usageOf(pid)
		if err != nil {
			return err
		}
		t.say(fmt.Sprintf("S9 200×60 beside %d calls a second: %s", o.rate, s.name), "5 %", fmt.Sprintf("%.1f %% of one core, %d bytes a second", now.share(then), int64(float64(term.bytes()-written)/length.Seconds())))
		if m, err := memoryOf(pid); err == nil {
			t.say("S10 memory then", "64 MB", m.String())
		}
	}
	return nil
}

func rest(ctx context.Context, long time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(long):
		return nil
	}
}
