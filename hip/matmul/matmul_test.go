package matmul

import (
	"reflect"
	"strings"
	"testing"
)

// Lines that hipBLASLt 1.2 wrote, shortened at their ends: a command and a trace of each call.
var logged = []struct{ command, trace string }{
	{"hipblaslt-bench --api_method c -m 128 -n 256 -k 1024 --lda 1024 --ldb 1024 --ldc 128 --ldd 128  " +
		"--stride_a 0 --stride_b 0 --stride_c 0 --stride_d 0  --alpha 1.000000 --beta 0.000000 --transA T " +
		"--transB N --batch_count 1 --scaleA 0 --scaleB 0 --bias_vector --bias_source d --a_type bf16_r " +
		"--b_type bf16_r --c_type bf16_r --d_type bf16_r --scale_type f32_r --bias_type bf16_r   " +
		"--compute_type f32_r --algo_method index --solution_index 92759 --activation_type gelu --any_stride " +
		"--rotating 0 --cold_iters 0 --iters 0 ",
		"[2026-11-23 20:08:14][HIPBLASLT][18975][Trace][rocblaslt_matmul] A=0x20000 Adesc=[type=R_16BF " +
			"rows=1024 cols=128 ld=1024] B=0x20000 Bdesc=[type=R_16BF rows=1024 cols=256 ld=1024] C=0x20000 " +
			"Cdesc=[type=R_16BF rows=128 cols=256 ld=128] D=0x20000 Ddesc=[type=R_16BF rows=128 cols=256 ld=128] " +
			"computeDesc=[computeType=COMPUTE_32F scaleType=R_32F transA=OP_T transB=OP_N " +
			"epilogue=EPILOGUE_GELU_BIAS biasPointer=0x10000 biasType=R_16BF] workSpace=0x20000 " +
			"workSpaceSizeInBytes=134217728 alpha=1 beta=0 stream=0"},
	{"hipblaslt-bench --api_method c -m 128 -n 256 -k 1024 --lda 1024 --ldb 1024 --ldc 128 --ldd 128  " +
		"--stride_a 1000000 --stride_b 1000000 --stride_c 1000000 --stride_d 1000000  --alpha 1.000000 " +
		"--beta -2.000000 --transA T --transB N --batch_count 3 --scaleA 0 --scaleB 0  --a_type f32_r " +
		"--b_type f32_r --c_type f32_r --d_type f32_r --scale_type f32_r --bias_type f32_r   --compute_type " +
		"xf32_r --algo_method index --solution_index 92763 --activation_type none --any_stride --rotating 0 " +
		"--cold_iters 0 --iters 0",
		"[2026-11-23 20:21:42][HIPBLASLT][17229][Trace][rocblaslt_matmul] A=0x20000 Adesc=[type=R_32F " +
			"rows=1024 cols=128 ld=1024 batch_count=3 batch_stride=1000000] B=0x20000 Bdesc=[type=R_32F " +
			"rows=1024 cols=256 ld=1024 batch_count=3 batch_stride=1000000] C=0x20000 Cdesc=[type=R_32F rows=128 " +
			"cols=256 ld=128 batch_count=3 batch_stride=1000000] D=0x20000 Ddesc=[type=R_32F rows=128 cols=256 " +
			"ld=128 batch_count=3 batch_stride=1000000] computeDesc=[computeType=COMPUTE_32XF scaleType=R_32F " +
			"transA=OP_T transB=OP_N epilogue=EPILOGUE_DEFAULT biasPointer=0x0] workSpace=0x20000 " +
			"workSpaceSizeInBytes=1099511627776 alpha=1 beta=-2 stream=0"},
}

// scaled are the lines of a call with numbers of 8 bits and factors.
const (
	scaledCommand = "hipblaslt-bench --api_method c -m 128 -n 256 -k 1024 --lda 1024 --ldb 1024 --ldc 128 --ldd 128  " +
		"--stride_a 0 --stride_b 0 --stride_c 0 --stride_d 0  --alpha 1.000000 --beta 0.000000 --transA T " +
		"--transB N --batch_count 1 --scaleA 1 --scaleB 2 --scaleC --scaleD --bias_vector --bias_source d " +
		"--a_type f8_r --b_type bf8_r --c_type f8_r --d_type f8_r --scale_type f32_r --bias_type bf16_r   " +
		"--compute_type f32_r --algo_method index --solution_index 80185 --activation_type none --any_stride " +
		"--rotating 0 --cold_iters 0 --iters 0 "
	scaledTrace = "[2026-11-23 23:33:18][HIPBLASLT][13356][Trace][rocblaslt_matmul] A=0x7f301fa00000 " +
		"Adesc=[type=R_8F_E4M3 rows=1024 cols=128 ld=1024] B=0x7f301ba00000 Bdesc=[type=R_8F_E5M2 rows=1024 " +
		"cols=256 ld=1024] C=0x7f3017a00000 Cdesc=[type=R_8F_E4M3 rows=128 cols=256 ld=128] D=0x7f3013a00000 " +
		"Ddesc=[type=R_8F_E4M3 rows=128 cols=256 ld=128] computeDesc=[computeType=COMPUTE_32F scaleType=R_32F " +
		"transA=OP_T transB=OP_N epilogue=EPILOGUE_BIAS biasPointer=0x7d000000 biasType=R_16BF] " +
		"workSpace=0x7f3011a00000 workSpaceSizeInBytes=33554432 alpha=1 beta=0 stream=0"
)

// TestScaledLines checks that a command has the factors of a product, and that a trace, which does not have them, is
// refused.
func TestScaledLines(t *testing.T) {
	want := Product{TransA: 'T', TransB: 'N', M: 128, N: 256, K: 1024, Batch: 1, Lead: [4]int64{1024, 1024, 128, 128},
		Types: [4]string{"f8_r", "bf8_r", "f8_r", "f8_r"}, Compute: "f32_r", Scale: "f32_r", Epilogue: "bias",
		Bias: "bf16_r", ScaleA: Scalar, ScaleB: Vector, ScaleC: true, ScaleD: true}
	if kind, p, err := ParseLine(scaledCommand); kind != Command || err != nil || p != want {
		t.Errorf("%v, %+v, %v; want %+v", kind, p, err, want)
	}
	if kind, _, err := ParseLine(scaledTrace); kind != Trace || err == nil ||
		!strings.Contains(err.Error(), "HIPBLASLT_LOG_MASK=32") {
		t.Errorf("a trace is of kind %v, %v", kind, err)
	}
}

// TestLines checks that the two lines of a call describe the same product.
func TestLines(t *testing.T) {
	want := []Product{
		{TransA: 'T', TransB: 'N', M: 128, N: 256, K: 1024, Batch: 1, Lead: [4]int64{1024, 1024, 128, 128},
			Types: [4]string{"bf16_r", "bf16_r", "bf16_r", "bf16_r"}, Compute: "f32_r", Scale: "f32_r",
			Epilogue: "gelu_bias", Bias: "bf16_r"},
		{TransA: 'T', TransB: 'N', M: 128, N: 256, K: 1024, Batch: 3, Lead: [4]int64{1024, 1024, 128, 128},
			Stride: [4]int64{1e6, 1e6, 1e6, 1e6}, Types: [4]string{"f32_r", "f32_r", "f32_r", "f32_r"},
			Compute: "xf32_r", Scale: "f32_r", Epilogue: "none"},
	}
	for i, lines := range logged {
		kind, p, err := ParseLine(lines.command)
		if kind != Command || err != nil || p != want[i] {
			t.Errorf("command %d: %v, %+v, %v; want %+v", i, kind, p, err, want[i])
		}
		kind, p, err = ParseLine("rank 3: " + lines.trace)
		if kind != Trace || err != nil || p != want[i] {
			t.Errorf("trace %d: %v, %+v, %v; want %+v", i, kind, p, err, want[i])
		}
	}
	const api = "[HIPBLASLT][1][Api][rocblaslt_matmul] A=0x20000 Adesc=0x55bf7e68b9c0"
	if kind, _, _ := ParseLine(api); kind != NoProduct {
		t.Errorf("a line without shapes is of kind %v", kind)
	}
	if text := want[0].String(); text != "TN:128x256x1024 bf16_r, gelu bias" {
		t.Error(text)
	}
}

// TestOptions checks defaults, epilogues of several options, and errors.
func TestOptions(t *testing.T) {
	for command, want := range map[string]struct {
		epilogue, types string
		lead            [4]int64
	}{
		"-m 4 -n 5 -k 6": {"none", "f16_r f16_r f16_r f16_r", [4]int64{4, 6, 4, 4}},
		"--sizem=4 -n 5 -k 6 -r i8_r --c_type i32_r --transA=T --transB T": {"none", "i8_r i8_r i32_r i32_r",
			[4]int64{6, 5, 4, 4}},
		"-m 4 -n 5 -k 6 --a_type f8_r --d_type bf16_r --ldd 9 --activation_type swish --bias_vector": {"swish_bias",
			"f8_r f8_r f8_r bf16_r", [4]int64{4, 6, 4, 9}},
		"-m 4 -n 5 -k 6 --use_e --activation_type relu --bias_vector": {"relu_aux_bias", "", [4]int64{4, 6, 4, 4}},
		"-m 4 -n 5 -k 6 --use_e --gradient --activation_type gelu --bias_vector": {"dgelu_bgrad", "",
			[4]int64{4, 6, 4, 4}},
		"-m 4 -n 5 -k 6 --gradient --bias_vector --bias_source b": {"bgradb", "", [4]int64{4, 6, 4, 4}},
	} {
		p, err := New(Options(command))
		if err != nil || p.Epilogue != want.epilogue || p.Lead != want.lead ||
			want.types != "" && strings.Join(p.Types[:], " ") != want.types {
			t.Errorf("%s: %+v, %v; want %+v", command, p, err, want)
		}
	}
	for command, want := range map[string]string{
		"-m 4 -n 5":                       "k=: want a number",
		"-m 4 -n 5 -k -6":                 "k=-6: want a number",
		"-m 4 -n 5 -k 6 --lda 3":          "lda=3: want at least 4, the rows of the matrix",
		"-m 4 -n 5 -k 6 --transA X":       "transA=X: want N, T or C",
		"-m 4 -n 5 -k 6 --a_type f16":     "a_type=f16: want one of f32_r, f64_r, f16_r",
		"-m 4 -n 5 -k 6 --compute_type y": "compute_type=y: want one of f16_r, f32_r",
		"-m 4 -n 5 -k 6 --grouped_gemm 1": "grouped_gemm is not supported: several products in one call",
		"-m 4 -n 5 -k 6 --scaleA 3":       "scaleA=3: want 0 for no factors, 1 for a scalar or 2 for a vector",
		"-m 4 -n 5 -k 6 --batchcount 3":   `no option "batchcount", did you mean "batch_count"`,
		"-m 4 -n 5 -k 6 --use_e":          "no epilogue aux; there are none, relu",
		"-m 4 -n 5 -k 6 --epilogue silu":  "epilogue=silu: want one of none, relu",
	} {
		if _, err := New(Options(command)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", command, err, want)
		}
	}
}

// TestKernelNames checks the parts of names, and the groups of threads.
func TestKernelNames(t *testing.T) {
	p, err := New(Options("-m 100 -n 65 -k 4096 --batch_count 2"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		kernel Kernel
		groups uint64
	}{
		"Cijk_Alik_Bljk_BBS_BH_MT96x64x64_MI16x16x1_GSU15_GSUAMB_SK0_SKFTR0_WGM8": {
			Kernel{Tile: [2]int{96, 64}, Split: 15}, 2 * 2 * 2 * 15},
		"Cijk_MT256x16x64_GSU1_SK3_SKFTR0": {Kernel{Tile: [2]int{256, 16}, StreamK: true}, 104},
		"Cijk_MT256x16x64_GSUn1_SK0_":      {Kernel{Tile: [2]int{256, 16}}, 0},
		"":                                 {Kernel{}, 0},
	} {
		want.kernel.Name, want.kernel.Index, want.kernel.Bytes = name, 3, 5
		k := NewKernel(3, name, 5)
		if !reflect.DeepEqual(*k, want.kernel) || k.Groups(&p, 104) != want.groups {
			t.Errorf("%s: %+v with %d groups, want %+v", name, *k, k.Groups(&p, 104), want)
		}
	}
}

// FuzzParseLine reads any line. A product that it returns has sizes that fit.
func FuzzParseLine(f *testing.F) {
	for _, lines := range logged {
		f.Add(lines.command)
		f.Add(lines.trace)
	}
	f.Fuzz(func(t *testing.T, line string) {
		kind, p, err := ParseLine(line)
		if kind == NoProduct || err != nil {
			return
		}
		for i := range p.Lead {
			if rows, columns := p.Size(i); rows < 0 || columns < 0 || p.Lead[i] < rows {
				t.Errorf("%q: %+v", line, p)
			}
		}
		if p.EpilogueNumber() == 0 || p.String() == "" {
			t.Errorf("%q: %+v", line, p)
		}
	})
}
