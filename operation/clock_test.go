package operation

import (
	"testing"
	"time"
)

func TestAClockThatIsSetBackIsNoticed(t *testing.T) {
	for _, test := range []struct {
		name         string
		wall, passed time.Duration
		want         bool
	}{
		{"both agree", time.Hour, time.Hour, false},
		{"adjusted a little", time.Hour - time.Second, time.Hour, false},
		{"set back by a minute", time.Hour - time.Minute, time.Hour, true},
		{"set back before the start", -time.Hour, time.Minute, true},
		{"asleep: the wall clock alone went on", 72 * time.Hour, time.Hour, false},
	} {
		if got := setBack(test.wall, test.passed); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
