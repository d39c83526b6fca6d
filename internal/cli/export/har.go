package export

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"redial/ledger"
	"redial/tui/unpack"
)

// HAR returns the format HAR 1.2, with one entry for each attempt, since each was a request
// with a response of its own. A call that was never sent has one entry without an attempt.
// What the format has no place for stands in fields whose names begin with a low line, as
// the format has it: _call, _session, _attempt, _reason, _outcome, _decision, _error,
// _operationKey, _wireSends, _reused, _waits (those before the attempt), in postData and
// content _encoding, _truncated and _note. Version is that of redial; escape writes a line
// of JSON so that it can be shown, and nil leaves it as it is.
func HAR(version string, escape func([]byte) []byte) Format {
	if escape == nil {
		escape = func(line []byte) []byte { return line }
	}
	return Format{Name: "har", Whole: true, New: func(w io.Writer) Writer { return &har{w: w, version: version, escape: escape} }}
}

type har struct {
	w       io.Writer
	version string
	escape  func([]byte) []byte
	began   bool
}

func (h *har) begin() error {
	if h.began {
		_, err := io.WriteString(h.w, ",\n")
		return err
	}
	h.began = true
	version, err := json.Marshal(h.version)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(h.w, `{"log":{"version":"1.2","creator":{"name":"redial","version":%s},"entries":[`+"\n", version)
	return err
}

// Call writes an entry for each attempt.
func (h *har) Call(c *ledger.Call) error {
	if len(c.AttemptList) == 0 {
		return h.entry(c, &ledger.Attempt{Outcome: c.Outcome, Err: c.Error, RetryAfter: -1})
	}
	for i := range c.AttemptList {
		if err := h.entry(c, &c.AttemptList[i]); err != nil {
			return err
		}
	}
	return nil
}

func (h *har) entry(c *ledger.Call, a *ledger.Attempt) error {
	if err := h.begin(); err != nil {
		return err
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(harEntryOf(c, a)); err != nil {
		return fmt.Errorf("encode call %s: %w", c.ID, err)
	}
	_, err := h.w.Write(h.escape(bytes.TrimRight(b.Bytes(), "\n")))
	return err
}

// Close ends the list.
func (h *har) Close() error {
	if !h.began {
		if err := h.begin(); err != nil {
			return err
		}
	}
	_, err := io.WriteString(h.w, "\n]}}\n")
	return err
}

type harEntry struct {
	Started  string      `json:"startedDateTime"`
	Time     float64     `json:"time"`
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`
	IP       string      `json:"serverIPAddress,omitempty"`

	Call      string    `json:"_call"`
	Session   string    `json:"_session"`
	Attempt   int       `json:"_attempt,omitempty"`
	Reason    string    `json:"_reason,omitempty"`
	Outcome   string    `json:"_outcome,omitempty"`
	Decision  string    `json:"_decision,omitempty"`
	Error     string    `json:"_error,omitempty"`
	Key       string    `json:"_operationKey,omitempty"`
	WireSends int       `json:"_wireSends"`
	Reused    bool      `json:"_reused"`
	Waits     []harWait `json:"_waits,omitempty"`
}

type harWait struct {
	Kind    string  `json:"kind"`
	Rule    string  `json:"rule"`
	Planned float64 `json:"planned_ms"`
	Waited  float64 `json:"waited_ms"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harRequest struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	Proto       string    `json:"httpVersion"`
	Cookies     []harPair `json:"cookies"`
	Headers     []harPair `json:"headers"`
	Query       []harPair `json:"queryString"`
	PostData    *harPost  `json:"postData,omitempty"`
	HeadersSize int64     `json:"headersSize"`
	BodySize    int64     `json:"bodySize"`
}

type harPost struct {
	MimeType  string `json:"mimeType"`
	Text      string `json:"text"`
	Encoding  string `json:"_encoding,omitempty"`
	Truncated bool   `json:"_truncated,omitempty"`
}

type harResponse struct {
	Status      int        `json:"status"`
	StatusText  string     `json:"statusText"`
	Proto       string     `json:"httpVersion"`
	Cookies     []harPair  `json:"cookies"`
	Headers     []harPair  `json:"headers"`
	Content     harContent `json:"content"`
	RedirectURL string     `json:"redirectURL"`
	HeadersSize int64      `json:"headersSize"`
	BodySize    int64      `json:"bodySize"`
	Error       string     `json:"_error,omitempty"` // where some importers look for it
}

type harContent struct {
	Size        int64  `json:"size"`
	Compression int64  `json:"compression,omitempty"`
	MimeType    string `json:"mimeType"`
	Text        string `json:"text,omitempty"`
	Encoding    string `json:"encoding,omitempty"`
	Truncated   bool   `json:"_truncated,omitempty"`
	Note        string `json:"_note,omitempty"`
}

// harTimings are in milliseconds; -1 says that a phase did not take place. Connect has ssl
// in it.
type harTimings struct {
	Blocked float64 `json:"blocked"`
	DNS     float64 `json:"dns"`
	Connect float64 `json:"connect"`
	SSL     float64 `json:"ssl"`
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

func harEntryOf(c *ledger.Call, a *ledger.Attempt) harEntry {
	e := harEntry{
		Started: c.Started.Add(a.Start).UTC().Format("2006-01-02T15:04:05.000000Z"),
		Request: harRequestOf(c, a), Response: harResponseOf(a),
		Call: c.ID.String(), Session: c.ID.Session().String(), Attempt: a.N,
		Outcome: a.Outcome.String(), Decision: a.Decision.String(), Error: a.Err,
		Key: c.Key, WireSends: a.WireSends, Reused: a.Reused,
	}
	if a.N > 0 {
		e.Reason = a.Reason.String()
	}
	e.Timings, e.Time = timings(a)
	if host, _, err := net.SplitHostPort(a.Remote); err == nil {
		e.IP = host
	}
	for i := range c.Waits {
		if w := &c.Waits[i]; w.Before == a.N || a.N == 0 {
			e.Waits = append(e.Waits, harWait{w.Kind.String(), w.Rule.Words(w.Kind), ms(w.Planned), ms(w.Took)})
		}
	}
	return e
}

func harRequestOf(c *ledger.Call, a *ledger.Attempt) harRequest {
	m := &a.Request
	r := harRequest{
		Method: c.Method, URL: c.URL(), Proto: proto(a), Cookies: []harPair{}, Headers: pairs(m.Header),
		Query: query(c.Query), HeadersSize: -1, BodySize: m.Body.Size,
	}
	if m.Body.Size > 0 || len(m.Body.Data) > 0 {
		r.PostData = &harPost{MimeType: value(m.Header, "Content-Type"), Truncated: m.Body.Truncated}
		r.PostData.Text, r.PostData.Encoding = text(m.Body.Data)
	}
	return r
}

func harResponseOf(a *ledger.Attempt) harResponse {
	m := &a.Response
	r := harResponse{
		Status: a.Status, StatusText: http.StatusText(a.Status), Proto: proto(a), Cookies: []harPair{}, Headers: pairs(m.Header),
		RedirectURL: value(m.Header, "Location"), HeadersSize: -1, BodySize: -1, Error: a.Err,
		Content: harContent{Size: m.Body.Size, MimeType: value(m.Header, "Content-Type"), Truncated: m.Body.Truncated},
	}
	if a.Status != 0 {
		r.BodySize = max(m.Body.Size, 0)
	}
	plain := unpack.Body(m)
	r.Content.Text, r.Content.Encoding = text(plain.Data)
	r.Content.Note = plain.Wrong
	if plain.How != "" {
		r.Content.Size = int64(len(plain.Data))
		r.Content.Compression = r.Content.Size - m.Body.Size
	}
	return r
}

// timings returns the phases, which are together as long as the attempt: what no phase
// accounts for was spent before a connection was there, or, if no response came, waiting
// for one.
func timings(a *ledger.Attempt) (harTimings, float64) {
	p := &a.Phases
	t := harTimings{Blocked: -1, DNS: seen(p.DNS), Connect: seen(p.Connect + p.TLS), SSL: seen(p.TLS), Send: ms(p.Send), Wait: ms(p.Wait), Receive: ms(p.Receive)}
	rest := a.Took - p.DNS - p.Connect - p.TLS - p.Send - p.Wait - p.Receive
	switch {
	case rest <= 0:
	case a.Status == 0 && p.Send > 0:
		t.Wait += ms(rest)
	default:
		t.Blocked = ms(rest)
	}
	sum := 0.0
	for _, part := range []float64{t.Blocked, t.DNS, t.Connect, t.Send, t.Wait, t.Receive} {
		sum += max(part, 0)
	}
	return t, sum
}

// seen returns a phase in milliseconds, -1 for one that did not take place.
func seen(d time.Duration) float64 {
	if d <= 0 {
		return -1
	}
	return ms(d)
}

func ms(d time.Duration) float64 { return max(float64(d)/float64(time.Millisecond), 0) }

func proto(a *ledger.Attempt) string {
	if a.Proto == "" {
		return "unknown"
	}
	return a.Proto
}

func pairs(fields []ledger.Field) []harPair {
	out := make([]harPair, 0, len(fields))
	for _, f := range fields {
		out = append(out, harPair(f))
	}
	return out
}

func value(fields []ledger.Field, name string) string {
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// query returns the parameters of a query in their order; one that is not well escaped
// stays as it is.
func query(raw string) []harPair {
	out := []harPair{}
	for raw != "" {
		var part string
		part, raw, _ = strings.Cut(raw, "&")
		name, value, _ := strings.Cut(part, "=")
		out = append(out, harPair{unescape(name), unescape(value)})
	}
	return out
}

func unescape(s string) string {
	if plain, err := url.QueryUnescape(s); err == nil {
		return plain
	}
	return s
}

// text returns bytes as JSON can hold them, and how they were encoded for that.
func text(data []byte) (s, encoding string) {
	if utf8.Valid(data) {
		return string(data), ""
	}
	return base64.StdEncoding.EncodeToString(data), "base64"
}
