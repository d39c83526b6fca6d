package ledger

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// KeyPolicy is what an API's contract says about idempotency keys. The zero value expects
// nothing of the server: the key is sent, and nothing is ever sent again because of it.
type KeyPolicy struct {
	Header   string        // that carries the key; "" is Idempotency-Key
	Quoted   bool          // the value is a quoted string, as draft-ietf-httpapi-idempotency-key-header has it
	Honoured bool          // the server does the work once for a key. Declared, never guessed
	Lifetime time.Duration // for how long it remembers a key; 0: 24 hours

	Conflict      Meaning // of 409
	Unprocessable Meaning // of 422

	Accepted bool   // a 202 is the final answer, not a promise
	Replayed string // response header that marks a stored answer; "" is Idempotent-Replayed

	FingerprintHeaders []string // headers that belong to the fingerprint, such as a tenant's
}

// Meaning says what an API means by a status that APIs use differently.
type Meaning uint8

// The meanings of 409 and 422.
const (
	Undeclared   Meaning = iota // nobody knows: look it up
	InFlight                    // a request with this key is still being worked on
	Refusal                     // the server said no, for good
	OtherPayload                // the key was used with another request
)

// String returns the meaning in words.
func (m Meaning) String() string {
	return word(m, "undeclared", "in flight", "refused", "key used with another request")
}

// KeyHeader returns the name of the header that carries the key.
func (p *KeyPolicy) KeyHeader() string {
	if p.Header == "" {
		return "Idempotency-Key"
	}
	return p.Header
}

// KeyValue returns the key as it stands in its header.
func (p *KeyPolicy) KeyValue(key string) string {
	if p.Quoted { // a string of RFC 9651, section 3.3.3
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
	}
	return key
}

// Remembered returns for how long the server remembers a key.
func (p *KeyPolicy) Remembered() time.Duration {
	if p.Lifetime == 0 {
		return DefaultLifetime
	}
	return p.Lifetime
}

// keyMargin is how long before its end a key's life is taken to be over: clocks differ,
// and a request takes time to arrive.
const keyMargin = 30 * time.Second

// KeyExpires returns the last moment at which the operation may be sent; zero if it was
// never sent, since its key's life has not begun.
func (o *Operation) KeyExpires() time.Time {
	if o.FirstSent.IsZero() {
		return time.Time{}
	}
	return o.FirstSent.Add(o.Policy.Remembered() - o.Budget.WithDefaults().AttemptTimeout - keyMargin)
}

// clockSlack is by how much processes on one machine may come out of order when they read
// the clock and then wait for each other to write.
const clockSlack = 2 * time.Second

// KeyYoung reports whether a send at now would arrive while the server remembers the key.
// A clock that stands before the last transition, or did when the operation was taken over,
// tells no ages, so it says no.
func (o *Operation) KeyYoung(now time.Time) bool {
	return o.FirstSent.IsZero() || !o.Ageless && !now.Add(clockSlack).Before(o.Updated) && now.Before(o.KeyExpires())
}

// CheckKey returns an error for a key that no API would take.
func CheckKey(key string) error {
	switch {
	case key == "":
		return errors.New("the idempotency key is empty: give 1 to 255 printable ASCII characters")
	case len(key) > 255:
		return fmt.Errorf("the idempotency key has %d characters: give 1 to 255", len(key))
	}
	for i := range len(key) {
		if key[i] < ' ' || key[i] > '~' {
			return fmt.Errorf("the idempotency key %s has a character at %d that is not printable ASCII: use letters, digits and punctuation",
				strconv.QuoteToASCII(key), i+1)
		}
	}
	if key[0] == ' ' || key[len(key)-1] == ' ' {
		return fmt.Errorf("the idempotency key %q begins or ends with a blank, which servers cut off: leave it out", key)
	}
	return nil
}
