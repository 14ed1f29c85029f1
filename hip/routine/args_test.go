package routine

import (
	"math/rand/v2"
	"testing"

	"roclua/internal/randomtest"
)

// TestMarkedArgs changes arguments that were marked, and copies of them, at random. Equal must agree with a comparison
// of all values reports.
func TestMarkedArgs(t *testing.T) {
	equal := 0
	randomtest.Each(t, 100, 1000, func(t *testing.T, r *rand.Rand, length int) { equal += changeMarked(t, r, length) })
	if equal == 0 {
		t.Error("no two lists of arguments were equal")
	}
}

// changeMarked makes a number of changes, and counts how often different lists were equal.
func changeMarked(t *testing.T, r *rand.Rand, changed int) (equal int) {
	t.Helper()
	gemm, _ := Lookup("rocblas_dgemm")
	gemv, _ := Lookup("rocblas_dgemv")
	list := []*Args{gemm.New(), gemm.New(), gemm.New(), gemv.New()}
	changes := []func(a, other *Args){
		func(a, _ *Args) { a.Mark() },
		func(a, other *Args) { *a = *other },
		func(a, other *Args) { a.CopyFrom(other) },
		func(a, _ *Args) { a.Reset(a.Routine) },
		func(a, _ *Args) { a.SetInt(M, r.Int64N(2)) },
		func(a, _ *Args) { a.SetPtr(A, r.Uint64N(2)) },
		func(a, _ *Args) { a.SetReal(LDA, float64(r.IntN(2))) },
		func(a, _ *Args) { a.SetScalar(Alpha, complex(float64(r.IntN(2)), 0)) },
		func(a, _ *Args) { a.SetFetched(Beta, complex(float64(r.IntN(2)), 0)) },
	}
	for range changed {
		a, b := list[r.IntN(len(list))], list[r.IntN(len(list))]
		changes[r.IntN(len(changes))](a, b)
		plain, other := *a, *b
		plain.mark, other.mark = 0, 0
		if have, want := a.Equal(b), plain.Equal(&other); have != want {
			t.Fatalf("Equal is %t, want %t for %+v and %+v", have, want, a, b)
		} else if have && a != b {
			equal++
		}
	}
	return equal
}
