package db_test

import (
	"redial/db"
	layer "redial/operation"
)

// A file is what operations are kept in.
var _ layer.Store = (*db.DB)(nil)
