package hipsolver

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/workspace/behavior"
)

// rule describes the calls of a function to rocSOLVER, and its result.
type rule struct {
	// calls makes the calls in a size query. The first one decides the status.
	calls func(o *routine.Args) []*routine.Args
	// second reports whether a call makes the second one, not the first one. nil means that there is one.
	second func(o *routine.Args) bool
	adds   func(o *routine.Args) []behavior.Buffer
	// added are the arguments of rocSOLVER's routine that are the buffers of adds.
	added []routine.Slot
	// takes reports whether a call takes the buffers of adds from its memory; nil if it always does.
	takes   func(o *routine.Args) bool
	inBytes bool // in every release
	anySize bool // the result is a size_t, not an int
	// unmanaged functions with 64-bit sizes only call rocSOLVER: they neither set the memory of the handle nor info.
	unmanaged bool
	// integers is how many integers a call without a buffer adds to the memory whose size it sets.
	integers func(o *routine.Args) int64
}

// rules has the functions by their names for real matrices, without "Dn" and the letters of types.
var rules = map[string]rule{
	"gebrd": {calls: calls(routine.Gebrd), inBytes: true},
	"gels": {calls: calls(routine.GelsOutOfPlace, routine.Gels), second: inPlace, inBytes: true,
		anySize: true},
	"geqrf": {calls: calls(routine.Geqrf), inBytes: true},
	"gesv": {calls: calls(routine.GesvOutOfPlace, routine.Gesv), second: inPlace, inBytes: true,
		anySize: true},
	"gesvd":         {calls: gesvd, adds: realDiagonal(smallerSide), added: otherDiagonal, takes: severalValues},
	"gesvdj":        {calls: callsWith(jobsOfEcon, routine.Plain, routine.GesvdjNotTransposed)},
	"gesvdjBatched": {calls: callsWith(jobsOfEcon, routine.StridedBatched, routine.GesvdjNotTransposed)},
	"gesvdaStridedBatched": {calls: callsWith(leadingValues, routine.StridedBatched, routine.GesvdxNotTransposed),
		adds: countAndFailures, added: []routine.Slot{routine.Nsv, routine.Ifail}},
	"getrf":        {calls: calls(routine.Getrf, routine.GetrfNpvt), second: withoutExchanges, inBytes: true},
	"getrs":        {calls: calls(routine.Getrs), inBytes: true},
	"orgbr":        {calls: callsWith(storageOfSide, routine.Plain, routine.Orgbr)},
	"orgqr":        {calls: calls(routine.Orgqr)},
	"orgtr":        {calls: calls(routine.Orgtr)},
	"ormqr":        {calls: calls(routine.Ormqr)},
	"ormtr":        {calls: calls(routine.Ormtr)},
	"potrf":        {calls: calls(routine.Potrf), inBytes: true},
	"potrfBatched": {calls: callsWith(nil, routine.Batched, routine.Potrf), inBytes: true},
	"potri":        {calls: calls(routine.Potri), inBytes: true},
	"potrs":        {calls: calls(routine.Potrs), inBytes: true, unmanaged: true},
	"potrsBatched": {calls: callsWith(nil, routine.Batched, routine.Potrs), inBytes: true},
	"syevd":        {calls: calls(routine.Syevd), adds: realDiagonal(order), added: otherDiagonal},
	"syevdx":       {calls: calls(routine.SyevdxInPlace)},
	"syevj":        {calls: calls(routine.Syevj)},
	"syevjBatched": {calls: callsWith(nil, routine.StridedBatched, routine.Syevj)},
	"sygvd":        {calls: calls(routine.Sygvd), adds: realDiagonal(order), added: otherDiagonal},
	"sygvdx":       {calls: calls(routine.SygvdxInPlace)},
	"sygvj":        {calls: calls(routine.Sygvj), integers: order},
	"sytrd":        {calls: calls(routine.Sytrd)},
	"sytrf":        {calls: calls(routine.Sytrf)},
}

// calls makes the routine calls with the arguments of the function.
func calls(families ...routine.FamilyID) func(*routine.Args) []*routine.Args {
	return callsWith(nil, routine.Plain, families...)
}

// callsWith makes calls of a variant, and also sets arguments that the function does not have.
func callsWith(set func(o, inner *routine.Args), v routine.Variant, families ...routine.FamilyID,
) func(*routine.Args) []*routine.Args {
	return func(o *routine.Args) (list []*routine.Args) {
		for _, f := range families {
			list = append(list, call(o, f, v, set))
		}
		return list
	}
}

// gesvd requests the jobs in the arguments, or for all pairs of jobs that may be together if there are none, which is
// so in the form with the signature of cuSOLVER.
func gesvd(o *routine.Args) (list []*routine.Args) {
	if o.Routine.Has(routine.LeftSvect) {
		return []*routine.Args{call(o, routine.Gesvd, routine.Plain, nil)}
	}
	jobs := routine.Legal(routine.SingularVectorJob)
	for _, left := range jobs {
		for _, right := range jobs {
			if left == routine.SvectOverwrite && right == left {
				continue
			}
			list = append(list, call(o, routine.Gesvd, routine.Plain, func(_, inner *routine.Args) {
				inner.SetInt(routine.LeftSvect, left)
				inner.SetInt(routine.RightSvect, right)
			}))
		}
	}
	return list
}

// inPlace reports whether the solution replaces B.
func inPlace(o *routine.Args) bool { return o.Ptr(routine.B) == o.Ptr(routine.MatX) }

func withoutExchanges(o *routine.Args) bool { return o.Null(routine.Ipiv) }

// jobsOfEcon makes the jobs of both sides from jobz and econ.
func jobsOfEcon(o, inner *routine.Args) {
	job := int64(routine.SvectNone)
	switch {
	case o.Int(routine.Evect) == routine.EigModeNoVector:
	case o.Int(routine.Econ) != 0:
		job = routine.SvectSingular
	default:
		job = routine.SvectAll
	}
	inner.SetInt(routine.LeftSvect, job)
	inner.SetInt(routine.RightSvect, job)
}

// leadingValues requests the largest singular values. U and V are stored whole, not their adjoints.
func leadingValues(o, inner *routine.Args) {
	jobsOfEcon(o, inner)
	if o.Int(routine.Evect) != routine.EigModeNoVector {
		inner.SetInt(routine.LeftSvect, routine.SvectSingular)
		inner.SetInt(routine.RightSvect, routine.SvectSingular)
	}
	inner.SetInt(routine.Srange, routine.SrangeIndex)
	inner.SetInt(routine.LowerIndex, 1)
}

// storageOfSide makes storev of orgbr from the side.
func storageOfSide(o, inner *routine.Args) {
	storev := int64(routine.StorevColumns)
	if o.Int(routine.Side) == routine.SideRight {
		storev = routine.StorevRows
	}
	inner.SetInt(routine.Storev, storev)
}

var otherDiagonal = []routine.Slot{routine.VecE}

// realDiagonal adds the array E, which hipSOLVER's calls do not have.
func realDiagonal(length func(*routine.Args) int64) func(*routine.Args) []behavior.Buffer {
	return func(o *routine.Args) []behavior.Buffer {
		bytes := uint64(max(0, length(o)) * o.Routine.Type.RealSize())
		return []behavior.Buffer{{ID: buffer.OtherDiagonal, Bytes: bytes}}
	}
}

func order(o *routine.Args) int64       { return o.Int(routine.N) }
func smallerSide(o *routine.Args) int64 { return min(o.Int(routine.M), o.Int(routine.N)) }

// severalValues reports whether there is an off-diagonal of the bidiagonal matrix.
func severalValues(o *routine.Args) bool { return smallerSide(o) > 1 }

// countAndFailures adds results of gesvdx that hipSOLVER's calls do not have.
func countAndFailures(o *routine.Args) []behavior.Buffer {
	batch := max(0, o.Int(routine.BatchCount))
	return []behavior.Buffer{{ID: buffer.SingularValueCount, Bytes: uint64(integerBytes * batch)},
		{ID: buffer.UnconvergedVectors, Bytes: uint64(integerBytes * max(0, smallerSide(o)) * batch)}}
}
