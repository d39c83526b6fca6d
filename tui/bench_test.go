package tui

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"

	"redial/ledger"
)

// painter is the half of the library's renderer that a frame goes through: parsed into
// cells, compared with the cells before, and written.
type painter struct {
	screen uv.ScreenBuffer
	out    *uv.TerminalRenderer
	bytes  counter
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

func newPainter(w, h int) *painter {
	p := &painter{screen: uv.NewScreenBuffer(w, h)}
	p.out = uv.NewTerminalRenderer(io.Writer(&p.bytes), []string{"TERM=xterm-256color"})
	p.out.SetColorProfile(colorprofile.TrueColor)
	p.out.SetFullscreen(true)
	p.out.SetRelativeCursor(false)
	return p
}

func (p *painter) paint(b *testing.B, frame string) {
	p.screen.Clear()
	uv.NewStyledString(frame).Draw(p.screen, p.screen.Bounds())
	p.out.Render(p.screen.RenderBuffer)
	if err := p.out.Flush(); err != nil {
		b.Fatal(err)
	}
}

// busy is a dashboard of 200×60 on a service that makes 500 calls a second.
type busy struct {
	model *model
	f     *fakeStore
	now   time.Time
	n     int64
}

func newBusy(b *testing.B) *busy {
	b.Helper()
	d := &busy{f: story(), now: storyNow(), n: 2000}
	o := Options{Theme: "dark", Now: func() time.Time { return d.now }, Zone: storyZone(), Environ: []string{"TERM=xterm-256color"}, Input: io.MultiReader(), Output: io.Discard}
	if err := o.complete(); err != nil {
		b.Fatal(err)
	}
	d.model = newModel(context.Background(), d.f, o)
	d.model.Update(tea.WindowSizeMsg{Width: 200, Height: 60})
	d.tick(b)
	return d
}

// tick is a twentieth of a second: 25 calls more.
func (d *busy) tick(b *testing.B) {
	d.now = d.now.Add(50 * time.Millisecond)
	for i := range 25 {
		d.n++
		c := ledger.Call{
			ID: ledger.NewCallID(3, d.n), Method: "GET", Scheme: "https", Host: "orders.example.test", Path: fmt.Sprintf("/orders/%d", d.n),
			Started: d.now.Add(time.Duration(i) * ms), Took: 43 * ms, Status: 200, Outcome: ledger.Answered, Attempts: 1, WireSends: 1,
		}
		if i%8 == 0 {
			c.Attempts, c.Waited, c.WaitedFor, c.Key = 2, 300*ms, 1<<ledger.BackoffWait, "order-8841"
		}
		d.f.ended = append(d.f.ended, c)
	}
	d.f.ended = d.f.ended[max(0, len(d.f.ended)-200):]
	d.f.sessions[0].LastSeen = d.now
	loaded := d.model.load(d.n)()
	if m, ok := loaded.(loadedMsg); !ok || m.err != nil {
		b.Fatalf("reading returned %+v", loaded)
	}
	b.StartTimer()
	cmd := d.model.Update(loaded)
	b.StopTimer()
	read := d.screenRead(cmd)
	b.StartTimer()
	d.model.Update(read)
	b.StopTimer()
}

// screenRead runs the commands of a batch until one brings what the screen shows.
func (d *busy) screenRead(cmd tea.Cmd) tea.Msg {
	found := make(chan tea.Msg, 10)
	var run func(tea.Cmd)
	run = func(cmd tea.Cmd) {
		if cmd == nil {
			return
		}
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			for _, c := range msg {
				go run(c)
			}
		case failing:
			found <- msg
		}
	}
	go run(cmd)
	return <-found
}

// BenchmarkFrame is what a frame takes at 200×60 while 500 calls a second come in: taking
// what was read, drawing, and the library's part up to the bytes. S9 allows 2 ms.
func BenchmarkFrame(b *testing.B) {
	d, p := newBusy(b), newPainter(200, 60)
	p.paint(b, d.model.View().Content)
	b.ReportAllocs()
	b.ResetTimer()
	b.StopTimer()
	start := p.bytes
	for range b.N {
		d.tick(b)
		b.StartTimer()
		p.paint(b, d.model.View().Content)
		b.StopTimer()
	}
	b.ReportMetric(float64(p.bytes-start)/float64(b.N), "bytes/frame")
}

// BenchmarkView is our part of the same frame.
func BenchmarkView(b *testing.B) {
	d := newBusy(b)
	b.ReportAllocs()
	b.ResetTimer()
	b.StopTimer()
	for range b.N {
		d.tick(b)
		b.StartTimer()
		_ = d.model.View()
		b.StopTimer()
	}
}

// BenchmarkViewOfARest is a frame in which nothing has changed.
func BenchmarkViewOfARest(b *testing.B) {
	d := newBusy(b)
	b.ReportAllocs()
	b.StartTimer()
	for b.Loop() {
		_ = d.model.View()
	}
}

// BenchmarkTimelineFrame draws at 200×60 the timeline of a minute of 1,500 calls while it
// follows, each tenth of a second.
func BenchmarkTimelineFrame(b *testing.B) {
	d := newBusy(b)
	d.f.ended, d.f.running = nil, nil
	for i := range 1500 {
		at := d.now.Add(-time.Minute + time.Duration(i)*40*ms)
		c := d.f.add(at.Format("15:04:05.0"), "POST", fmt.Sprintf("h%d.example.test", i%6), "/orders", "order-8841")
		c.answered(503, 400*ms).waits(ledger.BackoffWait, 900*ms).answered(200, 700*ms).ends()
	}
	d.model.active = 1
	lists := d.screenRead(d.model.Update(d.screenRead(d.model.screen().Refresh())))
	d.model.Update(lists)
	p := newPainter(200, 60)
	p.paint(b, d.model.View().Content)
	p.bytes = 0
	b.StartTimer()
	b.ResetTimer()
	for b.Loop() {
		d.now = d.now.Add(tickEach)
		d.model.scene.Now = d.now
		p.paint(b, d.model.View().Content)
	}
	b.ReportMetric(float64(p.bytes)/float64(b.N), "bytes/frame")
}
