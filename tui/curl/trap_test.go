package curl

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

// trap is a shell in which nothing but a curl that only tells that it was run can be run, and
// in which whatever else is tried leaves a file.
type trap struct{ path, ran, dir string }

func setTrap(t *testing.T) *trap {
	t.Helper()
	tr := &trap{path: t.TempDir(), ran: filepath.Join(t.TempDir(), "ran"), dir: t.TempDir()}
	told := "#!/bin/sh\necho run >> '" + tr.ran + "'\n"
	if err := os.WriteFile(filepath.Join(tr.path, "curl"), []byte(told), 0o700); err != nil {
		t.Fatal(err)
	}
	return tr
}

// expect runs a command and wants curl to be run once and nothing else.
func (tr *trap) expect(t *testing.T, command string, interactive bool) {
	t.Helper()
	_ = os.Remove(tr.ran)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "--norc", "--noprofile")
	if interactive {
		cmd.Args = append(cmd.Args, "-i")
	}
	cmd.Stdin, cmd.Dir = strings.NewReader(command+"\n"), tr.dir
	cmd.Env = []string{"PATH=" + tr.path, "HOME=" + tr.dir, "HISTFILE=", "BODY_FILE=/dev/null",
		"BASH_FUNC_command_not_found_handle%%=() { : > CANARY; }"}
	said, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		t.Fatalf("%s does not end: %v", head(command), err)
	}
	if ran, err := os.ReadFile(tr.ran); err != nil || string(ran) != "run\n" {
		t.Errorf("curl was run %d times (%v) by %s\n%s", strings.Count(string(ran), "\n"), err, head(command), said)
	}
	if left, err := os.ReadDir(tr.dir); err != nil || len(left) > 0 {
		t.Errorf("%s left %v: %s", head(command), left, said)
		for _, f := range left {
			_ = os.Remove(filepath.Join(tr.dir, f.Name()))
		}
	}
}

func TestNoPartOfARequestRunsAnything(t *testing.T) {
	tr := setTrap(t)
	for part, put := range map[string]func(*Request, string){
		"method":           func(r *Request, v string) { r.Method = v },
		"scheme":           func(r *Request, v string) { r.Scheme = v },
		"host":             func(r *Request, v string) { r.Host = v },
		"target":           func(r *Request, v string) { r.Target = v },
		"path":             func(r *Request, v string) { r.Target = "/" + v },
		"header's name":    func(r *Request, v string) { r.Header = fields(v, "x") },
		"header":           func(r *Request, v string) { r.Header = fields("X-A", v) },
		"secret header":    func(r *Request, v string) { r.Header = fields(v, redacted) },
		"beside a secret":  func(r *Request, v string) { r.Header = fields("X-A", v+redacted+v) },
		"secret parameter": func(r *Request, v string) { r.Target = "/?" + v + "=" + redacted + "&" + v },
		"body":             func(r *Request, v string) { r.Body = ledger.Body{Data: []byte(v), Size: int64(len(v))} },
		"secret field": func(r *Request, v string) {
			r.Body = ledger.Body{Data: []byte(`{"` + v + `":"` + redacted + `"}` + v), Size: 1, SHA256: [32]byte{1}}
		},
		"cut body": func(r *Request, v string) { r.Body = ledger.Body{Data: []byte(v), Size: 1 << 20, Truncated: true} },
	} {
		t.Run(part, func(t *testing.T) {
			for i, v := range hostile {
				r := Request{Method: "POST", Scheme: "http", Host: "a.example.test", Target: "/", Header: []ledger.Field{}}
				put(&r, v)
				command, err := r.Command()
				if err != nil {
					continue // It is refused in words.
				}
				tr.expect(t, command, i%3 == 0)
			}
		})
	}
}
