package products

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/footprint"
	"roclua/workspace/tuning"
)

// target returns a target with the tuning files of bf16.
func target(t *testing.T) footprint.Target {
	t.Helper()
	p, err := workspace.FindProfile("rocm-7.2")
	if err != nil {
		t.Fatal(err)
	}
	lib, err := tuning.OpenPath("../../workspace/testdata/rocm-7.2/tuning-gfx90a.zip", "gfx90a")
	if err != nil {
		t.Fatal(err)
	}
	return footprint.Target{Profile: p, Arch: "gfx90a", Tuning: lib}
}

// TestCurve checks which products lose their kernel below a number of bytes: those that the libraries report in size
// queries, rounded up to 256.
func TestCurve(t *testing.T) {
	var shapes []Shape
	for _, text := range []string{"TN:128x128x65536", "NN:4096x512x14336", "TN:128x128x65536", "64x64x64", "3x5x7x2"} {
		s, err := RocBLAS.Parse(text, "bf16")
		if err != nil {
			t.Fatal(err)
		}
		shapes = append(shapes, s)
	}
	r, err := New(shapes, []Chooser{Modelled{target(t)}}, []uint64{983040, 983039})
	if err != nil {
		t.Fatal(err)
	}
	of := &r.Targets[0]
	if want := []Step{{125829120, 1}, {983040, 3}}; !slices.Equal(of.Curve, want) || of.Smallest != 125829120 {
		t.Errorf("%v, smallest %d, want %v", of.Curve, of.Smallest, want)
	}
	if have := []int{of.lost(0), of.lost(1)}; !slices.Equal(have, []int{1, 3}) {
		t.Errorf("%v products lose their kernels, want 1 and 3", have)
	}
	if p := of.Products[0]; p.Best.Split != 15 || p.Best.Groups != 30 || p.At[1].Split != 1 {
		t.Errorf("%+v, %+v", p.Best, p.At[1])
	}
}

// TestRecorded looks up solutions by the names that a tuning has.
func TestRecorded(t *testing.T) {
	on := target(t)
	s, err := RocBLAS.Parse("TN:128x128x65536", "bf16")
	if err != nil {
		t.Fatal(err)
	}
	c, err := footprint.KernelOf(on, s.Args, tuning.NoLimit)
	if err != nil {
		t.Fatal(err)
	}
	s.Recorded = fmt.Sprintf("Gemm_Rocblas_%d", c.Kernel.Index+1)
	r, err := New([]Shape{s}, []Chooser{Modelled{on}}, []uint64{0})
	if err != nil {
		t.Fatal(err)
	}
	of := &r.Targets[0]
	p := of.Products[0]
	if p.Tuned == nil || *p.Tuned != *p.Best || of.lostTuned(0) != 1 || of.lostTuned(p.Best.Bytes) != 0 {
		t.Errorf("%+v, %q, want %+v", p.Tuned, p.Looked, p.Best)
	}
}

// TestModel checks the products of a transformer: three for each layer and number of tokens.
func TestModel(t *testing.T) {
	list, err := RocBLAS.Model("hidden=64,layers=3,heads=4,kv_heads=2,ffn=256,vocab=1000,tokens=1:8:x8", "f16")
	if err != nil || len(list) != 2*5*3 {
		t.Fatal(len(list), err)
	}
	first := list[0]
	a := first.Args
	if a.Int(routine.M) != 128 || a.Int(routine.N) != 1 || a.Int(routine.K) != 64 || first.Times != 3 ||
		a.Int(routine.TransA) != routine.OperationTranspose {
		t.Errorf("%+v", first)
	}
	for text, want := range map[string]string{
		"hidden=64,ffn=8":                 "the model has no tokens",
		"hidden=x,ffn=8,tokens=1":         "hidden=x: want a number",
		"hidden=8,ffn=8,tokens=1,layer=2": `a model has no "layer", did you mean "layers"`,
		"hidden=8,ffn=8,tokens=a":         "tokens: a is not a number",
	} {
		if _, err := RocBLAS.Model(text, "f16"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestWithoutKernel checks products that run no kernel of the tuning files: they fail, have nothing to compute, or are
// computed by gemv.
func TestWithoutKernel(t *testing.T) {
	const bf16 = " a_type=bf16_r compute_type=f32_r"
	gemv := "gemv computes it"
	for _, test := range []struct{ call, reason, older string }{ // older: the reason on rocm-6.4; "" for a kernel
		{"NT:1x64x64", gemv, ""},
		{"gemm_ex transB=T m=1 n=64 k=64 ldd=2" + bf16, "", ""}, // D is not C
		{"64x0x64", "there is nothing to compute: n is 0", "there is nothing"},
		{"gemm_strided_batched_ex m=8 n=8 k=8 batch_count=0" + bf16,
			"there is nothing to compute: batch_count", "there"},
		{"sgemm m=8 n=8 k=0 beta=1", "there is nothing to compute: beta is 1 and k is 0", "there is"},
		{"sgemm m=8 n=8 k=8 alpha=1e-50 beta=1", "there is nothing to compute: ", "there is"},
		{"gemm_ex m=8 n=8 k=-1" + bf16, "invalid_size: k is -1", "invalid_size"},
		{"gemm_ex m=8 n=8 k=8 lda=7" + bf16, "invalid_size: lda is 7", "invalid_size"},
		{"gemm_ex m=8 n=8 k=8 b_type=f16_r" + bf16, "not_implemented: there is no kernel", "not_implemented"},
	} {
		for _, older := range []bool{false, true} {
			on, want := target(t), test.reason
			if older {
				on.Profile, _ = workspace.FindProfile("rocm-6.4")
				want = test.older
			}
			s, err := RocBLAS.Parse(test.call, "bf16")
			if err != nil {
				t.Fatal(err)
			}
			r, err := New([]Shape{s}, []Chooser{Modelled{on}}, nil)
			if err != nil {
				t.Fatal(err)
			}
			of := &r.Targets[0]
			p := of.Products[0]
			if want == "" && p.Best == nil ||
				want != "" && (p.Best != nil || !strings.HasPrefix(p.Reason, want) || of.Without != 1 ||
					of.Unknown != 0) {
				t.Errorf("%s on %s: %+v, %d without, want %q", test.call, on, p, of.Without, want)
			}
		}
	}
}

// TestUnknownKernels checks that products whose kernel is not known say why, and are counted.
func TestUnknownKernels(t *testing.T) {
	f8 := "gemm_ex3 m=16 n=16 k=16 a_type=f8_r b_type=f8_r c_type=f32_r d_type=f32_r compute_type=compute_type_f32"
	on := target(t)
	on.Profile, _ = workspace.FindProfile("rocm-6.4")
	on.Arch = "gfx942"
	s, err := RocBLAS.Parse(f8, "bf16")
	if err != nil {
		t.Fatal(err)
	}
	r, err := New([]Shape{s}, []Chooser{Modelled{on}}, []uint64{0})
	if err != nil {
		t.Fatal(err)
	}
	p := r.Targets[0].Products[0]
	if want := "the kernels of gemm_ex3 come from"; !strings.HasPrefix(p.Reason, want) || r.Targets[0].Unknown != 1 {
		t.Errorf("%+v, want %s", p, want)
	}
}

// TestModes checks that the modes that a file sets choose kernels.
func TestModes(t *testing.T) {
	s, err := RocBLAS.Parse("TN:128x128x65536", "bf16")
	if err != nil {
		t.Fatal(err)
	}
	for reason, modes := range map[string]footprint.Modes{"": {Atomics: 1, XF32: true}, "other": {Unknown: "other"}} {
		of := RocBLAS.Logged("x", 1, s.Args, modes)
		r, err := New([]Shape{of}, []Chooser{Modelled{target(t)}}, []uint64{0})
		if err != nil {
			t.Fatal(err)
		}
		if p := r.Targets[0].Products[0]; p.Reason != reason || (p.Best == nil) != (reason != "") {
			t.Errorf("%+v: %+v, %q", modes, p.Best, p.Reason)
		}
	}
}
