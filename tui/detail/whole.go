package detail

import (
	"context"
	"errors"
	"io/fs"

	"redial/ledger"
)

// Whole is a call with its lists, and the calls that it has to do with. Both are nil if
// there is none, and if it is not in the file.
type Whole struct {
	Call     ledger.Call
	Previous *ledger.Call // whose redirect led to it
	Other    *ledger.Call // that asked for the same
}

// CallReader reads a call with its lists.
type CallReader interface {
	Call(context.Context, ledger.CallID) (ledger.Call, error)
}

// Read reads a call whole, and those that it has to do with.
func Read(ctx context.Context, s CallReader, id ledger.CallID) (w Whole, err error) {
	if w.Call, err = s.Call(ctx, id); err != nil {
		return Whole{}, err
	}
	if w.Previous, err = related(ctx, s, w.Call.Previous, id); err == nil {
		w.Other, err = related(ctx, s, w.Call.Duplicate.Other, id)
	}
	return w, err
}

// related reads another call than this one, nil if there is none.
func related(ctx context.Context, s CallReader, id, this ledger.CallID) (*ledger.Call, error) {
	if id == 0 || id == this {
		return nil, nil
	}
	c, err := s.Call(ctx, id)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return &c, err
}
