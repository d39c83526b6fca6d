package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"
)

const (
	// startPatience is how long a process may take until it is ready.
	startPatience = 20 * time.Second
	// shopPatience is how long the shop may take to end its last calls and to write what
	// waits to be written.
	shopPatience = 20 * time.Second
	// vendorPatience is how long the vendor may take for anything that it is asked.
	vendorPatience = 5 * time.Second
)

// Demo is a vendor and a shop that are running.
type Demo struct {
	options Options
	vendor  *process
	shop    *process
	places  places
	found   *findings // once it has ended
	finish  func() (Summary, error)
}

// Start runs a vendor and a shop that calls it and records to a file. The context bounds
// the start alone. Whoever has started a demo must end it with [Demo.Wait] or [Demo.Stop];
// if this process dies before, both end by themselves.
func Start(ctx context.Context, o Options) (*Demo, error) {
	if o.Executable == "" {
		executable, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("start the demo: %w", err)
		}
		o.Executable = executable
	}
	ctx, cancel := context.WithTimeoutCause(ctx, startPatience, errTooSlow)
	defer cancel()
	d := &Demo{options: o}
	if err := d.startVendor(ctx); err != nil {
		return nil, fmt.Errorf("start the demo: %w", err)
	}
	if err := d.startShop(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("start the demo: %w", err), d.vendor.end(vendorPatience))
	}
	d.finish = sync.OnceValues(d.end)
	go d.follow()
	return d, nil
}

func (d *Demo) startVendor(ctx context.Context) error {
	vendor, err := startProcess(d.options.Executable, VendorCommand,
		"--seed", strconv.FormatUint(d.options.Seed, 10))
	if err != nil {
		return err
	}
	if err := vendor.hear(ctx, &d.places); err != nil {
		_ = vendor.end(0) // Why it failed is in err.
		return err
	}
	d.vendor = vendor
	return nil
}

func (d *Demo) startShop(ctx context.Context) error {
	shop, err := startProcess(d.options.Executable, ShopCommand,
		"--db", d.options.DB,
		"--vendor", d.places.APIs, "--refused", d.places.Refused,
		"--seed", strconv.FormatUint(d.options.Seed, 10),
		"--for", d.options.For.String())
	if err != nil {
		return err
	}
	if err := shop.hear(ctx, &opening{}); err != nil {
		_ = shop.end(0) // Why it failed is in err.
		return err
	}
	d.shop = shop
	return nil
}

// follow sums up as soon as the shop has ended by itself, since the vendor and its account
// do not stay for as long as somebody may leave a dashboard open.
func (d *Demo) follow() {
	<-d.shop.exited
	// Whoever stops the demo gets the same.
	_, _ = d.finish()
}

// Wait waits until the shop has ended by itself or the context has, and then does what
// Stop does. The end of the context is not an error.
func (d *Demo) Wait(ctx context.Context) (Summary, error) {
	select {
	case <-d.shop.exited:
	case <-ctx.Done():
	}
	return d.finish()
}

// Stop ends the shop and the vendor, in that order, and sums up. It may be called more
// than once and returns the same each time. The error says that there is nothing to sum
// up; what does not agree is in the summary.
func (d *Demo) Stop() (Summary, error) { return d.finish() }

func (d *Demo) end() (Summary, error) {
	f := &findings{seed: d.options.Seed, file: d.options.DB, pid: d.shop.command.Process.Pid}
	d.found = f
	shopEnded := d.shop.end(shopPatience)
	f.trouble(shopEnded)
	if shopEnded == nil {
		ended, cancel := context.WithTimeout(context.Background(), vendorPatience)
		f.trouble(d.shop.hear(ended, &f.report))
		cancel()
	}
	f.trouble(d.askVendor(&f.account))
	f.trouble(d.vendor.end(vendorPatience))
	s, err := f.sumUp(context.Background())
	if err != nil {
		return Summary{}, errors.Join(fmt.Errorf("sum up the demo: %w", err), shopEnded)
	}
	return s, nil
}

// askVendor gets the vendor's account.
func (d *Demo) askVendor(into *account) error {
	client := http.Client{Timeout: vendorPatience, Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Get("http://" + d.places.Control + "/account")
	if err != nil {
		return fmt.Errorf("ask the vendor for its account: %w", err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		return fmt.Errorf("read the vendor's account: %w", err)
	}
	return nil
}
