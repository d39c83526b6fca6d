package books

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
)

// order deals with a POST.
func (v *visit) order() {
	v.listen()
	var o struct {
		ID     string      `json:"id"`
		Amount json.Number `json:"amount"`
		Key    string      `json:"idempotency_key"`
	}
	if err := json.Unmarshal(v.body, &o); err != nil || o.ID != v.id || o.ID == "" {
		v.answer(trouble(http.StatusBadRequest, "the body is no order with the id that the URL or its first piece named"))
		return
	}
	v.identifyBody(o.Key)
	if v.fault == ResetBeforeReply {
		v.cut()
	}
	if rep := v.refusal(); rep != nil {
		v.answer(rep)
		return
	}
	v.answer(v.perform(func() *reply { return v.make(o.Amount.String()) }))
}

// listen reads the body in halves and breaks off where the fault says so. It returns when
// all of it is here.
func (v *visit) listen() {
	whole, err := v.hear()
	v.begin()
	v.s.point(v.id, RequestLine)
	if v.n > 1 {
		v.s.point(v.id, Resubmission)
	}
	switch v.fault {
	case Refuse:
		v.cut()
	case GoAwayUnread:
		v.disown()
	}
	half := int(v.r.ContentLength / 2)
	for err == nil && !whole && len(v.body) < half {
		whole, err = v.read(half - len(v.body))
	}
	if err == nil {
		v.s.point(v.id, HalfBody)
	}
	if v.fault == ResetMidRequest {
		v.cut()
	}
	for err == nil && !whole {
		whole, err = v.read(4096)
	}
	if err != nil {
		panic(http.ErrAbortHandler) // The client broke off.
	}
	v.s.point(v.id, WholeBody)
}

// idField finds the business id in the beginning of a body.
var idField = regexp.MustCompile(`"id"\s*:\s*("(?:[^"\\]|\\.)*")`)

// hear finds out which business id the request is for. It reads no more of the body than
// it has to.
func (v *visit) hear() (whole bool, err error) {
	v.id = v.r.URL.Query().Get("ref")
	size := max(1, int(v.r.ContentLength/2))
	for v.id == "" && !whole && err == nil {
		whole, err = v.read(size)
		if m := idField.FindSubmatch(v.body); m != nil {
			_ = json.Unmarshal(m[1], &v.id)
		}
	}
	return whole, err
}

// read reads what has come of the body, up to n bytes, and reports whether it has ended.
func (v *visit) read(n int) (whole bool, err error) {
	b := make([]byte, n)
	n, err = v.r.Body.Read(b)
	v.body = append(v.body, b[:n]...)
	if errors.Is(err, io.EOF) {
		return true, nil
	}
	return false, err
}

// identifyBody enters what only the whole body tells.
func (v *visit) identifyBody(key string) {
	sum := sha256.Sum256(v.body)
	v.s.mu.Lock()
	defer v.s.mu.Unlock()
	a := v.s.open(v.id)
	v.entry.Hash = hex.EncodeToString(sum[:])
	a.hashes = appendNew(a.hashes, v.entry.Hash)
	if v.key == "" && key != "" {
		v.key, v.entry.Key = key, key
		v.s.noteKey(v, a)
	}
}

// make is the effect: it makes an order. The server is locked.
func (v *visit) make(amount string) *reply {
	a := v.s.open(v.id)
	e := &Effect{
		Key: v.key, Hash: v.entry.Hash, Amount: amount, At: v.s.options.Clock.Now(),
		Number: fmt.Sprintf("%s/%d", v.id, len(a.effects)+1),
	}
	a.effects = append(a.effects, e)
	return &reply{status: http.StatusCreated, body: show(v.id, []*Effect{e})}
}

// cancel deals with a DELETE.
func (v *visit) cancel() {
	if v.receive(RequestLine) {
		v.answer(v.perform(v.undo))
	}
}

// receive takes a request without a body, and reports whether it is to be dealt with: it is
// not when it is refused.
func (v *visit) receive(p Point) bool {
	v.begin()
	v.s.point(v.id, p)
	switch v.fault {
	case Refuse, ResetMidRequest, ResetBeforeReply:
		v.cut()
	case GoAwayUnread:
		v.disown()
	}
	if rep := v.refusal(); rep != nil {
		v.answer(rep)
		return false
	}
	return true
}

// undo undoes what is active. The server is locked.
func (v *visit) undo() *reply {
	a := v.s.open(v.id)
	if len(a.effects) == 0 {
		return trouble(http.StatusNotFound, "no such order")
	}
	for _, e := range a.effects {
		e.Undone = true
	}
	body, _ := json.Marshal(map[string]string{"id": v.id, "status": "cancelled"})
	return &reply{status: http.StatusOK, body: body}
}
