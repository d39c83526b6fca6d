package tui

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"redial/ledger"
)

func TestWhatIsShownIsExported(t *testing.T) {
	var asked []string
	o := Options{Theme: "none", Export: func(_ context.Context, format string, f ledger.Filter, ids []ledger.SessionID, file string) (int, error) {
		asked = append(asked, format, f.Text, ids[0].String(), filepath.Base(file), filepath.Dir(file))
		return 7, nil
	}}
	onDashWith(t, story(), o, 110, 32, func(d *dash) {
		d.press("x")
		d.shows("Export · all calls that are shown", "HAR", "for spreadsheets", "goes to a new file beside the recording")
		d.press("f", "esc")
		d.shows("nothing was done")
		d.press("/")
		d.write("status:5xx")
		d.press("enter", "x")
		d.shows("Export · calls that match status:5xx")
		d.press("j", "enter")
		d.shows("wrote 7 calls to redial-2025-11-29T120436.csv beside the recording")
		if got := strings.Join(asked, " "); got != "csv status:5xx 3 redial-2025-11-29T120436.csv /home/ana" {
			t.Errorf("it was asked for %s", got)
		}
	})
}

func TestAnExportIsGivenUpOrFailsInWords(t *testing.T) {
	o := Options{Theme: "none", Export: func(ctx context.Context, format string, _ ledger.Filter, _ []ledger.SessionID, _ string) (int, error) {
		if format == "csv" {
			return 0, errors.New("write x: no space left on device")
		}
		<-ctx.Done()
		return 3, ctx.Err()
	}}
	onDashWith(t, story(), o, 110, 32, func(d *dash) {
		d.press("x", "enter")
		d.shows("exporting to redial-2025-11-29T120436.har; x gives it up")
		d.press("x")
		d.shows("the export was given up: nothing was left behind")
		d.press("x", "j", "enter")
		d.shows("nothing was exported: write x: no space left on device")
	})
}

func TestWhereNothingCanBeExportedThatIsSaid(t *testing.T) {
	onDash(t, story(), 110, 32, func(d *dash) {
		for _, tab := range []string{"1", "4", "5"} {
			d.press(tab, "x")
			d.shows("nothing can be exported here")
		}
	})
}

func TestTheCallsOfAnOperationAreExportedWhateverSessionTheyAreOf(t *testing.T) {
	var asked []string
	o := Options{Theme: "none", Export: func(_ context.Context, format string, f ledger.Filter, ids []ledger.SessionID, _ string) (int, error) {
		asked = append(asked, format, f.Text)
		if ids != nil {
			t.Errorf("only the sessions %v were asked for", ids)
		}
		return 3, nil
	}}
	f := pendingStory()
	o.Actions = &fakeActions{store: f}
	onDashWith(t, f, o, 110, 32, func(d *dash) {
		d.press("3", "x")
		_, rest, found := strings.Cut(d.text(), "Export · calls of ")
		if !found {
			d.t.Fatalf("no export is offered:\n%s", d.text())
		}
		first, _, _ := strings.Cut(rest, " ")
		d.press("enter")
		d.shows("wrote 3 calls to redial-2025-11-29T120436.har")
		if want := `(key:"` + first + `" service:"checkout")`; asked[1] != want {
			t.Errorf("it was asked for %s, want %s", asked[1], want)
		}
		d.press("space", "space", "x")
		d.shows("Export · calls of 2 operations")
	})
}
