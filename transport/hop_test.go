package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"redial/ledger"
	"redial/transport"
)

// previous returns for each recorded call, in the order of their start, the place of the
// call that it follows; -1 for none.
func previous(j *journal) (places []int) {
	calls := j.all()
	slices.SortFunc(calls, func(a, b ledger.Call) int { return int(a.ID - b.ID) })
	for _, c := range calls {
		places = append(places, slices.IndexFunc(calls, func(b ledger.Call) bool { return b.ID == c.Previous }))
	}
	return places
}

// Each hop names the one before it, whatever the redirect's body is and whatever stands
// between the client and the transport; a request that follows no redirect names none.
func TestHopsAreLinked(t *testing.T) {
	for name, between := range map[string]func(http.RoundTripper) http.RoundTripper{
		"nothing between": func(rt http.RoundTripper) http.RoundTripper { return rt },
		"body wrapped": func(rt http.RoundTripper) http.RoundTripper {
			return baseFunc(func(r *http.Request) (*http.Response, error) {
				resp, err := rt.RoundTrip(r)
				if err == nil {
					resp.Body = io.NopCloser(resp.Body)
				}
				return resp, err
			})
		},
		"request cloned": func(rt http.RoundTripper) http.RoundTripper {
			return baseFunc(func(r *http.Request) (*http.Response, error) {
				return rt.RoundTrip(r.Clone(context.WithValue(r.Context(), t, t)))
			})
		},
		"request restored": func(rt http.RoundTripper) http.RoundTripper {
			return baseFunc(func(r *http.Request) (*http.Response, error) {
				resp, err := rt.RoundTrip(r.Clone(r.Context()))
				if err == nil {
					resp.Request = r
				}
				return resp, err
			})
		},
		"response copied": func(rt http.RoundTripper) http.RoundTripper {
			return baseFunc(func(r *http.Request) (*http.Response, error) {
				resp, err := rt.RoundTrip(r)
				if err != nil {
					return nil, err
				}
				copied := *resp
				return &copied, nil
			})
		},
	} {
		for _, body := range []string{"", "moved"} {
			for _, timeout := range []time.Duration{0, time.Minute} {
				t.Run(fmt.Sprintf("%s, body %q, timeout %v", name, body, timeout), func(t *testing.T) {
					busy := sync.Map{}
					s := serve(t, func(w http.ResponseWriter, r *http.Request) {
						if _, asked := busy.LoadOrStore(r.URL.Path, true); !asked {
							w.WriteHeader(503) // Each hop takes two attempts.
							return
						}
						if r.URL.Path != "/3" {
							w.Header().Set("Location", "/3")
							w.WriteHeader(302)
						}
						io.WriteString(w, body)
					})
					j := newJournal()
					rt := &transport.Transport{Base: s.Client().Transport, Recorder: j, Retry: quick}
					client := &http.Client{Transport: between(rt), Timeout: timeout}
					finish(client.Get(s.URL + "/1"))
					finish(client.Get(s.URL + "/3"))
					if got, want := previous(j), []int{-1, 0, -1}; !slices.Equal(got, want) {
						t.Errorf("calls follow %v, want %v", got, want)
					}
				})
			}
		}
	}
}

// Hops of many clients at once are not mixed up, also not with redirects that nobody follows.
func TestHopsOfManyClients(t *testing.T) {
	base := baseFunc(func(r *http.Request) (*http.Response, error) {
		if r.URL.Path == "/end" {
			return answer(r, 200, ""), nil
		}
		return answer(r, 307, "", "Location", "/end"), nil
	})
	j := newJournal()
	client := &http.Client{Transport: &transport.Transport{Base: base, Recorder: j}}
	var all sync.WaitGroup
	const clients, each = 8, 100
	unfollowed, _ := http.NewRequest(http.MethodGet, api, nil)
	for i := range clients {
		all.Go(func() {
			for k := range each {
				finish(client.Get(fmt.Sprintf("%s/%d/%d", api, i, k)))
				finish(client.Transport.RoundTrip(unfollowed)) // Nobody goes where it leads to.
				finish(client.Get("http://api.example.test/end"))
			}
		})
	}
	all.Wait()
	calls := map[ledger.CallID]ledger.Call{}
	for _, c := range j.all() {
		calls[c.ID] = c
	}
	linked := map[ledger.CallID]bool{}
	for _, c := range calls {
		if c.Previous == 0 {
			continue
		}
		if from := calls[c.Previous]; from.Status != 307 || c.Path != "/end" || linked[c.Previous] || from.ID > c.ID {
			t.Errorf("%v follows %+v", c.ID, from)
		}
		linked[c.Previous] = true
	}
	if len(linked) != clients*each || len(calls) != 4*clients*each {
		t.Errorf("%d of %d calls are linked", len(linked), len(calls))
	}
}

// A redirect loop is ended by the client, with the last response and an error. Each hop is a
// call of its own with attempts of its own.
func TestRedirectLoop(t *testing.T) {
	n := 0
	base := baseFunc(func(r *http.Request) (*http.Response, error) {
		if n++; n%2 == 1 {
			return answer(r, 503, ""), nil
		}
		return answer(r, 302, "", "Location", "/again"), nil
	})
	j := newJournal()
	client := &http.Client{Transport: &transport.Transport{Base: base, Recorder: j, Retry: quick}}
	resp, err := client.Get(api)
	if err == nil || resp == nil || resp.StatusCode != 302 || n != 20 {
		t.Errorf("%v %v after %d requests", resp, err, n)
	}
	if got, want := previous(j), []int{-1, 0, 1, 2, 3, 4, 5, 6, 7, 8}; !slices.Equal(got, want) {
		t.Errorf("calls follow %v, want %v", got, want)
	}
}

// Every hop is judged by its own request: the method and the body that it has, and whether
// that body can be made again (golang/go#73439, go-retryablehttp#121 and #207).
func TestEveryHopIsJudgedByItself(t *testing.T) {
	for _, c := range []struct {
		status  int
		rewinds bool // the first request has a GetBody
		want    []string
		code    int
	}{
		{307, true, []string{"PUT {\"qty\":3} 9", "PUT {\"qty\":3} 9", "PUT {\"qty\":3} 9"}, 200},
		{308, true, []string{"PUT {\"qty\":3} 9", "PUT {\"qty\":3} 9", "PUT {\"qty\":3} 9"}, 200},
		{307, false, []string{"PUT {\"qty\":3} 9"}, 307},
		{302, true, []string{"PUT {\"qty\":3} 9", "GET  0", "GET  0"}, 200},
		{303, false, []string{"PUT {\"qty\":3} 9", "GET  0", "GET  0"}, 200},
	} {
		var got []string
		busy := true
		s := serve(t, func(w http.ResponseWriter, r *http.Request) {
			got = append(got, fmt.Sprintf("%s %s %d", r.Method, sink(r), max(r.ContentLength, 0)))
			switch {
			case r.URL.Path != "/target":
				http.Redirect(w, r, "/target", c.status)
			case busy:
				busy = false
				w.WriteHeader(503)
			}
		})
		client := &http.Client{Transport: &transport.Transport{Base: s.Client().Transport, Retry: quick, Recorder: newJournal()}}
		bs := &bodies{text: payload}
		code, _, err := finish(client.Do(bs.request(t, http.MethodPut, s.URL, c.rewinds)))
		if code != c.code || err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%d, GetBody %v: %d %v, the server saw %q, want %q", c.status, c.rewinds, code, err, got, c.want)
		}
	}
}

// An unkeyed POST stays unrepeatable on every hop.
func TestRedirectedPOSTIsNotRepeated(t *testing.T) {
	n := 0
	base := baseFunc(func(r *http.Request) (*http.Response, error) {
		if n++; r.URL.Path == "/target" {
			return answer(r, 503, ""), nil
		}
		sink(r)
		return answer(r, 307, "", "Location", "/target"), nil
	})
	j := newJournal()
	client := &http.Client{Transport: &transport.Transport{Base: base, Recorder: j, Retry: quick}}
	code, _, err := finish(client.Post(api, "", strings.NewReader(payload)))
	if calls := j.all(); code != 503 || err != nil || n != 2 || decisions(calls[1])[0] != ledger.NotRepeatable {
		t.Errorf("%d %v after %d requests", code, err, n)
	}
}

// Cookies and CheckRedirect are the client's, and see every hop as ever, while what is
// retried below them stays out of their sight.
func TestCookiesAndCheckRedirect(t *testing.T) {
	var got []string
	s := serve(t, func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.URL.Path+" "+r.Header.Get("Cookie"))
		if len(got)%2 == 1 {
			http.SetCookie(w, &http.Cookie{Name: "lost", Value: "with a response that was given up"})
			w.WriteHeader(503)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "session", Value: fmt.Sprint(len(got))})
		http.Redirect(w, r, r.URL.Path+"x", http.StatusFound)
	})
	jar, _ := cookiejar.New(nil)
	enough := errors.New("enough")
	var via []int
	client := &http.Client{
		Transport: &transport.Transport{Base: s.Client().Transport, Retry: quick}, Jar: jar,
		CheckRedirect: func(_ *http.Request, before []*http.Request) error {
			if via = append(via, len(before)); len(via) == 2 {
				return enough
			}
			return nil
		},
	}
	resp, err := client.Get(s.URL)
	want := []string{"/ ", "/ ", "/x session=2", "/x session=2"}
	if !errors.Is(err, enough) || resp == nil || !slices.Equal(via, []int{1, 2}) || !slices.Equal(got, want) {
		t.Errorf("%v, via %v, the server saw %q", err, via, got)
	}
}
