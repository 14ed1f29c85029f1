package routine

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestMarkedArgs changes arguments that were marked, and copies of them, at random. Equal must report what a comparison
// of all values reports.
func TestMarkedArgs(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	t.Log("seed", seed)
	r := rand.New(rand.NewPCG(seed, 0))
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
	equal := 0
	for range 100000 {
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
	if equal == 0 {
		t.Error("no two lists of arguments were equal")
	}
}
