package ledger_test

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"redial/ledger"
)

func ExampleParseFilter() {
	filter, err := ledger.ParseFilter("host:*.example.test (status:5xx or outcome:unknown) dur:>2s -key:order-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	call := ledger.Call{Method: "POST", Host: "pay.example.test", Path: "/charges", Took: 5 * time.Second, Outcome: ledger.Unknown}
	fmt.Println(filter.Match(&call, ledger.Env{}))
	// Output: true
}

func ExampleFilterError() {
	const text = "status:5xx attemps:>1"
	_, err := ledger.ParseFilter(text)
	var wrong *ledger.FilterError
	if errors.As(err, &wrong) {
		fmt.Println(text)
		fmt.Println(strings.Repeat(" ", wrong.Start) + strings.Repeat("^", wrong.End-wrong.Start))
		fmt.Println(wrong.Msg)
	}
	// Output:
	// status:5xx attemps:>1
	//            ^^^^^^^
	// unknown key "attemps": did you mean attempts? To look for the text itself, put it in quotes
}

func ExampleExplain() {
	call := ledger.Call{Method: "POST", Attempts: 1}
	lost := ledger.Attempt{N: 1, Outcome: ledger.Unknown, Decision: ledger.NotRepeatable}
	fmt.Println(ledger.Explain(&call, &lost))
	// Output: Not sent again because: POST has no idempotency key, and nobody knows whether the request arrived.
}
