package demo

import (
	"net/http"
	"path"
)

// somebodyElses is the reference that a lookup finds when it finds the wrong thing.
const somebodyElses = "order-1001"

// looksUp reports whether a request asks whether something was done.
func (s *service) looksUp() bool { return s.api.find != nil && s.Method == http.MethodGet }

// takesBack reports whether a request asks that something be undone.
func (s *service) takesBack() bool { return s.api.undoes && s.Method == http.MethodDelete }

// takeBack undoes something. What is not there, because it has not been done yet, say,
// cannot be taken back, and may still come.
func (s *service) takeBack() answer {
	if !s.book.undo(s.api.name + " " + asked(s.query)) {
		return s.api.find(s.query, "")
	}
	return inJSON(http.StatusOK, object{"reference": asked(s.query), "state": "released"})
}

// truth answers a lookup as it is.
func (s *service) truth() answer {
	asked := asked(s.query)
	if !s.book.did(s.api.name + " " + asked) {
		asked = ""
	}
	return s.api.find(s.query, asked)
}

// asked returns the reference that a lookup asks for.
func asked(q *query) string {
	if r := q.URL.Query().Get("reference"); r != "" {
		return r
	}
	return path.Base(q.URL.Path)
}

func findOrder(_ *query, found string) answer {
	if found == "" {
		return inJSON(http.StatusNotFound, object{"error": "no such order"})
	}
	return inJSON(http.StatusOK, object{
		"order": found, "state": "accepted", "placed": "2026-11-29T11:04:31+01:00",
		"links": object{"self": "/orders/" + found, "invoice": "/orders/" + found + "/invoice.pdf"},
	})
}

func findCharge(_ *query, found string) answer {
	list := []object{}
	if found != "" {
		list = append(list, object{"reference": found, "state": "captured", "currency": "EUR"})
	}
	return inJSON(http.StatusOK, object{"data": list, "has_more": false})
}

func findReservation(_ *query, found string) answer {
	if found == "" {
		return inJSON(http.StatusNotFound, object{"error": "no such reservation"})
	}
	return inJSON(http.StatusOK, object{"reference": found, "state": "reserved"})
}

func findVoucher(_ *query, found string) answer {
	if found == "" {
		return inJSON(http.StatusNotFound, object{"error": "no such voucher"})
	}
	return inJSON(http.StatusOK, object{"reference": found, "eur": 25, "redeemed": false})
}
