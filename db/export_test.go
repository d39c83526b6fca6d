package db

import (
	"context"
	"strconv"
	"time"
)

// LimitPages makes the file unable to grow beyond so many pages, as a full disk does; 0
// takes the limit back.
func (d *DB) LimitPages(n int) error {
	if n == 0 {
		n = 1 << 30
	}
	return d.writer.do(context.Background(), func(context.Context) error {
		return d.writer.c.script("PRAGMA max_page_count = " + strconv.Itoa(n))
	})
}

// SetNow sets the clock by which sessions are live or not.
func (d *DB) SetNow(now func() time.Time) { d.now = now }

// LimitLog sets how many pages of the log may wait before they are moved into the file.
func (d *DB) LimitLog(pages int64) error {
	return d.writer.do(context.Background(), func(context.Context) error {
		d.writer.sweep.limit = pages
		return nil
	})
}

// PatientCheckpoints returns how often the writer has waited for readers.
func (d *DB) PatientCheckpoints() (n int) {
	_ = d.writer.do(context.Background(), func(context.Context) error {
		n = d.writer.sweep.waits
		return nil
	})
	return n
}

// LedgerState returns what is compared to notice that another process has written.
func (d *DB) LedgerState() any {
	s, err := d.ledgerState()(context.Background())
	if err != nil {
		return err
	}
	return s
}
