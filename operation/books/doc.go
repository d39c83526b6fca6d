// Package books is a server that keeps honest books and misbehaves on purpose: over real
// sockets on 127.0.0.1 it loses replies, resets connections, lands orders late and lies when
// it is looked up, and yet knows exactly what it did. It is only for tests.
//
// It counts effects by the business id in the body, never by the idempotency key, so that a
// client that mints a new key for each send does not look correct. What a client claims is
// held against the books with [Server.Check].
//
// # Routes
//
//	POST   /{mode}/orders        {"id": "order-1", "amount": 5}: one effect, 201
//	GET    /{mode}/orders?key=K  the active orders that were made with a key: 200 or 404
//	GET    /{mode}/orders?ref=R  the active orders with a business id: 200 or 404
//	GET    /{mode}/orders/{ref}  the same
//	DELETE /{mode}/orders/{ref}  cancels: the effects stay in the books, and are undone; also with ?key= and ?ref=
//
// The mode is l1 to l9, see [Mode], or by-id: then [Options.Modes] or the seed decide for each
// business id. A lookup answers {"count": 1, "orders": [{…}], …} with the fields of the first
// order at the top, so that JSON pointers such as /count, /id and /amount are enough to judge it.
//
// # Chance
//
// Whatever is left to chance comes from the seed, the business id and the number of its
// request, so that the order in which goroutines run changes nothing. [Server.String] and each
// [Violation] name the seed.
//
// The business id of a POST is taken from ?ref= in its URL if that is there, so that it is
// known before any of the body has come, else from the first piece of the body: write it first.
package books
