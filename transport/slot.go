package transport

import "time"

// slot is a request's place in one window.
type slot struct {
	spec int    // place of the window's spec among those of the host
	key  string // "" without a Key

	window *window       // under the host's lock, once places were asked for
	taken  bool          // the request counts
	mark   time.Duration // of the meter, for a refund
	serial uint64        // which request of the window it is
}

// spend takes the place.
func (s *slot) spend(mono time.Duration) {
	s.taken, s.mark = true, s.window.spend(mono)
	s.serial = s.window.server.spend()
}

// kept is what a host keeps for one spec: one window, or one for each key.
type kept struct {
	spec  *spec
	host  string          // as shown
	whole *window         // of all requests without a Key; nil until it is needed
	keys  roster[*window] // of a Key
	rest  *window         // of the keys beyond maxKeys; nil until it is needed
}

// of returns the window of a key.
func (k *kept) of(key string, mono time.Duration) *window {
	if k.spec.Key == nil {
		if k.whole == nil {
			k.whole = k.make(k.spec.Path)
		}
		return k.whole
	}
	if w, ok := k.keys.get(key); ok {
		return w
	}
	w := k.make(k.nameOf(key))
	if k.keys.add(key, w, maxKeys, func(w *window) bool { return w.idle(mono) }) {
		return w
	}
	if k.rest == nil {
		k.rest = k.make(k.nameOf(overflow))
	}
	return k.rest
}

func (k *kept) make(name string) *window {
	return &window{spec: k.spec, name: name, meter: newMeter(&k.spec.Window)}
}

// nameOf returns what a key's window is shown as.
func (k *kept) nameOf(key string) string {
	if k.spec.Path == "" {
		return key
	}
	return k.spec.Path + " " + key
}

// each calls f for every window that there is, in an order that does not change, until f
// returns false.
func (k *kept) each(f func(*window) bool) bool {
	if k.whole != nil && !f(k.whole) {
		return false
	}
	for _, e := range k.keys.list {
		if !f(e.value) {
			return false
		}
	}
	return k.rest == nil || f(k.rest)
}
