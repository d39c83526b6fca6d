package books

import (
	"net/http"
	"strconv"
	"strings"
)

// visit is one request while it is being dealt with.
type visit struct {
	s    *Server
	w    http.ResponseWriter
	r    *http.Request
	line line

	mode   Mode
	lookup bool
	id     string
	key    string
	n      int // of the id's orders and cancels, or of its lookups
	fault  Fault
	body   []byte
	entry  *Request // in the books; changed with the server locked
}

func (v *visit) http2() bool { return v.r.ProtoMajor == 2 }

func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	s.count(1)
	defer s.count(-1)
	v := &visit{s: s, w: w, r: r, key: keyOf(r.Header.Get(s.options.KeyHeader))}
	v.line, _ = r.Context().Value(lineKey{}).(line)
	mode, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	top, ref, _ := strings.Cut(rest, "/")
	var known bool
	if v.mode, known = parseMode(mode); !known || top != "orders" {
		http.NotFound(w, r)
		return
	}
	switch r.Method {
	case http.MethodPost:
		v.order()
	case http.MethodDelete:
		v.identify(ref)
		v.cancel()
	case http.MethodGet, http.MethodHead:
		v.lookup = true
		v.identify(ref)
		v.lookUp()
	default:
		http.Error(w, "no such method", http.StatusMethodNotAllowed)
	}
}

// keyOf returns the key in a header, which some APIs want to be a quoted string (RFC 9651,
// section 3.3.3).
func keyOf(header string) string {
	if quoted, ok := strings.CutPrefix(header, `"`); ok && strings.HasSuffix(quoted, `"`) {
		return strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(quoted[:len(quoted)-1])
	}
	return header
}

// identify sets the business id of a request that says it in its URL, by itself or by the
// key of an order.
func (v *visit) identify(ref string) {
	query := v.r.URL.Query()
	v.id = ref
	if v.id == "" {
		v.id = query.Get("ref")
	}
	if v.id != "" || query.Get("key") == "" {
		return
	}
	v.s.mu.Lock()
	defer v.s.mu.Unlock()
	if ids := v.s.byKey[query.Get("key")]; len(ids) > 0 {
		v.id = ids[0]
	}
}

// begin enters the request into the books and decides what will happen to it.
func (v *visit) begin() {
	s := v.s
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.open(v.id)
	v.entry = &Request{Proto: v.r.Proto, Key: v.key}
	switch {
	case v.lookup:
		a.lookups = append(a.lookups, v.entry)
		v.n = len(a.lookups)
	case v.r.Method == http.MethodDelete:
		a.cancels = append(a.cancels, v.entry)
		v.n = len(a.orders) + len(a.cancels)
	default:
		a.orders = append(a.orders, v.entry)
		v.n = len(a.orders) + len(a.cancels)
		s.noteKey(v, a)
	}
	if v.mode == ByID {
		v.mode = s.modeOf(v.id)
	}
	v.fault = s.faultOf(v)
	v.entry.N, v.entry.Mode, v.entry.Fault = v.n, v.mode, v.fault
}

// noteKey remembers a key for the account, and the account for lookups by the key.
func (s *Server) noteKey(v *visit, a *account) {
	a.keys = appendNew(a.keys, v.key)
	if v.key != "" {
		s.byKey[v.key] = appendNew(s.byKey[v.key], v.id)
	}
}

// modeOf returns the mode of a business id.
func (s *Server) modeOf(id string) Mode {
	if s.options.Modes != nil {
		return s.options.Modes(id)
	}
	return L1 + Mode(s.draw("mode", id, 0)%uint64(L9))
}

// refusal returns the reply of a fault that is one, or nil.
func (v *visit) refusal() *reply {
	var rep *reply
	switch v.fault {
	case TooMany, TooManyRetry:
		rep = trouble(http.StatusTooManyRequests, "too many requests")
	case Unavailable, UnavailableRetry:
		rep = trouble(http.StatusServiceUnavailable, "not now")
	default:
		return nil
	}
	if v.fault == TooManyRetry || v.fault == UnavailableRetry {
		rep.header = map[string]string{"Retry-After": v.s.options.RetryAfter}
	}
	return rep
}

// trouble returns a reply that says what went wrong.
func trouble(status int, text string) *reply {
	return &reply{status: status, body: []byte(`{"error":` + strconv.Quote(text) + `,"from":"books"}`)}
}
