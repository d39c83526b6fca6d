package tui

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
	"redial/tui/visible/hostile"
)

// seed begins the random tests, which print it when they fail. Another one finds more.
var seed = flag.Uint64("seed", 2025, "the seed of the random tests")

// dice returns random numbers of the seed.
func dice(t *testing.T) *rand.Rand {
	t.Logf("to see this again: go test -run '%s$' -seed %d", t.Name(), *seed)
	return rand.New(rand.NewPCG(*seed, 0))
}

// oddSizes are all up to 5×5, and those that are long in one direction.
func oddSizes() (odd [][2]int) {
	for w := range 6 {
		for h := range 6 {
			odd = append(odd, [2]int{w, h})
		}
	}
	return append(odd, [2]int{1, 500}, [2]int{500, 1}, [2]int{4, 24}, [2]int{80, 1}, [2]int{80, 5}, [2]int{59, 16}, [2]int{60, 15}, [2]int{60, 16},
		[2]int{61, 17}, [2]int{500, 16}, [2]int{60, 500}, [2]int{80, 24}, [2]int{-1, -1})
}

// charmbracelet/bubbles#20: a pane that became one line high crashed. hzqtc/taproom PR 17
// and charmbracelet/huh#671: a text input in a pane of four columns did.
func TestEveryPlaceFillsEverySizeExactly(t *testing.T) {
	for name, keys := range places() {
		t.Run(name, func(t *testing.T) {
			onEverything(t, everything(), Options{Theme: "none"}, 110, 32, func(d *dash) {
				for _, size := range oddSizes() {
					d.send(tea.WindowSizeMsg{Width: 110, Height: 32})
					d.goes(keys)
					d.send(tea.PasteMsg{Content: strings.Repeat("漢x", 40)})
					d.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
					exact(d.t, d.frame(), size[0], size[1])
					d.press("down", "left", "backspace", "end", "home")
					d.send(tea.MouseWheelMsg(at(1, 3, tea.MouseWheelDown)))
					d.send(tea.MouseClickMsg(at(1, 3, tea.MouseLeft)))
					exact(d.t, d.frame(), size[0], size[1])
					if d.t.Failed() {
						d.t.FailNow()
					}
				}
			})
		})
	}
}

// randomSize is any, and often a small or an odd one.
func randomSize(r *rand.Rand) (w, h int) {
	switch odd := oddSizes(); r.IntN(10) {
	case 0, 1:
		size := odd[r.IntN(len(odd))]
		return size[0], size[1]
	case 2:
		return r.IntN(70), r.IntN(20)
	}
	return leastWidth + r.IntN(200), leastHeight + r.IntN(60)
}

// anything does what a person, a cat or a terminal may do.
func (d *dash) anything(r *rand.Rand, all []string) string {
	switch n := r.IntN(100); {
	case n < 6:
		list := slices.Sorted(maps.Keys(places()))
		place := list[r.IntN(len(list))]
		d.goes(places()[place])
		return place
	case n < 20:
		k := []string{"esc", "enter", "tab", "down"}[r.IntN(4)]
		d.press(k)
		return k
	case n < 75:
		k := all[r.IntN(len(all))]
		d.press(k)
		return k
	case n < 80:
		c := rune(' ' + r.IntN('~'-' '))
		d.press(string(c))
		return string(c)
	case n < 83:
		strings := hostile.Strings()
		s := strings[r.IntN(len(strings))]
		d.send(tea.PasteMsg{Content: s})
		return fmt.Sprintf("paste %.20q", s)
	case n < 86:
		d.pass(time.Duration(r.IntN(1000)) * ms)
		return "wait"
	case n < 93:
		d.send(tea.MouseWheelMsg(at(r.IntN(250), r.IntN(80), []tea.MouseButton{tea.MouseWheelUp, tea.MouseWheelDown}[r.IntN(2)])))
		return "wheel"
	}
	d.send(tea.MouseClickMsg(at(r.IntN(250), r.IntN(80), tea.MouseLeft)))
	return "click"
}

// load changes the file as services that are busy do, and that come and go.
func (f *fakeStore) load(i int, r *rand.Rand) {
	f.change(func(f *fakeStore) {
		f.err = nil
		for n := range r.IntN(5) {
			f.add("12:04:36.2", "GET", "load.example.test", fmt.Sprint("/", i, "/", n), "").answered(200, ms).ends()
			f.ended[len(f.ended)-1].ID = ledger.NewCallID(3, int64(10_000+5*i+n))
		}
		f.windows = append(f.windows[:0:0], f.windows...)
		f.windows[r.IntN(len(f.windows))].Used = r.IntN(12)
		switch r.IntN(12) {
		case 0: // what is listed shrinks, to nothing too
			f.ended = append(f.ended[:0:0], f.ended[r.IntN(len(f.ended)+1):]...)
		case 1:
			fresh := everything()
			f.sessions, f.ended, f.running, f.windows, f.ops, f.lives = fresh.sessions, fresh.ended, fresh.running, fresh.windows, fresh.ops, fresh.lives
		case 2:
			f.sessions = append(f.sessions[:0:0], f.sessions[:max(1, r.IntN(len(f.sessions)+1))]...)
		case 3:
			f.running = f.running[:r.IntN(len(f.running)+1)]
		case 4:
			f.err = []error{nil, errors.New("read: disk I/O error")}[r.IntN(2)]
		case 5:
			f.ops = append(f.ops[:0:0], f.ops[:r.IntN(len(f.ops)+1)]...)
		}
	})
}

func TestTenThousandResizesUnderLoadDoNoHarm(t *testing.T) {
	r, all := dice(t), everyKey()
	onEverything(t, everything(), Options{Theme: "dark"}, 110, 32, func(d *dash) {
		var did [8]string
		for i := range 10_000 {
			w, h := randomSize(r)
			did[i%len(did)] = d.anything(r, all)
			d.send(tea.WindowSizeMsg{Width: w, Height: h})
			exact(d.t, d.frame(), w, h)
			if i%10 == 0 {
				d.store.load(i, r)
				d.pass(60 * ms)
				exact(d.t, d.frame(), w, h)
			}
			if d.t.Failed() {
				d.t.Fatalf("in round %d, after %q", i, did)
			}
		}
	})
}
