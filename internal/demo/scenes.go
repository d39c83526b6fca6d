package demo

import (
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// firstOrder is the number of the order before the first one.
const firstOrder = 8837

// scenes returns what the shop does, all at once. Each ends when the shop closes.
func scenes(lastOrder int) []func(*shop) {
	var order atomic.Int64
	order.Store(int64(lastOrder))
	checkout := func(s *shop) { s.checkout(&order) }
	return []func(*shop){checkout, checkout, checkout, (*shop).catalogue, (*shop).prices, (*shop).feed, (*shop).reports, (*shop).secrets, (*shop).exports}
}

// checkout takes one order after the other from placing it to the mail that confirms it.
func (s *shop) checkout(order *atomic.Int64) {
	for s.open.Err() == nil {
		n := int(order.Add(1))
		dice := dice(s.seed, "checkout", n)
		if !s.pause(time.Duration(200+dice.IntN(900)) * time.Millisecond) {
			return
		}
		if s.place(n, dice.IntN(len(goods))) {
			s.fulfil(n)
		}
	}
}

// fulfil does what follows an accepted order.
func (s *shop) fulfil(n int) {
	steps := []func(int){s.reserve, s.charge}
	if n%voucherEach == 1 {
		steps = append(steps, s.give)
	}
	if n%voucherEach == 0 {
		steps = append(steps, s.status)
	}
	for _, step := range append(steps, s.label, s.confirm) {
		if s.open.Err() != nil {
			return
		}
		step(n)
	}
}

// status asks what has become of an order.
func (s *shop) status(n int) {
	// What went wrong is on record; the shop goes on as shops do.
	_, _ = s.call(errand{by: s.clients.safe, method: http.MethodGet, host: "orders" + domain,
		target: "/orders/" + orderName(n), id: callID("status", n)})
}

// label has the parcel's label printed. That is worth no operation: the carrier honours
// keys, so the transport may send it again, and a label too many costs nothing.
func (s *shop) label(n int) {
	_, _ = s.call(errand{by: s.clients.safe, method: http.MethodPost, host: "ship" + domain, target: "/labels",
		id: callID("ship", n), key: fmt.Sprintf("label-%d", firstOrder+n),
		body: object{"reference": orderName(n), "weight_g": 400 + 150*(n%5), "to": object{"city": "Zürich", "country": "CH"}}})
}

// confirm sends the mail that confirms an order, now and then through the relay first. It
// has no idempotency key, so the transport does not send again what may have been sent.
//
// The shop does, and that is its bug: somebody put a loop around the call. So the customer
// has the mail twice when only the answer to the first was lost. redial finds both calls.
func (s *shop) confirm(n int) {
	mail := errand{by: s.clients.safe, method: http.MethodPost, host: "mail" + domain, target: "/send",
		id:   callID("mail", n),
		body: object{"reference": orderName(n), "to": "zoe@example.test", "subject": "Your order 🎁 " + orderName(n)}}
	if n%4 == 1 {
		through := mail
		through.host, through.id = relay, callID("relay", n)
		if s.open.Err() != nil {
			return
		}
		if _, err := s.call(through); err == nil {
			return
		}
	}
	for range 2 {
		if s.open.Err() != nil {
			return
		}
		if status, err := s.call(mail); err == nil && status < 500 {
			return
		}
		mail.id = callID("mail", secondMails+n)
	}
}

// secondMails is the number before that of the first mail that is sent again.
const secondMails = 10000

// catalogue reads items in bursts, several callers at once, each burst larger than the
// window that the vendor allows.
func (s *shop) catalogue() {
	for item, burst := 0, 0; s.open.Err() == nil; burst++ {
		if !s.pause(clearOfBoundary(time.Now(), quotaLimit.per)) {
			return
		}
		var callers sync.WaitGroup
		for range 7 - burst%3 {
			item++
			n := item
			callers.Go(func() {
				_, _ = s.call(errand{by: s.clients.safe, method: http.MethodGet, host: "quota" + domain,
					target: fmt.Sprintf("/items/%d?lang=de", 16+n), id: callID("quota", n)})
			})
			if !s.pause(120 * time.Millisecond) {
				break
			}
		}
		callers.Wait()
		if !s.pause(time.Duration(1+burst%3) * time.Second) {
			return
		}
	}
}

// clearOfBoundary returns how long to wait so that a burst does not begin just before a
// window ends. A request that is late on its way is counted by the vendor in the window
// in which it arrives, and no caller can know that.
func clearOfBoundary(now time.Time, per time.Duration) time.Duration {
	const margin = 2 * time.Second
	left := per - time.Duration(now.UnixNano()%int64(per))
	if left > margin {
		return 0
	}
	return left + 50*time.Millisecond
}

// prices asks for exchange rates.
func (s *shop) prices() {
	pairs := [...]string{"EURCHF", "EURUSD", "EURJPY", "CHFUSD"}
	s.each("rates", 1100*time.Millisecond, func(n int) errand {
		return errand{by: s.clients.safe, method: http.MethodGet, host: "rates" + domain,
			target: "/fx?pair=" + pairs[n%len(pairs)] + "&api_key=k-11223344"}
	})
}

// feed reads the pages of a feed that often fails.
func (s *shop) feed() {
	s.each("flaky", 2*time.Second, func(n int) errand {
		return errand{by: s.clients.stubborn, method: http.MethodGet, host: "flaky" + domain,
			target: fmt.Sprintf("/feed?page=%d", n)}
	})
}

// reports fetches reports that take seconds.
func (s *shop) reports() {
	s.each("slow", 3300*time.Millisecond, func(n int) errand {
		return errand{by: s.clients.patient, method: http.MethodGet, host: "slow" + domain,
			target: fmt.Sprintf("/report/2026-11?part=%d", n)}
	})
}

// secrets reads what only a known caller may read.
func (s *shop) secrets() {
	names := [...]string{"pay-api", "mail-api", "signing-key"}
	s.each("vault", 2700*time.Millisecond, func(n int) errand {
		return errand{by: s.clients.known, method: http.MethodGet, host: "vault" + domain, target: "/secrets/" + names[n%len(names)]}
	})
}

// exports downloads the vendor's catalogue, no faster than the shop's line is to bear.
func (s *shop) exports() {
	s.each("files", 6*time.Second, func(n int) errand {
		return errand{by: s.clients.patient, method: http.MethodGet, host: "files" + domain,
			target: fmt.Sprintf("/export.csv?part=%d", n)}
	})
}

// each makes a call at every interval, whether or not the last one has ended.
func (s *shop) each(name string, every time.Duration, next func(n int) errand) {
	for n := 1; s.open.Err() == nil; n++ {
		e := next(n)
		e.id = callID(name, n)
		s.tasks.Go(func() { _, _ = s.call(e) })
		if !s.pause(every) {
			return
		}
	}
}

func orderName(n int) string { return fmt.Sprintf("order-%d", firstOrder+n) }
