package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// vendorOutlives is how much longer than the longest demo the vendor serves, so that the
// shop's last calls are answered and the account can be asked for.
const vendorOutlives = time.Minute

// places are the addresses that the vendor announces.
type places struct {
	APIs    string `json:"apis"`    // serves the APIs, told apart by the Host header
	Refused string `json:"refused"` // refuses every connection as long as the vendor lives
	Control string `json:"control"` // GET /account answers the vendor's own account
}

// vendor serves the APIs and keeps the account.
type vendor struct {
	seed     uint64
	apis     map[string]*api
	limiters map[string]*limiter
	book     *book
	memory   memory
	gate     gate
	doing    sync.Mutex
	landings sync.WaitGroup // what is still to be done
}

// Vendor serves the demo's APIs on loopback until its context or its input ends, or it
// gets a SIGTERM, or more than an hour has passed.
func Vendor(ctx context.Context, o VendorOptions) error {
	ctx, stop := childContext(ctx, o.Stdin)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, Longest+vendorOutlives)
	defer cancel()

	open, err := openDoors()
	if err != nil {
		return fmt.Errorf("start the vendor: %w", err)
	}
	defer open.close()
	v := newVendor(o.Seed)
	control := http.NewServeMux()
	control.HandleFunc("GET /account", v.serveAccount)
	done := make(chan error, 2)
	for listener, handler := range map[net.Listener]http.Handler{open.apis: v, open.control: control} {
		server := &http.Server{Handler: handler}
		defer server.Close()
		go func() { done <- server.Serve(listener) }()
	}
	if err := announce(o.Stdout, open.places()); err != nil {
		return err
	}
	select {
	case <-ctx.Done():
		return nil
	case err := <-done:
		return fmt.Errorf("serve the vendor's APIs: %w", err)
	}
}

func newVendor(seed uint64) *vendor {
	v := &vendor{seed: seed, apis: apis(), limiters: map[string]*limiter{}, book: newBook()}
	for name, a := range v.apis {
		if a.limit.requests > 0 {
			v.limiters[name] = &limiter{limit: a.limit}
		}
	}
	return v
}

// serveAccount answers the account, once nothing is to land any more.
func (v *vendor) serveAccount(w http.ResponseWriter, _ *http.Request) {
	v.landings.Wait()
	w.Header().Set("Content-Type", "application/json")
	// An error here is the asker's: it has gone.
	_ = json.NewEncoder(w).Encode(v.book.copy())
}

// childContext returns a context that ends when the parent does: with its input, which
// the parent holds open, and on SIGTERM. An interrupt is left to the parent, which stops
// its children in order.
func childContext(ctx context.Context, input io.Reader) (context.Context, context.CancelFunc) {
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM)
	ctx, cancel := context.WithCancel(ctx)
	if input != nil {
		go func() {
			defer cancel()
			// Whether it ends well or badly, the parent has let go.
			_, _ = io.Copy(io.Discard, input)
		}()
	}
	return ctx, func() { cancel(); stop() }
}

// announce writes what a process has to tell its parent: one line of JSON.
func announce(w io.Writer, what any) error {
	if w == nil {
		return nil
	}
	if err := json.NewEncoder(w).Encode(what); err != nil {
		return fmt.Errorf("tell the parent process: %w", err)
	}
	return nil
}

// doors are what the vendor listens on.
type doors struct {
	apis, control net.Listener
	shut          net.Conn // nobody listens on its local address, and nobody else can while it is open
}

func openDoors() (*doors, error) {
	d := &doors{}
	var err error
	if d.apis, err = net.Listen("tcp4", "127.0.0.1:0"); err != nil {
		return nil, err
	}
	if d.control, err = net.Listen("tcp4", "127.0.0.1:0"); err != nil {
		return nil, errors.Join(err, d.apis.Close())
	}
	if d.shut, err = net.Dial("tcp4", d.control.Addr().String()); err != nil {
		return nil, errors.Join(err, d.apis.Close(), d.control.Close())
	}
	return d, nil
}

func (d *doors) places() places {
	return places{APIs: d.apis.Addr().String(), Refused: d.shut.LocalAddr().String(), Control: d.control.Addr().String()}
}

// close lets go of what the servers do not close themselves.
func (d *doors) close() {
	// The process ends; there is nobody to tell.
	_ = d.shut.Close()
}

// memory holds the answers that were given under an idempotency key.
type memory struct {
	mu      sync.Mutex
	answers map[string]remembered
}

type remembered struct {
	answer
	since time.Time
}

// recall returns the answer that was given under a key, unless it is forgotten after so long.
func (m *memory) recall(key string, forgotten time.Duration) (answer, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, ok := m.answers[key]
	return r.answer, ok && time.Since(r.since) < forgotten
}

func (m *memory) keep(key string, a answer) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.answers == nil {
		m.answers = map[string]remembered{}
	}
	m.answers[key] = remembered{a, time.Now()}
}
