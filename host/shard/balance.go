package shard

import (
	"cmp"
	"container/heap"
	"slices"
)

// Balanced returns the indexes of the shard's cases, in ascending order, so that all shards take about equally long: in
// order of descending duration, each case goes to the least loaded shard. seconds has the expected duration of each
// case; a negative duration is unknown and counts as the mean of the others. All shards must use the same durations.
func (s Shard) Balanced(seconds []float64) []int {
	known := withMean(seconds)
	order := make([]int, len(known))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(known[b], known[a]) })
	loads := make(loads, s.Count)
	for i := range loads {
		loads[i].shard = i + 1
	}
	var list []int
	for _, i := range order {
		least := &loads[0]
		if least.shard == s.Index {
			list = append(list, i)
		}
		least.seconds += known[i]
		least.cases++
		heap.Fix(&loads, 0)
	}
	slices.Sort(list)
	return list
}

// withMean replaces unknown durations by the mean of the others.
func withMean(seconds []float64) []float64 {
	sum, n := 0.0, 0
	for _, s := range seconds {
		if s >= 0 {
			sum, n = sum+s, n+1
		}
	}
	known := slices.Clone(seconds)
	for i, s := range known {
		if !(s >= 0) {
			known[i] = sum / float64(max(n, 1))
		}
	}
	return known
}

// load is the work of a shard.
type load struct {
	shard   int
	cases   int
	seconds float64
}

// loads is a min-heap. Ties go to the load with fewer cases, then to the first shard, so that cases without a duration
// are dealt in turn.
type loads []load

func (l loads) Len() int { return len(l) }

func (l loads) Less(i, j int) bool {
	a, b := &l[i], &l[j]
	return cmp.Or(cmp.Compare(a.seconds, b.seconds), cmp.Compare(a.cases, b.cases), cmp.Compare(a.shard, b.shard)) < 0
}

func (l loads) Swap(i, j int) { l[i], l[j] = l[j], l[i] }

// Push and Pop complete heap.Interface; the number of shards never changes.
func (l loads) Push(any) {}
func (l loads) Pop() any { return nil }
