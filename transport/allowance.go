package transport

import "time"

// allowance is what the server said is left of its own limit. It narrows a window until then,
// and never widens it: that a server says that requests are left is no promise.
type allowance struct {
	left  int           // how many more may go
	until time.Duration // 0: the server said nothing
	// Requests are numbered, since an answer knows nothing of those that went after its own
	// request: what it says is left is less by these.
	serial uint64 // of the last request
	known  uint64 // of the one whose answer this is from
}

// tell takes over what an answer to request number of said, the tightest of its limits last.
// What came from an answer to a later request counts more.
func (a *allowance) tell(of uint64, remaining int, until, mono time.Duration) {
	if of < a.known && mono < a.until {
		return
	}
	since := a.serial - of
	a.left = 0
	if since < uint64(remaining) {
		a.left = remaining - int(since)
	}
	a.known, a.until = of, until
}

// narrow returns n, or what is left if that is less.
func (a *allowance) narrow(n int, mono time.Duration) int {
	if mono < a.until {
		return min(n, a.left)
	}
	return n
}

// delay returns wait, or how long it is until the server has more if the request behind k
// others is more than what is left.
func (a *allowance) delay(wait time.Duration, k int, mono time.Duration) time.Duration {
	if mono < a.until && k >= a.left {
		return max(wait, a.until-mono)
	}
	return wait
}

// spend counts a request and returns its number.
func (a *allowance) spend() uint64 {
	a.serial++
	if a.left > 0 {
		a.left--
	}
	return a.serial
}

// refund takes a request back, if it went after what the server said was said.
func (a *allowance) refund(serial uint64) {
	if serial > a.known {
		a.left++
	}
}
