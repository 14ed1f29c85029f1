package tuning

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"roclua/internal/randomtest"
)

// plainNearest looks at every entry of a table up to those that cannot be nearer, as the library does.
func plainNearest(t *table, q *query) (best *Kernel) {
	var buffer [maxKey]int64
	key := t.key(q.Problem, &buffer)
	least, speed := math.MaxFloat64, 0.0
	look := func(i int) bool {
		var distance float64
		for j, x := range t.at(i) {
			d := float64(key[j] - x)
			distance += float64(d * d)
		}
		first := float64(key[0] - t.at(i)[0])
		if best != nil && float64(first*first) >= least && !slices.Equal(key, t.at(i)) {
			return false
		}
		if distance < least || distance == least && t.speeds[i] > speed {
			if k := t.nodes[i].choose(q); k != nil {
				best, least, speed = k, distance, t.speeds[i]
			}
		}
		return true
	}
	start := t.search(key)
	for i := start; i < len(t.nodes) && look(i); i++ {
	}
	for i := start - 1; i >= 0 && look(i); i-- {
	}
	return best
}

// plainGrid looks at every m and n of a grid that is not less than the product's, one after the other.
func plainGrid(t *table, q *query) *Kernel {
	var buffer [maxKey]int64
	key := t.key(q.Problem, &buffer)
	end, from := len(t.nodes), 0
	for to := 0; to < end; {
		m := t.column(to, end, 0, min(key[0], t.at(end - 1)[0]))
		mEnd := t.column(m, end, 0, t.at(m)[0]+1)
		from = t.column(m, mEnd, 1, min(key[1], t.at(mEnd - 1)[1]))
		to = t.column(from, mEnd, 1, t.at(from)[1]+1)
		best, least := (*Kernel)(nil), math.MaxFloat64
		for i := from; i < to; i++ {
			if d := gridDistance(key, t.at(i)); d < least {
				if k := t.nodes[i].choose(q); k != nil {
					best, least = k, d
				}
			}
		}
		if best != nil {
			return best
		}
	}
	for i := from - 1; i >= 0; i-- {
		if k := t.nodes[i].choose(q); k != nil {
			return k
		}
	}
	return nil
}

// randomTable returns a table of few kernels, most of which compute only some products. It has up to length entries.
func randomTable(r *rand.Rand, length int) *table {
	t := &table{width: 3}
	for _, name := range []string{"FreeSizeA", "FreeSizeB", "BoundSize"} {
		t.properties = append(t.properties, properties[name](0))
	}
	modulus := []uint64{5, 97, 997}[r.IntN(3)]
	sometimes := make([]*conditions, 1+r.IntN(80))
	for i := range sometimes {
		n := 1 + r.Uint64N(modulus-1)
		holds := func(q *query) bool { return (q.M+q.N+q.K)%modulus == n }
		sometimes[i] = &conditions{tests: []test{holds}, tilesPartly: r.IntN(40) == 0}
	}
	kernels := make([]*Kernel, 1+r.IntN(100))
	for i := range kernels {
		kernels[i] = &Kernel{Name: fmt.Sprint(i), conditions: sometimes[r.IntN(len(sometimes))]}
	}
	size := func() int64 { return 1 + r.Int64N(1<<r.IntN(8)) }
	for range min(length, 1+r.IntN(1<<(1+r.IntN(11)))) {
		var n node = kernels[r.IntN(len(kernels))]
		if r.IntN(8) == 0 {
			n = rows{{node: n}}
		}
		t.keys = append(t.keys, size(), size(), size())
		t.speeds, t.nodes = append(t.speeds, float64(r.IntN(4))), append(t.nodes, n)
	}
	t.order()
	return t
}

func TestSearchesEqualPlainOnes(t *testing.T) {
	found := 0
	randomtest.Each(t, 2000, 2048, func(t *testing.T, r *rand.Rand, length int) {
		all := randomTable(r, length)
		nearest, grid := distances["Euclidean"](all), distances["GridBased"](&table{properties: all.properties,
			width: all.width, keys: all.keys, speeds: all.speeds, nodes: all.nodes})
		for range 20 {
			q := &query{Problem: square(1+r.Uint64N(300), 1+r.Uint64N(300), 1+r.Uint64N(300))}
			if have, want := nearest.choose(q), plainNearest(all, q); have != want {
				t.Fatalf("nearest of %d entries: %v, want %v for %v", len(all.nodes), have, want, q.Problem)
			}
			have, want := grid.choose(q), plainGrid(all, q)
			if have != want {
				t.Fatalf("grid of %d entries: %v, want %v for %v", len(all.nodes), have, want, q.Problem)
			}
			if have != nil {
				found++
			}
		}
	})
	if found == 0 {
		t.Error("no product has a kernel")
	}
}
