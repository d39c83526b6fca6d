package timeline

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/tui/scene"
)

// player moves the cursor through a recording as time goes by.
type player struct {
	on    bool
	speed int // index of speeds
	last  time.Time
	task  scene.Task
}

// beat is how often the cursor moves.
const beat = 100 * time.Millisecond

// speeds are how many times as fast as it happened a recording can be played.
func speeds() []float64 { return []float64{0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 1200} }

// asItWas is the index of the speed at which it happened.
func asItWas() int { return slices.Index(speeds(), 1) }

// playMsg tells that it is time to move the cursor.
type playMsg struct{ seq int }

func (t *Screen) beat() tea.Cmd {
	_, seq := t.playing.task.Begin(t.ctx)
	return tea.Tick(beat, func(time.Time) tea.Msg { return playMsg{seq} })
}

// speed returns how fast it plays.
func (t *Screen) speed() float64 { return speeds()[t.playing.speed] }

// pace puts the speed into words.
func (t *Screen) pace() string { return fmt.Sprintf("×%g", t.speed()) }

// play begins to play, or stops. At the end it begins anew.
func (t *Screen) play() tea.Cmd {
	switch {
	case t.scene.Live:
		t.scene.Say("it is live: " + t.scene.Keys.Follow.Help().Key + " follows it; recordings play")
		return nil
	case t.playing.on:
		t.stop("stopped")
		return nil
	}
	all := t.bounds()
	at := t.scene.Cursor.At
	if at.IsZero() {
		at = t.span.from
	}
	if !at.Add(beat).Before(all.to) {
		at = all.from
	}
	t.playing.on, t.playing.last = true, t.scene.Now
	km := t.scene.Keys
	t.scene.Say(fmt.Sprintf("plays at %s; %s and %s change that, %s stops it", t.pace(), km.Slower.Help().Key, km.Faster.Help().Key, km.Play.Help().Key))
	return tea.Batch(t.goTo(at, 0), t.beat())
}

func (t *Screen) stop(why string) {
	t.playing.on = false
	t.playing.task.Drop()
	t.scene.Say(why)
}

// faster changes the speed.
func (t *Screen) faster(n int) {
	t.playing.speed = max(0, min(t.playing.speed+n, len(speeds())-1))
	t.scene.Say("plays at " + t.pace())
}

// played moves the cursor on. When it comes to the edge, what is in sight is turned like a
// page.
func (t *Screen) played(m playMsg) tea.Cmd {
	if !t.playing.task.Done(m.seq) || !t.playing.on {
		return nil
	}
	now := t.scene.Now
	passed := max(now.Sub(t.playing.last), 0)
	t.playing.last = now
	all := t.bounds()
	at := t.scene.Cursor.At.Add(time.Duration(float64(passed) * t.speed()))
	if !at.Before(all.to) {
		t.point(all.to.Add(-1), 0)
		t.stop("this is where it ends")
		return nil
	}
	t.point(at, 0)
	if margin := t.span.width() / 20; at.Add(margin).After(t.span.to) && t.span.to.Before(all.to) {
		t.span = t.span.around(at, 0.05, all)
		return tea.Batch(t.Refresh(), t.beat())
	}
	t.settle()
	return tea.Batch(t.list(), t.beat())
}
