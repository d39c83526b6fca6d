package detail

// change is a line of a comparison.
type change struct {
	mark byte // ' ' on both sides, '-' only before, '+' only after, '~' lines that are the same and left out
	text string
	n    int // how many lines were left out
}

const (
	mostCells = 1 << 20 // lines before × lines after that are compared
	around    = 2       // lines that are the same and shown around what differs
)

// compare returns what differs between two lists of lines, with little of what is the same.
func compare(before, after []string) []change {
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	var all []change
	for _, s := range before[:head] {
		all = append(all, change{mark: ' ', text: s})
	}
	all = append(all, middle(before[head:len(before)-tail], after[head:len(after)-tail])...)
	for _, s := range before[len(before)-tail:] {
		all = append(all, change{mark: ' ', text: s})
	}
	return shorten(all)
}

// middle compares by the longest common subsequence, or, where that would take too long,
// takes everything for different.
func middle(a, b []string) []change {
	if len(a)*len(b) > mostCells {
		return append(each('-', a), each('+', b)...)
	}
	w := len(b) + 1
	common := make([]int32, (len(a)+1)*w) // of what follows a[i] and b[j]
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i*w+j] = common[(i+1)*w+j+1] + 1
			} else {
				common[i*w+j] = max(common[(i+1)*w+j], common[i*w+j+1])
			}
		}
	}
	var out []change
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			out = append(out, change{mark: ' ', text: a[i]})
			i, j = i+1, j+1
		case common[(i+1)*w+j] >= common[i*w+j+1]:
			out = append(out, change{mark: '-', text: a[i]})
			i++
		default:
			out = append(out, change{mark: '+', text: b[j]})
			j++
		}
	}
	return append(append(out, each('-', a[i:])...), each('+', b[j:])...)
}

func each(mark byte, lines []string) []change {
	out := make([]change, 0, len(lines))
	for _, s := range lines {
		out = append(out, change{mark: mark, text: s})
	}
	return out
}

// shorten leaves out what is the same and not near what differs.
func shorten(all []change) []change {
	near := make([]bool, len(all))
	for i := range all {
		if all[i].mark == ' ' {
			continue
		}
		for k := max(0, i-around); k <= min(len(all)-1, i+around); k++ {
			near[k] = true
		}
	}
	var out []change
	for i := range all {
		switch last := len(out) - 1; {
		case near[i]:
			out = append(out, all[i])
		case last >= 0 && out[last].mark == '~':
			out[last].n++
		default:
			out = append(out, change{mark: '~', n: 1})
		}
	}
	return out
}
