package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"testing"
	"time"
)

// parentCommand starts a demo, says where its vendor is and then waits to be killed.
const parentCommand = "demo-parent"

// TestMain lets the test's own executable stand for redial's.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		if run, ok := commands()[os.Args[1]]; ok {
			if err := run(context.Background(), os.Args[2:]); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

func commands() map[string]func(context.Context, []string) error {
	return map[string]func(context.Context, []string) error{
		VendorCommand: runVendor,
		ShopCommand:   runShop,
		parentCommand: runParent,
		spendCommand:  runSpend,
	}
}

func runVendor(ctx context.Context, args []string) error {
	o := VendorOptions{Stdin: os.Stdin, Stdout: os.Stdout}
	flags := flag.NewFlagSet(VendorCommand, flag.ContinueOnError)
	flags.Uint64Var(&o.Seed, "seed", 0, "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return Vendor(ctx, o)
}

func runShop(ctx context.Context, args []string) error {
	o := ShopOptions{Stdin: os.Stdin, Stdout: os.Stdout}
	flags := flag.NewFlagSet(ShopCommand, flag.ContinueOnError)
	flags.StringVar(&o.DB, "db", "", "")
	flags.StringVar(&o.Vendor, "vendor", "", "")
	flags.StringVar(&o.Refused, "refused", "", "")
	flags.Uint64Var(&o.Seed, "seed", 0, "")
	flags.DurationVar(&o.For, "for", 0, "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return Shop(ctx, o)
}

func runParent(ctx context.Context, args []string) error {
	d, err := Start(ctx, Options{DB: args[0], Seed: testSeed})
	if err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(d.places); err != nil {
		return err
	}
	// The test holds the input open and never writes.
	_, err = bufio.NewReader(os.Stdin).ReadByte()
	return err
}

// eventually waits until a condition holds, and fails the test if it never does.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-deadline:
			t.Fatalf("it never came that %s", what)
		case <-tick.C:
		}
	}
}
