package main

import (
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/PuerkitoBio/rehttp"
	"github.com/failsafe-go/failsafe-go/failsafehttp"
	"github.com/hashicorp/go-retryablehttp"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"redial/db"
	"redial/ledger"
	"redial/recorder"
	"redial/transport"
)

// kindsOver returns all kinds of transports over base. Those that retry make up to three
// attempts. The first one is base itself.
func kindsOver(base http.RoundTripper) (kinds []*kind, closeAll func() error, err error) {
	rec, closeAll, err := recording(base)
	if err != nil {
		return nil, nil, err
	}
	return []*kind{
		{name: "bare", transport: base},
		{name: "redial, zero value", transport: &transport.Transport{Base: base}},
		{name: "redial, retry and budget", transport: &transport.Transport{Base: base, Retry: transport.SafeRetry}},
		{name: "redial, recorded", transport: &transport.Transport{Base: base, Recorder: rec}},
		{name: "redial, retry, budget, two windows, recorded", transport: everything(base, rec)},
		{name: "go-retryablehttp", transport: retryable(base)},
		{name: "failsafehttp", transport: failsafehttp.NewRoundTripper(base, failsafehttp.NewRetryPolicyBuilder().Build())},
		{name: "rehttp", transport: rehttp.NewTransport(base, rehttp.RetryAll(rehttp.RetryMaxRetries(2), rehttp.RetryTemporaryErr()), rehttp.ConstDelay(time.Second))},
		{name: "otelhttp, no provider", transport: otelhttp.NewTransport(base)},
		{name: "otelhttp, SDK", transport: otelhttp.NewTransport(base,
			otelhttp.WithTracerProvider(sdktrace.NewTracerProvider()),
			otelhttp.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader()))))},
	}, closeAll, nil
}

func everything(base http.RoundTripper, rec transport.Recorder) *transport.Transport {
	window := func(per time.Duration) transport.Window {
		return transport.Window{Host: "*", Limit: 1 << 40, Per: per}
	}
	t := &transport.Transport{Base: base, Recorder: rec, Retry: transport.SafeRetry}
	for _, host := range []string{"api.example.test", "127.0.0.1"} {
		for _, per := range []time.Duration{time.Second, time.Minute} {
			w := window(per)
			w.Host = host
			t.Windows = append(t.Windows, w)
		}
	}
	return t
}

func retryable(base http.RoundTripper) http.RoundTripper {
	c := retryablehttp.NewClient()
	c.HTTPClient = &http.Client{Transport: base}
	c.Logger, c.RetryMax = nil, 2
	return c.StandardClient().Transport
}

// recording returns the recorder for what goes over base: over a network a real one with a
// file, over memory one that keeps nothing, since no file takes what memory gives.
func recording(base http.RoundTripper) (transport.Recorder, func() error, error) {
	if _, ok := base.(*memory); ok {
		return new(blind), func() error { return nil }, nil
	}
	dir, err := os.MkdirTemp("", "redial-peers")
	if err != nil {
		return nil, nil, err
	}
	store, err := db.Open(filepath.Join(dir, "peers.db"))
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	rec := recorder.New(store, recorder.Options{Service: "peers"})
	return rec, func() error { return errors.Join(rec.Close(), store.Close(), os.RemoveAll(dir)) }, nil
}

// blind is a recorder that keeps nothing: what remains is the cost on the path of the call.
type blind struct{ ids atomic.Int64 }

func (b *blind) NewID() ledger.CallID { return ledger.CallID(b.ids.Add(1)) }
func (*blind) BodyLimit() int64       { return 0 }
func (*blind) Record(*ledger.Call)    {}
func (*blind) Watch(ledger.Live)      {}
