package books

import (
	"net/http"
	"time"
)

// slotName is what a reply is saved under: a key means one thing for orders and another
// for cancels.
type slotName struct{ method, key string }

// slot is what the server remembers of a key.
type slot struct {
	first time.Time
	hash  string        // of the body
	done  chan struct{} // closed when there is a reply
	reply *reply
}

// perform does the work, or gives the reply that was saved for the key, as the mode has it.
func (v *visit) perform(work func() *reply) *reply {
	v.park()
	if !v.mode.Honours() || v.key == "" {
		return v.commit(work)
	}
	sl, mine := v.s.slotFor(v)
	if mine {
		if v.mode == L7 {
			v.s.pause(v.s.options.Work)
		}
		rep := v.commit(work)
		v.s.save(v, sl, rep)
		return rep
	}
	if v.mode == L7 {
		if rep := sl.conflict(v.entry.Hash); rep != nil {
			return rep
		}
	}
	select {
	case <-sl.done:
	case <-v.r.Context().Done():
		panic(http.ErrAbortHandler) // Nobody waits for the reply, and there is nothing to do.
	case <-v.s.closing:
		panic(http.ErrAbortHandler)
	}
	v.s.mu.Lock()
	v.entry.Stored = true
	v.s.mu.Unlock()
	return sl.reply.stored()
}

// park keeps the first order for an id from being looked at. Its key is not taken
// meanwhile, so that what is sent again overtakes it.
func (v *visit) park() {
	if v.mode == L6 && v.n == 1 && v.r.Method == http.MethodPost {
		v.s.pause(v.s.options.Land)
	}
}

// commit has the effect.
func (v *visit) commit(work func() *reply) *reply {
	fails := v.mode == L8 && v.r.Method == http.MethodPost
	if fails && v.s.share("effect of a 500", v.id, v.n) < 0.5 {
		return trouble(http.StatusInternalServerError, "something broke")
	}
	v.s.point(v.id, BeforeCommit)
	v.s.mu.Lock()
	rep := work()
	v.s.mu.Unlock()
	v.s.point(v.id, AfterCommit)
	if fails {
		return trouble(http.StatusInternalServerError, "something broke")
	}
	return rep
}

// slotFor returns what is remembered of the key. If nothing is, the slot belongs to
// this request, which has to fill it.
func (s *Server) slotFor(v *visit) (sl *slot, mine bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, now := slotName{v.r.Method, v.key}, s.options.Clock.Now()
	sl = s.slots[name]
	if sl != nil && v.mode == L4 && now.Sub(sl.first) >= s.options.Lifetime {
		sl = nil
	}
	if sl != nil {
		return sl, false
	}
	sl = &slot{first: now, hash: v.entry.Hash, done: make(chan struct{})}
	s.slots[name] = sl
	return sl, true
}

// save fills a slot. A refusal is not kept: the same request may be right later.
func (s *Server) save(v *visit, sl *slot, rep *reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sl.reply = rep
	close(sl.done)
	name := slotName{v.r.Method, v.key}
	if rep.status >= 400 && v.mode != L8 && s.slots[name] == sl {
		delete(s.slots, name)
	}
}

// conflict returns the reply to a key that is used for something else, or still at work.
func (sl *slot) conflict(hash string) *reply {
	if sl.hash != hash {
		return trouble(http.StatusUnprocessableEntity, "the key was used with another body")
	}
	select {
	case <-sl.done:
		return nil
	default:
		return trouble(http.StatusConflict, "a request with this key is being worked on")
	}
}
