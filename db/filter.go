package db

import "context"

func (v *view) plan(ctx context.Context, s *scan) (plan, error) {
	return plan{all: s.filter.Root == nil}, nil
}
