package db_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// past writes a session of that age with n calls, which has ended, and returns it.
func past(t *testing.T, d *db.DB, service string, age time.Duration, n int) ledger.SessionID {
	t.Helper()
	s := session(service)
	s.Started = time.Now().Add(-age - time.Hour)
	s.LastSeen = s.Started
	id := enrol(t, d, s)
	b := &ledger.Batch{Session: id, Beat: s.Started}
	for i := range n {
		c := fullCall(id, int64(i+1))
		c.Started = s.Started.Add(time.Duration(i) * time.Second)
		b.Calls = append(b.Calls, c)
	}
	b.Windows = []ledger.Window{{Host: "api.example.test", Limit: 3, Per: time.Second}}
	write(t, d, b)
	if err := d.End(context.Background(), id, time.Now().Add(-age), ledger.Counters{}); err != nil {
		t.Fatal(err)
	}
	return id
}

func plan(t *testing.T, d *db.DB, r ledger.PruneRule) (go_, stay []ledger.SessionID) {
	t.Helper()
	p, err := d.PrunePlan(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range p.Go {
		go_ = append(go_, g.Session.ID)
	}
	for _, s := range p.Stay {
		stay = append(stay, s.Session.ID)
	}
	return go_, stay
}

const day = 24 * time.Hour

func TestARuleTakesWhatIsOldOrTooMuchOldestFirst(t *testing.T) {
	d := open(t, newFile(t))
	old, middle, young := past(t, d, "a", 20*day, 200), past(t, d, "b", 10*day, 200), past(t, d, "c", day, 200)
	all := []ledger.SessionID{old, middle, young}
	p, err := d.PrunePlan(context.Background(), ledger.PruneRule{})
	if err != nil || p.Used == 0 {
		t.Fatalf("%d bytes are in use (%v)", p.Used, err)
	}
	for name, c := range map[string]struct {
		rule ledger.PruneRule
		want []ledger.SessionID
	}{
		"no rule":            {ledger.PruneRule{}, nil},
		"by age":             {ledger.PruneRule{OlderThan: 14 * day}, all[:1]},
		"by age, more":       {ledger.PruneRule{OlderThan: 5 * day}, all[:2]},
		"by size, a little":  {ledger.PruneRule{MaxSize: p.Used - 1}, all[:1]},
		"by size, all":       {ledger.PruneRule{MaxSize: 1}, all},
		"by size, enough":    {ledger.PruneRule{MaxSize: p.Used}, nil},
		"by either":          {ledger.PruneRule{OlderThan: 5 * day, MaxSize: p.Used - 1}, all[:2]},
		"that one":           {ledger.PruneRule{Only: all[1:2]}, all[1:2]},
		"none of them":       {ledger.PruneRule{Only: []ledger.SessionID{}, MaxSize: 1}, nil},
		"one that is absent": {ledger.PruneRule{Only: []ledger.SessionID{99}}, nil},
	} {
		if got, _ := plan(t, d, c.rule); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v go, want %v", name, got, c.want)
		}
	}
}

func TestWhatMustStayStays(t *testing.T) {
	d := open(t, newFile(t))
	live := enrol(t, d, session("live"))
	silent := session("silent")
	silent.Host, silent.LastSeen = "elsewhere", time.Now().Add(-time.Minute)
	mayGoOn := enrol(t, d, silent)
	silent.LastSeen = time.Now().Add(-2 * time.Hour)
	gone := enrol(t, d, silent)
	pinned, free := past(t, d, "a", 20*day, 3), past(t, d, "b", 20*day, 3)
	if err := d.PinSession(context.Background(), pinned, true); err != nil {
		t.Fatal(err)
	}
	needed := past(t, d, "c", 20*day, 3)
	o := pend(t, d, "order-1")
	if _, err := d.Add(context.Background(), o.ID(), ledger.Transition{Code: ledger.CodeNote, Call: ledger.NewCallID(needed, 1)}); err != nil {
		t.Fatal(err)
	}
	goes, stays := plan(t, d, ledger.PruneRule{MaxSize: 1})
	slices.Sort(stays)
	if want := []ledger.SessionID{live, mayGoOn, pinned, needed}; !slices.Equal(stays, want) || !slices.Contains(goes, free) || !slices.Contains(goes, gone) {
		t.Errorf("%v go and %v stay, want %v to stay", goes, stays, want)
	}
	everything := []ledger.SessionID{live, mayGoOn, gone, pinned, free, needed}
	pruned, err := d.Prune(context.Background(), everything, nil)
	if want := []ledger.SessionID{gone, free}; err != nil || !slices.Equal(pruned, want) {
		t.Errorf("%v were pruned (%v), want %v", pruned, err, want)
	}
	if got := operation(t, d, o.ID()); got.State != ledger.OpPending {
		t.Errorf("the operation is %+v", got)
	}
}

func TestNothingOfAPrunedSessionIsLeftAndNothingOfOthersIsGone(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	enrol(t, d, session("owner of the operation"))
	one, two := past(t, d, "one", 20*day, 1000), past(t, d, "two", 20*day, 50)
	settled := create(t, d, plainIntent("order-9"))
	before := calls(t, d, ledger.Query{Sessions: []ledger.SessionID{two}})
	var last int64
	pruned, err := d.Prune(context.Background(), []ledger.SessionID{one}, func(gone int64) {
		if gone <= last {
			t.Errorf("%d calls have gone after %d", gone, last)
		}
		last = gone
	})
	if err != nil || len(pruned) != 1 || last != 1000 {
		t.Errorf("%v were pruned, %d calls in all (%v)", pruned, last, err)
	}
	if after := calls(t, d, ledger.Query{}); len(after) != len(before) || len(after) != 50 {
		t.Errorf("there are %d calls, and were %d of the other session", len(after), len(before))
	}
	if _, err := d.Session(context.Background(), one); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the session is there: %v", err)
	}
	operation(t, d, settled.ID())
	c, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for table, column := range map[string]string{
		"call": "id >> 40", "attempt": "call >> 40", "wait": "call >> 40", "body": "call >> 40", "live": "call >> 40", "redirect": "call >> 40",
		"duplicate": "call >> 40", "rollup": "session", "bandwidth": "session", "session_host": "session", "window": "session", "gap": "session", "label": "session",
	} {
		var mine, others int
		if err := c.QueryRow(`SELECT count(*) FILTER (WHERE `+column+` = ?), count(*) FILTER (WHERE `+column+` = ?) FROM "`+table+`"`, int64(one), int64(two)).Scan(&mine, &others); err != nil {
			t.Fatal(err)
		}
		some := table == "call" || table == "attempt" || table == "wait" || table == "rollup" || table == "session_host" || table == "window" || table == "redirect"
		if mine != 0 || some && others == 0 {
			t.Errorf("%s has %d rows of the session that is gone and %d of the other", table, mine, others)
		}
	}
	checkIntegrity(t, path)
}

func TestPruningThatIsBrokenOffLeavesAWholeSession(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	id := past(t, d, "one", 20*day, 2000)
	ctx, cancel := context.WithCancel(context.Background())
	var gone int64
	pruned, err := d.Prune(ctx, []ledger.SessionID{id}, func(n int64) { gone = n; cancel() })
	if !errors.Is(err, context.Canceled) || len(pruned) != 0 {
		t.Errorf("%v were pruned (%v)", pruned, err)
	}
	s, err := d.Session(context.Background(), id)
	left := calls(t, d, ledger.Query{})
	if err != nil || gone == 0 || gone >= 2000 || s.Calls != 2000-gone || int64(len(left)) != s.Calls {
		t.Errorf("%d calls have gone, the session has %d, and %d are read (%v)", gone, s.Calls, len(left), err)
	}
	byHost, err := ledger.ParseCallFilter("host:api.example.test")
	if err != nil {
		t.Fatal(err)
	}
	if found := calls(t, d, ledger.Query{Filter: byHost}); len(found) != len(left) {
		t.Errorf("of %d calls %d are found by their host", len(left), len(found))
	}
	if pruned, err = d.Prune(context.Background(), []ledger.SessionID{id}, nil); err != nil || len(pruned) != 1 {
		t.Errorf("%v were pruned in the end (%v)", pruned, err)
	}
	checkIntegrity(t, path)
}

func TestServicesRecordWhileOthersPrune(t *testing.T) {
	path := newFile(t)
	service, janitor := open(t, path), open(t, path)
	old := past(t, service, "old", 20*day, 3000)
	now := enrol(t, service, session("now"))
	done := make(chan error, 1)
	go func() {
		_, err := janitor.Prune(context.Background(), []ledger.SessionID{old}, nil)
		done <- err
	}()
	for n, pruning := int64(1), true; pruning || n <= 100; n++ {
		write(t, service, &ledger.Batch{Session: now, Calls: []ledger.Call{plainCall(now, n)}})
		select {
		case err := <-done:
			if pruning = false; err != nil {
				t.Error(err)
			}
		default:
		}
		if n == 1<<20 {
			t.Fatal("pruning does not end")
		}
	}
	s, err := service.Session(context.Background(), now)
	if all := calls(t, service, ledger.Query{}); err != nil || int64(len(all)) != s.Calls || s.Calls < 100 {
		t.Errorf("%d calls are read, the session has %d (%v)", len(all), s.Calls, err)
	}
}

func TestSessionsHaveNamesAndPins(t *testing.T) {
	path := newFile(t)
	d := open(t, path)
	id, other := enrol(t, d, session("one")), enrol(t, d, session("two"))
	ctx := context.Background()
	for _, c := range []struct {
		name   string
		pinned bool
	}{{"the night of the 503s ☂", false}, {"the night of the 503s ☂", true}, {"", true}, {"\x1b[2J", true}, {"", false}} {
		if err := errors.Join(d.NameSession(ctx, id, c.name), d.PinSession(ctx, id, c.pinned)); err != nil {
			t.Fatal(err)
		}
		reader := openExisting(t, path)
		s, err := reader.Session(ctx, id)
		list, err2 := reader.Sessions(ctx)
		if err := errors.Join(err, err2); err != nil || s.Name != c.name || s.Pinned != c.pinned || list[1].Name != c.name || list[1].Pinned != c.pinned || list[0].Name != "" {
			t.Errorf("the session is %q, pinned %v (%v), want %q, %v", s.Name, s.Pinned, err, c.name, c.pinned)
		}
	}
	if s, err := d.Session(ctx, other); err != nil || s.Pinned || s.Name != "" {
		t.Errorf("the other session is %+v (%v)", s, err)
	}
	if err := d.NameSession(ctx, 99, "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("naming a session that is absent says %v", err)
	}
	if err := d.NameSession(ctx, id, string(make([]byte, 1000))); err == nil {
		t.Error("a name of a thousand bytes was taken")
	}
	reader := openExisting(t, path)
	_, err := reader.Prune(ctx, []ledger.SessionID{id}, nil)
	for _, err := range []error{reader.NameSession(ctx, id, "x"), reader.PinSession(ctx, id, true), err} {
		if !errors.Is(err, db.ErrNotWritable) {
			t.Errorf("a file that is open for reading says %v", err)
		}
	}
}

func TestAnOlderFileHasSessionsWithoutNames(t *testing.T) {
	path := version1(t)
	before := snapshot(t, filepath.Dir(path))
	d, err := db.OpenExisting(path)
	if err != nil {
		t.Fatal(err)
	}
	sessions, err := d.Sessions(context.Background())
	p, err2 := d.PrunePlan(context.Background(), ledger.PruneRule{MaxSize: 1})
	if err := errors.Join(err, err2, d.Close()); err != nil || len(sessions) != 1 || sessions[0].Pinned || len(p.Go) != 1 {
		t.Errorf("the sessions are %+v, the plan is %+v (%v)", sessions, p, err)
	}
	if after := snapshot(t, filepath.Dir(path)); before != after {
		t.Errorf("the folder held\n%s, and now\n%s", before, after)
	}
}
