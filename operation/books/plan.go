package books

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// Plan sets what happens to the next POSTs and DELETEs of a business id, counted from its
// first request: NoFault for none. What comes after them is left alone, whatever the options say.
func (s *Server) Plan(id string, faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plans[plan{id, false}] = faults
}

// PlanLookups does for the lookups of a business id what [Server.Plan] does for its orders.
// A lookup by a key that no order ever came with has the business id "".
func (s *Server) PlanLookups(id string, faults ...Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plans[plan{id, true}] = faults
}

// plan names what is planned.
type plan struct {
	id     string
	lookup bool
}

// faultOf returns what happens to a request. The server is locked.
func (s *Server) faultOf(v *visit) Fault {
	what, rate := "fault", s.options.Rate
	if v.lookup {
		what, rate = "lookup fault", s.options.LookupRate
	}
	fault := NoFault
	if planned, ok := s.plans[plan{v.id, v.lookup}]; ok {
		if v.n <= len(planned) {
			fault = planned[v.n-1]
		}
	} else if s.share(what, v.id, v.n) < rate {
		fault = s.pick(what, v)
	}
	if !fault.fits(v.line.tls != nil, v.http2()) {
		panic(fmt.Sprintf("books: %s was planned for %s over %s, which has no such thing", fault, v.id, v.r.Proto))
	}
	return fault
}

// pick draws one of the faults that are in play and fit the connection.
func (s *Server) pick(what string, v *visit) Fault {
	var fit []Fault
	for _, f := range s.options.Faults {
		if f.fits(v.line.tls != nil, v.http2()) {
			fit = append(fit, f)
		}
	}
	if len(fit) == 0 {
		return NoFault
	}
	return fit[s.draw(what+" kind", v.id, v.n)%uint64(len(fit))]
}

// draw returns a number that depends on nothing but the seed and its arguments.
func (s *Server) draw(what, id string, n int) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%s\x00%d", s.seed, what, id, n))
	return binary.BigEndian.Uint64(sum[:])
}

// share returns a number of at least 0 and less than 1, as draw does.
func (s *Server) share(what, id string, n int) float64 {
	return float64(s.draw(what, id, n)>>11) / (1 << 53)
}
