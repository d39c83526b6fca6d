package transport

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestIsToken(t *testing.T) {
	const tchar = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" // RFC 9110, section 5.6.2
	for c := range 256 {
		s := string([]byte{'a', byte(c), 'z'})
		if got, want := isToken(s), strings.IndexByte(tchar, byte(c)) >= 0; got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
	if isToken("") {
		t.Error("nothing is a token")
	}
}

func TestIsFieldValue(t *testing.T) {
	for c := range 256 {
		s := string([]byte{'a', byte(c), 'z'})
		if got, want := isFieldValue(s), c == '\t' || c >= ' ' && c != 0x7f; got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

// The cheap clock is right to the nanosecond while nobody sets the wall clock.
func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		for range 100 {
			if got, want := c.now(), time.Now(); !got.Equal(want) || got.Sub(want) != 0 {
				t.Fatalf("%v, want %v", got, want)
			}
			<-time.After(137 * time.Millisecond)
		}
	})
}
