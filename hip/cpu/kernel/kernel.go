// Package kernel computes the routines of the table on the memory of the simulated device.
//
// A kernel receives its arguments and its workspace, and does not depend on handles. It may use the memory that its
// arguments name and its workspace; package cpu gives it no other memory. Kernels work in the workspace where the
// library's kernels do.
//
// Each family has at most one kernel, in a table indexed by its ID; one kernel may serve several families, whose
// attributes it reads from the table of routines. A family without a kernel is not computed on the simulated device.
package kernel

import (
	"cmp"
	"time"

	"roclua/hip/cpu/blas"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// Run computes one call.
func Run(l *driver.Launch, mem Memory) error {
	switch computedIn(l.Args) {
	case routine.DatatypeF32, routine.DatatypeF16, routine.DatatypeBF16:
		return runAs(float32Kernels(), l, mem)
	case routine.DatatypeF64, routine.DatatypeI32:
		return runAs(float64Kernels(), l, mem)
	case routine.DatatypeF32C:
		return runAs(complex64Kernels(), l, mem)
	case routine.DatatypeF64C:
		return runAs(complex128Kernels(), l, mem)
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
func runAs[T blas.Number](kernels *table[T], l *driver.Launch, mem Memory) error {
	compute := kernels.bodies[l.Args.Routine.Family.ID]
	if l.Args.Empty() {
		compute = (*problem[T]).zero
	}
	if compute == nil {
		return driver.Faultf(driver.ErrorNotSupported, "%s has no kernel", l.Args.Routine.CName())
	}
	p := kernels.problem()
	defer kernels.idle.Put(p)
	p.launch, p.args, p.mem = l, l.Args, mem
	if err := p.run((*problem[T]).readScalars); err != nil {
		return err
	}
	return p.batch(compute)
}

// If one problem takes a time between these, the problems of a batch are computed concurrently: starting goroutines
// takes less time, and for longer problems several threads compute each problem.
const (
	shortestShared = 20 * time.Microsecond
	longestShared  = 20 * time.Millisecond
)

// batch computes the problems of a batch, beginning with p. The time of the first one decides whether the others are
// computed one after the other. It returns the error of the first problem that has one.
func (p *problem[T]) batch(compute body[T]) error {
	count := p.args.Batch()
	if count == 0 || p.mem.GivenUp() {
		return nil
	}
	if count == 1 {
		return p.run(compute)
	}
	rest := *p
	start := time.Now()
	err := p.run(compute)
	each := time.Since(start)
	if err != nil {
		return err
	}
	if each > longestShared || each*time.Duration(count-1) < shortestShared || blas.Threads() == 1 {
		for rest.index = 1; rest.index < count && err == nil && !p.mem.GivenUp(); rest.index++ {
			err = rest.run(compute)
		}
		return err
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
	blas.Parallel(threads, int(parts), func(i int) {
		q := *p
		from := 1 + int64(i)*part
		for q.index = from; q.index < min(from+part, count+1) && errs[i] == nil && !p.mem.GivenUp(); q.index++ {
			errs[i] = q.run(compute)
		}
	})
	return cmp.Or(errs...)
}
