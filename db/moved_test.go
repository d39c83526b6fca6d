package db_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"redial/db"
	"redial/ledger"
)

// TestAFileThatTookThePlaceOfOursIsLeftAsItIs moves files over one that is being written.
// The log of the old file must not end in the new one.
func TestAFileThatTookThePlaceOfOursIsLeftAsItIs(t *testing.T) {
	theirs := filepath.Join(t.TempDir(), "other.db")
	other := open(t, theirs)
	write(t, other, &ledger.Batch{Session: enrol(t, other, session("other")), Beat: time.Now()})
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	recording, err := os.ReadFile(theirs)
	if err != nil {
		t.Fatal(err)
	}
	foreign := bytes.Clone(recording)
	copy(foreign[68:], "\x00\x00\x00\x07") // the application_id
	for _, c := range []struct {
		name    string
		content []byte
		refused bool
	}{
		{"a text", bytes.Repeat([]byte("Dear diary, "), 1500), true},
		{"a database of somebody else", foreign, true},
		{"another recording", recording, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := newFile(t)
			d := open(t, path)
			id := enrol(t, d, session("checkout"))
			write(t, d, &ledger.Batch{Session: id, Beat: time.Now(), Calls: []ledger.Call{plainCall(id, 1)}})
			moveOver(t, path, c.content)
			err := d.Write(context.Background(), &ledger.Batch{Session: id, Beat: time.Now(), Calls: []ledger.Call{plainCall(id, 2)}})
			if c.refused {
				after, readErr := os.ReadFile(path)
				if !errors.Is(err, db.ErrNotRedial) || readErr != nil || !bytes.Equal(after, c.content) {
					t.Errorf("Write returned %v; the file has %d bytes, unchanged: %t", err, len(after), bytes.Equal(after, c.content))
				}
				return
			}
			sessions, readErr := d.Sessions(context.Background())
			if err != nil || readErr != nil || len(sessions) != 2 {
				t.Errorf("Write returned %v; the recording has %d sessions, %v, want its own and ours", err, len(sessions), readErr)
			}
		})
	}
}

// moveOver makes a file and moves it to the path.
func moveOver(t *testing.T, path string, content []byte) {
	t.Helper()
	made := filepath.Join(filepath.Dir(path), "made")
	if err := os.WriteFile(made, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(made, path); err != nil {
		t.Fatal(err)
	}
}
