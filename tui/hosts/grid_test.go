package hosts

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"redial/ledger"
)

// ended is a store of rollups.
type ended []ledger.Rollup

func (e ended) Calls(context.Context, ledger.Query) ([]ledger.Call, error) { return nil, nil }

func (e ended) Sums(_ context.Context, q ledger.SumQuery, each func(*ledger.Rollup) error) (err error) {
	step := int64(q.Step / time.Second)
	for _, r := range e {
		if r.Second >= q.From.Unix() && r.Second < q.To.Unix() && err == nil {
			r.Second = floor(r.Second, step)
			err = each(&r)
		}
	}
	return err
}

func (e ended) readAll(g *grid) {
	for !g.whole() {
		m := readPart(context.Background(), e, 0, g.next()).(partMsg)
		g.take(&m)
	}
}

// calls are rollups of two hosts over so many seconds.
func calls(seconds int64) (e ended) {
	for s := range seconds {
		r := ledger.Rollup{Second: s, Host: "a", Calls: 1, Attempts: 2, Retried: 1}
		r.Waited[ledger.BackoffWait] = time.Second
		r.Latency.Add(time.Duration(s) * time.Millisecond)
		e = append(e, r)
		if s%3 == 0 {
			e = append(e, ledger.Rollup{Second: s, Host: "b", Calls: 3, Attempts: 3, Failed: 1})
		}
	}
	return e
}

func sorted(rows []row) []row {
	slices.SortFunc(rows, func(a, b row) int { return strings.Compare(a.host, b.host) })
	return rows
}

func TestSumsThatWereReadAsTimeWentOnAreThoseReadAtOnce(t *testing.T) {
	store := calls(1000)
	for _, size := range []int64{1, 5, 60} {
		f := frame{size: size, from: 0, to: 1}
		g := newGrid(f)
		for to := int64(1); to <= 1000; to += 7 {
			f.to = to
			f.from = max(floor(to-1, size)-59*size, 0)
			g.move(f)
			store[:min(len(store), int(to*4/3))].readAll(&g)
		}
		store.readAll(&g)
		g.move(f)
		store.readAll(&g)
		once := newGrid(f)
		store.readAll(&once)
		if got, want := sorted(g.rows()), sorted(once.rows()); !reflect.DeepEqual(got, want) {
			t.Errorf("in slices of %d s the sums are\n%+v, want\n%+v", size, brief(got), brief(want))
		}
	}
}

func brief(rows []row) (out []row) {
	for _, r := range rows {
		r.sums.latency = ledger.Histogram{}
		out = append(out, r)
	}
	return out
}

// What ends late belongs to a second that was read already.
func TestWhatIsWrittenLateIsCountedToo(t *testing.T) {
	f := frame{size: 1, from: 0, to: 10}
	g := newGrid(f)
	ended(nil).readAll(&g)
	late := ended{{Second: 9, Host: "a", Calls: 2, Attempts: 2}}
	f.to = 11
	g.move(f)
	late.readAll(&g)
	if rows := g.rows(); len(rows) != 1 || rows[0].sums.calls != 2 || rows[0].times[9] != 2 {
		t.Errorf("the rows are %+v", brief(rows))
	}
}

func TestARangeOfAnyLengthHasABoundedNumberOfSlices(t *testing.T) {
	for length := int64(1); length < 1<<33; length = length*5/4 + 1 {
		f := frame{size: sizeFor(length), to: 7 + length}
		f.from = floor(7, f.size)
		if n := f.slices(); n < 1 || n > mostSlices {
			t.Errorf("%d s are %d slices of %d s", length, n, f.size)
		}
	}
}

func TestASparklineKeepsTheSumAndItsLastColumnIsWhole(t *testing.T) {
	for _, c := range []struct {
		values  []int64
		columns int
		want    []int64
	}{
		{[]int64{1, 2, 3}, 5, []int64{1, 2, 3}},
		{[]int64{1, 2, 3, 4}, 2, []int64{3, 7}},
		{[]int64{1, 2, 3, 4, 5}, 2, []int64{3, 12}},
		{[]int64{1, 2}, 0, []int64{1, 2}},
		{nil, 3, nil},
	} {
		if got := resample(c.values, c.columns); !slices.Equal(got, c.want) {
			t.Errorf("%v in %d columns is %v, want %v", c.values, c.columns, got, c.want)
		}
	}
}

func TestRoutesAreExactOverTheirCalls(t *testing.T) {
	var r route
	for i := range 100 {
		r.add(&ledger.Call{Attempts: 1 + i%2, Took: time.Duration(100-i) * time.Millisecond, Status: 200 + 300*(i/90)})
	}
	slices.Sort(r.times)
	if r.calls != 100 || r.attempts != 150 || r.retried != 50 || r.failed != 10 ||
		r.quantile(0.5) != 50*time.Millisecond || r.quantile(0.95) != 95*time.Millisecond || r.quantile(1) != 100*time.Millisecond {
		t.Errorf("the route is %+v", r)
	}
	if got := new(route).quantile(0.5); got != 0 {
		t.Errorf("a route without calls took %v", got)
	}
}
