package tuning

import (
	"math"
	"sort"
)

// gridEntries is the number of entries of a block of a grid. A search reads the sets of all blocks in the worst case.
const gridEntries = 128

// gridTable has entries on a grid of m and n, with several k each. It uses the next larger m and n, and the nearest k.
type gridTable table

func (g *gridTable) choose(q *query) *Kernel {
	t := (*table)(g)
	if len(t.nodes) == 0 {
		return nil
	}
	var buffer [maxKey]int64
	key, known := t.key(q.Problem, &buffer), t.verdicts()
	from, to := g.cell(key, 0)
	if k := g.best(q, key, from, to, known); k != nil {
		return k
	}
	set, last := t.testAll(q, known)
	for to = g.next(to, set); to < len(t.nodes); to = g.next(to, set) {
		from, to = g.cell(key, to)
		if k := g.best(q, key, from, to, known); k != nil {
			return k
		}
	}
	for i := last; i >= 0; i-- {
		if k := known.choose(t, i, q); k != nil {
			return k
		}
	}
	return nil
}

// cell returns the first entries from a place on with the next larger m and n, or with the largest ones.
func (g *gridTable) cell(key []int64, place int) (from, to int) {
	t := (*table)(g)
	end := len(t.nodes)
	last := t.at(end - 1)
	m := t.column(place, end, 0, min(key[0], last[0]))
	mEnd := t.column(m, end, 0, min(t.at(m)[0]+1, last[0]+1))
	last = t.at(mEnd - 1)
	from = t.column(m, mEnd, 1, min(key[1], last[1]))
	return from, t.column(from, mEnd, 1, min(t.at(from)[1]+1, last[1]+1))
}

// next returns the first entry from a place on whose class is in a set. The entries before it have refused.
func (g *gridTable) next(place int, set []uint64) int {
	t := (*table)(g)
	end := len(t.nodes)
	for i := place; i < end; {
		to := min(i-i%gridEntries+gridEntries, end)
		if !t.meets(i/gridEntries, set) {
			i = to
		}
		for ; i < to; i++ {
			if class := t.classes[i]; set[class/64]&(1<<(class%64)) != 0 {
				return i
			}
		}
	}
	return end
}

// column returns the first entry of a range whose number in a column is not less than x.
func (t *table) column(from, to, column int, x int64) int {
	return from + sort.Search(to-from, func(i int) bool { return t.at(from + i)[column] >= x })
}

// best returns the kernel of the entry of a range with the least distance.
func (g *gridTable) best(q *query, key []int64, from, to int, known verdicts) *Kernel {
	t := (*table)(g)
	best, least := (*Kernel)(nil), math.MaxFloat64
	for i := from; i < to; i++ {
		if known[t.classes[i]] == refused {
			continue
		}
		if d := gridDistance(key, t.at(i)); d < least {
			if k := known.choose(t, i, q); k != nil {
				best, least = k, d
			}
		}
	}
	return best
}

// gridLimit is the size up to which the next larger entry of a grid is nearest.
const gridLimit = 32768

func gridDistance(key, entry []int64) float64 {
	m, n, k := float64(entry[0]), float64(entry[1]), float64(entry[2])
	steps := func(size int64, step float64) float64 {
		if size <= gridLimit {
			return math.Ceil(float64(size) / step)
		}
		return 1
	}
	stepsM, stepsN := steps(key[0], m), steps(key[1], n)
	var distance float64
	if key[0] <= gridLimit && key[1] <= gridLimit {
		x := float64(key[0]*key[1]) / (stepsM * m * stepsN * n)
		distance = math.Round(100 * stepsM * stepsN / (x * x))
	} else {
		dm, dn := float64(key[0]-entry[0]), float64(key[1]-entry[1])
		distance = math.Round(10000 * stepsM * stepsN * math.Sqrt(float64(dm*dm)+float64(dn*dn)))
	}
	return distance + math.Abs(k-float64(key[2]))/(k+float64(key[2]*8))
}
