package scene

import "context"

// Task is reading of which only the last one counts: beginning again cancels the one
// before, and the result of that is known by its number.
type Task struct {
	seq    int
	cancel context.CancelFunc
	far    *progress // how far the last one is; nil: none has begun
}

// Begin cancels what is under way and returns a context and a number for what begins.
func (t *Task) Begin(parent context.Context) (context.Context, int) {
	t.Stop()
	ctx, cancel := context.WithCancel(parent)
	t.seq++
	t.cancel, t.far = cancel, new(progress)
	return ctx, t.seq
}

// Stop cancels what is under way. What it has found by then still counts.
func (t *Task) Stop() {
	if t.cancel != nil {
		t.cancel()
		t.cancel = nil
	}
}

// Drop cancels what is under way and disowns its result.
func (t *Task) Drop() {
	t.Stop()
	t.seq++
}

// Done notes that the task with that number is over. It reports whether its result
// still counts.
func (t *Task) Done(seq int) bool {
	if seq != t.seq {
		return false
	}
	t.Stop()
	return true
}

// Busy reports whether something is under way.
func (t *Task) Busy() bool { return t.cancel != nil }
