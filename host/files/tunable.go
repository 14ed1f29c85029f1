package files

import (
	"bytes"
	"cmp"
	"fmt"
	"strings"

	"roclua/host/applog/lines"
)

var tunable = Form{
	Name: "files of PyTorch's TunableOp",
	About: "Results, and the list of products to tune. The operation has the types, and the parameters the sizes: " +
		"nt_M_N_K, for batches _B_COUNT, and _ld_LDA_LDB_LDC. Products with a bias and scaled ones are of hipBLASLt: " +
		"gemm --lt. The releases of the lines Validator are shown.",
	Example: `Validator,ROCBLAS_VERSION,5.2.0
Validator,GCN_ARCH_NAME,gfx90a:sramecc+:xnack-
GemmTunableOp_float_NT,nt_25088_4096_64_ld_25088_4096_25088,Gemm_Rocblas_2141,1.22
GemmStridedBatchedTunableOp_BFloat16_TN,tn_64_64_128_B_12,Default,0.01
`,
	Rows: true,
	none: "row of gemm",
	is: func(_ string, text []byte) bool {
		return tunablePattern().Match(text) || bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte("Validator,"))
	},
	read: (*reader).tunable,
}

var (
	tunablePattern = lazy(`(?m)^[ \t]*(Gemm|GemmAndBias|GemmStridedBatched|ScaledGemm)TunableOp_`)
	operationName  = lazy(`^(\w+)TunableOp_(.+)_([NTC])([NTC])$`)
	parameters     = lazy(`^([ntc])([ntc])_(\d+)_(\d+)_(\d+)(?:_B_(\d+))?(?:_ld_(\d+)_(\d+)_(\d+))?` +
		`(?:_rw_(\d+))?(?:_bias_(\w+))?(?:_.*)?$`)
)

// torchTypes are the datatypes of rocBLAS and hipBLASLt for PyTorch's.
var torchTypes = map[string]string{"float": "f32_r", "double": "f64_r", "Half": "f16_r", "BFloat16": "bf16_r",
	"c10::complex<float>": "f32_c", "c10::complex<double>": "f64_c", "tf32": "f32_r", "Float8_e4m3fn": "f8_r",
	"Float8_e5m2": "bf8_r", "Float8_e4m3fnuz": "f8_fnuz_r", "Float8_e5m2fnuz": "bf8_fnuz_r"}

// tunable reads a file of TunableOp.
func (r *reader) tunable() error {
	p := lines.NewParser()
	return r.fields(',', func(line int, row []string) (wrong, err error) {
		if row[0] == "Validator" {
			if len(row) > 2 {
				r.content.Remarks = append(r.content.Remarks, "tuned with "+row[1]+" "+row[2])
				r.content.Validators[row[1]] = row[2]
			}
			return nil, nil
		}
		s, wrong := r.tuned(row)
		if wrong == nil {
			wrong = r.product(p, s, line)
		}
		return wrong, nil
	})
}

// tuned reads a row: an operation, its parameters, and in results a kernel and its time.
func (r *reader) tuned(row []string) (*shape, error) {
	if len(row) < 2 {
		return nil, fmt.Errorf("%q has no parameters; want OPERATION,PARAMETERS, and in results KERNEL,TIME", row[0])
	}
	of, sizes := operationName().FindStringSubmatch(row[0]), parameters().FindStringSubmatch(row[1])
	switch {
	case of == nil:
		return nil, fmt.Errorf("%q is not an operation such as GemmTunableOp_float_NT", row[0])
	case sizes == nil || !strings.EqualFold(sizes[1]+sizes[2], of[3]+of[4]):
		return nil, fmt.Errorf("%q are not parameters such as %s_1024_512_64", row[1], strings.ToLower(of[3]+of[4]))
	}
	s := &shape{name: "gemm_ex", times: 1, label: row[0] + " " + row[1]}
	if len(row) > 2 && !strings.Contains(row[2], "{") { // otherwise the parameters of hipblaslt-bench
		s.recorded = row[2]
	}
	s.lt = of[1] == "GemmAndBias" || of[1] == "ScaledGemm" || strings.HasPrefix(s.recorded, "Gemm_Hipblaslt")
	for _, o := range [][2]string{{"transA", of[3]}, {"transB", of[4]}, {"m", sizes[3]}, {"n", sizes[4]},
		{"k", sizes[5]}, {"batch_count", sizes[6]}, {"lda", sizes[7]}, {"ldb", sizes[8]}, {"ldc", sizes[9]}} {
		if o[1] != "" {
			s.set(o[0], o[1])
		}
	}
	if err := s.torchTypes(of[1], of[2]); err != nil {
		return nil, err
	}
	switch {
	case of[1] == "ScaledGemm":
		kind := "1"
		if sizes[10] == "1" {
			kind = "2" // a factor for each row
		}
		s.set("scaleA", kind)
		s.set("scaleB", kind)
		if bias := torchTypes[sizes[11]]; bias != "" {
			s.set("epilogue", "bias")
			s.set("bias_type", bias)
		}
	case of[1] == "GemmAndBias":
		s.set("epilogue", "bias")
	}
	return s, nil
}

// torchTypes sets the types of an operation: one, or three of a scaled product, for A, B and C. PyTorch adds numbers
// of 16 bits in 32 bits.
func (s *shape) torchTypes(operation, text string) error {
	var types []string
	for text != "" {
		name := ""
		for known := range torchTypes {
			if (text == known || strings.HasPrefix(text, known+"_")) && len(known) > len(name) {
				name = known
			}
		}
		if name == "" {
			return fmt.Errorf("no type %q of PyTorch, such as float, Half or BFloat16", text)
		}
		types = append(types, torchTypes[name])
		text = strings.TrimPrefix(strings.TrimPrefix(text, name), "_")
	}
	if len(types) == 0 || len(types) != 1 && operation != "ScaledGemm" || len(types) == 2 {
		return fmt.Errorf("%d types; want one, and three of a ScaledGemm, for A, B and C", len(types))
	}
	a, b, c := types[0], types[len(types)/2], types[len(types)-1]
	s.set("a_type", a)
	s.set("b_type", b)
	s.set("c_type", c)
	s.set("d_type", c)
	s.set("compute_type", cmp.Or(map[string]string{"f64_r": "f64_r", "f32_c": "f32_c", "f64_c": "f64_c"}[a], "f32_r"))
	return nil
}
