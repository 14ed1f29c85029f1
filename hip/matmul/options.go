package matmul

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roclua/internal/nearest"
)

// Option is an option of hipblaslt-bench. An option without a value has the value "1".
type Option struct{ Name, Value string }

// option is an option by its names. Options that are not read do not change the choice of a kernel; a refused one
// changes it in a way that a Product cannot say.
type option struct {
	names   string
	flag    bool // without a value
	unread  bool
	refused string
}

var options = []option{
	{names: "m sizem"}, {names: "n sizen"}, {names: "k sizek"}, {names: "batch_count"},
	{names: "transA transposeA"}, {names: "transB transposeB"},
	{names: "lda"}, {names: "ldb"}, {names: "ldc"}, {names: "ldd"}, {names: "lde", unread: true},
	{names: "stride_a"}, {names: "stride_b"}, {names: "stride_c"}, {names: "stride_d"},
	{names: "stride_e", unread: true},
	{names: "r precision"}, {names: "a_type"}, {names: "b_type"}, {names: "c_type"}, {names: "d_type"},
	{names: "compute_type"}, {names: "scale_type"}, {names: "bias_type"}, {names: "aux_type"},
	{names: "activation_type"}, {names: "bias_vector", flag: true}, {names: "bias_source"},
	{names: "use_e", flag: true}, {names: "gradient", flag: true}, {names: "epilogue"},
	{names: "scaleA"}, {names: "scaleB"}, {names: "scaleC"}, {names: "scaleD"},
	{names: "scaleAlpha_vector", flag: true}, {names: "amaxD", flag: true},

	{names: "alpha beta initialization iters i cold_iters j algo_method solution_index requested_solution " +
		"activation_arg1 activation_arg2 device workspace api_method rotating skip_slow_solution_ratio " +
		"function_filter function f", unread: true},
	{names: "any_stride HMM verify v c_equal_d log_function_name print_kernel_info use_gpu_timer flush " +
		"dump_matrix",
		flag: true, unread: true},

	{names: "grouped_gemm use_user_args", refused: "several products in one call"},
	{names: "swizzleA swizzleB", flag: true, refused: "matrices in another order"},
	{names: "splitk wgm", refused: "a kernel that is tuned by hand"},
	{names: "compute_input_typeA compute_input_typeB", refused: "factors of another type"},
	{names: "amaxScaleA amaxScaleB", flag: true, refused: "factors from the matrices"},
	{names: "scaleABlockRowSize scaleABlockColSize scaleBBlockRowSize scaleBBlockColSize",
		refused: "factors of blocks"},
}

// lookup returns an option, and the first of its names; nil if there is none.
func lookup(name string) (*option, string) {
	for i := range options {
		if list := strings.Fields(options[i].names); slices.Contains(list, name) {
			return &options[i], list[0]
		}
	}
	return nil, ""
}

func optionNames() []string {
	var list []string
	for _, o := range options {
		if !o.unread && o.refused == "" {
			list = append(list, strings.Fields(o.names)...)
		}
	}
	return list
}

// New returns the product of options, as hipblaslt-bench names them. Missing leading dimensions and strides are the
// smallest; m, n and k are required.
func New(list []Option) (Product, error) {
	r := reader{values: map[string]string{}}
	for _, o := range list {
		known, name := lookup(o.Name)
		switch {
		case known == nil:
			return Product{}, fmt.Errorf("no option %q%s", o.Name, nearest.DidYouMean(o.Name, optionNames()))
		case known.refused != "" && o.Value != "0":
			return Product{}, fmt.Errorf("%s is not supported: %s", o.Name, known.refused)
		case !known.unread && known.refused == "":
			r.values[name] = o.Value
		}
	}
	p := Product{M: r.size("m", -1), N: r.size("n", -1), K: r.size("k", -1), Batch: r.size("batch_count", 1),
		TransA: r.operation("transA"), TransB: r.operation("transB")}
	r.types(&p)
	r.layouts(&p)
	r.epilogue(&p)
	p.ScaleA, p.ScaleB = r.scale("scaleA"), r.scale("scaleB")
	p.ScaleC, p.ScaleD = r.scale("scaleC") != NoScale, r.scale("scaleD") != NoScale
	p.ScaleAlpha, p.MaxD = r.flag("scaleAlpha_vector"), r.flag("amaxD")
	return p, r.err
}

// reader converts values of options, and keeps the first error.
type reader struct {
	values map[string]string
	err    error
}

func (r *reader) fail(name, want string) {
	if r.err == nil {
		r.err = fmt.Errorf("%s=%s: want %s", name, r.values[name], want)
	}
}

// size reads a number. otherwise is the default; -1 means that the option is required.
func (r *reader) size(name string, otherwise int64) int64 {
	text := r.values[name]
	if text == "" && otherwise >= 0 {
		return otherwise
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		r.fail(name, "a number")
	}
	return n
}

func (r *reader) flag(name string) bool { return r.values[name] != "" && r.values[name] != "0" }

func (r *reader) operation(name string) byte {
	switch text := strings.ToUpper(cmp.Or(r.values[name], "N")); text {
	case "N", "NONE":
		return 'N'
	case "T", "TRANSPOSE":
		return 'T'
	case "C", "CONJUGATE_TRANSPOSE":
		return 'C'
	}
	r.fail(name, "N, T or C")
	return 'N'
}

func (r *reader) scale(name string) Scale {
	switch cmp.Or(r.values[name], "0") {
	case "0":
		return NoScale
	case "1":
		return Scalar
	case "2":
		return Vector
	}
	r.fail(name, "0 for no factors, 1 for a scalar or 2 for a vector")
	return NoScale
}

// one reads a name of an enumeration.
func (r *reader) one(list []value, name, otherwise string) string {
	text := cmp.Or(r.values[name], otherwise)
	if _, ok := find(list, text); !ok && text != "" {
		r.fail(name, "one of "+strings.Join(names(list), ", "))
	}
	return text
}

// sums has the type of the sum over k, by the type of A. It is f32_r for others.
var sums = map[string]string{"f64_r": "f64_r", "i8_r": "i32_r"}

func (r *reader) types(p *Product) {
	first := r.one(types, "a_type", r.one(types, "r", "f16_r"))
	p.Types = [4]string{first, r.one(types, "b_type", first), r.one(types, "c_type", first), ""}
	p.Types[D] = r.one(types, "d_type", p.Types[C])
	for name, long := range map[string]string{"s": "f32_r", "x": "xf32_r"} {
		if r.values["compute_type"] == name {
			r.values["compute_type"] = long
		}
	}
	p.Compute = r.one(computes, "compute_type", cmp.Or(sums[first], "f32_r"))
	scale := "f32_r"
	if _, ok := find(types, p.Compute); ok {
		scale = p.Compute
	}
	p.Scale = r.one(types, "scale_type", scale)
}

func (r *reader) layouts(p *Product) {
	for i, letter := range []string{"a", "b", "c", "d"} {
		rows, columns := p.Size(i)
		p.Lead[i] = r.size("ld"+letter, max(rows, 1))
		if p.Lead[i] < rows {
			r.fail("ld"+letter, fmt.Sprintf("at least %d, the rows of the matrix", rows))
		}
		if stride := r.size("stride_"+letter, p.Lead[i]*columns); p.Batch > 1 {
			p.Stride[i] = stride
		}
	}
}

// epilogue reads the epilogue, by its name or by the options that select it.
func (r *reader) epilogue(p *Product) {
	p.Epilogue = r.one(epilogues, "epilogue", r.composed())
	if p.HasBias() {
		p.Bias = r.typeOr("bias_type")
	}
	if p.HasAux() {
		p.Aux = r.typeOr("aux_type")
	}
}

// typeOr reads a type that can be the default.
func (r *reader) typeOr(name string) string {
	if r.values[name] == "default" {
		return ""
	}
	return r.one(types, name, "")
}

// composed returns the epilogue of the options for its parts.
func (r *reader) composed() string {
	var parts []string
	if text := cmp.Or(r.values["activation_type"], "none"); text != "none" {
		parts = append(parts, text)
	}
	source := cmp.Or(r.values["bias_source"], "d")
	switch bias := r.flag("bias_vector"); {
	case r.flag("gradient") && bias && source != "d":
		return "bgrad" + source
	case r.flag("gradient") && bias:
		return "d" + strings.Join(parts, "") + "_bgrad"
	case r.flag("gradient"):
		return "d" + strings.Join(parts, "")
	default:
		if r.flag("use_e") {
			parts = append(parts, "aux")
		}
		if bias {
			parts = append(parts, "bias")
		}
	}
	text := cmp.Or(strings.Join(parts, "_"), "none")
	if _, ok := find(epilogues, text); !ok && r.err == nil {
		r.err = fmt.Errorf("no epilogue %s; there are %s", text, strings.Join(Epilogues(), ", "))
	}
	return text
}
