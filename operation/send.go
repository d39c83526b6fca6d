package operation

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"redial/ledger"
	"redial/transport"
)

var (
	errNotOurs = errors.New("another session has taken the operation over")
	errNoBeat  = errors.New("this session's sign of life does not reach the store, so others may take the operation over")
	errKeyOld  = errors.New("the server may have forgotten the key by now")
	errSetBack = errors.New("the clock was set back while this process ran, so nobody knows how old the key is")
)

// clockSlack is by how much the wall clock may lag behind the time that has passed: it is
// adjusted in small steps all the time.
const clockSlack = 2 * time.Second

// setBack reports whether the wall clock was set back between two moments of one process,
// whose readings differ by wall while so much time has really passed.
func setBack(wall, passed time.Duration) bool { return wall < passed-clockSlack }

// beatMissed is how old this session's own beat may be when it sends: two of them are
// missing then.
const beatMissed = 3 * time.Second

// send makes one send of an operation whose step into sending is on the disk.
func (ops *Operations) send(values context.Context, o *ledger.Operation, r *run) *sent {
	req, err := request(&o.Intent, r.withheld)
	if err != nil {
		return &sent{traced: true, outcome: ledger.NotSent, err: err}
	}
	seen := o.Seen()
	check := func() error { return ops.check(o.ID(), seen, r.oldKey) }
	return ops.exchange(values, req, o, r.reason, check)
}

// exchange sends a request for an operation and reads the whole answer.
func (ops *Operations) exchange(values context.Context, req *http.Request, o *ledger.Operation, why ledger.Reason, check func() error) *sent {
	timeout := o.Budget.WithDefaults().AttemptTimeout
	bound := timeout
	if _, ours := ops.client.Transport.(*transport.Transport); ours {
		bound += o.Budget.WithDefaults().For // its windows may make it wait
	}
	ctx, cancel := context.WithTimeout(values, bound)
	defer cancel()
	defer context.AfterFunc(ops.sends, cancel)()

	s := &sent{asked: -1}
	var told sync.Mutex
	trace := &ledger.Trace{Key: o.Key, Reason: why, Timeout: timeout, Check: check, Done: func(c *ledger.Call) {
		told.Lock()
		defer told.Unlock()
		s.hear(c, ops.session())
	}}
	resp, err := ops.client.Do(req.WithContext(ledger.WithTrace(ctx, trace)))
	if err == nil {
		told.Lock()
		s.status, s.header = resp.StatusCode, resp.Header
		told.Unlock()
		body, long, readErr := readAnswer(resp.Body)
		told.Lock()
		defer told.Unlock()
		s.body, s.long, s.read = body, long, readErr
		return s
	}
	told.Lock()
	defer told.Unlock()
	s.err = plain(err)
	return s
}

// hear takes in what the transport tells of the call.
func (s *sent) hear(c *ledger.Call, session ledger.SessionID) {
	s.traced = true
	s.outcome, s.sends, s.call = c.Outcome, c.WireSends, c.ID
	s.forgetChallenged(c)
	if c.ID != 0 && c.ID.Session() == 0 {
		s.call = ledger.NewCallID(session, c.ID.N())
	}
	if n := len(c.AttemptList); n > 0 {
		s.asked = c.AttemptList[n-1].RetryAfter
	}
}

// forgetChallenged takes away what proves nothing against later evidence: sends that were
// answered by asking for credentials, and were not acted on.
func (s *sent) forgetChallenged(c *ledger.Call) {
	challenged, again, n := 0, 0, len(c.AttemptList)
	for i := range c.AttemptList {
		if a := &c.AttemptList[i]; a.Decision == ledger.AgainAuth {
			challenged++
			s.sends -= min(a.WireSends, 1)
			again += max(a.WireSends-1, 0) // What net/http resent may have been acted on before.
		}
	}
	if challenged > 0 && challenged == n-1 && again == 0 && c.AttemptList[n-1].Outcome == ledger.NotSent {
		s.outcome = ledger.NotSent
	}
}

// readAnswer reads a body to its end, and keeps it if it is not too long.
func readAnswer(body io.ReadCloser) (kept []byte, long bool, err error) {
	defer body.Close()
	kept, err = io.ReadAll(io.LimitReader(body, ledger.MaxResult+1))
	if err == nil && len(kept) > ledger.MaxResult {
		kept, long = nil, true
		_, err = io.Copy(io.Discard, body)
	}
	return kept, long, err
}

// plain returns what went wrong without the URL, which may hold a secret.
func plain(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// check is asked after all waits and immediately before the send: whether the operation is
// still this session's, whether others see that it lives, and whether the key is young, unless
// a person has said that an old key will do.
func (ops *Operations) check(id ledger.ID, seen ledger.Seen, oldKey bool) error {
	ctx, cancel := context.WithTimeout(ops.sends, beatMissed)
	defer cancel()
	o, err := ops.store.Operation(ctx, id)
	switch {
	case err != nil:
		return fmt.Errorf("read the operation again before it is sent: %w", err)
	case o.Seen() != seen:
		return errNotOurs
	case o.Sends > 1 && !oldKey && !o.KeyYoung(time.Now()): // a key that is new cannot have been forgotten
		return errKeyOld
	case o.Sends > 1 && !oldKey && ops.setBack(time.Now()):
		return errSetBack
	}
	s, err := ops.store.Session(ctx, ops.session())
	if err != nil {
		return fmt.Errorf("read the session's sign of life: %w", err)
	}
	if time.Since(s.LastSeen) > beatMissed {
		return errNoBeat
	}
	return nil
}

// setBack reports whether the wall clock was set back since the operations were made.
func (ops *Operations) setBack(now time.Time) bool {
	return setBack(now.Round(0).Sub(ops.began.Round(0)), now.Sub(ops.began))
}
