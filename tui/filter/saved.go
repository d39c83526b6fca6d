package filter

// Longest is how many characters the expression of a filter may have, and LongestName its
// name.
const (
	Longest     = longest
	LongestName = 80
)

// Saved is a filter that has a name. Whoever makes one has checked that the expression is
// one of the filter language; whether a screen can take it, which knows only calls or only
// operations, shows where it is used.
type Saved struct {
	Name string // not empty, and no two have the same
	Expr string // as ledger.ParseFilter reads it
}
