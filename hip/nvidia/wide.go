package nvidia

import (
	"slices"
	"unsafe"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// The 64-bit forms of solvers: cuSOLVER has functions with 64-bit integers for all datatypes. Their info has 32 bits.

// wideMethods are the methods of the 64-bit forms of solvers.
var wideMethods = map[routine.FamilyID]*method{
	routine.Getrf: wideMethod("cusolverDnXgetrf", wideLU), routine.Getf2: wideMethod("cusolverDnXgetrf", wideLU),
	routine.GetrfNpvt: wideMethod("cusolverDnXgetrf", wideLU),
	routine.Getf2Npvt: wideMethod("cusolverDnXgetrf", wideLU),
	routine.Potrf:     wideMethod("cusolverDnXpotrf", wideCholesky),
	routine.Potf2:     wideMethod("cusolverDnXpotrf", wideCholesky),
	routine.Geqrf:     wideMethod("cusolverDnXgeqrf", wideQR), routine.Geqr2: wideMethod("cusolverDnXgeqrf", wideQR),
	routine.Getrs: wideMethod("cusolverDnXgetrs", wideLUSolve),
	routine.Potrs: wideMethod("cusolverDnXpotrs", wideCholeskySolve),
	routine.Larf:  &larfMethod,
	routine.Lacgv: &lacgvMethod,
}

// wideCall is a call of a function for 64-bit integers.
type wideCall struct {
	args    []uintptr // those behind the options
	sizedBy []uintptr // those of the size query; nil if the function has no scratch
}

func wideLU(a *routine.Args) wideCall {
	m, datatype := matrixAt(a, routine.A), datatypeOf(a)
	args := []uintptr{uintptr(a.Int(routine.M)), uintptr(a.Int(routine.N)), datatype, uintptr(m.at), uintptr(m.ld)}
	return wideCall{args: append(args[:5:5], uintptr(a.Ptr(routine.Ipiv)), datatype), sizedBy: append(args, datatype)}
}

func wideCholesky(a *routine.Args) wideCall {
	m, datatype := matrixAt(a, routine.A), datatypeOf(a)
	args := []uintptr{enumeration(routine.Fill, a.Int(routine.Uplo)), uintptr(a.Int(routine.N)), datatype,
		uintptr(m.at), uintptr(m.ld), datatype}
	return wideCall{args: args, sizedBy: args}
}

func wideQR(a *routine.Args) wideCall {
	m, datatype := matrixAt(a, routine.A), datatypeOf(a)
	args := []uintptr{uintptr(a.Int(routine.M)), uintptr(a.Int(routine.N)), datatype, uintptr(m.at), uintptr(m.ld),
		datatype, uintptr(a.Ptr(routine.Ipiv)), datatype}
	return wideCall{args: args, sizedBy: args}
}

func wideLUSolve(a *routine.Args) wideCall {
	m, b, datatype := matrixAt(a, routine.A), matrixAt(a, routine.B), datatypeOf(a)
	return wideCall{args: []uintptr{enumeration(routine.Operation, a.Int(routine.TransA)), uintptr(a.Int(routine.N)),
		uintptr(a.Int(routine.NRHS)), datatype, uintptr(m.at), uintptr(m.ld), uintptr(a.Ptr(routine.Ipiv)), datatype,
		uintptr(b.at), uintptr(b.ld)}}
}

func wideCholeskySolve(a *routine.Args) wideCall {
	m, b, datatype := matrixAt(a, routine.A), matrixAt(a, routine.B), datatypeOf(a)
	return wideCall{args: []uintptr{enumeration(routine.Fill, a.Int(routine.Uplo)), uintptr(a.Int(routine.N)),
		uintptr(a.Int(routine.NRHS)), datatype, uintptr(m.at), uintptr(m.ld), datatype, uintptr(b.at), uintptr(b.ld)}}
}

// datatypeOf returns CUDA's number of the elements' type.
func datatypeOf(a *routine.Args) uintptr { return cudaTypes[a.Routine.Type.Datatype()] }

// wideMethod computes one problem after the other.
func wideMethod(function string, c func(*routine.Args) wideCall) *method {
	return &method{
		needs: func(d *device, a *routine.Args) (driver.Needs, error) {
			onDevice, _, err := d.wideScratch(function, c(withoutPointers(a)))
			return scratchNeeds(onDevice), err
		},
		run: func(x *execution) error {
			return x.problems(func(a *routine.Args) error { return x.wide(function, c(a), a) })
		},
		buffers: scratchBuffers, by: by(function),
	}
}

// solverOptions returns cuSOLVER's object with the options of functions for 64-bit integers, which is never changed.
func (d *device) solverOptions() (h *handles, options uintptr, err error) {
	if h, err = d.use(); err != nil || h.options != 0 {
		return h, h.options, err
	}
	err = d.libs.cusolver.call("cusolverDnCreateParams", uintptr(unsafe.Pointer(&h.options)))
	return h, h.options, err
}

// wideScratch returns the bytes of scratch on the device and on the host.
func (d *device) wideScratch(function string, c wideCall) (onDevice, onHost uint64, err error) {
	if c.sizedBy == nil {
		return 0, 0, nil
	}
	h, options, err := d.solverOptions()
	if err != nil {
		return 0, 0, err
	}
	list := append([]uintptr{h.cusolver, options}, c.sizedBy...)
	list = append(list, uintptr(unsafe.Pointer(&d.sizes[0])), uintptr(unsafe.Pointer(&d.sizes[1])))
	err = d.libs.cusolver.call(function+"_bufferSize", list...)
	return d.sizes[0], d.sizes[1], err
}

// wide makes a call. It sets the upper half of a 64-bit info before.
func (x *execution) wide(function string, c wideCall, a *routine.Args) error {
	if err := x.clear(a, routine.Info); err != nil {
		return err
	}
	_, onHost, err := x.wideScratch(function, c)
	if err != nil {
		return err
	}
	_, options, err := x.solverOptions()
	if err != nil {
		return err
	}
	if err := x.setSolverStream(x.h, streamHandle(x.stream)); err != nil {
		return err
	}
	list := append([]uintptr{x.h.cusolver, options}, c.args...)
	if c.sizedBy != nil {
		scratch := x.work(buffer.FactorizationScratch)
		list = append(list, uintptr(scratch.Ptr), uintptr(scratch.Bytes),
			uintptr(unsafe.Pointer(x.hostScratch(onHost))), uintptr(onHost))
	}
	return x.libs.cusolver.call(function, append(list, uintptr(x.infoOf(a)))...)
}

// hostScratch returns scratch on the host for one call. During a capture it is kept with the graph, whose launches may
// use it; otherwise the next call uses it again.
func (x *execution) hostScratch(bytes uint64) *byte {
	x.host = slices.Grow(x.host[:0], int(bytes+1))
	at := unsafe.SliceData(x.host)
	if x.Keep(x.stream, x.host) {
		x.host = nil
	}
	return at
}
