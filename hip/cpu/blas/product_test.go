package blas

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"roclua/hip/cpu/vector"
)

// eachSet runs a test for the four types with every instruction set of this processor.
func eachSet(t *testing.T, s, d, c, z func(*testing.T, *rand.Rand)) {
	before := vector.Name()
	t.Cleanup(func() { vector.Use(before) })
	for _, name := range vector.Names() {
		vector.Use(name)
		t.Run(name, func(t *testing.T) { each(t, s, d, c, z) })
	}
}

// TestProductsOfAllShapes compares products with their definition: shapes around the sizes of tiles and blocks, all
// operations, special factors, NaN and infinities, with one thread and with several.
func TestProductsOfAllShapes(t *testing.T) {
	eachSet(t, testShapes[float32], testShapes[float64], testShapes[complex64], testShapes[complex128])
}

func testShapes[T Number](t *testing.T, r *rand.Rand) {
	for range 100 {
		checkProduct[T](t, r, 1, 1+r.IntN(60), 1+r.IntN(30), 1+r.IntN(20))
	}
	if testing.Short() {
		return
	}
	checkProduct[T](t, r, 3, 150+r.IntN(300), 1+r.IntN(10), 200+r.IntN(400))
	checkProduct[T](t, r, 3, 1+r.IntN(30), 500+r.IntN(1000), 1+r.IntN(20))
	checkProduct[T](t, r, 3, 100+r.IntN(100), 100+r.IntN(100), 100)
}

func checkProduct[T Number](t *testing.T, r *rand.Rand, threads, m, n, k int) {
	t.Helper()
	opA, opB := operations[r.IntN(3)], operations[r.IntN(3)]
	alpha, beta := factors[T](r)
	a, b, c := stored[T](r, opA, m, k), stored[T](r, opB, k, n), drawMatrix[T](r, m, n)
	for _, x := range []Matrix[T]{a, b, c} {
		if r.IntN(8) == 0 {
			special := []float64{math.NaN(), math.Inf(1), math.Inf(-1)}[r.IntN(3)]
			x.Data[r.IntN(len(x.Data))] = FromReal[T](special)
		}
	}
	before := c.clone()
	if panels := r.IntN(2) == 0; panels && alpha != 0 {
		gemmPanels(threads, opA, opB, m, n, k, alpha, a, b, beta, c)
	} else {
		gemmThreads(threads, opA, opB, m, n, k, alpha, a, b, beta, c)
	}
	what := fmt.Sprintf("%d x %d x %d, op %d, op %d, alpha %v, beta %v", m, n, k, opA, opB, alpha, beta)
	for at, have := range c.Data {
		i, j := at%c.LD, at/c.LD
		if i >= m {
			if have != before.Data[at] && !cmplx.IsNaN(ToComplex(before.Data[at])) {
				t.Fatalf("%s: place %d between the columns becomes %v", what, at, have)
			}
			continue
		}
		var want T
		size := 1.0
		if alpha != 0 {
			for l := range k {
				p := operand(opA, a, i, l) * operand(opB, b, l, j)
				want, size = want+p, size+Abs1(p)
			}
			want *= alpha
		}
		if beta != 0 {
			want += beta * before.Data[at]
		}
		wantAlike(t, what, i, j, have, want, size*(1+Abs1(alpha)))
	}
}

// wantAlike compares an element with its definition. Where that is not finite, neither is the element.
func wantAlike[T Number](t *testing.T, what string, i, j int, have, want T, size float64) {
	t.Helper()
	finite := func(v T) bool { return !math.IsNaN(Abs1(v)) && !math.IsInf(Abs1(v), 0) }
	precision := 1e-14
	if Real(FromReal[T](precision)) != precision { // single precision
		precision = 1e-5
	}
	if finite(have) != finite(want) || finite(want) && Abs1(have-want) > precision*size*10 {
		t.Fatalf("%s: element (%d, %d) is %v, want %v", what, i, j, have, want)
	}
}

// TestParallel counts tasks, and catches a panic in one of them.
func TestParallel(t *testing.T) {
	for _, threads := range []int{0, 1, 3, 100} {
		var sum, now, most atomic.Int64
		Parallel(threads, 50, func(task int) {
			if at := now.Add(1); at > most.Load() {
				most.Store(at)
			}
			sum.Add(int64(task))
			now.Add(-1)
		})
		if sum.Load() != 50*49/2 || most.Load() > int64(max(threads, 1)) {
			t.Errorf("%d threads: sum %d, %d tasks at once", threads, sum.Load(), most.Load())
		}
		func() {
			defer func() {
				if err := recover(); err != "task 7" {
					t.Errorf("%d threads: panic %v", threads, err)
				}
			}()
			Parallel(threads, 50, func(task int) {
				if task == 7 {
					panic("task 7")
				}
			})
		}()
	}
}

// operand returns op(A)(i, l).
func operand[T Number](op Op, a Matrix[T], i, l int) T {
	if op == None {
		return a.At(i, l)
	}
	return conjIf(op == ConjTrans, a.At(l, i))
}
