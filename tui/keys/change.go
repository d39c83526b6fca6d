package keys

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
)

// ErrNoKey is what [Map.Set] returns for a binding without any key.
var ErrNoKey = errors.New("nothing else does what it does: give it a key")

// Set gives the binding of that name other keys in place of those that it has. The error
// says what is wrong with them and what to write; then nothing is changed. Whether they fit
// in among the others is for [Map.Check] to say, when all of them are set.
func (m *Map) Set(name string, keys []string) error {
	b := m.named(name)
	if b == nil {
		return fmt.Errorf("use %s", strings.Join(m.names(), ", "))
	}
	if len(keys) == 0 {
		return ErrNoKey
	}
	all := make([]string, len(keys))
	for i, text := range keys {
		k, err := read(text)
		if err != nil {
			return &KeyError{Index: i, Key: text, Text: err.Error()}
		}
		if slices.Contains(all[:i], k) {
			return &KeyError{Index: i, Key: text, Text: "it is there twice: leave one out"}
		}
		all[i] = k
	}
	b.SetKeys(all...)
	b.SetHelp(title(all), b.Help().Desc)
	return nil
}

func (m *Map) names() (all []string) {
	for _, e := range m.Entries() {
		all = append(all, e.Name)
	}
	return all
}

// KeyError is a key that a binding cannot have.
type KeyError struct {
	Index int    // which of the binding's keys, from 0
	Key   string // as it was written
	Text  string // what is wrong with it, and what to do
}

// Error says what is wrong, and what to do.
func (e *KeyError) Error() string { return e.Text }

// ConflictError is a key that cannot do what it is bound to where it is.
type ConflictError struct {
	Key   string
	Name  string // of the binding
	Other string // name of another one with the same key; "" if the key is a character where text is typed
	Place string // where that is, such as "the timeline"
	Does  string // what the other one does
}

// Error says what clashes, where, and what to do.
func (e *ConflictError) Error() string {
	if e.Other == "" {
		return fmt.Sprintf("%q types text in %s: use a key that types nothing, such as enter or ctrl+t", e.Key, e.Place)
	}
	return fmt.Sprintf("%q is also %s (%s) in %s: give one of them another key", e.Key, e.Other, e.Does, e.Place)
}

// Check returns a [ConflictError] if a key is bound twice where both would be in force, or
// could not be told from what is typed. The bindings among first are told to be at fault
// where another one is too.
func (m *Map) Check(first ...string) error {
	for _, p := range m.places() {
		taken := map[string]*key.Binding{}
		for _, b := range p.keys {
			for _, k := range b.Keys() {
				if p.text && types(k) {
					return &ConflictError{Key: k, Name: m.nameOf(b), Place: p.name}
				}
				other, ok := taken[k]
				taken[k] = b
				if !ok || other == b {
					continue
				}
				at, beside := b, other
				if !slices.Contains(first, m.nameOf(at)) {
					at, beside = other, b
				}
				return &ConflictError{Key: k, Name: m.nameOf(at), Other: m.nameOf(beside), Place: p.name, Does: beside.Help().Desc}
			}
		}
	}
	return nil
}
