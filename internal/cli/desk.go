package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"redial/db"
	"redial/ledger"
	"redial/operation"
	"redial/recorder"
	"redial/transport"
)

// ownService is the name under which this program's own calls are recorded.
const ownService = "redial"

// enrolPatience is how long to wait for this process to be on record before it sends.
const enrolPatience = 5 * time.Second

// graceOfSends is how long a send goes on that is under way when the person interrupts.
const graceOfSends = 2 * time.Second

// desk is where the person of this run acts. It asks and settles like any; this process
// becomes a session of its own only when something is first sent from here.
type desk struct {
	*operation.Desk
	store       *db.DB
	by          string
	credentials credentials
	hosts       resolutions
	policies    policies

	own atomic.Int64 // this process's session; 0 while it is none

	mu       sync.Mutex // guards what follows, and is held while this process is enrolled
	recorder *recorder.Recorder
	here     *operation.Desk // sends from here; nil until then
}

func newDesk(store *db.DB, by string, c credentials, hosts resolutions, p policies) *desk {
	return &desk{
		Desk:  operation.NewDesk(nil, store, operation.Options{Credentials: c.fill}, by),
		store: store, by: by, credentials: c, hosts: hosts, policies: p,
	}
}

// Here does from this process what is asked for.
func (d *desk) Here(ctx context.Context, ask ledger.Ask) (string, error) {
	ask, err := d.declare(ctx, ask)
	if err != nil {
		return "", err
	}
	here, err := d.open(ctx)
	if err != nil {
		return "", err
	}
	return here.Here(ctx, ask)
}

// sent reports whether this process has become a session.
func (d *desk) sent() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.here != nil
}

// enrolled notes the session that this process is, and reports whether it is one.
func (d *desk) enrolled() bool {
	d.own.Store(int64(d.recorder.Session()))
	return d.own.Load() != 0
}

// session returns the session that this process is, 0 while it is none.
func (d *desk) session() ledger.SessionID { return ledger.SessionID(d.own.Load()) }

// open makes this process fit to send: it is a session of its own, so that its attempts
// are recorded and others see that it lives.
func (d *desk) open(ctx context.Context) (*operation.Desk, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.here != nil {
		return d.here, nil
	}
	if d.recorder == nil {
		d.recorder = recorder.New(d.store, recorder.Options{Service: ownService})
	}
	late := time.NewTimer(enrolPatience)
	defer late.Stop()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !d.enrolled() {
		select {
		case <-tick.C:
		case <-late.C:
			return nil, fmt.Errorf("this process cannot be written down in %s, so nothing was sent", d.store.Path())
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	client := &http.Client{Transport: &transport.Transport{Base: d.hosts.base(), Recorder: d.recorder}}
	d.here = operation.NewDesk(client, d.store, operation.Options{
		Session: d.recorder.Session(), Credentials: d.credentials.fill, CloseTimeout: graceOfSends,
	}, d.by)
	return d.here, nil
}

// close ends what was begun from here: a send that is under way is given some seconds, and
// its operation stays on record.
func (d *desk) close() error {
	err := d.Desk.Close()
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.here != nil {
		err = errors.Join(err, d.here.Close())
		d.here = nil
	}
	if d.recorder != nil {
		err = errors.Join(err, d.recorder.Close())
		d.recorder = nil
	}
	return err
}
