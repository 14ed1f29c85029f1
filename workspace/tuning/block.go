package tuning

// verdict is what a search knows about a class of nodes.
type verdict uint8

const (
	untested verdict = iota
	refused          // its nodes have no kernel for the product
	passed
)

// verdicts are the verdicts about the classes of a table. Most entries need no test of conditions, because there are
// few classes.
type verdicts []verdict

func (t *table) verdicts() verdicts { return make(verdicts, len(t.last)) }

// choose returns the kernel of an entry.
func (v verdicts) choose(t *table, i int, q *query) *Kernel {
	class := t.classes[i]
	switch v[class] {
	case refused:
		return nil
	case passed:
		if k, single := t.nodes[i].(*Kernel); single {
			return k
		}
	}
	k := t.nodes[i].choose(q)
	if v[class] = refused; k != nil {
		v[class] = passed
	}
	return k
}

// classify numbers the classes of nodes. Kernels with the same conditions are one class, any other node is one alone.
func (t *table) classify() {
	numbers := map[*conditions]int32{}
	t.classes = make([]int32, len(t.nodes))
	for i, n := range t.nodes {
		class := int32(len(t.last))
		if k, single := n.(*Kernel); single {
			if known, ok := numbers[k.conditions]; ok {
				class = known
			}
			numbers[k.conditions] = class
		}
		if int(class) == len(t.last) {
			t.last = append(t.last, 0)
		}
		t.classes[i], t.last[class] = class, int32(i)
	}
}

// testAll tests all classes. It returns the set of those that have a kernel, and their last entry; -1 if there is none.
// A kernel whose workspace is not known counts as one: its test ends the choice, which the library may not reach.
func (t *table) testAll(q *query, known verdicts) (set []uint64, last int) {
	set, last = make([]uint64, t.words()), -1
	for class, i := range t.last {
		k, single := t.nodes[i].(*Kernel)
		if single && k.tilesPartly || known.choose(t, int(i), q) != nil {
			set[class/64] |= 1 << (class % 64)
			last = max(last, int(i))
		}
	}
	return set, last
}

// words is the length of a set of classes, which has a bit for each.
func (t *table) words() int { return (len(t.last) + 63) / 64 }

// collect computes the sets of the classes in blocks of so many entries.
func (t *table) collect(entries int) {
	words := t.words()
	t.sets = make([]uint64, (len(t.nodes)+entries-1)/entries*words)
	for i, class := range t.classes {
		t.sets[i/entries*words+int(class/64)] |= 1 << (class % 64)
	}
}

// meets reports whether a block has an entry whose class is in a set.
func (t *table) meets(block int, set []uint64) bool {
	for i, word := range set {
		if t.sets[block*len(set)+i]&word != 0 {
			return true
		}
	}
	return false
}

// blockEntries is the number of neighbouring entries that a search for the nearest one can skip together.
const blockEntries = 32

// box is the least and the greatest numbers of the keys of a block.
type box struct{ low, high []int64 }

// block computes the boxes of all blocks.
func (t *table) block() {
	for from := 0; from < len(t.nodes); from += blockEntries {
		b := box{append([]int64(nil), t.at(from)...), append([]int64(nil), t.at(from)...)}
		for i := from + 1; i < min(from+blockEntries, len(t.nodes)); i++ {
			for j, x := range t.at(i) {
				b.low[j], b.high[j] = min(b.low[j], x), max(b.high[j], x)
			}
		}
		t.boxes = append(t.boxes, b)
	}
}

// distance returns a sum of squares that is not greater than the distance of any entry in the box: its steps are those
// of the distance, and rounding keeps the order of numbers.
func (b *box) distance(key []int64) (sum float64) {
	for j, x := range key {
		d := float64(max(b.low[j]-x, x-b.high[j], 0))
		sum += float64(d * d)
	}
	return sum
}
