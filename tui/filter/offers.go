package filter

import (
	"slices"
	"strings"

	"redial/ledger"
)

// offer is a row of what can be taken instead of writing it.
type offer struct {
	name, note string
	text       string // the whole expression with it
	at         int    // where the cursor stands in it, in bytes
	completes  bool   // it completes the word at the cursor, and is not another filter
}

// offers are the rows above the line, and which of them is in it.
type offers struct {
	rows    []offer
	chosen  int    // -1: none, the line has what was written
	written string // what was written before one was chosen
	cursor  int    // where the cursor stood in it, in characters
	opened  bool   // nothing was written since the bar was opened
	pressed bool   // completion was asked for where nothing was written
}

// Remember makes the bar share a memory.
func (b *Bar) Remember(m *Memory) { b.memory = m }

// Ask sets what returns values of a key that are at hand. It is called while the bar is
// being opened, must not read anything, and may return values that came from the network.
func (b *Bar) Ask(known func(ledger.Key) []string) { b.known = known }

// Saved returns the filters that have a name and that the bar takes.
func (b *Bar) Saved() []Saved {
	return slices.DeleteFunc(slices.Clone(b.memory.saved), func(s Saved) bool {
		_, err := b.read(s.Expr)
		return err != nil
	})
}

// learn asks for the values at hand: while a filter is being written it narrows them.
func (b *Bar) learn() {
	b.values = map[ledger.Key][]string{}
	if b.known == nil {
		return
	}
	for _, k := range b.knows() {
		if list := b.known(k); len(list) > 0 {
			b.values[k] = list
		}
	}
}

// knows returns the keys that the bar's filters can have.
func (b *Bar) knows() []ledger.Key {
	return slices.DeleteFunc(ledger.FilterKeys(), func(k ledger.Key) bool {
		return b.calls && !k.OfCalls() || !b.calls && !k.OfOperations()
	})
}

// offer works out what can be taken now that the line has what was written.
func (b *Bar) offer() {
	o := &b.offers
	o.chosen, o.written, o.cursor = -1, b.input.Value(), b.input.Position()
	o.rows = nil
	blank := strings.TrimSpace(o.written) == ""
	if o.pressed || !o.opened && !blank {
		o.rows = b.completions()
	}
	like := strings.ToLower(strings.TrimSpace(o.written))
	if o.opened {
		like = ""
	}
	if !o.pressed || !blank {
		o.rows = append(o.rows, b.filters(like)...)
	}
}

// filters returns the saved and the used filters that have a text in them, but for the one
// that is written.
func (b *Bar) filters(like string) []offer {
	var rows []offer
	has := func(s string) bool { return strings.Contains(strings.ToLower(s), like) }
	add := func(name, note, text string) {
		if _, err := b.read(text); err == nil && strings.TrimSpace(b.offers.written) != text {
			rows = append(rows, offer{name: name, note: note, text: text, at: len(text)})
		}
	}
	for _, s := range b.memory.saved {
		if has(s.Name) || has(s.Expr) {
			add(s.Name, s.Expr, s.Expr)
		}
	}
	for _, text := range b.memory.past {
		if has(text) {
			add(text, "used before", text)
		}
	}
	return rows
}

// completions returns what the word at the cursor can become: a key, or a value of its key.
func (b *Bar) completions() []offer {
	text := b.offers.written
	w := wordAt(text, byteOffset(text, b.offers.cursor))
	var rows []offer
	add := func(name, note, put string) {
		whole := text[:w.start] + put + text[w.end:]
		if whole != text {
			rows = append(rows, offer{name: name, note: note, text: whole, at: w.start + len(put), completes: true})
		}
	}
	for _, k := range b.knows() {
		switch {
		case !w.colon && strings.HasPrefix(k.String(), strings.ToLower(w.value)):
			add(k.String()+":", about(k), k.String()+":")
		case w.colon && k.String() == w.key:
			for _, v := range b.valuesOf(k, w.value) {
				add(v, "", k.String()+":"+v)
			}
		}
	}
	return rows
}

// valuesOf returns the values of a key that begin with a text, as they are written. What is
// at hand comes first, unless the key has words of its own.
func (b *Bar) valuesOf(k ledger.Key, begin string) []string {
	var out []string
	begin = strings.ToLower(strings.TrimPrefix(begin, `"`))
	for _, v := range append(slices.Clone(b.values[k]), usual(k)...) {
		written, ok := v, true
		if k.Words() == nil && !slices.Contains(usual(k), v) {
			written, ok = quote(v)
		}
		if ok && strings.HasPrefix(strings.ToLower(v), begin) && !slices.Contains(out, written) {
			out = append(out, written)
		}
	}
	return out
}

// choose goes n rows down in all that is offered, or up. Before the first row and behind
// the last one is what was written.
func (b *Bar) choose(n int) { b.turn(n, len(b.offers.rows)) }

// complete goes n rows down among what completes the word. If that is one alone, it is
// taken as written, so that the key once more goes on from there.
func (b *Bar) complete(n int) {
	o := &b.offers
	all := o.completing()
	if all == 0 && o.chosen < 0 {
		o.pressed = true
		b.offer()
		all = o.completing()
	}
	if all == 0 {
		return
	}
	b.turn(n, all)
	if all == 1 {
		b.settle()
	}
}

// completing returns how many rows complete the word; they come first.
func (o *offers) completing() int {
	n := 0
	for n < len(o.rows) && o.rows[n].completes {
		n++
	}
	return n
}

// turn goes n rows on among the first ones, and puts the row that is reached on the line.
func (b *Bar) turn(n, among int) {
	o := &b.offers
	if among == 0 {
		return
	}
	at := min(o.chosen, among-1) + 1 // 0 is what was written
	o.chosen = (at+n+among+1)%(among+1) - 1
	b.off = false
	if o.chosen < 0 {
		b.put(o.written, byteOffset(o.written, o.cursor))
		return
	}
	row := &o.rows[o.chosen]
	b.put(row.text, row.at)
}

// settle takes what is on the line as written.
func (b *Bar) settle() {
	b.offers.opened, b.offers.pressed = false, false
	b.offer()
}

// put replaces what is on the line, with the cursor at a byte of it.
func (b *Bar) put(text string, at int) {
	b.input.SetValue(text)
	b.input.SetCursor(len([]rune(text[:at])))
	b.parse()
}
