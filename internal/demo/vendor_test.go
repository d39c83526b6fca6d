package demo

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

const testSeed = 1

// testVendor is a vendor and a plain client that finds it by any name.
type testVendor struct {
	*vendor
	client *http.Client
}

func startVendor(t *testing.T) testVendor {
	v := newVendor(testSeed)
	server := httptest.NewServer(v)
	t.Cleanup(server.Close)
	proxied := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, network, server.Listener.Addr().String())
	}}
	t.Cleanup(proxied.CloseIdleConnections)
	return testVendor{v, &http.Client{Transport: proxied}}
}

// numberWith returns the first call of an API that a plan befalls.
func numberWith(t *testing.T, api string, plan ...fault) int {
	t.Helper()
	for n := 1; n <= 100; n++ {
		if f := apis()[api].fate(testSeed, n); slices.Equal(f.sends, plan) && len(f.lookups) == 0 {
			return n
		}
	}
	t.Fatalf("no call of %s has the plan %v", api, plan)
	return 0
}

// post sends an order and returns the response, whose body is read already, and the text.
func (v testVendor) post(t *testing.T, host string, n int, key string) (*http.Response, string, error) {
	t.Helper()
	name := strings.TrimSuffix(host, domain)
	r, err := http.NewRequest(http.MethodPost, "http://"+host+"/", strings.NewReader(`{"reference":"order-1"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set(idHeader, callID(name, n))
	if key != "" {
		r.Header.Set(keyHeader, key)
	}
	response, err := v.client.Do(r)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response, string(text), err
}

func TestAnOrderWhoseAnswerWasLostIsRememberedUnderItsKey(t *testing.T) {
	v := startVendor(t)
	n := numberWith(t, "orders", dropped)
	if _, _, err := v.post(t, "orders"+domain, n, "order-1"); err == nil {
		t.Fatal("the first answer arrived, and should have been lost")
	}
	again, text, err := v.post(t, "orders"+domain, n, "order-1")
	if err != nil {
		t.Fatal(err)
	}
	if again.StatusCode != http.StatusCreated || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("sent again: %d %v %s", again.StatusCode, again.Header, text)
	}
	a := v.book.copy()
	if a.Effects["orders order-1"] != 1 {
		t.Errorf("effects %v, want the order once", a.Effects)
	}
	if got := requestWords(a.Requests); got != "one without an answer, 201" {
		t.Errorf("the vendor counted %s", got)
	}
}

func TestARequestThatIsCutOffHasNoEffect(t *testing.T) {
	v := startVendor(t)
	if _, _, err := v.post(t, "orders"+domain, numberWith(t, "orders", cut), "order-1"); err == nil {
		t.Fatal("an answer arrived, and the connection should have been reset")
	}
	if a := v.book.copy(); len(a.Effects) != 0 || len(a.Requests) != 1 {
		t.Errorf("effects %v, requests %v; want none and one", a.Effects, a.Requests)
	}
}

func TestWithoutAKeyTheSameThingIsDoneTwice(t *testing.T) {
	v := startVendor(t)
	n := numberWith(t, "orders")
	for range 2 {
		if _, _, err := v.post(t, "orders"+domain, n, ""); err != nil {
			t.Fatal(err)
		}
	}
	if a := v.book.copy(); a.Effects["orders order-1"] != 2 {
		t.Errorf("effects %v, want the order twice", a.Effects)
	}
}

func TestFaultsAreAnsweredAsTheyAreNamed(t *testing.T) {
	for _, test := range []struct {
		api      string
		plan     []fault
		statuses []int
		asks     bool // with its first answer, for time
	}{
		{"rates", []fault{busy, busy, busy}, []int{503, 503, 503, 200}, false},
		{"rates", []fault{busyUntil}, []int{503, 200}, true},
		{"rates", []fault{throttled}, []int{429, 200}, true},
		{"flaky", []fault{broken, broken}, []int{500, 500, 200}, false},
		{"mail", nil, []int{202}, false},
		{"stock", nil, []int{201}, false},
		{"pay", []fault{declined}, []int{402, 201}, false},
	} {
		v := startVendor(t)
		n := numberWith(t, test.api, test.plan...)
		for i, want := range test.statuses {
			response, text, err := v.post(t, test.api+domain, n, "")
			if err != nil {
				t.Fatal(err)
			}
			if response.StatusCode != want {
				t.Errorf("%s %v, request %d: %d %s, want %d", test.api, test.plan, i+1, response.StatusCode, text, want)
			}
			if asks := response.Header.Get("Retry-After") != ""; i == 0 && asks != test.asks {
				t.Errorf("%s %v: Retry-After %q", test.api, test.plan, response.Header.Get("Retry-After"))
			}
		}
	}
}

func TestTheDeclaredLimitIsEnforcedAndItsBreachIsOnTheAccount(t *testing.T) {
	v := startVendor(t)
	refused := 0
	for n := range 2*quotaLimit.requests + 1 { // A boundary may fall into it once.
		response, _, err := v.post(t, "quota"+domain, n+1, "")
		if err != nil {
			t.Fatal(err)
		}
		if response.Header.Get("X-RateLimit-Limit") != "3" || response.Header.Get("X-RateLimit-Window") != "4.5" {
			t.Errorf("declared %v", response.Header)
		}
		if response.StatusCode == http.StatusTooManyRequests {
			refused++
		}
	}
	if violations := v.book.copy().Violations; refused == 0 || len(violations) != refused {
		t.Errorf("%d refused, on the account %q", refused, violations)
	}
}

func TestAnUnknownNameIsNotFoundAndCounted(t *testing.T) {
	v := startVendor(t)
	response, _, err := v.post(t, "nobody"+domain, 1, "")
	if err != nil {
		t.Fatal(err)
	}
	if response.StatusCode != http.StatusNotFound || len(v.book.copy().Requests) != 1 {
		t.Errorf("%d, account %v", response.StatusCode, v.book.copy())
	}
}
