package files

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"roclua/hip/routine"
)

// listed reads a file and lists its calls: "dgemm m=64 ..." by a few arguments.
func listed(t *testing.T, name, text string, o Options) (string, *Content, error) {
	t.Helper()
	var list []string
	c, err := Read(t.Context(), name, []byte(text), o, func(c *Call) error {
		line := fmt.Sprintf("%d:", c.Line)
		if c.Product != nil {
			line += c.Product.String()
		} else {
			line += c.Args.Routine.Name
			for _, s := range []routine.Slot{routine.M, routine.N, routine.K, routine.LDA, routine.StrideX,
				routine.BatchCount} {
				if _, ok := c.Args.Routine.ParamAt(s); ok {
					line += fmt.Sprint(" ", c.Args.Int(s))
				}
			}
		}
		if c.Times > 1 {
			line += fmt.Sprintf(" *%d", c.Times)
		}
		list = append(list, line)
		return nil
	})
	return strings.Join(list, ", "), c, err
}

// common is the file that tests of rocBLAS include.
const common = `
Datatypes:
  - types:
      attr: { f32_r: 151, f64_r: 152, f32_c: 154, C: 0, C_64: 1 }
  - { single: f32_r }
Pairs:
  - &double { a_type: f64_r, b_type: f64_r, c_type: f64_r, d_type: f64_r, compute_type: f64_r }
  - &single { a_type: f32_r, b_type: f32_r, c_type: f32_r, d_type: f32_r, compute_type: f32_r }
Dictionary lists to expand: [ matrix_size, precision, function: precision ]
Defaults: { M: 128, N: 128, K: 128, incx: 1, incy: 1, transA: '*', transB: '*', batch_count: 1, category: nightly,
  scan: -999, name: x, M: 16 }
`

// TestDefinitions checks the order of the cases, defaults and ranges, and the parts left out.
func TestDefinitions(t *testing.T) {
	for _, test := range []struct{ tests, want, notes string }{
		{"- {function: dot, precision: *double, N: [3, 1..5..2]}", "16:ddot 3, 16:ddot 1, 16:ddot 3, 16:ddot 5", ""},
		{"- {function: {dot: *single, asum: [*double, *single]}, N: 2}", "16:dasum 2, 16:sasum 2, 16:sdot 2", ""},
		{"- {function: scal, precision: *single, N: 2, M: [1, 2], api: [C, C_64], name: [a, b]}",
			"16:sscal 2 *2, 16:sscal_64 2 *2, 16:sscal 2 *2, 16:sscal_64 2 *2", ""},
		{"- {function: gemm, precision: *double, transA: T, transB: N, matrix_size: [{M: 4, N: 5}, {K: 0}]}",
			"16:dgemm 4 5 128 128, 16:dgemm 16 128 0 1", ""},
		{"- {function: dot_strided_batched, precision: *double, N: 4, incx: -3, stride_scale: 2}",
			"16:ddot_strided_batched 4 24 1", ""},
		{"- {function: dot, precision: *double, scan: [1..3], N: -999}", "16:ddot 1, 16:ddot 2, 16:ddot 3", ""},
		{"- {rocblas_function: rocblas_dscal, N: 9}", "16:dscal 9", ""},
		{"- {rocblas_function: rocblas_dscal, N: [8, 9], call_count: 7}", "16:dscal 8 *7, 16:dscal 9 *7", ""},
		{"- {function: dot, <<: [*double, {N: 8}], N: 3, N: 5}", "16:ddot 5", ""},
		{"- {rocblas_function: rocblas_dscal, N: 8, call_count: 1099511627776}", "16:dscal 8 *1099511627776", ""},
		{"- {function: gemm_bad_arg}\n- {function: dot, precision: *single}", "17:sdot 128",
			"left out: gemm_bad_arg (1)"},
		{"- {function: dot, precision: *single, category: quick}\n- {function: asum, precision: *single}",
			"16:sdot 128",
			"left out: category nightly (1)"},
		{"- {function: dot, precision: *single, gpu_arch: '94?'}\n" +
			"- {function: asum, precision: *single, gpu_arch: 90a}",
			"17:sasum 128", "left out: for other architectures (1)"},
		{"- {function: dot, precision: *single, atomics_mode: [0, 1]}", "16:sdot 128, 16:sdot 128",
			"settings: atomics_mode=0 (1)"},
		{"- {function: gemm, precision: *single, math_mode: 1}\n- {function: gemm, precision: *single, flags: 4}",
			"17:sgemm 16 128 128 0", "left out: for other architectures (1)"},
		{"- {function: matmul, M: [2, 3], N: 3, K: 4, bias_vector: true, a_type: f16_r, call_count: 5}",
			"16:NN:2x3x4 f16_r, bias *5, 16:NN:3x3x4 f16_r, bias *5", ""},
		{"- {function: dotc, a_type: f16_r}\n- {function: dot, a_type: f32_c}", "16:hdot 128, 17:cdotu 128", ""},
		{"- {function: dot, precision: *single}\n- {function: dott, precision: *single}\n- {N: 3}", "16:sdot 128",
			"2 parts not read:\n  x.yaml:17: rocblas has no function \"dott\", did you mean \"dot\"?\n" +
				"  x.yaml:18: the test has no function, such as function: gemm"},
		{"- name: a\n  function: dot\n  precision: *single\n- name: b\n  function: dot\n  precision: *none",
			"16:sdot 128",
			"1 part not read:\n  x.yaml:21: unknown anchor 'none' referenced; another file defines it, " +
				"which the file includes"},
	} {
		o := Options{Archs: []string{"gfx90a"}}
		if strings.Contains(test.notes, "category") {
			o.Categories = []string{"quick"}
		}
		have, c, err := listed(t, "x.yaml", common[1:]+"\n\n\n\nTests:\n"+test.tests+"\n", o)
		if err != nil {
			t.Errorf("%s: %v", test.tests, err)
			continue
		}
		if notes := strings.Join(c.Notes(), "\n"); have != test.want || notes != test.notes {
			t.Errorf("%s:\n%s\nwant %s\n%s\nwant %s", test.tests, have, test.want, notes, test.notes)
		}
	}
}

// TestSettings checks the settings of files apart from arguments.
func TestSettings(t *testing.T) {
	const test = "Tests:\n- {function: dot, N: 3, "
	for _, test := range [][3]string{
		{"x.yaml", test + "user_allocated_workspace: 64, graph_test: true, api: FORTRAN, HMM: true}\n",
			" (user_allocated_workspace=64, graph_test; also HMM, api=FORTRAN)"},
		{"x.yaml", test + "pointer_mode_host: false, atomics_mode: atomics_not_allowed}\n",
			" (pointer_mode_host=0; also atomics_mode=0)"},
		{"x.yaml", test + "pointer_mode_device: 0, use_hipblaslt: 0, api: INTERNAL_64, stochastic_rounding: true}\n",
			" (pointer_mode_device=0; also api=INTERNAL, stochastic_rounding, use_hipblaslt=0)"},
		{"x.yaml", "Tests:\n- {function: gemm, atomics_mode: 0, math_mode: 1, use_hipblaslt: 1}\n",
			" (atomics_mode=0, math_mode=1, use_hipblaslt=1)"},
		{"x.sh", "rocblas-bench -f gemm --atomics_not_allowed --workspace 64 --HMM --fortran --math_mode 1",
			" (user_allocated_workspace=64, atomics_mode=0, math_mode=1; also HMM, api=FORTRAN)"},
		{"x.sh", "rocblas-bench -f gemm --atomics_allowed --workspace 0 --api 1 --math_mode 0 --use_hipblaslt -1", ""},
		{"x.sh", "- {rocblas_function: rocblas_sgemm, atomics_mode: atomics_not_allowed}", " (atomics_mode=0)"},
		{"x.sh", "rocblas-bench -f gemm --workspace 64K", `x.sh:1: user_allocated_workspace: "64K" is not a number`},
		{"x.yaml", test + "graph_test: maybe}\n", `x.yaml:2: graph_test: "maybe" is not a number`},
		{"x.yaml", test + "call_count: 5000000000000000000}\n",
			"x.yaml:2: call_count: a test represents more than 1099511627776 calls"},
	} {
		have := ""
		_, err := Read(t.Context(), test[0], []byte(test[1]), Options{}, func(c *Call) error {
			have += c.Settings.String()
			if atomics := c.Settings.Atomics; (atomics != 0) != c.Args.Routine.IsProduct() {
				t.Errorf("%s: atomics %d", test[1], atomics)
			}
			return nil
		})
		if err != nil {
			have = err.Error()
		}
		if have != test[2] {
			t.Errorf("%s:\n%s, want %s", test[1], have, test[2])
		}
	}
}

// TestIncludes checks where included files are, and which are refused.
func TestIncludes(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("include/common.yaml", common)
	write("a/loop.yaml", "include: other.yaml\n")
	write("a/other.yaml", "include: loop.yaml\n")
	write("a/folder.yaml/x", "")
	const tests = "Tests:\n- {function: dot, precision: *double}\n"
	for _, test := range [][2]string{
		{"\ufeff---\r\ninclude: ../include/common.yaml\r\n" + strings.ReplaceAll(tests, "\n", "\r\n"), "4:ddot 128"},
		{"include: common.yaml\n" + tests, "3:ddot 128"},
		{"include: missing.yaml\n" + tests, "a/x.yaml:1: no file missing.yaml; name its folder, such as -I FOLDER"},
		{"\ninclude: rocblas_common.yaml\n",
			"a/x.yaml:2: no file rocblas_common.yaml; name its folder, such as -I rocBLAS/clients/include"},
		{"include: loop.yaml\n", "a/other.yaml:1: " + filepath.Join(dir, "a/loop.yaml") + " includes itself"},
		{"include: folder.yaml\n", "a/x.yaml:1: "},
	} {
		text, want := test[0], test[1]
		o := Options{Folders: []string{filepath.Join(dir, "include")}}
		have, _, err := listed(t, filepath.Join(dir, "a/x.yaml"), text, o)
		if err != nil {
			have = strings.TrimPrefix(err.Error(), dir+"/")
		}
		if have != want && !(strings.HasSuffix(want, ": ") && strings.HasPrefix(have, want)) {
			t.Errorf("%q: %s, want %s", text, have, want)
		}
	}
}

// TestBadDefinitions checks files that would take too long or too much memory, and others with errors.
func TestBadDefinitions(t *testing.T) {
	defer func(most int64) { mostWork = most }(mostWork)
	mostWork = 1_000_000
	aliases := "a0: &a0 [1, 2]\n"
	for i := range 60 {
		aliases += fmt.Sprintf("a%d: &a%d [*a%d, *a%d]\n", i+1, i+1, i, i)
	}
	for _, test := range [][2]string{
		{aliases + "Tests:\n- {function: gemm, M: *a60}\n", "the tests have too many cases with this one"},
		{"Tests:\n- &a {function: gemm, M: [*a]}\n", "x.yaml:2: "},
		{"Tests:\n- {function: dot, N: 1..5..0}\n", `x.yaml:2: N: the step of "1..5..0" is 0`},
		{"Tests:\n- {function: dot, precision: [x]}\n", `x.yaml:2: precision has "x"; want dictionaries such as`},
		{"Tests:\n- x\n", `x.yaml:2: "x" is not a test; want values such as function: gemm`},
		{"Tests: [\n", "x.yaml:"},
		{"Tests:\n- {function: dot, N: 1.5}\n", `x.yaml:2: N: "1.5" is not a value of n`},
		{"Tests: []\n...\n# end\n", "x.yaml has no test that makes a call"},
		{"Tests:\n- {function: gemm_bad_arg}\n", "x.yaml has no test that makes a call; left out: gemm_bad_arg (1)"},
	} {
		text, want := test[0], test[1]
		have, _, err := listed(t, "x.yaml", text, Options{})
		if err == nil || !strings.HasPrefix(strings.TrimPrefix(err.Error(), "x.yaml:63: "), want) {
			t.Errorf("%.80q: %.80s, %v, want %s", text, have, err, want)
		}
	}
	_, _, err := listed(t, "x.yaml", "Tests:\n- {function: dot}\n- {function: dott}\n", Options{Strict: true})
	if err == nil || !strings.HasPrefix(err.Error(), "x.yaml:3: rocblas has no function") {
		t.Error(err)
	}
}

// TestScripts checks variables, loops and lists of commands.
func TestScripts(t *testing.T) {
	for _, test := range [][2]string{
		{"bench=${1:-./rocblas-bench} x=7\n${bench} -f dot -n $x", "2:sdot 7"},
		{"$BENCH -f dot \\\n -n 5 | tail\n\"$BENCH\" -f dot -n 6", "1:sdot 5, 3:sdot 6"},
		{"for n in {2..6..2} 9; do\n rocblas-bench -f dot -n $n >x\ndone", "2:sdot 2, 2:sdot 4, 2:sdot 6, 2:sdot 9"},
		{"for a in 1 2; do for b in 3 4; do k=$((a*10+b)); rocblas-bench -f dot -n $k; done; done",
			"1:sdot 13, 1:sdot 14, " + "1:sdot 23, 1:sdot 24"},
		{"list=(\"rocblas-bench -f dot -n 1\"\n 'rocblas-bench -f dot -n 2')\nfor c in \"${list[@]}\"; do $c; done",
			"3:sdot 1, " + "3:sdot 2"},
		{"cmds=\"rocblas-bench -f dot -n 1\"\neval $cmds\nrun \"rocblas-bench -f dot -n 3\"", "2:sdot 1, 3:sdot 3"},
		{"if [ -f x ]; then\n echo rocblas-bench -f dot\nelse rocblas-bench -f dot -n 4 # comment\nfi", "3:sdot 4"},
		{"rocblas-bench -f dot -n 4 # it's one\nx='a\nb'; rocblas-bench -f dot -n 5", "1:sdot 4, 3:sdot 5"},
		{"- {rocblas_function: rocblas_ddot, N: 3, call_count: 7}", "1:ddot 3 *7"},
		{"python3 bench.py -b rocblas-bench -f dot\nrocblas-bench -f dot -n 1", "2:sdot 1"},
		{"hipblaslt-bench -m 2 -n 3 -k 4 --a_type f16_r", "1:NN:2x3x4 f16_r"},
		{"while [ $i -lt 9 ]; do rocblas-bench -f dot -n $i; done",
			`x.sh:1: "while [ $i -lt 9 ]; do rocblas-bench -f " needs a shell, which is not run`},
		{"while read n; do rocblas-bench -f dot -n $n; done <x",
			`x.sh:1: "while read n; do rocblas-bench -f dot -n" needs a shell`},
		{"i=2; while [ $i -lt 9 ]; do rocblas-bench -f dot -n $i; i=$((i*2)); done",
			`x.sh:1: "while [ $i -lt 9 ]; do rocblas-bench -f " needs a shell, which is not run`},
		{"i=9\nuntil [[ $i -le 7 ]]\ndo\nfor j in 1 2; do\nrocblas-bench -f dot -n $i\ndone\ndone\n" +
			"rocblas-bench -f dot -n $i", "8:sdot 9"},
		{"for ((n = 1; n <= 16; n *= 4)); do rocblas-bench -f dot -n $n; done",
			`x.sh:1: "for ((n = 1; n <= 16; n *= 4)); do rocbl" needs a shell, which is not run`},
		{"((i++)); let i+=1; rocblas-bench -f dot -n 1", "1:sdot 1"},
		{"for n in $(seq 2 3 9) `seq 1`; do rocblas-bench -f dot -n $n; done",
			"1:sdot 2, 1:sdot 5, 1:sdot 8, 1:sdot 1"},
		{"n=3; for n in $(seq $n $((4)))\ndo rocblas-bench -f dot -n $n; done",
			`x.sh:2: "$n" is not an option`},
		{"n=4\nn=$(expr $n + 1)\nrocblas-bench -f dot -n $n", `x.sh:3: "$n" is not an option`},
		{"f() {\n rocblas-bench -f dot -n ${2:-7}\n}\nfunction g\n{ rocblas-bench -f dot -n 3\n}",
			"2:sdot 7, 5:sdot 3"},
		{"f () { rocblas-bench -f dot -n $1; }\nf 3", `x.sh:1: n: "$1" is not a value of n`},
		{"cd x && rocblas-bench -f dot -n 1 2>&1 | tee rocblas-bench && (rocblas-bench -f dot -n 2)",
			"1:sdot 1, 1:sdot 2"},
		{"rocblas-bench -f dot -n 1 || rocblas-bench -f dot -n 2 | x\nrocblas-bench -f dot -n 3 2>x & [ y ] &&\n" +
			"x=$(\ny\n) rocblas-bench -f dot -n 4\nrocblas-bench -f dot -n 5",
			"1:sdot 1, 1:sdot 2, 2:sdot 3, 3:sdot 4, 6:sdot 5"},
		{"[[ -f x && -d y ]] || rocblas-bench -f dot -n 1 &\ncase $1 in\n a|b) x=1;;\nesac", ""},
		{"rocblas-bench --yaml none.yaml -v 1", "x.sh:1: no file none.yaml; name its folder, such as -I FOLDER"},
		{"rocblas-bench -f dot -n ${n}", `x.sh:1: n: "${n}" is not a value of n`},
		{"rocblas-gemm-tune -f gemm -m 5\nhipblas-bench -f dot -n 3\nhipsolver-bench -f potrf -r d -n 4",
			"1:sgemm 5 128 128 5, 2:sdot 3, 3:dpotrf 4 4"},
		{"- {function: matmul, M: 2, N: 3, K: 4, transA: T, a_type: f16_r, compute_type: c_f32_r, x: false}",
			"1:TN:2x3x4 f16_r"},
		{"- {function: matmul, M: 2, N: 3, K: 4, a_type: f16_r, call_count: 12 }", "1:NN:2x3x4 f16_r *12"},
		{"rocblas-bench -f dot -n \"5\nrocblas-bench -f dott", "x.sh:1: the quote \" is not closed\nx.sh:2: "},
	} {
		text, want := test[0], test[1]
		have, _, err := listed(t, "x.sh", text, Options{})
		if err != nil {
			have = err.Error()
		}
		if have != want && (err == nil || !strings.HasPrefix(have, want)) {
			t.Errorf("%s:\n%s, want %s", text, have, want)
		}
	}
	if _, _, err := listed(t, "x.sh", strings.Repeat("for i in {1..9999}; do\n", 9)+"x\n", Options{}); err == nil {
		t.Error("a script with many loops has no error")
	}
}

// TestTables checks the spellings of columns and of values, and rows with errors.
func TestTables(t *testing.T) {
	for _, test := range [][3]string{
		{"counts,transA,transB,M,N,K,extra\n3,N,T,4,5,6,x\n", "2:gemm_ex 4 5 6 4 *3",
			"columns that are not read: extra (1)"},
		{"\ufeffSize_K;size_m;SizeN;opA;type\r\n6;4;5;1;f64\r\n", "2:gemm_ex 4 5 6 6", ""},
		{"m\tn\tk\tbatch_count\tlda\n4\t5\t6\t7\t8\n", "2:gemm_strided_batched_ex 4 5 6 8 7", ""},
		{"m,n,k,weight\n1,2,3,0.5\n2,2,3,1\n", "2:gemm_ex 1 2 3 1 *500, 3:gemm_ex 2 2 3 2 *1000",
			"the weights, which have decimals, are multiplied by 1000"},
		{"routine,m,n,k\ndgemm,1,2,3\nm,n,k\n# none\n1,2,3\n", "2:dgemm 1 2 3 1, 5:gemm_ex 1 2 3 1", ""},
		{"m,n,k\n1;2;3\n4,5,x\n1,2,3\n", "4:gemm_ex 1 2 3 1",
			"2 parts not read:\n  x.csv:2: 1 columns separated by ','; " +
				"want 3, as in the line with the names\n" +
				"  x.csv:3: k: \"x\" is not a value of k (columns of op(a), rows of op(b))"},
		{"M,N,K,type\n1,2,3,f32\nM,K,N,type\n1,2,3,f32\n", "2:gemm_ex 1 2 3 1, 4:gemm_ex 1 3 2 1", ""},
	} {
		have, c, err := listed(t, "x.csv", test[0], Options{})
		if err != nil || have != test[1] || strings.Join(c.Notes(), "\n") != test[2] {
			t.Errorf("%q: %s, %q, %v, want %s, %q", test[0], have, c.Notes(), err, test[1], test[2])
		}
	}
}

// TestTunable checks the rows of TunableOp.
func TestTunable(t *testing.T) {
	for _, test := range [][2]string{
		{"GemmTunableOp_BFloat16_TN,tn_4_5_6,Default,1", "1:gemm_ex 4 5 6 6"},
		{"GemmTunableOp_c10::complex<float>_NT,nt_4_5_6_ld_7_8_9", "1:gemm_ex 4 5 6 7"},
		{"GemmStridedBatchedTunableOp_Half_NN,nn_4_5_6_B_3_ld_4_6_4,Gemm_Rocblas_7,1",
			"1:gemm_strided_batched_ex 4 5 6 4 3"},
		{"GemmAndBiasTunableOp_float_TN,tn_4_5_6,{ function: matmul }", "1:TN:4x5x6 f32_r, bias"},
		{"ScaledGemmTunableOp_Float8_e4m3fn_Float8_e4m3fn_BFloat16_TN,tn_4_5_6_ld_6_6_4_rw_1_bias_None,x,1",
			"1:TN:4x5x6 f8_r to bf16_r"},
		{"GemmTunableOp_float_TN,nt_4_5_6", `x:1: "nt_4_5_6" are not parameters such as tn_1024_512_64`},
		{"GemmTunableOp_int_TN,tn_4_5_6", `x:1: no type "int" of PyTorch, such as float, Half or BFloat16`},
		{"GemmTunableOp_float_float_TN,tn_4_5_6", "x:1: 2 types; want one, and three of a ScaledGemm, for A, B and C"},
	} {
		have, _, err := listed(t, "x", test[0], Options{})
		if err != nil {
			have = err.Error()
		}
		if !strings.HasPrefix(have, test[1]) {
			t.Errorf("%s: %s, want %s", test[0], have, test[1])
		}
	}
}

// TestRecognized checks files that are recognized, and not read.
func TestRecognized(t *testing.T) {
	for text, want := range map[string]string{
		"\x1f\x8bx":                      "x is compressed: write gzip -dc x | roclua import -",
		"% MAGMA 2.8.0\n":                "x is a table of MAGMA's testers, which has no types",
		"  M     N   MAGMA Gflop/s (ms)": "x is a table of MAGMA's testers, which has no types",
		"":                               "x is empty; the forms of files are files of PyTorch's TunableOp, tables of",
		"\x7fELF\x02\x00\n":              "x is not a text; the forms of files are",
		"a\xff\nb\n":                     "x is not a text; the forms of files are",
		"m,n;k\n1,2;3\n":                 `x starts with "m,n;k"; a table of shapes has columns m, n and k with one`,
		"hello\nworld\n":                 `x starts with "hello"; the forms of files are`,
		"Definitions: []\n":              "x has no test that makes a call; it has no section Tests: files that",
		"Tests:\nx: 1\n":                 "x has no test that makes a call; it has no section Tests",
	} {
		if _, _, err := listed(t, "x", text, Options{}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Error(err)
		}
	}
}

// TestExamples reads the examples of the manual.
func TestExamples(t *testing.T) {
	for _, f := range Forms {
		list, c, err := listed(t, "example", f.Example, Options{Strict: true})
		if err != nil || c.Form != f && f != &commands {
			t.Errorf("%s: %v", f.Name, err)
		}
		indented := "    " + strings.ReplaceAll(strings.TrimSpace(f.Example), "\n", "\n    ") + "\n"
		if pasted, _, err := listed(t, "example", indented, Options{Strict: true}); err != nil || pasted != list {
			t.Errorf("%s as the page has it: %s, %v, want %s", f.Name, pasted, err, list)
		}
	}
}

// FuzzRead reads any text in each form.
func FuzzRead(f *testing.F) {
	for _, form := range Forms {
		f.Add("x", form.Example)
	}
	f.Add("x.yaml", common+"Tests:\n- {function: dot, precision: *double, N: [3, 1..5..2]}\n")
	f.Add("x.yaml", "Tests:\n- &a {function: gemm, <<: *a, M: [*a]}\n")
	f.Add("x.sh", "a=(\"b $a\" 'c'); for i in {1..3} ${a[@]}; do rocblas-bench -f dot -n $((i*2)) \\\n; done")
	f.Fuzz(func(t *testing.T, name, text string) {
		calls := 0
		_, _ = Read(t.Context(), filepath.Base(name), []byte(text), Options{}, func(c *Call) error {
			if calls++; calls > 10_000 {
				return fmt.Errorf("enough")
			}
			return nil
		})
	})
}
