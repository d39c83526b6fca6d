package detail

import (
	"context"
	"errors"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"redial/ledger"
)

// Store is what a detail reads by itself.
type Store interface {
	Call(context.Context, ledger.CallID) (ledger.Call, error)
	Calls(context.Context, ledger.Query) ([]ledger.Call, error)
	Operation(context.Context, ledger.ID) (ledger.Operation, error)
}

// mostKin is how many calls of an operation are listed.
const mostKin = 20

// kin is what belongs to the operation of a call.
type kin struct {
	of    ledger.CallID
	op    ledger.Operation // its state is zero if it is not on record
	calls []ledger.Call    // those with the same key, oldest first, without their lists
	more  bool             // there are more of them
}

// kinMsg brings the kin of a call.
type kinMsg struct {
	to  *Screen
	seq int
	kin kin
	err error
}

// visitMsg brings a call that was gone to.
type visitMsg struct {
	to   *Screen
	seq  int
	call Whole
	err  error
}

// readKin reads what belongs to the same operation. The service narrows it down, as a key
// is unique only there; "" is not known.
func readKin(ctx context.Context, s Store, id ledger.CallID, service, key string) (kin, error) {
	k := kin{of: id}
	f, err := ledger.ParseCallFilter(sameKey(service, key))
	if err != nil {
		return k, err
	}
	k.calls, err = s.Calls(ctx, ledger.Query{Filter: f, Limit: mostKin + 1})
	if err != nil {
		return k, err
	}
	if k.more = len(k.calls) > mostKin; k.more {
		k.calls = k.calls[:mostKin]
	}
	if service != "" {
		k.op, err = s.Operation(ctx, ledger.ID{Service: service, Key: key})
		if errors.Is(err, ledger.ErrNoOperation) {
			err = nil
		}
	}
	return k, err
}

// sameKey returns the filter of the calls with a key.
func sameKey(service, key string) string {
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`)
	f := `key:"` + quote.Replace(key) + `"`
	if service != "" {
		f += ` service:"` + quote.Replace(service) + `"`
	}
	return f
}

// Reads lets the detail read what belongs to its call, from now on.
func (d *Screen) Reads(ctx context.Context, s Store) { d.ctx, d.store = ctx, s }

// fresh is how long what was read of an operation holds.
const fresh = time.Second

// Read reads what belongs to the operation of the call that is shown, if that is not at
// hand or was read a while ago.
func (d *Screen) Read() tea.Cmd {
	c := d.shown()
	if d.store == nil || !d.open || c.Key == "" || c.ID == 0 || d.kins.Busy() {
		return nil
	}
	if d.kin != nil && d.kin.of == c.ID && d.scene.Now.Sub(d.kinAt) < fresh {
		return nil
	}
	d.kinAt = d.scene.Now
	ctx, seq := d.kins.Begin(d.ctx)
	store, id, key := d.store, c.ID, c.Key
	service := d.scene.Env(id.Session(), d.scene.Zone).Service
	return func() tea.Msg {
		k, err := readKin(ctx, store, id, service, key)
		return kinMsg{d, seq, k, err}
	}
}

// visit reads another call, to show it over this one.
func (d *Screen) visit(id ledger.CallID) tea.Cmd {
	if d.store == nil || id == d.shown().ID {
		d.scene.Say("this is that call")
		return nil
	}
	ctx, seq := d.visits.Begin(d.ctx)
	store := d.store
	return func() tea.Msg {
		c, err := Read(ctx, store, id)
		return visitMsg{d, seq, c, err}
	}
}

// Receive takes what was read.
func (d *Screen) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case kinMsg:
		if m.to != d || !d.kins.Done(m.seq) {
			return nil
		}
		if m.err != nil {
			d.scene.Complain(m.err)
			return nil
		}
		if m.kin.of != d.shown().ID {
			return d.Read() // Another call is shown by now.
		}
		d.kin, d.built = &m.kin, version{}
	case visitMsg:
		if m.to != d || !d.visits.Done(m.seq) {
			return nil
		}
		if m.err != nil {
			d.scene.Complain(m.err)
			return nil
		}
		d.places = append(d.places, place{whole: m.call, top: d.top, chosen: d.chosen})
		d.top, d.chosen = 0, -1
		d.renew()
		d.scene.Say("call " + m.call.Call.ID.String() + "; " + d.scene.Keys.Back.Help().Key + " goes back")
		return d.Read()
	}
	return nil
}
