package demo

import (
	"maps"
	"slices"
	"sync"
)

// account is what the vendor itself knows of what it was asked and what it did.
type account struct {
	Requests   []request      `json:"requests"`   // in order of arrival
	Effects    map[string]int `json:"effects"`    // how often each thing was done, by API and reference
	Undone     map[string]int `json:"undone"`     // how often each thing was taken back
	Violations []string       `json:"violations"` // requests beyond a declared limit, in words
}

// request is one request that reached the vendor whole.
type request struct {
	Host   string `json:"host"` // as the caller wrote it
	ID     string `json:"id"`   // its X-Request-Id; "" without one
	Method string `json:"method"`
	Path   string `json:"path"`
	Key    string `json:"key"`    // its idempotency key; "" without one
	Status int    `json:"status"` // that was answered; 0: none, or not yet
}

// book keeps an account while requests arrive.
type book struct {
	mu      sync.Mutex
	account account
	seen    map[string]int // requests so far, by host and id
}

func newBook() *book {
	return &book{account: account{Effects: map[string]int{}, Undone: map[string]int{}}, seen: map[string]int{}}
}

// arrive enters a request and returns its place in the account, and how many requests
// of the same call came before it.
func (b *book) arrive(r request) (place, before int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.account.Requests = append(b.account.Requests, r)
	call := r.Host + " " + r.ID
	before = b.seen[call]
	b.seen[call]++
	return len(b.account.Requests) - 1, before
}

// answer enters the status with which a request is about to be answered.
func (b *book) answer(place, status int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.account.Requests[place].Status = status
}

// done enters that something was done.
func (b *book) done(effect string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.account.Effects[effect]++
}

// did reports whether something was done and was not taken back.
func (b *book) did(effect string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.account.stands(effect) > 0
}

// undo takes something back, and reports whether it was there.
func (b *book) undo(effect string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	there := b.account.stands(effect) > 0
	if there {
		b.account.Undone[effect]++
	}
	return there
}

// stands returns how often something was done and was not taken back.
func (a *account) stands(effect string) int { return a.Effects[effect] - a.Undone[effect] }

// violated enters that a limit was exceeded.
func (b *book) violated(words string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.account.Violations = append(b.account.Violations, words)
}

// copy returns the account as it stands.
func (b *book) copy() account {
	b.mu.Lock()
	defer b.mu.Unlock()
	return account{
		Requests:   slices.Clone(b.account.Requests),
		Effects:    maps.Clone(b.account.Effects),
		Undone:     maps.Clone(b.account.Undone),
		Violations: slices.Clone(b.account.Violations),
	}
}
