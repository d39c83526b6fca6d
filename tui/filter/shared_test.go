package filter

import (
	"testing"

	"redial/ledger"
)

func TestWhatAFilterSaysOfHostsAloneIsUsed(t *testing.T) {
	for text, want := range map[string]struct{ orders, pay, whole bool }{
		"":                                  {true, true, true},
		"host:pay.*":                        {false, true, true},
		"-host:pay.*":                       {true, false, true},
		"host:pay.* or host:orders.*":       {true, true, true},
		"host:pay.* status:5xx":             {false, true, false},
		"host:pay.* or status:5xx":          {true, true, false},
		"-(host:pay.* status:5xx)":          {true, true, false},
		"(host:pay.* or host:x) waited:>1s": {false, true, false},
		"orders":                            {true, true, false},
	} {
		f, err := ledger.ParseFilter(text)
		if err != nil {
			t.Fatal(err)
		}
		keep, whole := ByHost(f)
		if keep("orders.example.test") != want.orders || keep("pay.example.test:8443") != want.pay || whole != want.whole {
			t.Errorf("%q keeps orders %v, pay %v, whole %v; want %v", text, keep("orders.example.test"), keep("pay.example.test:8443"), whole, want)
		}
	}
}
