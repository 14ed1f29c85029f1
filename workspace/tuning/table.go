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
