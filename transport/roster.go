package transport

// roster remembers a bounded number of things by name, and forgets those first that were
// not used for the longest time.
type roster[V any] struct {
	byName         map[string]*entry[V]
	list           []*entry[V] // in an order that does not change, to be shown
	oldest, newest *entry[V]   // by their last use
}

type entry[V any] struct {
	name         string
	value        V
	place        int // in the list
	older, newer *entry[V]
}

// lookBack is how many of those that were not used for the longest time are asked whether
// they can be forgotten.
const lookBack = 8

// get returns what has that name, and notes that it was used.
func (r *roster[V]) get(name string) (v V, ok bool) {
	e := r.byName[name]
	if e == nil {
		return v, false
	}
	if r.newest != e {
		r.unlink(e)
		r.link(e)
	}
	return e.value, true
}

// add remembers what has no name there yet, if need be in the place of something that is
// idle. It reports false if there is no room.
func (r *roster[V]) add(name string, v V, limit int, idle func(V) bool) bool {
	e := &entry[V]{name: name, value: v, place: len(r.list)}
	if len(r.list) < limit {
		r.list = append(r.list, e)
	} else {
		old := r.forgettable(idle)
		if old == nil {
			return false
		}
		r.unlink(old)
		delete(r.byName, old.name)
		e.place = old.place
		r.list[e.place] = e
	}
	if r.byName == nil {
		r.byName = make(map[string]*entry[V])
	}
	r.byName[name] = e
	r.link(e)
	return true
}

// forgettable returns one that is idle, nil if none is found.
func (r *roster[V]) forgettable(idle func(V) bool) *entry[V] {
	e := r.oldest
	for range lookBack {
		if e == nil || idle(e.value) {
			return e
		}
		e = e.newer
	}
	return nil
}

func (r *roster[V]) link(e *entry[V]) {
	e.older, e.newer = r.newest, nil
	if r.newest != nil {
		r.newest.newer = e
	} else {
		r.oldest = e
	}
	r.newest = e
}

func (r *roster[V]) unlink(e *entry[V]) {
	if e.older != nil {
		e.older.newer = e.newer
	} else {
		r.oldest = e.newer
	}
	if e.newer != nil {
		e.newer.older = e.older
	} else {
		r.newest = e.older
	}
	e.older, e.newer = nil, nil
}
