package db

import (
	"encoding/hex"
	"errors"
	"reflect"
	"runtime"
	"testing"
	"time"

	"redial/ledger"
)

// sample is a blob and what decodes it.
type sample struct {
	blob []byte
	take func(*decoder)
}

// samples returns a blob of each sort.
func samples() (list []sample) {
	var e encoder
	add := func(encode func(), take func(*decoder)) {
		e.reset()
		encode()
		list = append(list, sample{append([]byte(nil), e.buf...), take})
	}
	rule := ledger.Rule{Base: 1, Multiplier: 2.5, Exponent: 3, Max: 4, Jitter: 1, Fraction: 0.5, Asked: 6, ByDate: true, Limit: 7, Per: 8, Ahead: 9,
		Window: ledger.GCRAWindow, Paused: true, Rate: 10, Upload: true}
	attempt := ledger.Attempt{N: 3, Reason: 1, Start: 2, Took: 3, Status: 503, Proto: "HTTP/1.1", Outcome: 1, Err: "x", Remote: "r", Reused: true, WireSends: 1,
		Request: ledger.Message{Header: []ledger.Field{{Name: "A", Value: "b"}}, Body: ledger.Body{Data: []byte("x"), Size: 1, Truncated: true}}}
	var histogram ledger.Histogram
	for _, d := range []time.Duration{0, 1, time.Second, 1<<63 - 1} {
		histogram.Add(d)
	}
	call := ledger.Call{Method: "GET", Started: time.Unix(1, 2), AttemptList: []ledger.Attempt{attempt}, Waits: []ledger.Wait{{Rule: rule}}}
	add(func() { e.rule(&rule) }, func(d *decoder) { d.rule() })
	add(func() { e.rule(&ledger.Rule{}) }, func(d *decoder) { d.rule() })
	add(func() { e.attempt(&attempt, 1, nil) }, func(d *decoder) { d.attempt(1) })
	add(func() { e.histogram(&histogram) }, func(d *decoder) { d.histogram() })
	add(func() { e.call(&call) }, func(d *decoder) { d.call() })
	redirected := call
	redirected.Previous = ledger.NewCallID(1, 2)
	add(func() { e.call(&redirected) }, func(d *decoder) { d.call() })
	return list
}

// FuzzDecode checks that no blob makes a decoder panic or take memory out of proportion.
func FuzzDecode(f *testing.F) {
	for _, s := range samples() {
		f.Add(s.blob)
		f.Add(s.blob[:len(s.blob)-1])
	}
	f.Fuzz(func(t *testing.T, blob []byte) {
		lookup := func(id int64) (string, error) {
			if id < 0 || id > int64(len(blob)) {
				return "", errBlob
			}
			return string(blob[id:]), nil
		}
		decoders := []func(*decoder){
			func(d *decoder) { d.attempt(1) }, func(d *decoder) { d.call() }, func(d *decoder) { d.rule() },
			func(d *decoder) { d.histogram() }, func(d *decoder) { d.header() },
		}
		for _, take := range decoders {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d := decode(blob, lookup)
			take(d)
			if err := d.end(); err != nil && !errors.Is(err, errBlob) {
				t.Errorf("the error is %v", err)
			}
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20+uint64(len(blob))*4096 {
				t.Errorf("%d bytes took %d bytes of memory", len(blob), used)
			}
		}
	})
}

func TestARuleIsDecodedAsItWasEncoded(t *testing.T) {
	for _, want := range []ledger.Rule{
		{},
		{Base: 100 * time.Millisecond, Multiplier: 2, Exponent: 4, Max: time.Minute, Fraction: 0.60},
		{Base: 2 * time.Second, Multiplier: 2, Jitter: ledger.NoJitter, Fraction: 1},
		{Asked: 900 * time.Millisecond, ByDate: true},
		{Limit: 3, Per: 4500 * time.Millisecond, Ahead: 4},
		{Window: ledger.SlidingWindow, Limit: 3, Per: time.Second, Paused: true},
		{Rate: 1 << 20, Upload: true},
	} {
		var e encoder
		e.reset()
		e.rule(&want)
		d := decode(e.buf, nil)
		if got := d.rule(); got != want || d.end() != nil {
			t.Errorf("%+v becomes %+v (%v)", want, got, d.err)
		}
	}
}

func TestARuleOfTheFirstVersionIsDecodedAsItWas(t *testing.T) {
	for text, want := range map[string]ledger.Rule{
		"01870c8084af5f0880e0ba84bf0340000000000000003fe3333333333333": {Base: 100 * time.Millisecond, Exponent: 4, Max: time.Minute, Multiplier: 2, Fraction: 0.6},
		"01c0030680b4c4c32108": {Limit: 3, Per: 4500 * time.Millisecond, Ahead: 4},
	} {
		blob, err := hex.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		d := decode(blob, nil)
		if got := d.rule(); got != want || d.end() != nil {
			t.Errorf("%s becomes %+v (%v), want %+v", text, got, d.err, want)
		}
	}
}

func TestAHistogramIsDecodedAsItWasEncoded(t *testing.T) {
	var want ledger.Histogram
	for d := time.Duration(1); d > 0; d *= 3 {
		want.Add(d)
		want.Add(d)
	}
	want.Add(0)
	want.Add(1<<63 - 1)
	var e encoder
	e.reset()
	e.histogram(&want)
	d := decode(e.buf, nil)
	if got := d.histogram(); !reflect.DeepEqual(got, want) || d.end() != nil {
		t.Errorf("it becomes another one (%v)", d.err)
	}
}

func TestADamagedBlobIsAnError(t *testing.T) {
	for _, s := range samples() {
		other := append([]byte{blobFormat + 1}, s.blob[1:]...)
		for _, damaged := range [][]byte{s.blob[:len(s.blob)-1], append(append([]byte(nil), s.blob...), 0), other, {}, nil} {
			d := decode(damaged, nil)
			if s.take(d); d.end() == nil {
				t.Errorf("%x decodes", damaged)
			}
		}
	}
	for _, s := range samples() {
		d := decode(s.blob, nil)
		if s.take(d); d.end() != nil {
			t.Errorf("%x does not decode", s.blob)
		}
	}
}
