// Package db keeps what redial records in one SQLite file, and reads it again while it
// is written.
//
// It exists so that nothing else has to know SQL. It promises:
//
//   - A batch is written whole or not at all, and what was written survives the process:
//     kill it at any moment and the file opens again. A power cut can take the last
//     moments with it, never the file.
//   - A step of an operation is on the disk, with an fsync, when the method that makes it
//     returns nil. When it returns an error, nothing of it is in the file. Each step
//     compares where the operation stands first, so that of two who make one, in whatever
//     processes, one is told that it came too late.
//   - Any number of processes may have the file open. Readers never block a writer nor
//     one another. Two processes that both write at full speed take turns and slow each
//     other down.
//   - A file that is not redial's, is damaged, was made by a newer redial, cannot be
//     written or lies on a network is refused in one line that says what to do; nothing
//     is overwritten.
//   - A file that is deleted, moved or replaced under a service stays whole where it went.
//     The one at the path then gets the service's sessions, and a gap for what went away.
//   - What is read is not trusted: a file that was received from elsewhere gives errors
//     at worst, never a panic and never unbounded memory.
//
// [Open] is for processes that record and for the dashboard, [OpenExisting] for those
// that only look. Both give a [DB], which is safe for concurrent use.
//
// # Inside
//
// One goroutine owns the only connection that writes ([writer]); what it has in memory is
// a cache of the file that is thrown away whenever a transaction fails. Reads take a
// connection from a small pool for one short transaction each, because a transaction that
// is held open keeps the write-ahead log from being reused. A call is one row, and the
// last of its attempts is a part of that row; earlier attempts, waits and bodies have
// tables of their own. Text that repeats is kept once, in a dictionary. The partial
// indexes are ordered by call, not by value, so that writing appends to them and reading
// gives calls in order.
//
// Steps of operations go before what is recorded, and between slices of a batch. All that
// wait are made in one transaction with one fsync ([errand]). The log is moved into the
// file by a connection of its own ([checkpointer]), so that none of them waits for that.
// An operation is a row, its exact bytes are apart, and its transitions are only ever
// appended: their number is the position from which settlements are read.
//
// All times in the file are nanoseconds of Unix time, all durations nanoseconds. NULL
// stands for an absent time or text.
package db
