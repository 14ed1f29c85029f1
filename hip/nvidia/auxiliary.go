package nvidia

import (
	"slices"
	"unsafe"

	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// auxiliaryMethods are the parts of solvers that have routines themselves.
var auxiliaryMethods = map[routine.FamilyID]method{
	routine.Laswp: {needs: laswpNeeds, run: (*execution).laswp, buffers: []buffer.ID{buffer.Pivots},
		by: by("cusolverDn<t>laswp, with a copy of pivots that are not adjacent")},
	routine.Larfg: {needs: larfgNeeds, run: (*execution).larfg,
		buffers: slices.Concat(scratchBuffers, []buffer.ID{buffer.VectorCopy}),
		by:      by("cusolverDn<t>geqrf of a matrix with one column")},
	routine.Lacgv: lacgvMethod,
	routine.Larf:  larfMethod,
	routine.Larft: {needs: larftNeeds, run: (*execution).larft,
		buffers: append(arrangeBuffers, buffer.FactorizationScratch, buffer.SquareCopy),
		by:      by("cusolverDnXlarft, for the adjoint matrix or in reverse order if needed")},
}

var (
	lacgvMethod = method{needs: noNeeds, run: (*execution).lacgv,
		by: by("cublas's scal_v2 of real numbers, which negates the imaginary parts")}

	larfMethod = method{needs: larfNeeds, run: (*execution).larf,
		buffers: []buffer.ID{buffer.One, buffer.AppliedReflection},
		by:      by("cublas<t>gemv_v2 and cublas<ger>_v2")}
)

const pivotBytes = 4

// spreadPivots reports whether the pivots of laswp have gaps. cuSOLVER's laswp reads others than rocSOLVER's then.
func spreadPivots(a *routine.Args) bool {
	inc := a.Int(routine.IncX)
	return inc != 1 && inc != -1
}

func laswpNeeds(_ *device, a *routine.Args) (driver.Needs, error) {
	if !spreadPivots(a) {
		return driver.Needs{}, nil
	}
	return needs(driver.Buffer{ID: buffer.Pivots, Bytes: uint64(a.Int(routine.K2) * pivotBytes)}), nil
}

// laswp exchanges rows k1 to k2, whose pivots begin at k1 and are an increment apart.
func (x *execution) laswp() error {
	a, m := x.args, matrixAt(x.args, routine.A)
	first, last, inc := a.Int(routine.K1), a.Int(routine.K2), a.Int(routine.IncX)
	pivots := driver.Ptr(a.Ptr(routine.Ipiv))
	if spreadPivots(a) {
		step, skipped := uint64(max(inc, -inc))*pivotBytes, driver.Ptr(first-1)*pivotBytes
		adjacent := x.work(buffer.Pivots).Ptr
		err := x.Copy2D(x.stream, adjacent+skipped, pivotBytes, pivots+skipped, step, pivotBytes, uint64(last-first+1))
		if err != nil {
			return err
		}
		if pivots = adjacent; inc > 0 {
			inc = 1
		} else {
			inc = -1
		}
	}
	return x.solver("laswp", x.h.cusolver, uintptr(a.Int(routine.N)), uintptr(m.at), uintptr(m.ld), uintptr(first),
		uintptr(last), uintptr(pivots), uintptr(inc))
}

// lacgv multiplies the imaginary parts by -1: they are a vector of real numbers with twice the increment.
func (x *execution) lacgv() error {
	t, inc := x.args.Routine.Type, x.args.Int(routine.IncX)
	name := "cublasSscal_v2"
	if t == routine.TypeZ {
		name = "cublasDscal_v2"
	}
	number.Store(routine.RealOf(t.Datatype()), x.scalars[0][:], -1)
	if err := x.setPointerMode(x.h, false); err != nil {
		return err
	}
	return x.call(name+wide(x.args), x.h.cublas, uintptr(x.args.Int(routine.N)), uintptr(unsafe.Pointer(&x.scalars[0])),
		uintptr(x.args.Ptr(routine.X))+uintptr(t.RealSize()), uintptr(2*max(inc, -inc)))
}

func larfgNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	n, t := a.Int(routine.N), a.Routine.Type
	bytes, err := d.scratchOf(t, factorCall(t, n, 1, matrix{0, max(1, n)}, 0))
	list := scratchNeeds(bytes)
	list.Buffers = append(list.Buffers, driver.Buffer{ID: buffer.VectorCopy, Bytes: uint64(n * t.Size())})
	return list, err
}

// larfg factorizes the matrix of one column with alpha above x.
func (x *execution) larfg() error {
	a, n, size := x.args, x.args.Int(routine.N), x.args.Routine.Type.Size()
	column, alpha := x.work(buffer.VectorCopy).Ptr, driver.Ptr(a.Ptr(routine.C))
	if err := x.Copy(x.stream, column, alpha, uint64(size)); err != nil {
		return err
	}
	rest, v, inc := uintptr(column)+uintptr(size), uintptr(a.Ptr(routine.X)), uintptr(a.Int(routine.IncX))
	if n > 1 {
		if err := x.blas("copy_v2", x.h.cublas, uintptr(n-1), v, inc, rest, 1); err != nil {
			return err
		}
	}
	call := factorCall(a.Routine.Type, n, 1, matrix{column, n}, driver.Ptr(a.Ptr(routine.Tau)))
	if err := x.dense(call, x.work(buffer.Info).Ptr); err != nil {
		return err
	}
	if err := x.Copy(x.stream, alpha, column, uint64(size)); err != nil || n == 1 {
		return err
	}
	return x.blas("copy_v2", x.h.cublas, uintptr(n-1), rest, 1, v, inc)
}

// larfNeeds is the product of A and the vector of the reflection, and the negative scalar.
func larfNeeds(_ *device, a *routine.Args) (driver.Needs, error) {
	length, size := max(a.Int(routine.M), a.Int(routine.N)), a.Routine.Type.Size()
	return needs(
		driver.Buffer{ID: buffer.AppliedReflection, Bytes: uint64(length * size)},
		driver.Buffer{ID: buffer.One, Bytes: uint64(size)},
	), nil
}

// larf computes A - tau x (A^H x)^H or A - tau (A x) x^H.
func (x *execution) larf() error {
	a, t := x.args, x.args.Routine.Type
	m, n, to := uintptr(a.Int(routine.M)), uintptr(a.Int(routine.N)), matrixAt(a, routine.A)
	v, inc := uintptr(a.Ptr(routine.X)), uintptr(a.Int(routine.IncX))
	product, tau := uintptr(x.work(buffer.AppliedReflection).Ptr), x.work(buffer.One)
	if err := x.Copy(x.stream, tau.Ptr, driver.Ptr(a.Ptr(routine.C)), tau.Bytes); err != nil {
		return err
	}
	alpha, zero, err := x.setOneAndZero()
	if err != nil {
		return err
	}
	op, left := uintptr(0), a.Int(routine.Side) == routine.SideLeft
	if left {
		op = adjointOf(t)
	}
	err = x.blas("gemv_v2"+wide(a), x.h.cublas, op, m, n, alpha, uintptr(to.at), uintptr(to.ld), v, inc, zero, product,
		1)
	if err != nil {
		return err
	}
	number.Store(t.Datatype(), x.scalars[0][:], -1)
	if err := x.blas("scal_v2", x.h.cublas, 1, alpha, uintptr(tau.Ptr), 1); err != nil {
		return err
	}
	if err := x.setPointerMode(x.h, true); err != nil {
		return err
	}
	update := "ger_v2"
	if t.IsComplex() {
		update = "gerc_v2"
	}
	first, inc1, second, inc2 := product, uintptr(1), v, inc
	if left {
		first, inc1, second, inc2 = v, inc, product, 1
	}
	return x.blas(update+wide(a), x.h.cublas, m, n, uintptr(tau.Ptr), first, inc1, second, inc2, uintptr(to.at),
		uintptr(to.ld))
}

// blockOrder says how larft stores its reflections.
func blockOrder(a *routine.Args) reflections {
	return reflections{inRows: a.Int(routine.Storev) == routine.StorevRows,
		backward: a.Int(routine.Direct) == routine.DirectBackward}
}

// larftSizes returns the bytes of scratch on the device and on the host.
func (d *device) larftSizes(a *routine.Args, ldv, ldt int64) (onDevice, onHost uint64, err error) {
	h, err := d.use()
	if err != nil {
		return 0, 0, err
	}
	sizes, datatype := new([2]uint64), cudaTypes[a.Routine.Type.Datatype()]
	err = d.libs.cusolver.call("cusolverDnXlarft_bufferSize", h.cusolver, 0, 0, 0, uintptr(a.Int(routine.N)),
		uintptr(a.Int(routine.K)), datatype, 0, uintptr(ldv), datatype, 0, datatype, 0, uintptr(ldt), datatype,
		uintptr(unsafe.Pointer(&sizes[0])), uintptr(unsafe.Pointer(&sizes[1])))
	return sizes[0], sizes[1], err
}

func larftNeeds(d *device, a *routine.Args) (driver.Needs, error) {
	o, n, k, size := blockOrder(a), a.Int(routine.N), a.Int(routine.K), a.Routine.Type.Size()
	onDevice, _, err := d.larftSizes(a, max(n, 1), max(k, 1))
	list := needs(driver.Buffer{ID: buffer.FactorizationScratch, Bytes: onDevice})
	list.Buffers = append(list.Buffers, o.copies(a.Routine.Type, max(n, k)*k, k)...)
	if o.backward {
		list.Buffers = append(list.Buffers, driver.Buffer{ID: buffer.SquareCopy, Bytes: uint64(k * k * size)})
	}
	return list, err
}

// larft computes the triangular factor. In reverse order, it is the factor of the reflections in reverse order.
func (x *execution) larft() error {
	a, o := x.args, blockOrder(x.args)
	n, k, to := a.Int(routine.N), a.Int(routine.K), matrixAt(a, routine.MatT)
	rows, columns := o.shape(n, k)
	v, err := x.arrange(o, matrixAt(a, routine.MatV), rows, columns)
	if err != nil {
		return err
	}
	tau, err := x.arrangeScalars(o, driver.Ptr(a.Ptr(routine.Tau)), k)
	if err != nil {
		return err
	}
	if !o.backward {
		return x.blockFactor(v, tau, to)
	}
	// The workspace of V is free again after the call.
	reversed := matrix{x.work(buffer.SquareCopy).Ptr, k}
	if err := x.Fill(x.stream, reversed.at, 0, uint64(k*k*a.Routine.Type.Size())); err != nil {
		return err
	}
	if err := x.blockFactor(v, tau, reversed); err != nil {
		return err
	}
	return x.restore(reflections{backward: true}, reversed, to, k, k)
}

// blockFactor calls larft for vectors in columns, the first one first.
func (x *execution) blockFactor(v matrix, tau driver.Ptr, to matrix) error {
	_, onHost, err := x.larftSizes(x.args, v.ld, to.ld)
	if err != nil {
		return err
	}
	if err := x.setSolverStream(x.h, streamHandle(x.stream)); err != nil {
		return err
	}
	scratch, host := x.work(buffer.FactorizationScratch), make([]byte, onHost+1)
	datatype := cudaTypes[x.args.Routine.Type.Datatype()]
	return x.libs.cusolver.call("cusolverDnXlarft", x.h.cusolver, 0, 0, 0, uintptr(x.args.Int(routine.N)),
		uintptr(x.args.Int(routine.K)), datatype, uintptr(v.at), uintptr(v.ld), datatype, uintptr(tau), datatype,
		uintptr(to.at), uintptr(to.ld), datatype, uintptr(scratch.Ptr), uintptr(scratch.Bytes),
		uintptr(unsafe.Pointer(&host[0])), uintptr(onHost))
}
