package cli

import (
	"time"

	"github.com/spf13/cobra"

	"redial/internal/demo"
)

// demoVendorCommand is the vendor's process of a demo.
func (a *app) demoVendorCommand() *cobra.Command {
	var o demo.VendorOptions
	command := &cobra.Command{
		Use:    demo.VendorCommand,
		Short:  "The vendor of a demo, which `redial demo` starts",
		Hidden: true,
		Args:   noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.Stdin, o.Stdout = a.in, a.out.file
			return demo.Vendor(cmd.Context(), o)
		},
	}
	command.Flags().Uint64Var(&o.Seed, "seed", 1, "decides the faults")
	return command
}

// demoShopCommand is the shop's process of a demo.
func (a *app) demoShopCommand() *cobra.Command {
	var o demo.ShopOptions
	command := &cobra.Command{
		Use:    demo.ShopCommand,
		Short:  "The shop of a demo, which `redial demo` starts",
		Hidden: true,
		Args:   noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			o.DB, o.Stdin, o.Stdout = a.db, a.in, a.out.file
			return demo.Shop(cmd.Context(), o)
		},
	}
	flags := command.Flags()
	flags.StringVar(&o.Vendor, "vendor", "", "where the vendor serves its APIs")
	flags.StringVar(&o.Refused, "refused", "", "where every connection is refused")
	flags.Uint64Var(&o.Seed, "seed", 1, "decides what the shop asks for")
	flags.DurationVar(&o.For, "for", time.Duration(0), "when to stop calling")
	return command
}
