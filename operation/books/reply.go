package books

import (
	"maps"
	"net/http"
	"strconv"
)

// reply is an answer before it is known how much of it will arrive.
type reply struct {
	status int
	header map[string]string
	body   []byte
}

// stored returns a reply as it is given again.
func (r *reply) stored() *reply {
	again := *r
	again.header = maps.Clone(r.header)
	if again.header == nil {
		again.header = map[string]string{}
	}
	again.header["Idempotent-Replayed"] = "true"
	return &again
}

// answer gives the reply, or what the fault leaves of it.
func (v *visit) answer(rep *reply) {
	switch v.fault {
	case CommitReset:
		v.cut()
	case CommitHang:
		v.await(v.s.options.Hang)
		v.cut()
	case TLSAlert:
		v.alert()
	case GoAway:
		v.leave()
	case CommitUnavailable:
		rep = trouble(http.StatusServiceUnavailable, "the upstream took too long")
	case Truncated, CutJSON:
		rep = &reply{status: rep.status, header: rep.header, body: rep.body}
		if rep.status < 300 { // what is no success does not become one
			rep.status = http.StatusOK
		}
		if v.fault == CutJSON {
			rep.body = rep.body[:len(rep.body)/2]
		}
	}
	v.head(rep)
	v.tell(rep.body)
}

// head writes the status and the header.
func (v *visit) head(rep *reply) {
	h := v.w.Header()
	for name, value := range rep.header {
		h.Set(name, value)
	}
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(rep.body)))
	v.w.WriteHeader(rep.status)
	v.s.mu.Lock()
	v.entry.Status = rep.status
	v.s.mu.Unlock()
}

// tell writes the body in halves.
func (v *visit) tell(body []byte) {
	if v.fault == OneByte {
		v.dribble(body)
		return
	}
	half := len(body) / 2
	v.write(body[:half])
	v.pointOfOrder(HalfReply)
	switch v.fault {
	case CommitHalfReply:
		v.cut()
	case Truncated:
		return // net/http sees that a part is missing and closes.
	}
	v.write(body[half:])
	v.told()
}

// dribble writes the body byte by byte.
func (v *visit) dribble(body []byte) {
	for i := range body {
		if i == len(body)/2 {
			v.pointOfOrder(HalfReply)
		}
		v.write(body[i : i+1])
		v.await(v.s.options.Tick)
	}
	v.told()
}

// write puts bytes on the wire. That nobody reads them any more changes nothing.
func (v *visit) write(b []byte) {
	_, _ = v.w.Write(b)
	_ = http.NewResponseController(v.w).Flush()
}

func (v *visit) told() {
	v.s.mu.Lock()
	v.entry.Told = true
	v.s.mu.Unlock()
	v.pointOfOrder(WholeReply)
}

// pointOfOrder reaches a point that lookups do not have.
func (v *visit) pointOfOrder(p Point) {
	if !v.lookup {
		v.s.point(v.id, p)
	}
}
