// Package transport is an [net/http.RoundTripper] that sends again only what may be sent
// again, holds rate windows, and writes down every attempt, every wait and the reason
// for it.
//
// It exists because whoever calls other people's APIs meets the same choice: retry and
// risk doing the work twice, or do not and lose it. The choice is only safe where somebody
// can say what became of a request. So this package is careful about two things before
// any other: it never claims to know what it does not, and it never does more than its
// caller would have wanted had he watched.
//
// # What it promises
//
// To the caller it is a good RoundTripper. It never changes the request, and the
// response's Request is the caller's. It closes the request's body, and each body that
// GetBody gave, exactly once on every path. It streams bodies in both directions, follows
// no redirect, and lets 101, server-sent events, trailers, HEAD, 204 and transparent
// decompression through as they are; an empty body stays [net/http.NoBody]. Every wait
// ends with the request's context, in an error ([GaveUpError]) that wraps the context's
// error and its cause and names the last status. Whatever is refused without a wait
// returns the last response, whole and with a nil error. The zero [Transport] sends once
// and changes nothing.
//
// The replay gate decides what may be sent again:
//
//   - a request that provably never reached the server, whatever its method;
//   - a request that was answered with a status on the list, or of which nobody knows
//     whether it arrived, if it may be repeated: GET, HEAD, OPTIONS, TRACE, PUT, DELETE,
//     or any method with an idempotency key;
//   - in both cases only if it has no body, or GetBody makes the body again.
//
// What may be repeated is, in the end, what an API's contract says and not what a method's
// name suggests. So each [Route] can have a policy of its own ([Retry.Repeat]): for a PUT
// that loses updates, a POST that only reads, or a key that an API ignores. A strict policy
// ([StrictRetry]) sends what may not be repeated no second time even where it provably
// never reached the server. An [Advisor] can forbid to send again, or say that the server
// asks for it or limits its callers; it never makes repeatable what is not.
//
// Retries are paid for from a [Budget] of their host, before the wait. Calls that lead to an
// answer are paid back, so that only a host in trouble runs out of it, and gets it back when
// it recovers. Who cannot pay gets what there is, the last response or the last error. The
// budget is in force wherever a policy makes more than one attempt.
//
// Proof that a request was not sent is, in this order: that it was found invalid before
// it was sent; that a connection was asked for and never got; an error from a lookup, a
// dial, a proxy or a TLS handshake; an HTTP/2 server that said so (REFUSED_STREAM, or a
// GOAWAY that names an earlier stream). Every doubt is [ledger.Unknown]. That the request
// was "written" proves nothing, since net/http says so before it flushes; neither does a
// base transport that fires no httptrace hooks. What net/http itself refused to write,
// such as an Upgrade header over HTTP/2, was not sent either.
//
// A server is never asked earlier than its Retry-After says, by its clock or by this one,
// and no wait is begun that the caller's deadline would cut short. A Retry-After above the
// maximum ends the call.
// Certificates, protocols and requests that are wrong are wrong the next time too, and
// are tried once.
//
// A [Window] counts every attempt, retries and legs with credentials included, in aligned
// periods, in a sliding log or by a cell rate ([GCRA]); for a host, for some of its paths, or
// apart for each key that a function finds in the request. Callers are let through first
// come, first served; one that gives up leaves no hole and spends nothing; several windows
// are taken together or not at all, and who waits for a slow one is in nobody's way in the
// others. Who cannot get through before its deadline, whoever else leaves, is refused at
// once. A clock that is set while the process runs neither stalls them nor lets a burst
// through. What an attempt took that provably never reached the server is given back.
//
// What a server says about its limits to one call counts for all, unless [Transport.NoPause]
// says otherwise. A 429, or a 503 with Retry-After, pauses the host and port for everybody;
// a RateLimit field (draft-ietf-httpapi-ratelimit-headers-11), or one of its many older
// relatives, narrows the windows of the request. It never widens one, since that something
// is left is no promise, and without a window it is only shown. Nobody waits longer than
// [Retry.MaxRetryAfter] for that; who would have to is told at once ([PausedError]). A
// recorder can hand the windows of an earlier session back ([ledger.Restorer]), and a
// restart forgets nothing.
//
// A [Bandwidth] limits how fast bodies go, up and down, for a host or for all together. They
// are read in small pieces and held back one by one, first come, first served, so that no
// second sees much more than its rate; nothing is buffered, and nothing goes around it.
//
// A 401 or 407 was not acted on. If [Transport.Auth] can answer it, the request is sent
// again with credentials whatever its method, as another leg of the same call that the
// retry policy does not count; see [Auth]. What an Auth does not answer is the caller's.
//
// One layer retries. A redial transport behind another sends each request once, and says
// so on record. (The zero value does nothing, and is no layer.)
//
// # Among others
//
// [Wrap] puts a Transport beneath a client that there is, and [WrapDefault] beneath all that
// have none of their own. It stands above and below other RoundTrippers; what retries by
// itself belongs on neither side. Under an [net/http.Client] each hop of a redirect is a call
// of its own, with attempts and a verdict of its own, and its record names the call before
// it ([ledger.Call.Previous]) where both went through one Transport. Cookies, CheckRedirect
// and the choice of what is sent on remain the client's, and its Timeout spans all attempts
// and waits of all hops.
//
// Whoever makes a call reads its attempts and waits with [Watch]; a service reads the sum of
// all in [Transport.Stats]. Neither needs a [Recorder].
//
// # net/http's own replays
//
// net/http resends some requests by itself when a connection turns out to be dead. Each
// of these sends is counted in [ledger.Attempt.WireSends], and they are kept to the same
// gate where that is possible: a body is made again for net/http only if the gate
// would have it sent again, or if net/http does so in the one case in which not a byte was
// written; and an idempotency key that means nothing here ([Retry.KeyHeader]) is spelled
// in lower case, where net/http does not look for it. Requests without a body cannot be
// kept from it: over HTTP/1 it resends GET, HEAD, OPTIONS and TRACE, anything of which
// nothing was written, and what carries a key; over HTTP/2 any request that the server
// refused or reset with PROTOCOL_ERROR. It would do so without end where a server hangs up
// on each connection; after ten sends the attempt is ended, and the gate decides.
//
// # Limits
//
//   - A PUT or a DELETE is repeated because HTTP says that it may be. An API whose PUT
//     counts something needs a [Route] that says [NeverRepeat] or [ByKey].
//   - A 5xx is no proof that nothing happened, and a key is only as good as the server
//     that honours it.
//   - Windows, pauses and budgets count within one Transport of one process: N processes with
//     the same window send N times its limit. What arrives at the server is a little later
//     than what was counted here.
//   - A fixed window lets up to twice its limit through within one period around a
//     boundary; the other kinds do not.
//   - How long a wait for a window will be is exact for one window, and an estimate for
//     several.
//   - At the end of a pause everybody who waited for it goes on at once, as far as there are
//     no windows.
//   - A window tells 1,024 keys apart, and one without a Host as many hosts. Beyond that the
//     idle ones are forgotten, and if there are none, the rest share a window.
//   - What an operation does about an unknown outcome is not decided here.
//   - To count and to capture them, request bodies are wrapped. Small ones in memory are
//     taken in before, so that they still leave in one write with their head; of a larger
//     bytes.Reader, or behind a Base other than net/http's, the head goes first.
//   - A [Bandwidth] holds back bodies between net/http and their reader. What the sockets
//     between the two ends hold goes by at its own pace.
//   - A base transport that retries by itself is one more layer, and only net/http's
//     hooks tell of its sends.
//
// # What it does otherwise than others
//
//   - It does not drain and swallow the last response to return "giving up after 4
//     attempts": the response is the caller's.
//   - A Retry-After that is too long is not cut down to the maximum: that would ask
//     too early. Of several it takes the longest, not the first.
//   - A wait that the caller's deadline would cut short is not begun: the caller gets the
//     response that there is, and not later an error instead of it.
//   - It does not buffer bodies. One that cannot be made again is sent once.
//   - A POST or a PATCH is not repeated because its status is on a list: it needs a key, or a
//     policy that says of its route that it may be ([AlwaysRepeat]). PUT and DELETE are
//     repeated, which net/http by itself does not do.
//   - It does not take a timeout for "not delivered", or an attempt's own timeout for the
//     caller's cancellation.
//   - It does not retry 500, 501 or 421 unless told to, or 4xx in general, nor errors that
//     cannot change. A 409 is only sent again with a key, and where a policy knows by what
//     the API marks one that is in flight ([Retry.InFlight]).
//   - Its retry budget is on by default. An answer pays back whatever it is, a 404 too, and a
//     refusal by the budget replaces no result with an error of its own.
//   - What a policy asks ([Advisor]) sees the request also after an error, when there is no
//     response, so that it can tell a POST from a GET.
//   - It sends no second request beside the first (hedging), and makes up no answer of its own
//     (fallback).
//   - It keeps no state between calls but windows, pauses and budgets: there is nothing to
//     reset.
package transport
