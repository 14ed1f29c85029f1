// Package kernel computes the routines of the table on the memory of the simulated device.
//
// A kernel receives its arguments and its workspace, and does not depend on handles. It may use the memory that its
// arguments name and its workspace; package cpu gives it no other memory. Where the library's kernels work in the
// workspace, these do too.
//
// Each family has at most one kernel, in a table indexed by its ID; one kernel may serve several families, whose
// attributes it reads from the table of routines. A family without a kernel is not computed on the simulated device.
package kernel

import (
	"cmp"
	"fmt"
	"time"

	"roclua/hip/cpu/blas"
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Memory is the device memory that a kernel may use.
type Memory interface {
	// Bytes returns exactly n bytes from an address, or an error.
	Bytes(p uint64, n int64) ([]byte, error)
	// GivenUp reports whether no host waits for the results any more. A kernel that runs long calls it now and then.
	GivenUp() bool
}

// Run computes one call. OpenBLAS computes large products and solves; if o is nil, Go does.
func Run(l *driver.Launch, mem Memory, o *blas.OpenBLAS) error {
	switch computedIn(l.Args) {
	case routine.DatatypeF32, routine.DatatypeF16, routine.DatatypeBF16:
		return runAs(float32Kernels(), l, mem, o)
	case routine.DatatypeF64, routine.DatatypeI32:
		return runAs(float64Kernels(), l, mem, o)
	case routine.DatatypeF32C:
		return runAs(complex64Kernels(), l, mem, o)
	case routine.DatatypeF64C:
		return runAs(complex128Kernels(), l, mem, o)
	}
	return driver.Faultf(driver.ErrorNotSupported, "%s has no kernel for datatype %d",
		l.Args.Routine.CName(), computedIn(l.Args))
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

// runAs computes the problems of a batch.
func runAs[T blas.Number](kernels *table[T], l *driver.Launch, mem Memory, o *blas.OpenBLAS) error {
	compute := kernels.bodies[l.Args.Routine.Family.ID]
	if l.Args.Empty() {
		compute = (*problem[T]).clearInfo
	}
	if compute == nil {
		return driver.Faultf(driver.ErrorNotSupported, "%s has no kernel", l.Args.Routine.CName())
	}
	p := kernels.problem()
	defer kernels.idle.Put(p)
	p.launch, p.args, p.mem, p.blas = l, l.Args, mem, o
	p.readScalars()
	return p.batch(compute)
}

// Times of a problem for which the problems of a batch are computed at the same time: longer than starting goroutines
// takes, and not as long as problems for which several threads compute each.
const (
	shortestShared = 20 * time.Microsecond
	longestShared  = 20 * time.Millisecond
)

// batch computes the problems of a batch, of which p becomes the first. Its time decides whether the others are
// computed one after the other. It returns the error of the first problem that has one.
func (p *problem[T]) batch(compute body[T]) error {
	count := p.args.Batch()
	if count == 0 || p.err != nil || p.mem.GivenUp() {
		return p.err
	}
	if count == 1 {
		compute(p)
		return p.err
	}
	rest := *p
	start := time.Now()
	compute(p)
	each := time.Since(start)
	if p.err != nil {
		return p.err
	}
	if each > longestShared || each*time.Duration(count-1) < shortestShared || blas.Threads() == 1 {
		for rest.index = 1; rest.index < count && rest.err == nil && !p.mem.GivenUp(); rest.index++ {
			compute(&rest)
		}
		return rest.err
	}
	return rest.share(compute, count-1)
}

// share computes the problems 1 to count on all threads. It computes several at a time, so that a short problem does
// not wait for a thread.
func (p *problem[T]) share(compute body[T], count int64) error {
	threads := blas.Threads()
	part := max(1, count/int64(8*threads))
	parts := (count + part - 1) / part
	errs := make([]error, parts)
	blas.OneThread(func() {
		blas.Parallel(threads, int(parts), func(i int) {
			q := *p
			from := 1 + int64(i)*part
			for q.index = from; q.index < min(from+part, count+1) && q.err == nil && !p.mem.GivenUp(); q.index++ {
				compute(&q)
			}
			errs[i] = q.err
		})
	})
	return cmp.Or(errs...)
}

// problem is one problem of a call. Its methods that read memory keep the first error; after an error they return empty
// slices, so a kernel checks ok before it computes.
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

// readScalars reads alpha and beta from the host or the device, as the pointer mode says.
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

// work returns the memory of a buffer as elements of a type; it is empty if the call does not have the buffer. It
// panics if the family does not declare the buffer.
func work[E any, T blas.Number](p *problem[T], id buffer.ID) []E {
	if f := p.args.Routine.Family; !f.Uses(id) {
		panic(fmt.Sprintf("hip/cpu/kernel: %s does not declare the buffer %q, which its kernel uses", f.Name, id))
	}
	span := p.launch.Buffer(id)
	if span.Bytes == 0 {
		return nil
	}
	return slice[E](p, uint64(span.Ptr), int64(span.Bytes)/sizeOf[E]())
}

// workFor returns this problem's share of a buffer, which has room for the given elements of each problem; nil if it is
// too small.
func workFor[E any, T blas.Number](p *problem[T], id buffer.ID, elements int) []E {
	all := work[E](p, id)
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

// op translates an operation for package blas.
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

// hermitian and conjugated are attributes of the called family.
func (p *problem[T]) hermitian() bool  { return p.args.Routine.Family.Hermitian }
func (p *problem[T]) conjugated() bool { return p.args.Routine.Family.Conjugated }
