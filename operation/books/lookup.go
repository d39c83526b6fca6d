package books

import (
	"encoding/json"
	"net/http"
)

// shown is an order as lookups show it.
type shown struct {
	ID     string      `json:"id"`
	Amount json.Number `json:"amount"`
	Key    string      `json:"key,omitempty"`
	Number string      `json:"number"`
	Status string      `json:"status"`
}

// show returns the body that shows orders: the first, how many there are, and all of them.
func show(id string, effects []*Effect) []byte {
	all := make([]shown, len(effects))
	for i, e := range effects {
		all[i] = shown{ID: id, Amount: json.Number(e.Amount), Key: e.Key, Number: e.Number, Status: "active"}
	}
	body, _ := json.Marshal(struct {
		shown
		Count  int     `json:"count"`
		Orders []shown `json:"orders"`
	}{all[0], len(all), all})
	return body
}

// lookUp deals with a GET or HEAD.
func (v *visit) lookUp() {
	if !v.receive(Lookup) {
		return
	}
	switch v.mode {
	case L3:
		v.answer(trouble(http.StatusNotImplemented, "orders cannot be looked up"))
	case L9:
		v.answer(v.lie())
	default:
		v.answer(v.find())
	}
}

// find returns what the server shows.
func (v *visit) find() *reply {
	s := v.s
	s.mu.Lock()
	defer s.mu.Unlock()
	key := v.r.URL.Query().Get("key")
	var found []*Effect
	for _, e := range s.accounts[v.id].active() {
		stale := v.mode == L5 && s.options.Clock.Now().Sub(e.At) < s.options.Stale
		if !stale && (key == "" || e.Key == key) {
			found = append(found, e)
		}
	}
	if len(found) == 0 {
		return &reply{status: http.StatusNotFound, body: []byte(`{"count":0,"orders":[]}`)}
	}
	return &reply{status: http.StatusOK, body: show(v.id, found)}
}

// lie is a lookup that fails.
func (v *visit) lie() *reply {
	other := &Effect{Key: v.r.URL.Query().Get("key"), Amount: "987654321", Number: "of somebody else"}
	switch v.s.failureOf(v.id) {
	case LookupHangs:
		v.await(v.s.options.Hang)
		v.cut()
	case LookupTwice:
		return &reply{status: http.StatusOK, body: show(v.id, []*Effect{other, other})}
	case LookupOther:
		return &reply{status: http.StatusOK, body: show(v.id, []*Effect{other})}
	}
	return trouble(http.StatusInternalServerError, "the lookup broke")
}

func (s *Server) failureOf(id string) LookupFailure {
	if s.options.Lookup != nil {
		return s.options.Lookup(id)
	}
	return LookupFailure(s.draw("lookup failure", id, 0) % uint64(numLookupFailure))
}
