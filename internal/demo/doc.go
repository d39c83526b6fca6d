// Package demo is a vendor that misbehaves on purpose and a shop that calls it, for
// `redial demo` and for whoever wants to see every kind of fault in half a minute.
//
// It promises three things. The shop is an ordinary service: it calls with an
// http.Client whose Transport is redial's, and nothing in redial knows that it is a
// demo. The vendor decides its faults from a seed and from what it is asked for, never
// from the clock, so the same seed gives the same faults. And the vendor keeps an
// account of its own, to which [Demo.Stop] compares the recording request by request:
// a summary that says both agree has been checked, and one that does not says where.
//
// What the shop must not do twice it does through operation.Operations: orders, charges,
// reservations and vouchers. Each of their APIs has its own manners. Orders honours keys
// and tells the truth. Pay honours keys and lies when it is asked. Stock ignores keys,
// does things late, and can be asked to undo them. Gift forgets keys within the minute. The vendor counts what it
// did by the business number in the body, never by the key, and the summary holds that
// against the operations on record: what succeeded was done once, what failed was not
// done or was taken back, and what nobody knows was done once at most. What people settle
// the shop reads, from a position that it keeps beside the recording, and notes in the life
// of the operation what it does then.
//
// Vendor and shop are processes of their own, started by [Start] from the executable
// that runs already, through two hidden commands:
//
//	demo-vendor --seed N
//	demo-shop --db FILE --vendor ADDR --refused ADDR --seed N --for D
//
// The first runs [Vendor], the second [Shop]; each flag is the field of the same name
// in [VendorOptions] and [ShopOptions], D is a Go duration and 0 means the longest
// that is allowed, [Longest]. Both commands are given the process's standard input and
// output, and the output must not be buffered: the parent waits for what they say on
// it, in lines of JSON. The vendor tells where it listens when it is ready; the shop
// tells when it begins to call, and what it did when it ends. Both end when
// their standard input does, which it does whenever the parent is gone, however it
// went; and on SIGTERM.
package demo
