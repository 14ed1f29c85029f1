package nvidia

import (
	"unsafe"

	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// auxiliaryMethods are the parts of solvers that have routines themselves.
var auxiliaryMethods = map[routine.FamilyID]method{
	routine.Laswp: {needs: noNeeds, run: (*execution).laswp, by: by("cusolverDn<t>laswp")},
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

// laswp exchanges rows.
func (x *execution) laswp() error {
	a, m := x.args, matrixAt(x.args, routine.A)
	return x.solver("laswp", x.h.cusolver, uintptr(a.Int(routine.N)), uintptr(m.at), uintptr(m.ld),
		uintptr(a.Int(routine.K1)), uintptr(a.Int(routine.K2)), uintptr(a.Ptr(routine.Ipiv)),
		uintptr(a.Int(routine.IncX)))
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
	one, zero, err := x.setOneAndZero()
	if err != nil {
		return err
	}
	op, left := uintptr(0), a.Int(routine.Side) == routine.SideLeft
	if left {
		op = adjointOf(t)
	}
	err = x.blas("gemv_v2"+wide(a), x.h.cublas, op, m, n, one, uintptr(to.at), uintptr(to.ld), v, inc, zero, product, 1)
	if err != nil {
		return err
	}
	number.Store(t.Datatype(), x.scalars[0][:], -1)
	if err := x.blas("scal_v2", x.h.cublas, 1, one, uintptr(tau.Ptr), 1); err != nil {
		return err
	}
	if err := x.setPointerMode(x.h, true); err != nil {
		return err
	}
	update := "ger_v2"
	if t.IsComplex() {
		update = "gerc_v2"
	}
	if left {
		return x.blas(update+wide(a), x.h.cublas, m, n, uintptr(tau.Ptr), v, inc, product, 1, uintptr(to.at), uintptr(to.ld))
	}
	return x.blas(update+wide(a), x.h.cublas, m, n, uintptr(tau.Ptr), product, 1, v, inc, uintptr(to.at), uintptr(to.ld))
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
