package cli

import (
	"context"
	"errors"

	"redial/db"
)

// read opens the file of this run for reading, hands it to use, and closes it again. It
// neither creates a file nor changes one.
func (a *app) read(ctx context.Context, use func(context.Context, *db.DB) error) error {
	file, err := a.file()
	if err != nil {
		return err
	}
	store, err := db.OpenExisting(file)
	if err != nil {
		return a.opening(err)
	}
	return errors.Join(use(ctx, store), store.Close())
}

// change opens the file of this run for writing, hands it to use, and closes it again. It
// makes a file that is missing, so what it has to do with is read from the file first.
func (a *app) change(ctx context.Context, use func(context.Context, *db.DB) error) error {
	file, err := a.file()
	if err != nil {
		return err
	}
	store, err := db.Open(file)
	if err != nil {
		return a.opening(err)
	}
	return errors.Join(use(ctx, store), store.Close())
}
