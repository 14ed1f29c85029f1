//go:build linux || darwin || freebsd

package dl

import (
	"math"
	"runtime"
	"testing"
	"unsafe"

	"roclua/hip/dl/dltest"
)

// source has functions that store every argument as a double, in order, to reveal a wrong register or place on the
// stack.
const source = `
#include <stdint.h>

int two(int64_t a, float x, double *out) { out[0] = a; out[1] = x; return 7; }

int mixed(int64_t a, double x, int64_t b, double y, double *out) {
  out[0] = a; out[1] = x; out[2] = b; out[3] = y;
  return -3;
}

// Like rocsolver_ssyevx_strided_batched: more integers than general registers, floats between them.
int many(void *handle, int range, int order, int uplo, int n, void *A, int lda, int64_t stride, float vl, float vu,
         int il, int iu, float abstol, double *out, int batch) {
  double all[] = {(intptr_t)handle, range, order, uplo, n, (intptr_t)A, lda, stride, vl, vu, il, iu, abstol, batch};
  for (int i = 0; i < 14; i++) out[i] = all[i];
  return 0;
}

// More floating-point numbers than vector registers, of both types, and integers on the stack among them.
int spilled(double *out, float a, double b, float c, double d, int e, float f, double g, float h, double i, float j,
            int k, int l, int m, int n, int o, double p, float q, int r) {
  double all[] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r};
  for (int s = 0; s < 18; s++) out[s] = all[s];
  return 0;
}

int integers(int64_t a, int64_t b, double *out) { out[0] = a; out[1] = b; return 1; }
`

// out is where the functions store their arguments. It is a variable of the package because the memory of a C call must
// not be on a stack, which Go may move.
var out [20]float64

// compile makes a library of C source, or skips the test where there is no C compiler.
func compile(t testing.TB, source string) *Library {
	t.Helper()
	l, err := Open(dltest.Compile(t, source))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestCallArgs(t *testing.T) {
	l := compile(t, source)
	to := Word(uintptr(unsafe.Pointer(&out)))
	third := float64(float32(1) / 3)
	for _, test := range []struct {
		function string
		args     []Arg
		result   int32
		want     []float64
	}{
		{"two", []Arg{Word(5), Float(float32(1) / 3), to}, 7, []float64{5, third}},
		{"mixed", []Arg{Word(11), Double(1.0 / 3), negative(12), Double(-0.5), to}, -3,
			[]float64{11, 1.0 / 3, -12, -0.5}},
		{"many", []Arg{Word(1), Word(2), Word(3), Word(4), Word(5), Word(6), Word(7), Word(1 << 40), Float(-1.5),
			Float(2.25), Word(8), Word(9), Float(1e-3), to, Word(10)}, 0,
			[]float64{1, 2, 3, 4, 5, 6, 7, 1 << 40, -1.5, 2.25, 8, 9, float64(float32(1e-3)), 10}},
		{"spilled", []Arg{to, Float(0.5), Double(1.5), Float(2.5), Double(3.5), Word(4), Float(5.5), Double(6.5),
			Float(7.5), Double(8.5), Float(9.5), Word(10), Word(11), Word(12), Word(13), Word(14), Double(15.5),
			Float(16.5), Word(17)}, 0,
			[]float64{0.5, 1.5, 2.5, 3.5, 4, 5.5, 6.5, 7.5, 8.5, 9.5, 10, 11, 12, 13, 14, 15.5, 16.5, 17}},
		{"integers", []Arg{Word(3), negative(4), to}, 1, []float64{3, -4}},
	} {
		address, err := l.Symbol(test.function)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second call finds the first one's preparation
			out = [20]float64{}
			if have := int32(CallArgs(address, test.args)); have != test.result {
				t.Errorf("%s returns %d, want %d", test.function, have, test.result)
			}
			for i, want := range test.want {
				if out[i] != want {
					t.Errorf("%s: argument %d is %v, want %v", test.function, i+1, out[i], want)
				}
			}
		}
	}
}

func negative(n int) Arg { return Word(uintptr(-n)) }

func TestCallArgsKeepsSpecialNumbers(t *testing.T) {
	l := compile(t, source)
	address, err := l.Symbol("mixed")
	if err != nil {
		t.Fatal(err)
	}
	CallArgs(address, []Arg{Word(0), Double(math.Copysign(0, -1)), Word(0), Double(math.NaN()),
		Word(uintptr(unsafe.Pointer(&out)))})
	if !math.Signbit(out[1]) || !math.IsNaN(out[3]) {
		t.Errorf("a negative zero and a NaN arrive as %v and %v", out[1], out[3])
	}
}

func TestCallArgsRefusesTooMany(t *testing.T) {
	for name, call := range map[string]func(){
		"CallArgs":  func() { CallArgs(1, make([]Arg, MaxArgs+1)) },
		"CallWords": func() { CallWords(1, make([]uintptr, MaxArgs+1)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s with too many arguments does not panic", name)
				}
			}()
			call()
		}()
	}
}

// TestCallWords calls a function without allocating memory.
func TestCallWords(t *testing.T) {
	l := compile(t, source)
	address, err := l.Symbol("integers")
	if err != nil {
		t.Fatal(err)
	}
	to := uintptr(unsafe.Pointer(&out))
	words, args := []uintptr{5, 6, to}, []Arg{Word(5), Word(6), Word(to)}
	allocations := testing.AllocsPerRun(100, func() {
		if have := CallWords(address, words); have != 1 || out[0] != 5 || out[1] != 6 {
			t.Errorf("integers returns %d and stores %v", have, out[:2])
		}
		CallArgs(address, args)
	})
	if allocations > 0 && !raced {
		t.Errorf("%g allocations", allocations)
	}
}

func BenchmarkCallArgs(b *testing.B) {
	l := compile(b, source)
	to := Word(uintptr(unsafe.Pointer(&out)))
	for _, bench := range []struct {
		name, function string
		args           []Arg
	}{
		{"integers", "integers", []Arg{Word(1), Word(2), to}},
		{"floats", "mixed", []Arg{Word(1), Double(2), Word(3), Double(4), to}},
	} {
		address, err := l.Symbol(bench.function)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				CallArgs(address, bench.args)
			}
		})
	}
}

// TestCallArgsOfTheCLibrary calls functions with floating-point numbers only, and with as many words as can be passed.
// Only the former need a conversion of their arguments.
func TestCallArgsOfTheCLibrary(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the C library has another name here")
	}
	for _, test := range []struct {
		library, function string
		args              []Arg
		want              int32
	}{
		{"libm.so.6", "lrint", []Arg{Double(-41.75)}, -42},
		{"libm.so.6", "lrintf", []Arg{Float(41.75)}, 42},
		{"libc.so.6", "abs", append([]Arg{Word(7)}, make([]Arg, MaxArgs-1)...), 7},
	} {
		l, err := Open(test.library)
		if err != nil {
			t.Skip(err)
		}
		address, err := l.Symbol(test.function)
		if err != nil {
			t.Fatal(err)
		}
		if have := int32(CallArgs(address, test.args)); have != test.want {
			t.Errorf("%s is %d, want %d", test.function, have, test.want)
		}
		converts := false
		functions.Range(func(key, _ any) bool {
			converts = converts || key.(signature).function == address
			return true
		})
		if want := test.args[0].class != integer; converts != want {
			t.Errorf("a call of %s prepares a conversion: %v, want %v", test.function, converts, want)
		}
	}
}
