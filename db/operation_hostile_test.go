package db_test

import (
	"context"
	"strings"
	"testing"

	"redial/ledger"
)

// operated returns the path of a closed file with operations in many states and an ask.
func operated(t *testing.T) string {
	t.Helper()
	path := newFile(t)
	d := open(t, path)
	variety(t, d, 18)
	create(t, d, fullIntent("full"))
	ask(t, d, ledger.Ask{Service: "checkout", Key: "full", Despite: []string{ledger.CheckKeyAge}})
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOperationsThatNobodyWroteAreErrorsAtWorst(t *testing.T) {
	for statement, fails := range map[string]bool{
		"UPDATE operation SET header = randomblob(50)":                                                 true,
		"UPDATE operation SET header = zeroblob(100000000) WHERE id = 19":                              true,
		"UPDATE operation SET header = x'01ffffffff0f'":                                                true,
		"UPDATE operation SET result = x'01ff'":                                                        true,
		"UPDATE operation SET policy = '{', lookup = '[]'":                                             true,
		"UPDATE operation SET withheld = hex(zeroblob(10000000)) WHERE id = 19":                        true,
		"UPDATE operation SET undo = 'null', budget = 'null', lookup = 'null'":                         false,
		"UPDATE operation SET fingerprint = x''":                                                       true,
		"UPDATE operation SET state = 'unheard of'":                                                    true,
		"UPDATE operation SET finding = '?', settled_kind = 'nobody'":                                  true,
		"UPDATE operation SET url = x'00ff', name = 1.5, method = 7, version = -1":                     false,
		"UPDATE operation SET created = 9223372036854775807, due = -9223372036854775808":               false,
		"UPDATE operation SET sends = -9223372036854775808, owner = -1":                                false,
		"UPDATE operation SET id = 9223372036854775807 WHERE id = 19":                                  false,
		"UPDATE operation SET id = -id":                                                                false,
		"UPDATE operation_total SET n = -n":                                                            false,
		"UPDATE operation SET id = id - 9223372036854775800":                                           false,
		"UPDATE operation_body SET data = zeroblob(100000000)":                                         true,
		"INSERT INTO operation_body VALUES (-5, x''), (9223372036854775807, x'')":                      false,
		"UPDATE transition SET code = 'unheard of'":                                                    true,
		"UPDATE transition SET result = zeroblob(100000000) WHERE n = (SELECT max(n) FROM transition)": true,
		"UPDATE transition SET n = -n, operation = 4711 WHERE n > 20":                                  false,
		"UPDATE transition SET settles = 'checkout', reason = x'ff', at = -1":                          false,
		"UPDATE ask SET state = 'unheard of'":                                                          true,
		"UPDATE ask SET state = 'claimed', taken = -9223372036854775808, despite = 'null'":             false,
		"UPDATE sqlite_sequence SET seq = 'many'":                                                      false,
	} {
		t.Run(statement, func(t *testing.T) {
			path := operated(t)
			sqlite(t, path, statement)
			d := openExisting(t, path)
			ctx := context.Background()
			id := ledger.ID{Service: "checkout", Key: "full"}
			_, err := d.Operation(ctx, id)
			_, err2 := d.Operations(ctx, ledger.OperationQuery{})
			_, err3 := d.Operations(ctx, ledger.OperationQuery{Urgent: true, Open: true, Limit: 3})
			_, err4 := d.Transitions(ctx, id)
			_, err5 := d.Settlements(ctx, "checkout", -1<<63, 0)
			_, err6 := d.Due(ctx, "checkout", now, 0)
			_, err7 := d.Asks(ctx, id)
			_, err8 := d.OperationCounts(ctx, "")
			_, err9 := d.OperationByKey(ctx, "full")
			_, err10 := d.Operations(ctx, ledger.OperationQuery{Newest: true})
			_, err11 := d.OperationTotal(ctx, "checkout")
			said := false
			for _, err := range []error{err, err2, err3, err4, err5, err6, err7, err8, err9, err10, err11} {
				said = said || err != nil
				if err != nil && !strings.Contains(err.Error(), "damaged") {
					t.Errorf("it is said that %v", err)
				}
			}
			if fails && !said {
				t.Error("nothing is said about it")
			}
			if err, ok := d.LedgerState().(error); ok {
				t.Errorf("the watch says %v", err)
			}
		})
	}
}
