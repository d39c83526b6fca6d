// Package recorder takes the calls that a transport has seen from the request path to a
// store.
//
// It exists so that recording never harms a call, and promises:
//
//   - Record copies and returns. It never waits for the store, whatever the store does:
//     fail, hang, panic, or come back after an hour.
//   - What waits is bounded, in calls and in bytes.
//   - No call is missing silently. Each is written, or counted as not written; the store
//     learns of the gap and its reason as soon as it works again.
//   - A process that is killed loses what it recorded in the last 50 ms, and what was
//     being written then.
//   - What may have been sent twice is found in what goes by, off the request path, and told
//     to the store: see [ledger.Duplicate] and Options.DuplicateSpan.
//   - A restart forgets no rate window, if the store remembers: see [Historian].
//   - Secrets are redacted before anything reaches the store. Only the recorded copy is
//     changed, never what the caller holds.
//
// # What is redacted
//
// Secrets are known by their names: those of headers (Authorization, Proxy-Authorization, Cookie, Set-Cookie,
// X-Api-Key, all that end in token, signature and the like), and those of query parameters
// and of fields in JSON, forms, multipart forms and XML (access_token, clientSecret,
// user[password], code, sig, SAMLResponse and the like), however they are written or
// escaped, nested or cut off. And they are known by their form: userinfo in URLs, bearer
// and basic credentials, and JWTs, in errors, headers, paths and bodies alike. In place of
// each stands [redacted]. What only looks alike, such as authority, tokenizer and
// passwordless, stays, and so does the Code of an Error in XML, which says what went wrong.
// Options add names.
//
// Bodies are searched through gzip, zlib, brotli and zstd, and where something is redacted
// are compressed anew in the same way. A body whose secrets cannot be looked for is
// not kept, only its size and its hash: one in another compression or in two at once, one
// that is more than 2 MiB when it is unpacked, an archive, UTF-16, a
// multipart body without a boundary. Other binary bodies are kept, also one in brotli that
// no header tells of.
//
// A secret with neither a name nor a form is not recognised: a password in the path of a
// URL, a key in a binary protocol, a body that is nothing but a secret. The hash of a body
// is of what went by, secrets included.
package recorder
