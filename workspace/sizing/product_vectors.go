package sizing

import (
	"strings"

	"roclua/hip/arch"
	"roclua/hip/routine"
	"roclua/workspace/tuning"
)

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
	case a.Routine.Family.ID != routine.GemmEx, t.Release.VectorsByGemm, !t.Arch.Gemv.InGemm, !has,
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
