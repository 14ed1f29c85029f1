// Package kernel computes the routines of the table on the memory of the simulated device. A kernel receives its work
// buffers and knows nothing of handles; what it may touch is what its arguments name, and package cpu hands out no other
// memory. Where the library's kernels work in the lent workspace these do too.
package kernel

import (
	"fmt"

	"roclua/hip/cpu/blas"
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
)

// Memory gives out device memory: exactly n bytes from an address, or an error.
type Memory interface {
	Bytes(p uint64, n int64) ([]byte, error)
	// GivenUp reports whether nobody waits for the results any more. A kernel that takes long looks now and then.
	GivenUp() bool
}

// Run computes one call. Large products and solves go to o; a nil one leaves them to Go.
func Run(l *driver.Launch, mem Memory, o *blas.OpenBLAS) error {
	switch computedIn(l.Args) {
	case routine.DatatypeF32, routine.DatatypeF16, routine.DatatypeBF16:
		return runAs[float32](l, mem, o)
	case routine.DatatypeF64, routine.DatatypeI32:
		return runAs[float64](l, mem, o)
	case routine.DatatypeF32C:
		return runAs[complex64](l, mem, o)
	case routine.DatatypeF64C:
		return runAs[complex128](l, mem, o)
	}
	return driver.Faultf(driver.ErrorNotSupported, "%s has no kernel for datatype %d", l.Args.Routine.CName(), computedIn(l.Args))
}

// computedIn returns the datatype that a call computes in.
func computedIn(a *routine.Args) int64 {
	if a.Routine.Type != routine.Mixed {
		return a.Routine.Type.Datatype()
	}
	if _, ok := a.Routine.ParamAt(routine.ExecutionType); ok {
		return a.Int(routine.ExecutionType)
	}
	return a.Int(routine.ComputeType)
}

// body computes one problem of a call.
type body[T blas.Number] func(p *problem[T])

// runAs computes every problem of a batch in turn.
func runAs[T blas.Number](l *driver.Launch, mem Memory, o *blas.OpenBLAS) error {
	compute, ok := bodies[T]()[l.Args.Routine.Family.Name]
	if !ok {
		return driver.Faultf(driver.ErrorNotSupported, "%s has no kernel", l.Args.Routine.CName())
	}
	p := &problem[T]{launch: l, args: l.Args, mem: mem, blas: o}
	p.readScalars()
	for p.index = 0; p.index < l.Args.Batch() && p.err == nil && !mem.GivenUp(); p.index++ {
		compute(p)
	}
	return p.err
}

// bodies are the kernels by family. Families that differ in a flag alone share one.
func bodies[T blas.Number]() map[string]body[T] {
	return map[string]body[T]{
		"asum": asum[T], "nrm2": nrm2[T], "dot": dot[T], "dotu": dot[T], "dotc": dot[T], "iamax": extremum[T], "iamin": extremum[T],
		"gemv": gemv[T], "trmv": trmv[T], "tpmv": trmv[T], "tbmv": trmv[T], "trsv": trsv[T], "symv": symv[T], "hemv": symv[T],
		"gemm": gemm[T], "symm": symm[T], "hemm": symm[T], "syrk": rankK[T], "herk": rankK[T], "syrkx": rankK[T], "herkx": rankK[T],
		"syr2k": rank2K[T], "her2k": rank2K[T], "trmm": trmm[T], "trsm": trsm[T], "trtri": trtri[T],
		"getrf": getrf[T], "getrf_npvt": getrf[T], "getf2": getrf[T], "getrs": getrs[T], "getri": getri[T], "gesv": gesv[T],
		"dot_ex": dotEx[T], "dotc_ex": dotEx[T], "nrm2_ex": nrm2Ex[T], "trsm_ex": trsm[T], "gemm_ex": gemmEx[T],
		"potrf": potrf[T], "potrs": potrs[T], "posv": posv[T], "geqrf": geqrf[T],
	}
}

// problem is one problem of a call. Its readers keep the first error; after one they return empty slices, so a body
// checks ok before it computes.
type problem[T blas.Number] struct {
	launch      *driver.Launch
	args        *routine.Args
	mem         Memory
	blas        *blas.OpenBLAS
	index       int64
	alpha, beta T
	err         error
}

func (p *problem[T]) ok() bool { return p.err == nil }

func (p *problem[T]) int(s routine.Slot) int { return int(p.args.Int(s)) }

// readScalars reads alpha and beta from where the pointer mode says they are.
func (p *problem[T]) readScalars() {
	p.alpha, p.beta = p.scalar(routine.Alpha), p.scalar(routine.Beta)
}

func (p *problem[T]) scalar(s routine.Slot) T {
	param, ok := p.args.Routine.ParamAt(s)
	if !ok {
		return 0
	}
	if !p.launch.OnDevice {
		return blas.FromComplex[T](p.args.Scalar(s))
	}
	if p.args.Null(s) {
		return 0
	}
	if raw := slice[byte](p, p.args.Ptr(s), p.args.ElementBytes(param)); p.ok() {
		return blas.FromComplex[T](number.Load(p.args.Datatype(param), raw))
	}
	return 0
}

// work returns buffer i of the lent memory as elements of a type, empty when it was not lent.
func work[E any, T blas.Number](p *problem[T], i int) []E {
	if i >= len(p.launch.Work) || p.launch.Work[i].Bytes == 0 {
		return nil
	}
	span := p.launch.Work[i]
	return slice[E](p, uint64(span.Ptr), int64(span.Bytes)/sizeOf[E]())
}

// workFor returns this problem's share of a buffer that was lent for the whole batch.
func workFor[E any, T blas.Number](p *problem[T], i int, elements int) []E {
	all := work[E](p, i)
	from := int(p.index) * elements
	if from+elements > len(all) {
		return nil
	}
	return all[from : from+elements : from+elements]
}

func (p *problem[T]) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

// op, uplo, side and diag translate the arguments.
func (p *problem[T]) op(s routine.Slot) blas.Op {
	switch p.args.Int(s) {
	case routine.OperationTranspose:
		return blas.Trans
	case routine.OperationConjugateTranspose:
		return blas.ConjTrans
	}
	return blas.None
}

func (p *problem[T]) uplo() blas.Uplo {
	if p.args.Int(routine.Uplo) == routine.FillUpper {
		return blas.Upper
	}
	return blas.Lower
}

func (p *problem[T]) side() blas.Side {
	if p.args.Int(routine.Side) == routine.SideLeft {
		return blas.Left
	}
	return blas.Right
}

func (p *problem[T]) diag() blas.Diag {
	if p.args.Int(routine.Diag) == routine.DiagonalUnit {
		return blas.Unit
	}
	return blas.NonUnit
}

func (p *problem[T]) family() string { return p.args.Routine.Family.Name }
