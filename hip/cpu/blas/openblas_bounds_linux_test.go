package blas

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"roclua/hip/dl"
	"roclua/hip/dl/dltest"
	"roclua/internal/randomtest"
)

// TestOpenBLASReadsItsMatrices calls OpenBLAS with matrices that end where memory cannot be accessed, like matrices of
// the simulated device may. A read or a write outside of them ends the program.
func TestOpenBLASReadsItsMatrices(t *testing.T) {
	o, err := library()
	if err != nil {
		t.Skip(err)
	}
	seed := randomtest.Seed(t)
	t.Run("s", func(t *testing.T) { callAtEnd[float32](t, o, rand.New(rand.NewPCG(seed, 0))) })
	t.Run("d", func(t *testing.T) { callAtEnd[float64](t, o, rand.New(rand.NewPCG(seed, 1))) })
	t.Run("c", func(t *testing.T) { callAtEnd[complex64](t, o, rand.New(rand.NewPCG(seed, 2))) })
	t.Run("z", func(t *testing.T) { callAtEnd[complex128](t, o, rand.New(rand.NewPCG(seed, 3))) })
}

// callAtEnd calls each function of LAPACK, and products, for matrices of many shapes.
func callAtEnd[T Number](t *testing.T, o *OpenBLAS, r *rand.Rand) {
	const most = 60
	memory := [3][]T{beforeEnd[T](t, most*most), beforeEnd[T](t, most*most), beforeEnd[T](t, most*most)}
	matrix := func(number, m, n int) Matrix[T] { // the last elements of a memory
		data := memory[number][most*most-m*n:]
		copy(data, drawMatrix[T](r, m, n).Data)
		return Matrix[T]{data, m}
	}
	for n := 16; n <= most; n++ {
		m, pivots := 16+r.IntN(most-15), make([]int32, most)
		s := make([]float64, most)
		QR(o, m, n, matrix(0, m, n), make([]T, most))
		Gemm(o, None, ConjTrans, m, m, n, 1, matrix(0, m, n), matrix(1, m, n), 1, matrix(2, m, m))
		Trsm(o, Right, Upper, None, NonUnit, m, n, 1, matrix(0, n, n), matrix(1, m, n))
		Eigen(o, n%2 == 0, Uplo(n/2%2), n, matrix(0, n, n), s)
		k := min(m, n)
		SingularValues(o, m, n, matrix(0, m, n), s, k, matrix(1, m, k), k, matrix(2, k, n))
		Cholesky(o, Uplo(n%2), n, matrix(0, n, n))
		a := matrix(0, n, n)
		LU(o, n, n, a, pivots)
		LUSolve(o, Op(n%3), n, m, a, pivots, matrix(1, n, m))
		LUInverse(o, n, a, pivots, make([]T, n))
	}
}

// beforeEnd returns n elements before memory that cannot be accessed.
func beforeEnd[T any](t *testing.T, n int) []T {
	t.Helper()
	const inaccessible = 1 << 20
	var zero T
	page := unix.Getpagesize()
	bytes := n * int(unsafe.Sizeof(zero))
	end := (bytes + page - 1) / page * page
	memory, err := unix.Mmap(-1, 0, end+inaccessible, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(memory) })
	if err := unix.Mprotect(memory[end:], unix.PROT_NONE); err != nil {
		t.Fatal(err)
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&memory[end-bytes])), n)
}

// TestPlacesOfNaN calls functions that return a place in vectors of NaN, some of them outside.
func TestPlacesOfNaN(t *testing.T) {
	lib, err := dl.Open(dltest.Compile(t, `
int first(int *n, void *x, int *inc) { return 1; }
int last(int *n, void *x, int *inc) { return *n; }
int before(int *n, void *x, int *inc) { return *n < 70 ? 1 : 0; }
int after(int *n, void *x, int *inc) { return *n < 70 ? 1 : *n + 1; }`))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{"first": true, "last": true, "before": false, "after": false} {
		maximum, err := lib.Symbol(name)
		if err != nil {
			t.Fatal(err)
		}
		if have := findsNaN(maximum); have != want {
			t.Errorf("%s: %t", name, have)
		}
	}
}
