package demo

import "slices"

// The decks of the APIs that the shop does operations at. Their openings have what needs a
// lookup, a second send or a person; afterwards the same comes up now and then, so that a
// demo that is left running does not drown in it.

// always is a fault that befalls every request.
func always(f fault) faults { return slices.Repeat(faults{f}, 1000) }

// plans returns a deck without lookups.
func plans(sends ...faults) deck {
	d := make(deck, len(sends))
	for i, s := range sends {
		d[i].sends = s
	}
	return d
}

// among returns a deck of so many fates, of which all but those given are fine.
func among(size int, rare ...fate) deck {
	return append(make(deck, size-len(rare)), rare...)
}

// An API as one wishes it: it honours keys and tells the truth.
func ordersFaults() deck {
	return plans(nil, faults{dropped}, faults{throttled}, nil, faults{cut}, nil, faults{busy}, nil)
}

// This one honours keys, and lies when it is asked.
func payOpening() deck {
	return deck{
		{sends: faults{cut, cut}},                          // pending, until a person has it sent again
		{sends: faults{dropped}, lookups: faults{foreign}}, // pending, until a later lookup tells the truth
		{sends: faults{dropped}, lookups: always(stale)},   // sent again, and answered from memory
		{sends: faults{dropped}, lookups: faults{broken}},  // found by the second lookup
		{sends: faults{late}},                              // found, its answer still on the way
	}
}

func payFaults() deck {
	return among(40, fate{sends: faults{late}}, fate{sends: faults{late}}, fate{sends: faults{late}},
		fate{sends: faults{busyUntil}}, fate{sends: faults{busyUntil}}, fate{sends: faults{declined}}, fate{sends: faults{declined}},
		fate{sends: faults{cut}}, fate{sends: faults{cut}}, fate{sends: faults{landing}}, fate{sends: faults{cut, cut}},
		fate{sends: faults{dropped}}, fate{sends: faults{dropped}}, fate{sends: faults{dropped}, lookups: always(stale)},
		fate{sends: faults{dropped}, lookups: faults{foreign}}, fate{sends: faults{dropped}, lookups: faults{broken}})
}

// This one ignores keys, so what is not found needs a person.
func stockOpening() deck {
	return deck{
		{sends: faults{landing}}, // pending; it happens later, which a lookup shows
		{sends: faults{dropped}}, // found
		{},
		{sends: faults{throttled}}, // certainly nothing happened, so it is sent again
	}
}

func stockFaults() deck {
	return among(60, fate{sends: faults{landing}}, fate{sends: faults{cut}}, fate{sends: faults{throttled}},
		fate{sends: faults{throttled}}, fate{sends: faults{dropped}}, fate{sends: faults{dropped}}, fate{sends: faults{dropped}})
}

// This one soon forgets a key, and does not always answer who asks.
func giftOpening() deck {
	return deck{{sends: faults{dropped}, lookups: always(broken)}, {}, {sends: faults{cut}}} // the first can only be settled
}

func giftFaults() deck {
	return among(30, fate{sends: faults{dropped}, lookups: always(broken)}, fate{sends: faults{cut}}, fate{sends: faults{dropped}}, fate{sends: faults{late}})
}
