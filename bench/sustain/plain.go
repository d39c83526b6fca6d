package main

import (
	"database/sql"
	"strings"
	"time"

	_ "modernc.org/sqlite"

	"redial/bench/synthetic"
	"redial/ledger"
)

const columns = 27

// plainTable returns the rows per second that one table without an index takes.
func plainTable(path string, length time.Duration) (float64, error) {
	handle, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)")
	if err != nil {
		return 0, err
	}
	defer handle.Close()
	names := make([]string, columns)
	for i := range names {
		names[i] = "c" + string(rune('a'+i%26)) + strings.Repeat("x", i/26)
	}
	if _, err := handle.Exec("CREATE TABLE plain (" + strings.Join(names, ",") + ")"); err != nil {
		return 0, err
	}
	source := synthetic.New(1)
	rows, begun := 0, time.Now()
	for time.Since(begun) < length {
		n, err := insertPlain(handle, source)
		if err != nil {
			return 0, err
		}
		rows += n
	}
	return float64(rows) / time.Since(begun).Seconds(), nil
}

func insertPlain(handle *sql.DB, source *synthetic.Source) (int, error) {
	tx, err := handle.Begin()
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	insert, err := tx.Prepare("INSERT INTO plain VALUES (?" + strings.Repeat(",?", columns-1) + ")")
	if err != nil {
		return 0, err
	}
	defer insert.Close()
	var call ledger.Call
	rows := 0
	for rows < 4096 {
		source.Next(&call, time.Now())
		for i := range call.AttemptList {
			if _, err := insert.Exec(plainRow(&call, &call.AttemptList[i])...); err != nil {
				return 0, err
			}
			rows++
		}
	}
	return rows, tx.Commit()
}

func plainRow(c *ledger.Call, a *ledger.Attempt) []any {
	return []any{
		c.Started.UnixNano(), int64(c.Took), c.Method, c.Scheme, c.Host, c.Path, c.Query, c.Key, c.Policy,
		a.N, a.Reason.String(), int64(a.Start), int64(a.Took), a.Status, a.Proto, a.Outcome.String(), a.Err,
		int64(a.Phases.DNS), int64(a.Phases.Connect), int64(a.Phases.TLS), int64(a.Phases.Send),
		int64(a.Phases.Wait), int64(a.Phases.Receive), a.Remote, a.Reused, a.BytesSent, a.BytesReceived,
	}
}
