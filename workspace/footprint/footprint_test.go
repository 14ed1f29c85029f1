package footprint_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/workspace"
	"roclua/workspace/behavior"
	"roclua/workspace/footprint"
)

func target(t testing.TB, profile, arch string) footprint.Target {
	t.Helper()
	p, err := workspace.FindProfile(profile)
	if err != nil {
		t.Fatal(err)
	}
	return footprint.Target{Profile: p, Arch: arch}
}

func parse(t testing.TB, texts ...string) []*footprint.Call {
	t.Helper()
	var calls []*footprint.Call
	for _, text := range texts {
		c, err := footprint.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, c)
	}
	return calls
}

func sequence(t testing.TB, texts ...string) *footprint.Sequence {
	t.Helper()
	s, err := footprint.NewSequence(parse(t, texts...), nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestBytes sizes calls whose bytes are documented or recorded from the library.
func TestBytes(t *testing.T) {
	for _, test := range []struct {
		call string
		want uint64
	}{
		{"dgetrf m=1024 n=1024", 4732160},
		{"rocsolver_dgetrf m=1024, n=1024, lda=1024", 4732160},
		{"rocsolver.dgetrs n=1024 nrhs=1 trans=none", 1312000},
		{"dgetrf m=n n=1_024", 4732160},
		{"dgetrf m=0x400 n=m", 4732160},
		{"dtrsm side=L uplo=U m=425 n=1 alpha=0", 0},
		{"trsm_ex side=left uplo=fill_upper m=64 n=100 compute_type=f64", 0},
		{"dot_ex n=1024 x_type=f32", 64},
		{"gemm_ex m=8 n=8 k=8 a_type=f32_r", 0},
	} {
		if have, _, err := sequence(t, test.call).Bytes(target(t, "rocm-7.2", "gfx90a"), nil); err != nil ||
			have != test.want {
			t.Errorf("%s: %d, %v, want %d", test.call, have, err, test.want)
		}
	}
}

// TestArgumentsThatFollowDefaults sizes a call whose m has the default of ldb, which is n. The default of lda depends
// on m. The result does not depend on the point that was sized before.
func TestArgumentsThatFollowDefaults(t *testing.T) {
	on := target(t, "rocm-7.2", "gfx90a")
	calls := parse(t, "dgels trans=T m=ldb nrhs=1")
	axis, err := footprint.NewAxis("n", []string{"3000", "300"}, calls)
	if err != nil {
		t.Fatal(err)
	}
	s, err := footprint.NewSequence(calls, []footprint.Axis{axis})
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.Points() {
		have, _, err := s.Bytes(on, s.Point(i, nil))
		square := fmt.Sprintf("dgels trans=T m=%[1]d n=%[1]d nrhs=1", axis.Values[i])
		want, _, wantErr := sequence(t, square).Bytes(on, nil)
		if err != nil || wantErr != nil || have != want {
			t.Errorf("%s: %d, %v, want %d, %v", square, have, err, want, wantErr)
		}
	}
}

func TestFootprint(t *testing.T) {
	s := sequence(t, "dgetrs n=1024 nrhs=1", "dgetrf m=4096 n=4096", "dgetrf m=65536 n=65536")
	f, err := s.On(target(t, "rocm-7.2", "gfx90a"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if f.Decides != 2 || f.Bytes != f.Calls[2].Bytes {
		t.Errorf("decided by call %d with %d bytes", f.Decides+1, f.Bytes)
	}
	if managed := f.Held[0]; managed.Bytes != f.Bytes+32<<20 || !strings.Contains(managed.About, "grows once") {
		t.Errorf("managed: %+v", managed)
	}
	f, err = s.On(target(t, "rocm-7.1", "gfx942"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if f.Held[1].Skip == "" || f.Held[0].Bytes != max(f.Bytes, 128<<20) {
		t.Errorf("rocm-7.1 on gfx942: %+v", f.Held)
	}
}

func TestWarnings(t *testing.T) {
	for _, test := range []struct{ call, want string }{
		{"dtrsm side=left uplo=upper m=4096 n=128 transA=T",
			"a smaller problem needs more: m = 4095 needs 8386560 bytes"},
		{"dtrsm side=left uplo=upper m=4096 n=128 transA=T", "it also runs in 4195328 bytes (4.0 MiB), more slowly"},
		{"dtrsm side=left uplo=upper m=8192 n=30000 transA=T", "which a fixed workspace of the default size has"},
		{"dgemv m=1000000 n=4 trans=T", "it also runs without memory, more slowly (perf_degraded)"},
		{"dgemv m=1000000 n=4 trans=T lda=5", "the query accepts these arguments, but the call itself fails: lda is 5"},
		{"dgetrf m=8 n=8 lda=2", ""},
	} {
		f, err := sequence(t, test.call).On(target(t, "rocm-7.2", "gfx90a"), nil)
		var refused *footprint.Refusal
		if test.want == "" {
			if !errors.As(err, &refused) {
				t.Errorf("%s: %v, want a refusal", test.call, err)
			}
			continue
		}
		if err != nil || !strings.Contains(strings.Join(f.Warnings, "\n"), test.want) {
			t.Errorf("%s: %v %q, want %q", test.call, err, f.Warnings, test.want)
		}
	}
}

func TestAxes(t *testing.T) {
	calls := parse(t, "dgetrf m=n n=n", "dgetrs n=n nrhs=1 trans=none")
	n, err := footprint.NewAxis("n", []string{"64", "1024"}, calls)
	if err != nil {
		t.Fatal(err)
	}
	trans, err := footprint.NewAxis("trans", []string{"none", "T"}, calls)
	if err != nil {
		t.Fatal(err)
	}
	s, err := footprint.NewSequence(calls, []footprint.Axis{n, trans})
	if err != nil {
		t.Fatal(err)
	}
	var have []string
	for i := range s.Points() {
		point := s.Point(i, nil)
		bytes, decides, err := s.Bytes(target(t, "rocm-6.4", "gfx90a"), point)
		if err != nil {
			t.Fatal(err)
		}
		have = append(have, fmt.Sprint(n.Label(point[0]), " ", trans.Label(point[1]), " ", bytes, " ", decides))
	}
	want := []string{"64 none 64 1", "64 T 64 1", "1024 none 4732160 0", "1024 T 4732160 0"}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
}

// TestRangeOfAxis varies a call by values that fit the first call with the parameter and not another one.
func TestRangeOfAxis(t *testing.T) {
	calls := parse(t, "dasum_64 n=1", "dgetrs n=1 nrhs=1")
	for _, values := range [][]string{{"1", "4294967296"}, {"-4294967296", "1"}} {
		axis, err := footprint.NewAxis("n", values, calls)
		if err != nil {
			t.Fatal(err)
		}
		_, err = footprint.NewSequence(calls, []footprint.Axis{axis})
		if want := "call 2, dgetrs n=1 nrhs=1: n:"; err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", values, err, want)
		}
	}
}

func TestMessages(t *testing.T) {
	for _, test := range []struct{ call, want string }{
		{"", "an empty call"},
		{"m=100 n=50", `the call "m=100 n=50" has no routine; write a routine and its sizes in one argument, such as ` +
			`'dgetrf m=1024 n=1024'`},
		{"dgetrff m=1", `no routine "dgetrff", did you mean "dgetrf"?`},
		{"trsv_ex n=1", "use trsv"},
		{"gemm_ex_batched m=1", "the library exports gemm_batched_ex"},
		{"dgetrf mm=1 n=1", `unknown parameter "mm", did you mean "m"? (has m, n, lda)`},
		{"dgetrf m=1 m=2", "m is given twice"},
		{"dgetrf m", `"m" is not an argument; write name=value`},
		{"dgetrf n=1", "parameter m is missing: rows of A"},
		{"dgetrf m=n", "parameter n is missing: columns of A"}, // m has no value that n could have
		{"dpotrf", "parameter n is missing: order of A"},
		{"dgemm m=1 k=1", "parameter n is missing: columns of C"},
		{"dormqr m=1 n=1 k=1", "parameter side is missing"},
		{"dsyevd n=1 jobz=X", `jobz: "X" is not one of original, none`},
		{"dsyevd n=1 jobz=V evect=N", "evect is given twice"},
		{"dgemm m=3000000000 n=1 k=1", "rocblas.dgemm_64 takes 64-bit sizes"},
		{"dgemm_64 m=99999999999999999999 n=1 k=1", "beyond 64 bits"},
		{"dgemm m=1.5 n=1 k=1", `m: "1.5" is not an integer`},
		{"dgemm m=1 n=1 k=1 A=5", "A: a pointer, on which no size depends"},
		{"dgemm m=1 n=1 k=1 transA=transposed",
			`"transposed" is not one of none, transpose, conjugate_transpose, did you mean "transpose"?`},
		{"dgemm m=1 n=1 k=1 alpha=one", `"one" is not a number`},
		{"dgetrf m=n n=m", "has no value, because n has none"},
		{"dgetrf m=q n=1", `"q" is not a number, a parameter or an axis`},
		{"dgetrf m=8 n=8 lda=3", "invalid_size: lda is 3"},
		{"rocblas_strtri uplo=U n=2147483647", "never returns"},
		{"dtrmv_strided_batched_64 uplo=U n=9000000000000000000 batch_count=9",
			"overflows in the library's own arithmetic"},
		{"dgetri n=100000", "overflows"},
		{"dtrtri uplo=U n=9",
			"dtrtri is rocblas_dtrtri or rocsolver_dtrtri, which need different workspaces: write one"},
		{"hipsolverDtrtri n=9", `no routine "hipsolverDtrtri": no release of hipSOLVER in the table exports it, ` +
			`did you mean "hipsolverDpotri"?; rocSOLVER has rocsolver_dtrtri`},
		{"cusolverDnDtrtri n=9", `did you mean "hipsolverDnDpotri"?; rocSOLVER has rocsolver_dtrtri`},
		{"hipblasDsyevd n=9", `no release of hipBLAS in the table exports it, did you mean "hipblasDsymv"?; rocSOLVER`},
		{"hipsolverDnDgetrs_bufferSize n=9", "; hipSOLVER has hipsolverDgetrs_bufferSize"},
		{"cusolverDnXgetrf m=9", "hipsolverDnXgetrf has no size without its buffer; hipsolverDnXgetrf_bufferSize has"},
		{"hipblasDgetrfBatched m=9 n=9", `hipblasDgetrfBatched: unknown parameter "m" (has n, lda, batchCount)`},
		{"hipblasGemmEx m=9 n=9 k=9 a_type=f32_r ldd=9", `unknown parameter "ldd", did you mean "lda"`},
	} {
		_, err := size(t, test.call)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q: %v\nwant %s", test.call, err, test.want)
		}
	}
}

func size(t testing.TB, text string) (uint64, error) {
	c, err := footprint.Parse(text)
	if err != nil {
		return 0, err
	}
	s, err := footprint.NewSequence([]*footprint.Call{c}, nil)
	if err != nil {
		return 0, err
	}
	f, err := s.On(target(t, "rocm-7.2", "gfx90a"), nil)
	if err != nil {
		return 0, err
	}
	return f.Bytes, nil
}

// TestUnknownNeed computes a sequence with a call whose need is not known, and with a bound for it.
func TestUnknownNeed(t *testing.T) {
	var calls []*footprint.Call
	for _, text := range []string{"dasum n=8", "gemm_ex m=8 n=8 k=8 a_type=bf16 compute_type=f32"} {
		c, err := footprint.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		calls = append(calls, c)
	}
	s, err := footprint.NewSequence(calls, nil)
	if err != nil {
		t.Fatal(err)
	}
	on := target(t, "rocm-7.2", "gfx90a")
	f, err := s.On(on, nil)
	if err != nil {
		t.Fatal(err)
	}
	reason, call := f.Unknown()
	if !strings.Contains(reason, "depends on the tuning files") || call != 1 || f.Bytes != 64 || len(f.Held) != 0 {
		t.Errorf("call %d is unknown, %q; %d bytes, %v", call, reason, f.Bytes, f.Held)
	}
	if _, _, err := s.Bytes(on, nil); err == nil || !strings.Contains(err.Error(), reason) {
		t.Errorf("the bytes have the error %v", err)
	}
	on.Bound = behavior.Bound{Bytes: 4096, Given: true}
	f, err = s.On(on, nil)
	if err != nil {
		t.Fatal(err)
	}
	if reason, _ := f.Unknown(); reason != "" || f.Bytes != 4096 || f.Decides != 1 || len(f.Held) == 0 {
		t.Errorf("with a bound: %q, %d bytes, %v", reason, f.Bytes, f.Held)
	}
}

// TestPurposesAreUnique checks that the buffers of a call have different purposes.
func TestPurposesAreUnique(t *testing.T) {
	given := map[string]string{"m": "5000", "n": "300", "k": "7", "evect": "original", "itype": "ax", "erange": "all",
		"eorder": "blocks", "esort": "none",
		"svect": "singular", "srange": "all",
		"left_svect": "all", "right_svect": "all", "fast_alg": "outofplace", "nv": "3", "nu": "3", "nc": "3",
		"pivot": "top",
		"k2":    "5", "nb": "3", "nblocks": "3", "kl": "3", "ku": "2",
		"geam_ex_op": "min_plus", "nrhs": "70", "side": "left", "uplo": "upper",
		"batch_count": "3",
		"nnzT":        "9", "nnzL": "600", "nnzU": "9",
		"a_type": "f64", "x_type": "f64", "compute_type": "f64", "alpha_type": "f64"}
	for _, r := range routine.All() {
		if !r.Family.ExportedBy("rocm-7.2") || r.Family.Uses(buffer.SparseWork) {
			continue
		}
		text := r.UniqueName()
		for name, value := range given {
			if name == "m" && r.Library == routine.RocSOLVER {
				value = given["n"] // some need m >= n, others m <= n
			}
			if _, ok := r.Param(name); ok {
				text += " " + name + "=" + value
			}
		}
		if r.Family.ID == routine.Gesvdx {
			text = strings.ReplaceAll(text, "_svect=all", "_svect=singular")
		}
		f, err := sequence(t, text).On(target(t, "rocm-7.2", "gfx90a"), nil)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		seen := map[buffer.ID]bool{}
		for _, b := range f.Calls[0].Buffers {
			if seen[b.ID] {
				t.Errorf("%s has two buffers for %q", r.Name, b.ID)
			}
			seen[b.ID] = true
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"dgetrf m=1024 n=1024", "dtrsm side=L uplo=U m=n n=3 alpha=1+2i",
		"gemm_ex m=1 n=1 k=1 a_type=f16", "dgemm_64 m=-1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { size(t, text) })
}

func BenchmarkSweep(b *testing.B) {
	calls := parse(b, "dgetrf m=n n=n")
	n, err := footprint.NewAxis("n", []string{"1024", "1025"}, calls)
	if err != nil {
		b.Fatal(err)
	}
	s, err := footprint.NewSequence(calls, []footprint.Axis{n})
	if err != nil {
		b.Fatal(err)
	}
	on, point := target(b, "rocm-7.2", "gfx90a"), []int{0}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		point[0] = i & 1
		if _, _, err := s.Bytes(on, point); err != nil {
			b.Fatal(err)
		}
	}
}

// TestNamesOfOtherLibraries checks names of other libraries: the routine, its arguments and the explanation.
func TestNamesOfOtherLibraries(t *testing.T) {
	for _, test := range []struct{ call, same, means string }{
		{"dtrtri_ uplo=U n=512", "rocsolver_dtrtri uplo=U n=512", "is rocsolver_dtrtri"},
		{"dtrtri uplo=U n=65 ldinvA=99", "rocblas_dtrtri uplo=U n=65 ldinvA=99", "is rocblas_dtrtri"},
		{"hipblasDtrtri uplo=U n=65", "rocblas_dtrtri uplo=U n=65", "calls rocblas_dtrtri"},
		{"hipblasDgetrfBatched n=640 batch_count=3", "dgetrf_batched m=640 n=640 batch_count=3",
			"calls rocsolver_dgetrf_batched"},
		{"hipblasDgetriBatched n=640 batchCount=3", "dgetri_outofplace_batched n=640 batch_count=3",
			"calls rocsolver_dgetri_outofplace_batched"},
		{"cusolverDnDgetrf m=640 n=600", "dgetrf m=640 n=600", "is hipsolverDnDgetrf, which calls rocsolver_dgetrf"},
		{"hipblasZgemm_v2 m=9 n=9 k=9", "zgemm m=9 n=9 k=9", "is hipblasZgemm, which calls rocblas_zgemm"},
		{"rocsolver.dgetrf m=640 n=640", "dgetrf m=640 n=640", ""},
	} {
		have, err := size(t, test.call)
		want, wrong := size(t, test.same)
		if err != nil || wrong != nil || have != want {
			t.Errorf("%s: %d bytes, %v; %s: %d bytes, %v", test.call, have, err, test.same, want, wrong)
			continue
		}
		c, _ := footprint.Parse(test.call)
		if c.Means() != test.means {
			t.Errorf("%s: %q, want %q", test.call, c.Means(), test.means)
		}
	}
}
