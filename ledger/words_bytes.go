package ledger

import "strconv"

// bytes writes a number of bytes in the unit in which it is read best, with at most three
// digits that count.
func bytes(n int64) string {
	units := [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB"}
	x, i := float64(n), 0
	for x >= 1000 && i < len(units)-1 {
		x, i = x/1024, i+1
	}
	if i == 0 {
		return strconv.FormatInt(n, 10) + " B"
	}
	return digits(x) + " " + units[i]
}
