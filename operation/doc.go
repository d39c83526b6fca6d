// Package operation does things at other people's APIs once: one intent, one idempotency
// key, any number of sends, and exactly one effect or an honest "nobody knows".
//
// [Operations.Do] writes the intent to the disk, with its exact bytes, before the first
// byte is sent. What becomes of the send decides what follows:
//
//   - a 2xx that could be read is a success, and a definite refusal with nothing else in
//     doubt is a failure;
//   - what never reached the server, and 421, 425 and 429, are sent again after a pause;
//   - everything else may have happened: no answer, any 5xx, a 408, a redirect, a 202, an
//     answer that breaks off. It is looked up.
//
// A lookup that finds it settles it. One that does not find it, often and late enough,
// allows the same bytes to be sent again under the same key, but only where the API is
// declared to honour keys ([ledger.KeyPolicy]), while the key is young, and within the
// budget. What remains is pending: nothing but lookups is done for it, until a lookup finds
// it or a person settles it, replays it or undoes it, at the dashboard or with
// `redial ops`.
//
// A process that is killed at any moment leaves an operation that the next start finds and
// looks up. It is never sent again blindly. An operation belongs to one session at a time;
// others take it over when the owner's sign of life has stood still for ten seconds, and
// what a former owner still learns is kept as evidence.
package operation
