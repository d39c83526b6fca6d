package cli

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestVersionTellsWhatIsKnownOfTheBuild(t *testing.T) {
	system := ", " + runtime.Version() + ", " + runtime.GOOS + "/" + runtime.GOARCH
	setting := func(pairs ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: "v0.1.0"}}
		for i := 0; i < len(pairs); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return info
	}
	for want, info := range map[string]*debug.BuildInfo{
		"redial":                       nil,
		"redial v0.1.0":                setting(),
		"redial v0.1.0, revision 9f2c": setting("vcs.revision", "9f2c", "vcs.modified", "false"),
		"redial v0.1.0, revision 9f2c with local changes": setting("vcs.revision", "9f2c", "vcs.modified", "true"),
	} {
		if got := describeBuild(info); got != want+system {
			t.Errorf("it is %q, want %q", got, want+system)
		}
	}
}
