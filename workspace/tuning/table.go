package tuning

import (
	"math"
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

	numbers  []int32 // of the nodes: equal nodes have equal numbers
	distinct int     // nodes
	boxes    []box   // of blocks of entries
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
		t.number()
		t.block()
		return (*nearestTable)(t)
	},
	"Equality": func(t *table) node { return (*exactTable)(t) },
	"GridBased": func(t *table) node {
		t.number()
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
	s := search{table: t, key: key, query: q, refusals: t.refusals(), distance: math.MaxFloat64}
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
	refusals refusals
	best     *Kernel
	distance float64
	speed    float64
}

// scan compares entries of a block with the best one. It returns true at an entry beyond which none can be nearer.
func (s *search) scan(i, end, step int) bool {
	width := len(s.key)
	if s.table.boxes[i/blockEntries].distance(s.key) > s.distance {
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
			if k := s.refusals.choose(s.table, i, s.query); k != nil {
				s.best, s.distance, s.speed = k, distance, s.table.speeds[i]
			}
		}
	}
	return false
}

// gridTable has entries on a grid of m and n, with several k each. It uses the next larger m and n, and the nearest k.
type gridTable table

func (g *gridTable) choose(q *query) *Kernel {
	t := (*table)(g)
	if len(t.nodes) == 0 {
		return nil
	}
	var buffer [maxKey]int64
	key := t.key(q.Problem, &buffer)
	refused := t.refusals()
	end := len(t.nodes)
	for to := 0; to < end; to = t.open(to, refused) {
		last := t.at(end - 1)
		m := t.column(to, end, 0, min(key[0], last[0]))
		mEnd := t.column(m, end, 0, min(t.at(m)[0]+1, last[0]+1))
		last = t.at(mEnd - 1)
		from := t.column(m, mEnd, 1, min(key[1], last[1]))
		to = t.column(from, mEnd, 1, min(t.at(from)[1]+1, last[1]+1))
		if k := g.best(q, key, from, to, refused); k != nil {
			return k
		}
	}
	for i := end - 1; i >= 0; i-- {
		if k := refused.choose(t, i, q); k != nil {
			return k
		}
	}
	return nil
}

// open returns the first entry from a place of a grid whose m and n have a node that has not refused.
func (t *table) open(from int, refused refusals) int {
	i := from
	for i < len(t.nodes) && refused[t.numbers[i]] {
		i++
	}
	if i < len(t.nodes) {
		for i > from && slices.Equal(t.at(i - 1)[:2], t.at(i)[:2]) {
			i--
		}
	}
	return i
}

// column returns the first entry of a range whose number in a column is not less than x.
func (t *table) column(from, to, column int, x int64) int {
	return from + sort.Search(to-from, func(i int) bool { return t.at(from + i)[column] >= x })
}

// best returns the kernel of the entry of a range with the least distance.
func (g *gridTable) best(q *query, key []int64, from, to int, refused refusals) *Kernel {
	t := (*table)(g)
	best, least := (*Kernel)(nil), math.MaxFloat64
	for i := from; i < to; i++ {
		if d := gridDistance(key, t.at(i)); d < least {
			if k := refused.choose(t, i, q); k != nil {
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
