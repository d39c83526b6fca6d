package books

import (
	"slices"
	"strings"
	"time"
)

// Account is all that the server knows of a business id.
type Account struct {
	ID      string
	Orders  []Request // POSTs, those included whose body never came whole
	Lookups []Request
	Cancels []Request // DELETEs
	Keys    []string  // that orders came with, each once, in the order in which they were seen; "" for none
	Hashes  []string  // SHA-256 of the bodies, likewise
	Effects []Effect  // never taken back: a cancelled one is marked
}

// Request is one request for a business id.
type Request struct {
	N      int // from 1, for orders and cancels together, and for lookups alone
	Mode   Mode
	Fault  Fault
	Proto  string
	Key    string // "": none
	Hash   string // SHA-256 of the body in hexadecimal; "" until all of it came
	Status int    // of the reply; 0: it got none
	Stored bool   // the reply was one that had been saved for the key
	Told   bool   // the whole reply was written
}

// Effect is an order that was made.
type Effect struct {
	Key    string // that it came with
	Hash   string // of the body
	Amount string
	Number string // given by the server
	At     time.Time
	Undone bool // a cancel came after it
}

// Active returns the effects that were not undone.
func (a Account) Active() []Effect {
	var active []Effect
	for _, e := range a.Effects {
		if !e.Undone {
			active = append(active, e)
		}
	}
	return active
}

// Account returns the books of a business id as they are now.
func (s *Server) Account(id string) Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.accounts[id].copy(id)
}

// Accounts returns the books of all business ids, by their names. Orders that broke off
// before they said their id are under "".
func (s *Server) Accounts() []Account {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]Account, 0, len(s.accounts))
	for id, a := range s.accounts {
		all = append(all, a.copy(id))
	}
	slices.SortFunc(all, func(a, b Account) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// account is an Account that still changes, with the server locked.
type account struct {
	orders, lookups, cancels []*Request
	keys, hashes             []string
	effects                  []*Effect
}

func (a *account) copy(id string) Account {
	if a == nil {
		return Account{ID: id}
	}
	return Account{
		ID: id, Orders: values(a.orders), Lookups: values(a.lookups), Cancels: values(a.cancels),
		Keys: slices.Clone(a.keys), Hashes: slices.Clone(a.hashes), Effects: values(a.effects),
	}
}

func values[T any](pointers []*T) []T {
	var vs []T
	for _, p := range pointers {
		vs = append(vs, *p)
	}
	return vs
}

// active returns the effects that were not undone.
func (a *account) active() []*Effect {
	if a == nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(a.effects), func(e *Effect) bool { return e.Undone })
}

// open returns the account of a business id, which begins with its first request.
func (s *Server) open(id string) *account {
	a := s.accounts[id]
	if a == nil {
		a = &account{}
		s.accounts[id] = a
	}
	return a
}

// appendNew appends what is not there yet.
func appendNew(all []string, one string) []string {
	if slices.Contains(all, one) {
		return all
	}
	return append(all, one)
}
