package curl

import (
	"strings"
	"testing"

	"redial/ledger"
)

func TestARequestThatCurlCannotSendIsRefused(t *testing.T) {
	good := Request{Method: "GET", Scheme: "http", Host: "a.example.test:80", Target: "/"}
	if _, err := good.Command(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Request){
		"a file":             func(r *Request) { r.Scheme, r.Target = "file", "/etc/passwd" },
		"no scheme":          func(r *Request) { r.Scheme = "" },
		"no host":            func(r *Request) { r.Host = "" },
		"userinfo":           func(r *Request) { r.Host = "a@b" },
		"a path in the host": func(r *Request) { r.Host = "a/b" },
		"a space":            func(r *Request) { r.Host = "a b" },
		"no method":          func(r *Request) { r.Method = "" },
		"two methods":        func(r *Request) { r.Method = "GET PUT" },
		"lines":              func(r *Request) { r.Target = "/\r\nEvil: 1" },
		"a zero byte":        func(r *Request) { r.Target = "/\x00" },
		"a URL too long":     func(r *Request) { r.Target = "/" + strings.Repeat("x", 1<<17) },
	} {
		r := good
		spoil(&r)
		if command, err := r.Command(); err == nil {
			t.Errorf("%s: it is %q", name, command)
		}
	}
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	post := Request{Method: "POST", Scheme: "http", Host: "a", Target: "/", Header: []ledger.Field{}}
	for _, c := range []struct {
		name   string
		change func(*Request)
		want   string
	}{
		{"a cut body", func(r *Request) { r.Body = ledger.Body{Data: []byte("abc"), Size: 900, Truncated: true} },
			"# of the body of 900 bytes only 3 are on record\n# so BODY_FILE has to name a file with all of it\n"},
		{"no body kept", func(r *Request) { r.Body = ledger.Body{Size: 900, Truncated: true} }, "only 0 are on record"},
		{"a redacted body", func(r *Request) { r.Body = ledger.Body{Data: []byte("abc"), Size: 3, SHA256: [32]byte{1}} }, "# the body was redacted on record"},
		{"no headers", func(r *Request) { r.Header = nil }, "# the headers were not kept\n"},
		{"a header in two lines", func(r *Request) { r.Header = fields("X-A", "b\r\nEvil: 1") }, "# left out, as no request can have it: header X-A\n"},
		{"a header too long", func(r *Request) { r.Header = fields("X-A", strings.Repeat("x", 1<<17)) }, "# left out, as no argument of a command can be so long: header X-A\n"},
		{"a header that is a file", func(r *Request) { r.Header = fields("@/etc/passwd\n$(x)", "b") }, "header ./etc/passwd...x.\n"},
		{"a redacted header", func(r *Request) { r.Header = fields("X-Api-Key", "[redacted]") }, "# redacted on record, so set it first: X_API_KEY\n"},
	} {
		r := post
		c.change(&r)
		command, err := r.Command()
		if err != nil || !strings.Contains(command, c.want) {
			t.Errorf("%s: %q, %v, and not %q", c.name, command, err, c.want)
		}
		for line := range strings.Lines(command) {
			if strings.HasPrefix(line, "#") && strings.ContainsAny(line, "$`;&|<>()'\"\\*?[]!{}~") {
				t.Errorf("%s: a shell without comments would act on %q", c.name, line)
			}
		}
	}
}

func TestASecretIsNamedAfterWhatItIs(t *testing.T) {
	for name, want := range map[string]string{
		"Authorization": "AUTHORIZATION", "x-api-key": "X_API_KEY", "a.b[c]": "A_B_C_", "": "REDACTED", "-": "REDACTED", "é": "REDACTED",
		"PATH": "REDACTED_PATH", "home": "REDACTED_HOME", "bash_env": "REDACTED_BASH_ENV", "1st": "REDACTED_1ST", "_x": "REDACTED_X",
		"LC_ALL": "REDACTED_LC_ALL", "$(x)": "REDACTED_X_",
	} {
		if got := Variable(name); got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
	for before, want := range map[string]string{
		`{"a":1,"token":"`: "token", `{"token" : "`: "token", `a=1&password=`: "password", `"{\"pin\":\"`: "pin", "text ": "", "": "", ":": "", `{"`: "",
	} {
		if got := fieldBefore(before); got != want {
			t.Errorf("%q: %q, want %q", before, got, want)
		}
	}
}

func TestTheRequestOfAnAttemptIsTaken(t *testing.T) {
	c := ledger.Call{Method: "PUT", Scheme: "https", Host: "h", Query: "q", AttemptList: []ledger.Attempt{
		{N: 1, Request: ledger.Message{Header: fields("A", "1")}}, {N: 2, Request: ledger.Message{Header: fields("A", "2")}},
	}}
	for n, want := range map[int]string{0: "2", 1: "1", 2: "2", 3: ""} {
		r, got := OfCall(&c, n), ""
		if len(r.Header) > 0 {
			got = r.Header[0].Value
		}
		if r.Target != "/?q" || r.Scheme != "https" || r.Method != "PUT" || got != want {
			t.Errorf("attempt %d is %+v", n, r)
		}
	}
}
