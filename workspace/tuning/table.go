package tuning

import (
	"math"
	"math/bits"
	"slices"
	"sort"
)

// table has kernels for sizes. For other sizes the kernel of the nearest entry is used, whose conditions hold.
type table struct {
	properties []property
	width      int       // numbers of a key
	keys       []int64   // of all entries, ordered; width numbers each
	speeds     []float64 // the greater first among entries with equal keys
	nodes      []node

	classes []int32  // of the nodes; see classify
	last    []int32  // the last entry of each class
	boxes   []box    // of blocks of entries of a nearestTable
	sets    []uint64 // of the classes in blocks of entries
}

type property func(p *Problem) int64

// maxKey is the longest key of the files.
const maxKey = 8

// properties are the numbers of keys.
var properties = map[string]func(index int64) property{
	"FreeSizeA": func(int64) property { return func(p *Problem) int64 { return int64(p.M) } },
	"FreeSizeB": func(int64) property { return func(p *Problem) int64 { return int64(p.N) } },
	"BatchSize": func(int64) property { return func(p *Problem) int64 { return int64(p.Batch) } },
	"BoundSize": func(int64) property { return func(p *Problem) int64 { return int64(p.K) } },
	"AStride":   func(i int64) property { return func(p *Problem) int64 { return int64(p.A.strides()[i]) } },
	"BStride":   func(i int64) property { return func(p *Problem) int64 { return int64(p.B.strides()[i]) } },
	"CStride":   func(i int64) property { return func(p *Problem) int64 { return int64(p.C.strides()[i]) } },
	"DStride":   func(i int64) property { return func(p *Problem) int64 { return int64(p.D.strides()[i]) } },
}

func (t *table) key(p *Problem, buffer *[maxKey]int64) []int64 {
	for i, f := range t.properties {
		buffer[i] = f(p)
	}
	return buffer[:t.width]
}

func (t *table) at(i int) []int64 { return t.keys[i*t.width : (i+1)*t.width] }

// search returns the first entry from low whose key is not less than a key.
func (t *table) search(key []int64) int {
	return sort.Search(len(t.nodes), func(i int) bool { return slices.Compare(t.at(i), key) >= 0 })
}

// distances are the kinds of tables.
var distances = map[string]func(t *table) node{
	"Euclidean": func(t *table) node {
		t.classify()
		t.collect(blockEntries)
		t.block()
		return (*nearestTable)(t)
	},
	"Equality": func(t *table) node { return (*exactTable)(t) },
	"GridBased": func(t *table) node {
		t.classify()
		t.collect(gridEntries)
		return (*gridTable)(t)
	},
}

// exactTable has kernels for the sizes of its entries only.
type exactTable table

func (e *exactTable) choose(q *query) *Kernel {
	t := (*table)(e)
	var buffer [maxKey]int64
	key := t.key(q.Problem, &buffer)
	if i := t.search(key); i < len(t.nodes) && slices.Equal(t.at(i), key) {
		return t.nodes[i].choose(q)
	}
	return nil
}

// nearestTable uses the entry with the least sum of squares of differences. Among equals it uses the fastest, then the
// first in the order of the library's search: from the position of the key to the end, then back to the start.
type nearestTable table

func (n *nearestTable) choose(q *query) *Kernel {
	t := (*table)(n)
	var buffer [maxKey]int64
	key := t.key(q.Problem, &buffer)
	s := search{table: t, key: key, query: q, verdicts: t.verdicts(), distance: math.MaxFloat64}
	start := t.search(key)
	for from := start; from < len(t.nodes); {
		to := min(from-from%blockEntries+blockEntries, len(t.nodes))
		if s.scan(from, to, 1) {
			break
		}
		from = to
	}
	for from := start - 1; from >= 0; {
		to := from - from%blockEntries
		if s.scan(from, to-1, -1) {
			break
		}
		from = to - 1
	}
	return s.best
}

// search is a search for the nearest entry.
type search struct {
	table    *table
	key      []int64
	query    *query
	verdicts verdicts
	set      []uint64 // of classes that have a kernel; nil if they are not tested
	best     *Kernel
	distance float64
	speed    float64
}

// scan compares entries of a block with the best one. It returns true at an entry beyond which none can be nearer.
func (s *search) scan(i, end, step int) bool {
	width := len(s.key)
	block := i / blockEntries
	if s.table.boxes[block].distance(s.key) > s.distance || s.set != nil && !s.table.meets(block, s.set) {
		return false
	}
	for ; i != end; i += step {
		entry := s.table.keys[i*width : i*width+width]
		first := float64(s.key[0] - entry[0])
		distance := float64(first * first) // the conversion prevents a fused operation, which rounds differently
		if distance >= s.distance && s.best != nil && !slices.Equal(s.key, entry) {
			return true
		}
		for j := 1; j < len(entry); j++ {
			d := float64(s.key[j] - entry[j])
			distance += float64(d * d)
		}
		if distance < s.distance || distance == s.distance && s.table.speeds[i] > s.speed {
			if k := s.verdicts.choose(s.table, i, s.query); k != nil {
				s.best, s.distance, s.speed = k, distance, s.table.speeds[i]
			}
		}
	}
	if s.best != nil || s.set != nil {
		return false
	}
	// No kernel was found nearby.
	var last int
	s.set, last = s.table.testAll(s.query, s.verdicts)
	return last < 0
}

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

// order sorts the entries of a table by their keys, and by falling speeds. Entries that are equal in both must be in
// the library's order, because it uses the first of them. It sorts with std::sort of libstdc++, which is not stable, so
// these are its steps: quicksort by the median of three, insertion sort of short ranges, heapsort if recursion is deep.
func (t *table) order() {
	n := len(t.nodes)
	before := func(i, j int) bool {
		c := slices.Compare(t.at(i), t.at(j))
		return c < 0 || c == 0 && t.speeds[i] > t.speeds[j]
	}
	strictly := true
	for i := 1; i < n && strictly; i++ {
		strictly = before(i-1, i)
	}
	if strictly {
		return
	}
	s := sorter{less: before, order: make([]int, n)}
	for i := range s.order {
		s.order[i] = i
	}
	s.quick(0, n, 2*(bits.Len(uint(n))-1))
	s.insert(n)
	sorted := table{width: t.width}
	for _, i := range s.order {
		sorted.keys = append(sorted.keys, t.at(i)...)
		sorted.speeds = append(sorted.speeds, t.speeds[i])
		sorted.nodes = append(sorted.nodes, t.nodes[i])
	}
	t.keys, t.speeds, t.nodes = sorted.keys, sorted.speeds, sorted.nodes
}

type sorter struct {
	less  func(i, j int) bool // of entries
	order []int
}

// short is the length of ranges that are sorted by insertion.
const short = 16

func (s *sorter) before(i, j int) bool { return s.less(s.order[i], s.order[j]) }
func (s *sorter) swap(i, j int)        { s.order[i], s.order[j] = s.order[j], s.order[i] }

func (s *sorter) quick(first, last, depth int) {
	for last-first > short {
		if depth == 0 {
			s.heap(s.order[first:last])
			return
		}
		depth--
		s.median(first, first+1, first+(last-first)/2, last-1)
		cut := s.partition(first+1, last, first)
		s.quick(cut, last, depth)
		last = cut
	}
}

// median moves the median of three elements to the start of a range.
func (s *sorter) median(first, a, b, c int) {
	if !s.before(a, b) {
		a, b = b, a
	}
	switch {
	case s.before(b, c):
		s.swap(first, b)
	case s.before(a, c):
		s.swap(first, c)
	default:
		s.swap(first, a)
	}
}

func (s *sorter) partition(first, last, pivot int) int {
	for {
		for s.before(first, pivot) {
			first++
		}
		last--
		for s.before(pivot, last) {
			last--
		}
		if first >= last {
			return first
		}
		s.swap(first, last)
		first++
	}
}

// insert finishes the sort: every element is near its place.
func (s *sorter) insert(n int) {
	for i := 1; i < n; i++ {
		x, j := s.order[i], i
		if i < short && s.less(x, s.order[0]) {
			copy(s.order[1:i+1], s.order[:i])
			s.order[0] = x
			continue
		}
		for ; j > 0 && s.less(x, s.order[j-1]); j-- {
			s.order[j] = s.order[j-1]
		}
		s.order[j] = x
	}
}

// heap sorts a range with a heap.
func (s *sorter) heap(a []int) {
	for parent := (len(a) - 2) / 2; parent >= 0; parent-- {
		s.sift(a, parent, a[parent])
	}
	for n := len(a) - 1; n > 0; n-- {
		x := a[n]
		a[n] = a[0]
		s.sift(a[:n], 0, x)
	}
}

// sift moves a hole to the bottom of a heap, and then x up from there.
func (s *sorter) sift(a []int, hole, x int) {
	top, child := hole, hole
	for child < (len(a)-1)/2 {
		child = 2 * (child + 1)
		if s.less(a[child], a[child-1]) {
			child--
		}
		a[hole], hole = a[child], child
	}
	if len(a)%2 == 0 && child == (len(a)-2)/2 {
		child = 2*child + 1
		a[hole], hole = a[child], child
	}
	for hole > top && s.less(a[(hole-1)/2], x) {
		a[hole], hole = a[(hole-1)/2], (hole-1)/2
	}
	a[hole] = x
}
