package demo

import (
	"io"
	"time"
)

// The hidden commands by which [Start] runs the two processes.
const (
	VendorCommand = "demo-vendor"
	ShopCommand   = "demo-shop"
)

// Longest is how long a demo runs at most, so that one that was forgotten ends.
const Longest = time.Hour

// VendorOptions are the flags of the vendor's process, and what it talks through.
type VendorOptions struct {
	Seed   uint64    // decides the faults; every value is a seed
	Stdin  io.Reader // the vendor ends when it does; nil: it ends with its context only
	Stdout io.Writer // gets one line of JSON with the addresses; nil: nobody is told
}

// ShopOptions are the flags of the shop's process, and what it talks through.
type ShopOptions struct {
	DB      string        // the file to record to
	Vendor  string        // address and port at which the vendor serves its APIs
	Refused string        // address and port that refuse every connection
	Seed    uint64        // decides what the shop asks for
	For     time.Duration // when to stop calling; 0 or more than Longest: Longest

	Stdin  io.Reader // the shop ends when it does; nil: it ends with its context and For only
	Stdout io.Writer // gets one line of JSON when the shop ends; nil: nobody is told
}

// Options say what [Start] runs.
type Options struct {
	DB   string        // the file to record to
	Seed uint64        // decides the faults; every value is a seed
	For  time.Duration // how long the shop calls; 0 or more than Longest: Longest

	// Executable is the program that has the two hidden commands. If "", it is the one
	// that runs.
	Executable string
}
