package books

// Point is a moment in the life of a request, as the server sees it.
type Point uint8

// The points. On one request they come in this order, but for Resubmission, which follows
// RequestLine at the second and later POST of an id, and Lookup, which stands alone.
const (
	RequestLine  Point = iota // the request has begun
	HalfBody                  // half of its body is here
	WholeBody                 // all of it
	BeforeCommit              // the next thing is the effect
	AfterCommit               // it happened, and nothing of it was told yet
	HalfReply                 // half of the reply's body is on the wire
	WholeReply                // all of it
	Lookup                    // a lookup has come in, and is not answered yet
	Resubmission              // an order is sent again
	numPoints
)

// String returns the point in words.
func (p Point) String() string {
	return [numPoints]string{
		"the request line", "half of the body", "the whole body", "before the commit", "after the commit",
		"half of the reply", "the whole reply", "the lookup", "the resubmission",
	}[p]
}

// Points returns all nine.
func Points() []Point {
	all := make([]Point, numPoints)
	for i := range all {
		all[i] = Point(i)
	}
	return all
}
