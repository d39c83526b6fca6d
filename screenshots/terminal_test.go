package main

import (
	"context"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTheScreenIsWhatTheProgramWrote(t *testing.T) {
	for _, test := range []struct {
		name  string
		fake  string
		steps []step
		want  []string
	}{
		{"the terminal has the size that the shot asks for", "size", []step{{until: "40 by 5"}}, []string{"40 by 5", "", "", "", ""}},
		{"the last words of a program are kept", "short", []step{{until: "good bye"}}, []string{"bold red", "good bye", "", "", ""}},
		{"a raw line feed does not return the carriage", "raw", []step{{until: "two"}}, []string{"one", "   two", "", "", ""}},
		{"keys arrive as a terminal sends them", "raw", []step{{keys: "enter", until: `"\r"`}, {keys: "j", until: `"j"`}, {keys: "up", until: `"\x1b[A"`}, {keys: "ctrl+d", until: `"\x04"`}},
			[]string{"one", `   two"\r" "j" "\x1b[A" "\x04"`, "", "", ""}},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, err := fakeStudio(test.fake).capture(t.Context(), shot{cols: 40, rows: 5, steps: test.steps})
			if err != nil {
				t.Fatal(err)
			}
			if got := g.text(); !slices.Equal(got, test.want) {
				t.Errorf("the screen is %q, want %q", got, test.want)
			}
		})
	}
}

func TestAProgramThatAsksForTheGroundIsToldTheThemes(t *testing.T) {
	for theme, want := range map[string]string{"dark": "rgb:0f0f/1313/1a1a", "light": "rgb:ffff/ffff/ffff"} {
		s := shot{cols: 60, rows: 3, theme: theme, steps: []step{{until: want}}}
		if _, err := fakeStudio("ground").capture(t.Context(), s); err != nil {
			t.Errorf("%s: %v", theme, err)
		}
	}
}

func TestTheProgramKnowsNothingOfTheUsersEnvironment(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	t.Setenv("REDIAL_DB", "/elsewhere")
	t.Setenv("TZ", "Asia/Tokyo")
	g, err := fakeStudio("environment").capture(t.Context(), shot{cols: 300, rows: 20, steps: []step{{until: "TZ=UTC"}}})
	if err != nil {
		t.Fatal(err)
	}
	screen := strings.Join(g.text(), "\n")
	for _, secret := range []string{"NO_COLOR", "REDIAL_DB", "Tokyo", "HOME=" + os.Getenv("HOME") + "\n"} {
		if strings.Contains(screen, secret) {
			t.Errorf("the program sees %s:\n%s", secret, screen)
		}
	}
}

func TestAFrameIsWholeWhenItsBracketIsClosed(t *testing.T) {
	term, err := startTerminal(exec.Command(os.Args[0], "fake", "frame"), shot{cols: 40, rows: 5})
	if err != nil {
		t.Fatal(err)
	}
	defer term.close()
	term.patience = 300 * time.Millisecond
	if term.settle(t.Context(), "half", false) == nil {
		t.Fatal("a half frame was taken for a whole one")
	}
	term.patience = patience
	if err := term.press("j"); err != nil {
		t.Fatal(err)
	}
	if err := term.settle(t.Context(), "whole", false); err != nil {
		t.Fatal(err)
	}
}

func TestATextThatDoesNotAppearIsAnErrorThatShowsTheScreen(t *testing.T) {
	term, err := startTerminal(exec.Command(os.Args[0], "fake", "raw"), shot{cols: 40, rows: 5})
	if err != nil {
		t.Fatal(err)
	}
	defer term.close()
	if err := term.settle(t.Context(), "two", false); err != nil {
		t.Fatal(err)
	}
	term.patience = time.Millisecond
	err = term.settle(t.Context(), "three", false)
	if err == nil || !strings.Contains(err.Error(), "three") || !strings.Contains(err.Error(), "two") {
		t.Errorf("error %v, want one with the text and the screen", err)
	}
}

func TestAnInterruptEndsTheWait(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := fakeStudio("raw").capture(ctx, shot{cols: 40, rows: 5, steps: []step{{until: "never"}}}); err == nil {
		t.Error("a cancelled wait gave a picture")
	}
}

func TestAWaitEndsWhenTheTextIsThereAndTheScreenRests(t *testing.T) {
	long, short := time.Minute, time.Millisecond
	for _, test := range []struct {
		name    string
		moment  moment
		done    bool
		problem string
	}{
		{"there and at rest", moment{found: true, resting: long, patience: long}, true, ""},
		{"there and moving", moment{found: true, resting: short, patience: long}, false, ""},
		{"there, at rest and in the middle of a frame", moment{found: true, inFrame: true, resting: long, patience: long}, false, ""},
		{"live and in the middle of a frame", moment{found: true, live: true, inFrame: true, resting: short, waited: liveRest, patience: long}, false, ""},
		{"at rest and not there", moment{resting: long, patience: long}, false, ""},
		{"there and the program ended", moment{found: true, ended: true, resting: short, patience: long}, true, ""},
		{"the program ended without it", moment{ended: true, patience: long}, false, "ended"},
		{"never there", moment{resting: long, waited: long, patience: long}, false, "did not appear"},
		{"never at rest", moment{found: true, resting: short, waited: long, patience: long}, false, "did not come to rest"},
		{"live and never at rest", moment{found: true, live: true, resting: short, waited: liveRest, patience: long}, true, ""},
		{"live and not there", moment{live: true, resting: short, waited: liveRest, patience: long}, false, ""},
	} {
		done, problem := test.moment.judge()
		if done != test.done || !strings.Contains(problem, test.problem) || (problem == "") != (test.problem == "") {
			t.Errorf("%s: got %v, %q; want %v, %q", test.name, done, problem, test.done, test.problem)
		}
	}
}
