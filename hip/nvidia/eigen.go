package nvidia

import (
	"encoding/binary"
	"strings"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// eigenMethods are eigenvalues and eigenvectors of symmetric matrices. cuSOLVER does not report how many sweeps
// Jacobi's method has made before the stream has computed them, so both reports are zero.
var eigenMethods = map[routine.FamilyID]method{
	routine.Syev:   eigenMethod(dividedEigen, "cusolverDn<sy>evd; e is set to zeros"),
	routine.Syevd:  eigenMethod(dividedEigen, "cusolverDn<sy>evd; e is set to zeros"),
	routine.Syevdj: eigenMethod(dividedEigen, "cusolverDn<sy>evd"),
	routine.Syevj:  eigenMethod(jacobiEigen, "cusolverDn<sy>evj, with its own tolerance"+unreported),
	routine.Sygv:   eigenMethod(dividedEigen, "cusolverDn<sy>gvd; e is set to zeros"),
	routine.Sygvd:  eigenMethod(dividedEigen, "cusolverDn<sy>gvd; e is set to zeros"),
	routine.Sygvdj: eigenMethod(dividedEigen, "cusolverDn<sy>gvd"),
	routine.Sygvj:  eigenMethod(jacobiEigen, "cusolverDn<sy>gvj, with its own tolerance"+unreported),

	routine.Syevx:  partialMethod("cusolverDn<sy>evdx, by divide and conquer"),
	routine.Syevdx: partialMethod("cusolverDn<sy>evdx"),
	routine.Sygvx:  partialMethod("cusolverDn<sy>gvdx, by divide and conquer"),
	routine.Sygvdx: partialMethod("cusolverDn<sy>gvdx"),
}

const unreported = "; residual and n_sweeps are set to zero, because they are not known in the stream"

// eigenMode is whether vectors are computed, as cuSOLVER numbers it.
func eigenMode(a *routine.Args) int64 {
	if a.Int(routine.Evect) == routine.EvectNone {
		return 0
	}
	return 1
}

// general reports whether a problem has a second matrix.
func general(a *routine.Args) bool {
	_, ok := a.Routine.ParamAt(routine.Itype)
	return ok
}

// eigenArgs are the arguments of a problem: its form, what is computed, and the matrices. The parameters are arguments
// behind the mode.
func eigenArgs(a *routine.Args, mode ...int64) []dl.Arg {
	m := matrixAt(a, routine.A)
	var list []int64
	if general(a) {
		list = append(list, a.Int(routine.Itype)-routine.EformAx+1)
	}
	list = append(append(list, eigenMode(a)), mode...)
	list = append(list, enum(a, routine.Fill, routine.Uplo), a.Int(routine.N), int64(m.at), m.ld)
	if general(a) {
		b := matrixAt(a, routine.B)
		list = append(list, int64(b.at), b.ld)
	}
	return words(list...)
}

// problemName returns the name of a function for standard or generalized problems: "vd" makes syevd or sygvd.
func problemName(a *routine.Args, end string) string {
	if general(a) {
		return hermitian(a.Routine.Type, "syg"+end)
	}
	return hermitian(a.Routine.Type, "sye"+end)
}

// dividedEigen is divide and conquer.
func dividedEigen(_ *device, a *routine.Args) (denseCall, error) {
	return denseCall{name: problemName(a, "vd"), args: append(eigenArgs(a), words(pointer(a, routine.VecD))...)}, nil
}

// jacobiEigen is Jacobi's method.
func jacobiEigen(d *device, a *routine.Args) (denseCall, error) {
	options, err := d.jacobi("Syevj", a)
	return denseCall{name: problemName(a, "vj"), args: append(eigenArgs(a), words(pointer(a, routine.VecW))...),
		options: options}, err
}

// jacobi returns cuSOLVER's object with the options of a call of Jacobi's method, "Syevj" or "Gesvdj". It orders the
// results by default.
func (d *device) jacobi(kind string, a *routine.Args) (uintptr, error) {
	h, err := d.use()
	if err != nil {
		return 0, err
	}
	options := &h.jacobi
	if kind == "Gesvdj" {
		options = &h.singularJacobi
	}
	if *options == 0 {
		if err := d.libs.cusolver.call("cusolverDnCreate"+kind+"Info", uintptr(unsafe.Pointer(options))); err != nil {
			return 0, err
		}
	}
	sort := uintptr(1)
	if _, ok := a.Routine.ParamAt(routine.Esort); ok && a.Int(routine.Esort) == routine.EsortNone {
		sort = 0
	}
	prefix := "cusolverDnX" + strings.ToLower(kind)
	if err := d.libs.cusolver.call(prefix+"SetSortEig", *options, sort); err != nil {
		return 0, err
	}
	return *options, d.libs.cusolver.call(prefix+"SetMaxSweeps", *options, uintptr(a.Int(routine.MaxSweeps)))
}

// eigenMethod computes all eigenvalues, one problem after the other.
func eigenMethod(c func(*device, *routine.Args) (denseCall, error), text string) method {
	return method{
		needs: func(d *device, a *routine.Args) (driver.Needs, error) {
			call, err := c(d, withoutPointers(a))
			if err != nil {
				return driver.Needs{}, err
			}
			bytes, err := d.scratchOf(a.Routine.Type, call)
			return scratchNeeds(bytes), err
		},
		run: func(x *execution) error {
			return x.problems(func(a *routine.Args) error {
				call, err := c(x.device, a)
				if err != nil {
					return err
				}
				if err := x.dense(call, x.infoOf(a)); err != nil {
					return err
				}
				return x.clear(a, routine.VecE, routine.Residual, routine.Sweeps)
			})
		},
		buffers: scratchBuffers, by: by(text),
	}
}

// clear stores zeros in those of the given arrays that a routine has.
func (x *execution) clear(a *routine.Args, slots ...routine.Slot) error {
	for _, s := range slots {
		p, ok := a.Routine.ParamAt(s)
		if !ok || a.Null(s) {
			continue
		}
		bytes := uint64(max(0, p.Rows.Of(a))) * uint64(a.ElementBytes(p))
		if err := x.Fill(x.stream, driver.Ptr(a.Ptr(s)), 0, bytes); err != nil {
			return err
		}
	}
	return nil
}

// eigenRanges are cuSOLVER's numbers of ranges.
var eigenRanges = map[int64]int64{
	routine.ErangeAll: 1001, routine.ErangeIndex: 1002, routine.ErangeValue: 1003,
}

// partialCall computes some eigenvalues. cuSOLVER stores their number in host memory. The size query has fixed bounds,
// on which the size does not depend.
func partialCall(a *routine.Args, low, high float64, found *int32) denseCall {
	bound := dl.Double
	if a.Routine.Type.RealSize() == 4 {
		bound = func(v float64) dl.Arg { return dl.Float(float32(v)) }
	}
	args := append(eigenArgs(a, eigenRanges[a.Int(routine.Erange)]), bound(low), bound(high))
	args = append(args, words(a.Int(routine.LowerIndex), a.Int(routine.UpperIndex))...)
	args = append(args, dl.Word(uintptr(unsafe.Pointer(found))))
	return denseCall{name: problemName(a, "vdx"), args: append(args, words(pointer(a, routine.VecW))...)}
}

// partialMethod computes the eigenvalues in a range. cuSOLVER stores the vectors in A.
func partialMethod(text string) method {
	return method{
		needs: func(d *device, a *routine.Args) (driver.Needs, error) {
			bytes, err := d.scratchOf(a.Routine.Type, partialCall(withoutPointers(a), 0, 1, &d.libs.found))
			return scratchNeeds(bytes), err
		},
		run:     func(x *execution) error { return x.problems(x.partialEigen) },
		buffers: scratchBuffers, by: by(text + "; a range of values waits for their number"),
	}
}

func (x *execution) partialEigen(a *routine.Args) error {
	call := partialCall(a, a.Real(routine.LowerBound), a.Real(routine.UpperBound), &x.found)
	if err := x.dense(call, x.infoOf(a)); err != nil {
		return err
	}
	count, err := x.eigenvaluesIn(a)
	if err != nil {
		return err
	}
	number := binary.NativeEndian.AppendUint32(nil, uint32(count))
	if err := x.Write(x.stream, driver.Ptr(a.Ptr(routine.Nev)), number); err != nil {
		return err
	}
	if eigenMode(a) == 1 && count > 0 {
		err := x.copyMatrix(matrixAt(a, routine.MatZ), matrixAt(a, routine.A), a.Int(routine.N), count)
		if err != nil {
			return err
		}
	}
	return x.clear(a, routine.Ifail)
}

// eigenvaluesIn returns how many eigenvalues the range of a call contains. For a range of values it waits for the
// stream.
func (x *execution) eigenvaluesIn(a *routine.Args) (int64, error) {
	switch a.Int(routine.Erange) {
	case routine.ErangeAll:
		return a.Int(routine.N), nil
	case routine.ErangeIndex:
		return a.Int(routine.UpperIndex) - a.Int(routine.LowerIndex) + 1, nil
	}
	if err := x.fetch(make([]byte, infoBytes), x.infoOf(a)); err != nil {
		return 0, err
	}
	return min(max(0, int64(x.found)), a.Int(routine.N)), nil
}
