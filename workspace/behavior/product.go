package behavior

import (
	"fmt"
	"math"
	"strings"

	"roclua/hip/arch"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/workspace/tuning"
)

// Products are the conditions for choosing GEMM kernels, in addition to the call and the device.
type Products struct {
	Tuning *tuning.Library // nil without tuning files
	Device tuning.Device

	Executes bool   // the call is executed; a size query offers any number of bytes
	Free     uint64 // bytes of the handle, for an executed call

	Deterministic bool // no atomic operations
	XF32          bool
	Metric        tuning.Metric

	Variables *tuning.Variables // of the environment; nil if they change nothing
	Unknown   string            // why no kernel is known; "" if kernels are
}

// NeedsFiles is why the memory of a product is not known.
const NeedsFiles = "the workspace of a gemm_ex of 16-bit matrices computed in 32 bits depends on the tuning " +
	"files of the library (see roclua docs products); about one call in twenty needs any, mostly one with a large k"

// tunedProduct is gemm and gemm_ex. A size query reports the workspace of the kernel for 16-bit numbers that are added
// in 32 bits only, although kernels of all types may use one. An executed call uses free memory, and never fails.
func tunedProduct(r *request) {
	if !r.Products.Executes && !AccumulatesWide(r.Args) {
		return
	}
	if r.Products.Tuning == nil {
		if AccumulatesWide(r.Args) {
			r.RunsWithout, r.Unknown = true, NeedsFiles
		}
		return
	}
	c := Choose(r.Target, r.Args)
	r.Kernel = c.Kernel
	r.RunsWithout, r.Unknown, r.NoKernel = true, c.Unknown, c.Missing()
	r.RunsInQuery = c.None != ""
	if c.Kernel != nil {
		bytes := c.Kernel.Workspace(&c.Problem)
		if !r.Products.Executes {
			bytes = (bytes + WorkspaceStep - 1) / WorkspaceStep * WorkspaceStep
		}
		if bytes > 0 {
			r.Optimal.Add(Buffer{ID: buffer.SplitSums, Bytes: bytes})
		}
	}
}

// Choice is the kernel of a product.
type Choice struct {
	Problem tuning.Problem
	Kernel  *tuning.Kernel // nil if the call runs none of the tuning files
	None    string         // why the call runs none, although it succeeds; "" for others
	Unknown string         // why the kernel is not known; "" if it is
}

// Missing reports whether the tuning files have no kernel for the product: the call returns not_implemented.
func (c *Choice) Missing() bool { return c.Kernel == nil && c.None == "" && c.Unknown == "" }

// Choose returns the kernel that the library uses for a gemm or gemm_ex that computes. There must be tuning files. The
// kernel of gemm_ex3 is not known.
func Choose(t *Target, a *routine.Args) (c Choice) {
	if a.Routine.Family.Float8 {
		c.Unknown = convertsFactors
		return c
	}
	if c.Unknown = t.Products.Unknown; c.Unknown != "" {
		return c
	}
	if a.Int(routine.Algo) == routine.GemmAlgoSolutionIndex && a.Int(routine.SolutionIndex) > 0 {
		c.Unknown = fmt.Sprintf("the call chooses solution %d itself", a.Int(routine.SolutionIndex))
		return c
	}
	switch {
	case beyond32Bits(a):
		c.None = "kernels that are not in the tuning files compute sizes beyond 32 bits"
		return c
	case multipliesVectors(t, a):
		c.None = "gemv computes it, with kernels that are not in the tuning files"
		return c
	}
	c.Problem = problem(t, a)
	var err error
	if c.Kernel, err = t.Products.Tuning.Choose(&c.Problem, &t.Products.Device); err != nil {
		c.Unknown = err.Error()
	}
	return c
}

// AccumulatesWide reports whether a gemm_ex multiplies 16-bit numbers and adds in 32 bits.
func AccumulatesWide(a *routine.Args) bool {
	t := a.Int(routine.AType)
	return a.Int(routine.ComputeType) == routine.DatatypeF32 && (t == routine.DatatypeF16 || t == routine.DatatypeBF16)
}

// WorkspaceStep is a number of bytes: the library rounds the free bytes down to a multiple, and reports the bytes that
// a kernel needs rounded up.
const WorkspaceStep = 256

// tunedTypes are the types of the tuning files.
var tunedTypes = map[int64]tuning.Type{
	routine.DatatypeF16: tuning.Half, routine.DatatypeBF16: tuning.BFloat16, routine.DatatypeF32: tuning.Float,
	routine.DatatypeF64: tuning.Double, routine.DatatypeF32C: tuning.ComplexFloat,
	routine.DatatypeF64C: tuning.ComplexDouble, routine.DatatypeI8: tuning.Int8, routine.DatatypeI32: tuning.Int32,
}

// Options of gemm_ex, of rocblas_gemm_flags.
const (
	flagCUEfficiency = 0x2
	flagFp16Alt      = 0x4
	flagFp16AltRound = 0x10
)

// problem returns the product of a gemm or gemm_ex as the tuning files describe it.
func problem(t *Target, a *routine.Args) tuning.Problem {
	p := tuning.Problem{TransA: operation(a, routine.TransA), TransB: operation(a, routine.TransB),
		M: uint64(a.Int(routine.M)), N: uint64(a.Int(routine.N)), K: uint64(a.Int(routine.K)), Batch: uint64(a.Batch()),
		A: operand(a, routine.A, routine.LDA, routine.StrideA), B: operand(a, routine.B, routine.LDB, routine.StrideB),
		C: operand(a, routine.C, routine.LDC, routine.StrideC), Compute: tunedType(a, routine.Alpha),
		Alpha: category(a, routine.Alpha), Beta: category(a, routine.Beta),
		Strided: a.Routine.Variant != routine.Batched, InPlace: inPlace(a),
		Deterministic: t.Products.Deterministic, Metric: t.Products.Metric, Free: tuning.NoLimit}
	if p.D = p.C; a.Routine.Has(routine.D) {
		p.D = operand(a, routine.D, routine.LDD, routine.StrideD)
	}
	if a.Routine.Wide {
		p.Batch = min(p.Batch, ChunkBatch)
	}
	if p.Alpha == 0 {
		p.K = 0
	}
	flags := a.Int(routine.Flags)
	if flags&flagCUEfficiency != 0 {
		p.Metric = tuning.CUEfficiency
	}
	p.Fp16Alt, p.Fp16AltRound = flags&flagFp16Alt != 0, flags&flagFp16AltRound != 0
	p.XF32 = t.Products.XF32 && p.A.Type == tuning.Float
	if t.Products.Variables != nil {
		t.Products.Variables.Apply(&p)
	}
	if t.Products.Executes {
		p.Free = t.Products.Free / WorkspaceStep * WorkspaceStep
	}
	return p
}

// operation returns the letter of an operation, which may be of a call that is not checked.
func operation(a *routine.Args, s routine.Slot) byte {
	if i := a.Int(s) - routine.OperationNone; i >= 0 && i <= 2 {
		return "NTC"[i]
	}
	return 'N'
}

func tunedType(a *routine.Args, s routine.Slot) tuning.Type {
	p, _ := a.Routine.ParamAt(s)
	return tunedTypes[a.Datatype(p)]
}

// operand returns the layout of a matrix. The library gives a plain product strides, which do not matter.
func operand(a *routine.Args, array, ld, stride routine.Slot) tuning.Matrix {
	return tuning.Matrix{Type: tunedType(a, array), LD: uint64(a.Int(ld)), Stride: uint64(a.Int(stride))}
}

// inPlace reports whether the result replaces C. gemm has no D.
func inPlace(a *routine.Args) bool {
	return !a.Routine.Has(routine.D) || a.Ptr(routine.C) == a.Ptr(routine.D)
}

// category returns 0, 1 or -1 for a scalar with that value, and 2 for others. A scalar that the host does not know
// counts as 1.
func category(a *routine.Args, s routine.Slot) float64 {
	if a.Null(s) {
		return 1
	}
	switch x := a.Scalar(s); x {
	case 0, 1, -1:
		return real(x)
	}
	return 2
}

func beyond32Bits(a *routine.Args) bool {
	for _, s := range [...]routine.Slot{routine.M, routine.N, routine.K, routine.LDA, routine.LDB, routine.LDC,
		routine.LDD} {
		if a.Int(s) > math.MaxInt32 {
			return true
		}
	}
	return false
}

// slowVectors is a product of vectors that gemm computes faster than gemv, in the library's judgement.
type slowVectors struct {
	one     routine.Slot // N for one column, M for one row
	layouts string       // operations on A and B, T also for C; "" for all
	above   int64        // only if the leading dimension of B, or for one row of A or C, is greater; 0 for all
	on      func(arch.Gemv) bool
}

var (
	slowOnComplex = []slowVectors{
		{routine.N, "TT", 8, nil},
		{routine.M, "NN", 8, nil},
	}
	// slow has the products by the types of A and of the sum. Types without an entry have no gemv.
	slow = map[[2]tuning.Type][]slowVectors{
		{tuning.Float, tuning.Float}: {
			{routine.N, "NN", 1, nil},
			{routine.N, "NT", 0, nil},
			{routine.N, "", 8, nil},
			{routine.N, "TT", 1, func(g arch.Gemv) bool { return g.SlowIncrements }},
			{routine.M, "NT", 0, nil},
			{routine.M, "", 1, nil},
		},
		{tuning.Double, tuning.Double}: append([]slowVectors{{routine.M, "TT", 0, nil}}, slowOnComplex...),
		{tuning.Half, tuning.Float}: {
			{routine.N, "NN TN", 0, nil},
			{routine.N, "TT", 8, nil},
			{routine.M, "NN TN", 0, nil},
		},
		{tuning.BFloat16, tuning.Float}: {
			{routine.N, "NN TN", 0, nil},
			{routine.N, "NT", 0, func(g arch.Gemv) bool { return g.SlowBFloat16 }},
			{routine.N, "", 8, nil},
			{routine.M, "NN TN", 0, nil},
		},
		{tuning.ComplexFloat, tuning.ComplexFloat}:   slowOnComplex,
		{tuning.ComplexDouble, tuning.ComplexDouble}: slowOnComplex,
	}
)

// multipliesVectors reports whether a gemm_ex with one row or one column is a gemv (rocblas_use_gemv_in_gemm).
func multipliesVectors(t *Target, a *routine.Args) bool {
	m, n := a.Int(routine.M) == 1, a.Int(routine.N) == 1
	opA, opB := operation(a, routine.TransA), operation(a, routine.TransB)
	list, has := slow[[2]tuning.Type{tunedType(a, routine.A), tunedType(a, routine.Alpha)}]
	switch {
	case !a.Routine.Has(routine.D), t.Release.VectorsByGemm, !t.Arch.Gemv.InGemm, !has,
		!m && !n, a.Int(routine.K) == 0, !inPlace(a), a.Int(routine.LDC) != a.Int(routine.LDD),
		a.Int(routine.StrideC) != a.Int(routine.StrideD), opB == 'C', m && opA == 'C':
		return false
	}
	layout := strings.ReplaceAll(string([]byte{opA, opB}), "C", "T")
	for _, s := range list {
		increment := a.Int(routine.LDB)
		if s.one == routine.M {
			increment = max(a.Int(routine.LDA), a.Int(routine.LDC))
		}
		if a.Int(s.one) == 1 && (s.layouts == "" || strings.Contains(s.layouts, layout)) && increment > s.above &&
			(s.on == nil || s.on(t.Arch.Gemv)) {
			return false
		}
	}
	return true
}
