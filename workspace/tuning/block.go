package tuning

// refusals are the nodes of a table, by number, that have no kernel for a product. Few nodes have all the entries of a
// table, so most entries need no test of conditions.
type refusals []bool

func (t *table) refusals() refusals { return make(refusals, t.distinct) }

// choose returns the kernel of an entry.
func (r refusals) choose(t *table, i int, q *query) *Kernel {
	if r[t.numbers[i]] {
		return nil
	}
	k := t.nodes[i].choose(q)
	r[t.numbers[i]] = k == nil
	return k
}

// number gives each distinct node a number.
func (t *table) number() {
	numbers := map[*Kernel]int32{}
	t.numbers = make([]int32, len(t.nodes))
	for i, n := range t.nodes {
		k, single := n.(*Kernel)
		if known, ok := numbers[k]; single && ok {
			t.numbers[i] = known
			continue
		}
		t.numbers[i] = int32(t.distinct)
		if single {
			numbers[k] = t.numbers[i]
		}
		t.distinct++
	}
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
