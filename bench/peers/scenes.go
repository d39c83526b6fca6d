package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"strings"
)

// scene is a call to be measured, and the transport beneath all kinds.
type scene struct {
	name, what string
	base       http.RoundTripper
	call       func(http.RoundTripper) error
}

const inMemory = "http://api.example.test/orders/8841"

func scenes(url string) []scene {
	base := func() *http.Transport { return &http.Transport{MaxIdleConnsPerHost: 4} }
	return []scene{
		{"memory", "a GET that is answered from memory, without headers and bodies", &memory{},
			get(inMemory, 0)},
		{"headers", "the same with 15 headers", &memory{header: headers("Response", 7)},
			get(inMemory, 8)},
		{"body", "a POST of 200 bytes that is answered from memory with as many", &memory{body: true},
			post(inMemory)},
		{"loopback", "a GET over loopback, on a connection that is kept", base(), get(url, 0)},
		{"upload", "a POST of 200 bytes over loopback", base(), post(url)},
	}
}

// get returns a call that sends the same request each time, with so many headers.
func get(url string, n int) func(http.RoundTripper) error {
	req, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		panic(err)
	}
	req.Header = headers("Request", n)
	return func(rt http.RoundTripper) error { return finish(rt.RoundTrip(req)) }
}

var payload = bytes.Repeat([]byte("redial, "), 25)

// post returns a call that sends a new request each time, as a body is read but once.
func post(url string) func(http.RoundTripper) error {
	return func(rt http.RoundTripper) error {
		req, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, bytes.NewReader(payload))
		if err != nil {
			return err
		}
		req.Header.Set("Idempotency-Key", "order-8841")
		return finish(rt.RoundTrip(req))
	}
}

func finish(resp *http.Response, err error) error {
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", resp.StatusCode)
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		return err
	}
	return resp.Body.Close()
}

func headers(side string, n int) http.Header {
	h := http.Header{}
	for i := range n {
		h.Set(fmt.Sprintf("X-%s-Header-%02d", side, i), strings.Repeat("v", 10+i))
	}
	return h
}

// newServer answers with what was sent.
func newServer() *httptest.Server {
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(w, r.Body)
	}))
}

// memory is a base transport that answers from memory, and fires the hooks that net/http
// fires for a request on a connection that was used before.
type memory struct {
	header http.Header
	body   bool
}

func (m *memory) RoundTrip(r *http.Request) (*http.Response, error) {
	h := httptrace.ContextClientTrace(r.Context())
	if h != nil && h.GetConn != nil {
		h.GetConn("api.example.test:80")
	}
	if h != nil && h.GotConn != nil {
		h.GotConn(httptrace.GotConnInfo{Reused: true, WasIdle: true})
	}
	if r.Body != nil {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
		r.Body.Close()
	}
	if h != nil && h.WroteRequest != nil {
		h.WroteRequest(httptrace.WroteRequestInfo{})
	}
	if h != nil && h.GotFirstResponseByte != nil {
		h.GotFirstResponseByte()
	}
	resp := &http.Response{
		Status: "200 OK", StatusCode: 200, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: m.header, Body: http.NoBody, Request: r,
	}
	if m.body {
		resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(payload)), int64(len(payload))
	}
	return resp, nil
}
