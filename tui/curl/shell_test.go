package curl

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/textproto"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

// hostile are values that act on a shell, on curl, on printf or on a terminal if one of
// them gets to see them. CANARY is the name of a file that must not come to be.
var hostile = []string{
	"$(touch CANARY)", "`touch CANARY`", "; touch CANARY", "& touch CANARY &", "| touch CANARY", "|| touch CANARY",
	"&& touch CANARY", "\ntouch CANARY\n", "\r\ntouch CANARY\r\n", "'; touch CANARY; '", "\"; touch CANARY; \"", "';touch CANARY #",
	"\\'; touch CANARY; \\'", "'\\''; touch CANARY; '\\''", "$'\\'; touch CANARY; '", "\\", "\\\\", "trailing\\", "'", "''", "'\"'\"'",
	"\"", "$", "$HOME", "${HOME}", "$((1+1))", "$AUTHORIZATION", "!", "!!", "!-1", "!touch", "'!'", "a!b'c!d\x01", "#", "# touch CANARY",
	"~", "~root", "*", "?", "[a-z]*", "{a,b}", "{1..9}", "<(touch CANARY)", "> CANARY", ">>CANARY", "< /etc/passwd", "<<EOF\nx\nEOF\n",
	"@/etc/passwd", "@-", "-o CANARY", "--output CANARY", "-K/dev/null", "%s%n%d", "%", "%%", "\\x41\\101\\n\\c", "%{http_code}",
	"\x00", "a\x00b\x00", "\x01\x02\x03\x04\x05\x06\x07\b\t\v\f", "\x1b[2J\x1b]0;x\a", "\x1b[201~touch CANARY\n\x1b[200~", "\x7f", "\u009b2J",
	"\u202etxt.exe", "\xff\xfe\x80", "caf\xc3", "日本語 ü 🚀", "\u2028\u2029\u200b\ufeff", "a\n'b'\nc'", " lead", "trail ", "\ttab\t", "a=b&c=d;e",
	"^a^b", "name:", ";", "--", "-", "1\x002\x0034", "\x0112", "\u00e9\x01e9", strings.Repeat("'\\$(touch CANARY)!", 9000),
}

func TestWhatIsPastedSendsTheSameRequestAndRunsNothing(t *testing.T) {
	if len(hostile) < 60 {
		t.Fatal("there are too few values")
	}
	s := listen(t)
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	for i, v := range append(hostile, string(all), string(all)+"'%s\\") {
		target := "/p?v=" + v
		if strings.ContainsFunc(v, func(r rune) bool { return r < ' ' || r == 0x7f }) || len(v) > 1000 {
			target = "/p" // No request can have it there.
		}
		r := Request{Method: "POST", Scheme: "http", Host: s.host(), Target: target}
		r.Body = ledger.Body{Data: []byte(v), Size: int64(len(v))}
		if !strings.ContainsAny(v, "\r\n\x00") && len(v) < 1000 {
			r.Header = []ledger.Field{{Name: "X-Value", Value: strings.Trim(v, " \t")}}
		} else {
			r.Header = []ledger.Field{{Name: "X-Other", Value: ""}}
		}
		for _, interactive := range []bool{false, i%2 == 0} {
			s.expect(t, r, r, interactive)
		}
	}
}

func TestEveryPartOfARequestIsSentAsItIsOnRecord(t *testing.T) {
	s := listen(t)
	for name, r := range map[string]Request{
		"the least":               {Method: "GET"},
		"dots in the path":        {Method: "GET", Target: "/a/../b/./c/.."},
		"escapes":                 {Method: "GET", Target: "/%2e%2E/%00/%0a%27?%22=%25"},
		"brackets":                {Method: "GET", Target: "/a[1-3]/{x,y}?f[a]=[]"},
		"two slashes":             {Method: "GET", Target: "//host/x"},
		"a fragment":              {Method: "GET", Target: "/a?b#c"},
		"an asterisk":             {Method: "OPTIONS", Target: "*"},
		"another target":          {Method: "GET", Target: "http://other.example.test/x"},
		"not ASCII":               {Method: "GET", Target: "/ü?日"},
		"spaces":                  {Method: "GET", Target: "/a?b c"},
		"a head":                  {Method: "HEAD", Target: "/"},
		"a method of its own":     {Method: "!#$%&'*+-.^_`|~", Target: "/"},
		"lower case":              {Method: "get", Target: "/"},
		"deleted":                 {Method: "DELETE", Target: "/x"},
		"posted nothing":          {Method: "POST", Target: "/x"},
		"a body with a GET":       {Method: "GET", Body: ledger.Body{Data: []byte("x"), Size: 1}},
		"its own":                 {Method: "PUT", Header: fields("Accept", "a/b", "User-Agent", "u", "Content-Type", "c/d"), Body: ledger.Body{Data: []byte("{}"), Size: 2}},
		"the same name twice":     {Method: "GET", Header: fields("X-A", "1", "X-A", "2", "x-a", "")},
		"a name that is a mark":   {Method: "GET", Header: fields("!#$%&'*+-.^_`|~", "'")},
		"accepts nothing":         {Method: "GET", Header: fields("Accept", "")},
		"what belongs to framing": {Method: "PUT", Header: fields("A", "b"), Body: ledger.Body{Data: []byte("abc"), Size: 3}},
		"a large body":            {Method: "PUT", Body: ledger.Body{Data: bytes.Repeat([]byte("0123456789abcde\n"), 1<<17), Size: 2 << 20}},
	} {
		t.Run(name, func(t *testing.T) {
			r.Scheme, r.Host = "http", s.host()
			if r.Header == nil {
				r.Header = []ledger.Field{}
			}
			if r.Target == "" {
				r.Target = "/"
			}
			given := r
			if name == "what belongs to framing" {
				given.Header = append(fields("Host", "x", "Content-Length", "99", "Transfer-Encoding", "chunked", "Trailer", "x"), r.Header...)
			}
			s.expect(t, given, r, false)
		})
	}
}

func TestRedactedValuesComeFromTheEnvironment(t *testing.T) {
	s := listen(t)
	sum := [32]byte{1} // Of what was sent, which is not what is kept.
	data := `a=1&password=[redacted]&x={"client-secret": "[redacted]"}[redacted]`
	given := Request{
		Method: "POST", Scheme: "http", Host: s.host(), Target: "/x?token=[redacted]&path=[redacted]&[redacted]",
		Header: fields("Authorization", "[redacted]", "X-Note", "a [redacted] b"),
		Body:   ledger.Body{Data: []byte(data), Size: 12, SHA256: sum},
	}
	want := given
	want.Target = "/x?token=t%20'%22&path=p&r"
	want.Header = fields("Authorization", "Bearer $(touch CANARY)'\"", "X-Note", "a n b")
	want.Body.Data = []byte(`a=1&password=p'\&x={"client-secret": "c"}r`)
	env := []string{
		"TOKEN=t%20'%22", "REDACTED_PATH=p", "REDACTED=r", "AUTHORIZATION=Bearer $(touch CANARY)'\"", "X_NOTE=n",
		`PASSWORD=p'\`, "CLIENT_SECRET=c",
	}
	s.expect(t, given, want, false, env...)
	given.Body.Data = append([]byte("\x00%s-"), given.Body.Data...)
	want.Body.Data = append([]byte("\x00%s-"), want.Body.Data...)
	s.expect(t, given, want, false, env...)
	command, err := given.Command()
	if err != nil || !strings.Contains(command, `-H 'Authorization: '"$AUTHORIZATION"`) {
		t.Errorf("the command is %s, %v", command, err)
	}
}

func fields(list ...string) []ledger.Field {
	var out []ledger.Field
	for i := 0; i < len(list); i += 2 {
		out = append(out, ledger.Field{Name: list[i], Value: list[i+1]})
	}
	return out
}

// server answers every request and keeps what came.
type server struct {
	net.Listener
	came chan request
}

// request is what came: the header lines sorted, without Host and Content-Length.
type request struct{ line, header, body string }

func listen(t *testing.T) *server {
	t.Helper()
	if _, err := exec.LookPath("curl"); err != nil {
		t.Fatalf("this test runs the commands that are written: install curl (%v)", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{l, make(chan request, 10)}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			s.serve(conn)
		}
	}()
	return s
}

func (s *server) host() string { return s.Addr().String() }

// serve reads one request byte by byte as it comes, since a parser could make it better.
func (s *server) serve(conn net.Conn) {
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(time.Minute))
	in := bufio.NewReader(conn)
	var lines []string
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			s.came <- request{line: fmt.Sprint(err)}
			return
		}
		if line == "\r\n" {
			break
		}
		lines = append(lines, strings.TrimSuffix(line, "\r\n"))
	}
	var header []string
	length := 0
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		switch textproto.CanonicalMIMEHeaderKey(name) {
		case "Content-Length":
			length, _ = strconv.Atoi(strings.TrimSpace(value))
		case "Host":
		default:
			header = append(header, line)
		}
	}
	body := make([]byte, length)
	_, err := io.ReadFull(in, body)
	if err != nil {
		body = []byte(err.Error())
	}
	slices.Sort(header)
	io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
	s.came <- request{lines[0], strings.Join(header, "\n"), string(body)}
}

// expect runs the command of a request in a shell, and wants that request to come and
// nothing else to happen.
func (s *server) expect(t *testing.T, given, want Request, interactive bool, env ...string) {
	t.Helper()
	command, err := given.Command()
	if err != nil {
		t.Errorf("%q: %v", given.Body.Data, err)
		return
	}
	if i := strings.IndexFunc(command, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f || r == '\u202e' || r == '\u009b' }); i >= 0 {
		t.Errorf("a terminal would act on %q", command[i:])
	}
	dir := t.TempDir()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "--norc", "--noprofile")
	if interactive {
		cmd.Args = append(cmd.Args, "-i")
	}
	cmd.Stdin = strings.NewReader(strings.Replace(command, "curl ", "curl --silent --show-error --noproxy '*' ", 1) + "\n")
	cmd.Dir, cmd.Env = dir, append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "HISTFILE="}, env...)
	said, err := cmd.CombinedOutput()
	var got request
	select {
	case got = <-s.came:
	case <-ctx.Done():
		t.Fatalf("nothing came of %q, %v: %s", head(command), err, said)
	}
	var header []string
	for _, f := range want.Header {
		header = append(header, strings.TrimSuffix(f.Name+": "+f.Value, " "))
	}
	slices.Sort(header)
	if exact := (request{want.Method + " " + want.Target + " HTTP/1.1", strings.Join(header, "\n"), string(want.Body.Data)}); got != exact {
		t.Errorf("%.300q came, want %.300q, of %s\n%s", got, exact, head(command), said)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%s left %v", head(command), left)
	}
	select {
	case more := <-s.came:
		t.Errorf("%q came too", more)
	default:
	}
}

func head(s string) string { return s[:min(len(s), 400)] }
