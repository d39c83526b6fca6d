package cli_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
)

// seed begins the random test, which prints it when it fails. Another one finds more.
var seed = flag.Uint64("seed", 2025, "the seed of the random test")

func TestEveryScreenReadsARealFile(t *testing.T) {
	c := open(t, nil, "--db", recorded(t, recordOperations))
	c.waitFor("cut off")
	for _, screen := range []string{"2 Timeline", "3 Pending", "4 Windows", "5 Hosts", "6 Sessions", "1 Calls"} {
		c.press(screen[:1])
		c.waitFor("[" + screen)
		c.waitFor(map[string]string{"2": "Session", "3": "not settled", "4": "Windows", "5": "Hosts", "6": "Sessions", "1": "call"}[screen[:1]])
	}
	c.press("6jj\r")
	c.waitFor("is shown")
	for _, keys := range []string{"2", "5", "4", "1"} {
		c.press(keys)
		c.waitFor("[" + keys)
	}
	c.press("q")
	if code := c.wait(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	c.checkLeft()
	if all := c.written(); strings.Contains(all, "CANNOT READ") || strings.Contains(all, "damaged") {
		t.Errorf("a screen could not be read; the last was\n%s", c.text())
	}
}

// content returns what a file and those beside it have in them.
func content(t *testing.T, file string) string {
	t.Helper()
	var all []string
	for _, name := range []string{file, file + "-wal"} {
		data, err := os.ReadFile(name)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%x", sha256.Sum256(data)))
	}
	return strings.Join(all, " ")
}

// mash returns keys, clicks, turns of the wheel and pasted text as a cat on the keyboard
// sends them; none of them ends the dashboard or suspends it.
func mash(r *rand.Rand, n int) string {
	var b strings.Builder
	special := []string{"\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x1b[Z", "\r", "\t", "\x7f", "\x04", "\x15", "\x14", "\x1b[3~"}
	for range n {
		switch k := r.IntN(20); {
		case k < 6:
			b.WriteString(special[r.IntN(len(special))])
		case k == 6:
			fmt.Fprintf(&b, "\x1b[<%d;%d;%dM", []int{0, 64, 65}[r.IntN(3)], 1+r.IntN(100), 1+r.IntN(30))
		case k == 7:
			b.WriteString("\x1b[200~q\x03\ny\n\x1b[201~")
		case k == 8:
			b.WriteByte("1234566"[r.IntN(7)])
		default:
			if c := byte('!' + r.IntN('~'-'!')); c != 'q' {
				b.WriteByte(c)
			}
		}
	}
	return b.String()
}

// Whatever is typed, a dashboard that is read-only changes nothing and goes on.
func TestACatOnTheKeyboardHarmsNothing(t *testing.T) {
	t.Logf("to see this again: go test -run '%s' -seed %d", t.Name(), *seed)
	r := rand.New(rand.NewPCG(*seed, 0))
	file := recorded(t, recordOperations)
	before := content(t, file)
	c := open(t, nil, "--read-only", "--db", file)
	c.waitFor("cut off")
	for i := range 40 {
		c.press(mash(r, 50))
		c.press("\x1b")
		if i%4 == 0 {
			c.resize(60+r.IntN(140), 16+r.IntN(50))
		}
		if len(c.exited) > 0 {
			t.Fatalf("it ended, and says:\n%s", c.text())
		}
	}
	c.resize(100, 30)
	c.press("\x1b[200~\x1b[201~")
	c.until("is not followed by the tabs", func() bool { return strings.Contains(c.text(), "Timeline") })
	c.press("\x03")
	if code := c.wait(); code != 0 {
		t.Errorf("exit code %d; it says:\n%s", code, c.text())
	}
	c.checkLeft()
	if content(t, file) != before {
		t.Error("the file has changed")
	}
}
