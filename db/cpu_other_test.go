//go:build !unix

package db_test

import "time"

// processorTime cannot be told here.
func processorTime() time.Duration { return 0 }
