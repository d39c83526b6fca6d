package transport

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ShouldRetry returns an advisor for APIs that say in a header whether to send again: true
// is Again, false is Veto, everything else is no opinion. Stripe calls it
// Stripe-Should-Retry; OpenAI and Anthropic X-Should-Retry.
func ShouldRetry(header string) Advisor {
	return func(r *Result) Advice {
		if r.Response == nil || r.Response.StatusCode < 400 {
			return Advice{}
		}
		switch strings.ToLower(strings.TrimSpace(r.Response.Header.Get(header))) {
		case "true":
			return Advice{Verdict: Again}
		case "false":
			return Advice{Verdict: Veto}
		}
		return Advice{}
	}
}

// GRPCPushback is an advisor for the field grpc-retry-pushback-ms of gRPC proposal A6, in
// the head of a response: after how many milliseconds to send again, or, if it is negative
// or no number, not at all. In trailers it comes too late.
func GRPCPushback(r *Result) Advice {
	if r.Response == nil {
		return Advice{}
	}
	values := r.Response.Header.Values("Grpc-Retry-Pushback-Ms")
	if len(values) == 0 {
		return Advice{}
	}
	ms, err := strconv.ParseInt(values[0], 10, 64)
	switch {
	case err != nil || ms < 0 || len(values) > 1:
		return Advice{Verdict: Veto}
	case ms > int64(maxWait/time.Millisecond):
		return Advice{Verdict: Again, Wait: maxWait}
	}
	return Advice{Verdict: Again, Wait: max(time.Duration(ms)*time.Millisecond, 1)}
}

// gitHubPause is how long GitHub wants to be left alone after a secondary limit for which
// it names no time (docs.github.com, "Best practices for using the REST API").
const gitHubPause = time.Minute

// GitHubLimits is an advisor for GitHub, which answers with 403 or 429 to whoever exceeds
// one of its limits: the primary one, when X-RateLimit-Remaining is 0, until
// X-RateLimit-Reset; a secondary one, when Retry-After or the body says so, for as long
// as Retry-After says, or a minute. Any other 403 is what it is everywhere, a refusal.
func GitHubLimits(r *Result) Advice {
	if r.Response == nil || r.Response.StatusCode != http.StatusForbidden && r.Response.StatusCode != http.StatusTooManyRequests {
		return Advice{}
	}
	h := r.Response.Header
	now := time.Now()
	if asked, _, ok := retryAfter(h, now); ok {
		return Advice{Verdict: RateLimit, Wait: asked}
	}
	if h.Get("X-RateLimit-Remaining") == "0" {
		return Advice{Verdict: RateLimit, Wait: untilReset(h, now)}
	}
	start := bytes.ToLower(r.Start())
	if bytes.Contains(start, []byte("secondary rate")) || bytes.Contains(start, []byte("abuse detection")) {
		return Advice{Verdict: RateLimit, Wait: gitHubPause}
	}
	return Advice{}
}

// untilReset returns how long it is until the second of Unix time in X-RateLimit-Reset, by
// this clock or by that of the response's Date, whichever is longer; or a minute if
// there is none that can be understood.
func untilReset(h http.Header, now time.Time) time.Duration {
	seconds, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64)
	if err != nil || seconds < 0 {
		return gitHubPause
	}
	return max(clocksOf(h, now).until(time.Unix(seconds, 0)), 1)
}
