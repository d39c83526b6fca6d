// Package digest answers HTTP digest challenges (RFC 7616, and the older RFC 2617 and RFC
// 2069) for a redial transport: a [Digest] is what its field Auth takes.
//
// It exists because a digest says a good deal about a password to whoever receives it: one
// that is given away can be searched for the password offline. So a Digest promises:
//
//   - Credentials go only to the origins that it names, also when a redirect leads
//     elsewhere or a challenge asks for more. With none named it is an error.
//   - A password is never sent readable, as Basic has it, unless that is asked for.
//   - Whoever refuses the credentials is not asked without end: a call has one leg with
//     fresh credentials, and one more only if the server says that the nonce was stale.
//   - Of the challenges of a response, in however many lines, the strongest one is answered
//     that can be: SHA-512-256 before SHA-256 before MD5, with or without -sess. Of the
//     qualities of protection auth is taken where it is offered, since auth-int has to read
//     the whole body before it can send it.
//   - No two requests have one count of one nonce. The first one with a nonce that a server
//     gave out in answer to it has the nonce to itself.
//   - What is remembered is bounded, and no password and no digest of one is shown in an
//     error or by printing a Digest.
//
// # Nonces
//
// Once a server has accepted a nonce, later requests of its protection space use it
// beforehand, with a rising count, and are spared the 401: where the challenge had a
// domain those to the URIs in it, else all of the origin. While requests run at the same
// time each has a nonce of its own, if there are as many. Otherwise they share one, and no lock is held while they
// are sent, so that they may arrive in another order than they were counted in. Servers
// that accept only rising counts then answer 401, with or without saying that the nonce is
// stale; the leg that follows has a nonce that nobody else has, and from then on there is one
// more to choose from. So a 401 to credentials that were known beforehand is no refusal:
// the nonce may have been forgotten. A 401 to what answers a challenge is.
//
// A nextnonce in Authentication-Info takes the place of the nonce, except with -sess,
// where it is open what the session key then is: the next request has itself challenged.
//
// # What a first request costs
//
// A body is sent once in vain if the server wants credentials and no nonce is known. With
// [Digest.ExpectContinue] it waits for the server to ask for it. A HEAD request to the same
// URI before the first upload does as well.
//
// # Limits
//
//   - A proxy that a request goes to https through is asked by CONNECT, in net/http, where
//     no RoundTripper can answer a 407: what it wants has to be in
//     [net/http.Transport.ProxyConnectHeader] or GetProxyConnectHeader. For http see
//     [Digest.Proxy].
//   - auth-int reads the body through GetBody for its hash, and once more to send it. A
//     GetBody that gives other bytes each time cannot be authenticated.
//   - User name and password are used as they are, in UTF-8. A server that says
//     charset=UTF-8 expects them in Normalization Form C.
//   - rspauth, by which a server shows that it knows the password too, is not checked.
//   - A domain that names other origins is heeded only as far as it names this one.
package digest
