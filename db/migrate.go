package db

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

// applicationID is in the header of every file that redial makes: "rdal" in ASCII.
const applicationID = 0x7264616c

//go:embed schema.sql
var schema1 string

//go:embed schema_operations.sql
var schema2 string

//go:embed schema_settlements.sql
var schema3 string

//go:embed schema_transport.sql
var schema4 string

//go:embed schema_labels.sql
var schema5 string

// migrations returns the scripts that lead from each version of the schema to the next;
// the first one makes version 1 from nothing. PRAGMA user_version counts them.
func migrations() []string { return []string{schema1, schema2, schema3, schema4, schema5} }

// schemaVersion returns the version of the schema that this package reads and writes.
func schemaVersion() int64 { return int64(len(migrations())) }

// header is what tells redial's files from others.
type header struct {
	application int64 // PRAGMA application_id
	version     int64 // PRAGMA user_version
	objects     int64 // tables, indexes, views and triggers
}

// empty reports whether nobody has put anything into the file.
func (h header) empty() bool { return h.application == 0 && h.version == 0 && h.objects == 0 }

func readHeader(ctx context.Context, c *conn) (h header, err error) {
	for _, q := range []struct {
		into *int64
		text string
	}{
		{&h.objects, `SELECT count(*) FROM sqlite_schema`},
		{&h.application, `PRAGMA application_id`},
		{&h.version, `PRAGMA user_version`},
	} {
		if *q.into, err = c.number(ctx, q.text); err != nil {
			return header{}, err
		}
	}
	return h, nil
}

// check returns an error for a file that this version of redial must not touch.
func (h header) check(path string) error {
	switch {
	case h.empty():
		return nil
	case h.application != applicationID || h.version < 1:
		return &Error{Path: path, Kind: ErrNotRedial, Text: notRedial}
	case h.version > schemaVersion():
		return &Error{Path: path, Kind: ErrNewer, Text: fmt.Sprintf(
			"was made by a newer redial (schema %d, this one knows %d), and was left as it is: update redial, or name another file (--db, REDIAL_DB)",
			h.version, schemaVersion())}
	}
	return nil
}

// migrate brings an empty or older file to the current schema in one transaction, and
// leaves a current one alone.
func migrate(ctx context.Context, c *conn, path string) error {
	if err := c.begin(ctx); err != nil {
		return err
	}
	defer c.rollback()
	h, err := readHeader(ctx, c)
	if err == nil {
		err = h.check(path)
	}
	if err != nil || h.version == schemaVersion() {
		return err
	}
	for _, script := range migrations()[h.version:] {
		if err := c.script(script); err != nil {
			return fmt.Errorf("migrate schema %d: %w", h.version, err)
		}
	}
	err = c.script("PRAGMA application_id = " + strconv.Itoa(applicationID) +
		"; PRAGMA user_version = " + strconv.FormatInt(schemaVersion(), 10))
	if err != nil {
		return err
	}
	return c.commit()
}

// checkSchema returns an error if the file, whatever its header says, does not have
// exactly the tables and indexes of its version, or has views or triggers. A received file
// could otherwise run its own statements when ours are run.
func checkSchema(ctx context.Context, c *conn, path string, version int64) error {
	want := objects(migrations()[:version])
	err := c.query(ctx, `SELECT type, name, sql FROM sqlite_schema`, nil, func(r row) error {
		kind, name, sql := r.text(0), r.text(1), r.text(2)
		ours, known := want[name]
		switch {
		case kind != "table" && kind != "index", known && ours != normal(sql):
			return &Error{Path: path, Kind: ErrNotRedial,
				Text: fmt.Sprintf("has a %s %s that redial did not make, and was left as it is: name another file (--db, REDIAL_DB)", kind, shown(name))}
		}
		delete(want, name)
		return nil
	})
	if err != nil {
		return err
	}
	for name := range want {
		return &Error{Path: path, Kind: ErrDamaged,
			Text: "lacks " + name + ", and was left as it is: name another file (--db, REDIAL_DB)"}
	}
	return nil
}

// objects returns the statements that make tables and indexes in the scripts, by name,
// without those of what a later statement drops.
func objects(scripts []string) map[string]string {
	made := map[string]string{}
	for _, script := range scripts {
		for _, statement := range strings.Split(normal(script), ";") {
			statement = strings.TrimSpace(statement)
			words := strings.Fields(statement)
			if len(words) < 3 {
				continue
			}
			switch name := strings.Trim(words[2], `"`); words[0] {
			case "CREATE":
				made[name] = statement
			case "DROP":
				delete(made, name)
			}
		}
	}
	return made
}

// normal returns SQL without comments and with single spaces. Our schema has neither
// "--" nor semicolons in quotes.
func normal(sql string) string {
	var b strings.Builder
	for line := range strings.Lines(sql) {
		line, _, _ = strings.Cut(line, "--")
		for _, word := range strings.Fields(line) {
			if b.Len() > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(word)
		}
	}
	return b.String()
}
