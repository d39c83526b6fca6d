package operation_test

import (
	"redial/db"
	"redial/operation"
)

// The file is the store of both.
var (
	_ operation.Store     = (*db.DB)(nil)
	_ operation.DeskStore = (*db.DB)(nil)
)
