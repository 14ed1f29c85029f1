package tuning

import (
	"math/bits"
	"slices"
)

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
