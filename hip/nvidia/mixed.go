package nvidia

import (
	"unsafe"

	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

var mixedMethods = map[routine.FamilyID]method{
	routine.GemmEx: {needs: directNeeds, run: (*execution).gemmEx, buffers: []buffer.ID{buffer.LibraryWorkspace},
		by: by("cublasGemmEx in d, into which c is copied; 8-bit factors need leading dimensions that are multiples " +
			"of 4")},
	routine.TrsmEx: {needs: directNeeds, run: (*execution).trsmEx, buffers: []buffer.ID{buffer.LibraryWorkspace},
		by: by("cublas's trsm_v2 of the compute type; supplied inverses are not used")},
	routine.DotEx:  mixedReduction("cublasDotEx"),
	routine.DotcEx: mixedReduction("cublasDotcEx"),
	routine.Nrm2Ex: mixedReduction("cublasNrm2Ex"),
	routine.AxpyEx: axpyMethod,
	routine.ScalEx: {needs: noNeeds, run: (*execution).scalEx,
		by: by("cublasScalEx" + mixedLimits)},
	routine.RotEx: {needs: noNeeds, run: (*execution).rotEx,
		by: by("cublasRotEx" + mixedLimits)},
}

const mixedLimits = ", which computes 16-bit numbers in float; other combinations of datatypes are not implemented"

var (
	halfDot = mixedReduction("cublasDotEx")

	// axpyMethod is axpy_ex, and haxpy, which cuBLAS does not have.
	axpyMethod = method{needs: noNeeds, run: (*execution).axpyEx,
		by: by("cublasAxpyEx" + mixedLimits)}
)

// mixedReduction computes a reduction by a function of cuBLAS.
func mixedReduction(function string) method {
	return method{needs: directNeeds, run: func(x *execution) error { return x.reductionEx(function) },
		buffers: []buffer.ID{buffer.Results},
		by:      by(function + mixedLimits)}
}

// computeTypes are the numbers of cublasComputeType_t.
var computeTypes = map[int64]uintptr{
	routine.DatatypeF16: 64, routine.DatatypeF32: 68, routine.DatatypeF64: 70, routine.DatatypeI32: 72,
	routine.DatatypeF32C: 68, routine.DatatypeF64C: 70,
}

const gemmDefault = ^uintptr(0) // CUBLAS_GEMM_DEFAULT is -1

// gemmEx computes in D, into which it copies C first unless they are the same matrix.
func (x *execution) gemmEx() error {
	if err := x.setPointerMode(x.h, x.launch.OnDevice); err != nil {
		return err
	}
	return x.problems(func(a *routine.Args) error {
		if err := x.copyAddend(a); err != nil {
			return err
		}
		alpha, beta := uintptr(a.Ptr(routine.Alpha)), uintptr(a.Ptr(routine.Beta))
		if !x.launch.OnDevice {
			alpha = uintptr(unsafe.Pointer(x.scalar(routine.Alpha)))
			beta = uintptr(unsafe.Pointer(x.scalar(routine.Beta)))
		}
		return x.call("cublasGemmEx"+wide(a), x.h.cublas, enumeration(routine.Operation, a.Int(routine.TransA)),
			enumeration(routine.Operation, a.Int(routine.TransB)),
			uintptr(a.Int(routine.M)), uintptr(a.Int(routine.N)), uintptr(a.Int(routine.K)), alpha,
			uintptr(a.Ptr(routine.A)), cudaTypes[a.Int(routine.AType)], uintptr(a.Int(routine.LDA)),
			uintptr(a.Ptr(routine.B)), cudaTypes[a.Int(routine.BType)], uintptr(a.Int(routine.LDB)), beta,
			uintptr(a.Ptr(routine.D)), cudaTypes[a.Int(routine.DType)], uintptr(a.Int(routine.LDD)),
			computeTypes[a.Int(routine.ComputeType)], gemmDefault)
	})
}

// call calls a function of cuBLAS.
//
//go:uintptrescapes
func (x *execution) call(name string, args ...uintptr) error {
	return x.libs.cublas.call(name, args...)
}

func wide(a *routine.Args) string {
	if a.Routine.Wide {
		return "_64"
	}
	return ""
}

// copyAddend copies C into D, where cuBLAS reads it. A beta of zero on the host leaves C unread.
func (x *execution) copyAddend(a *routine.Args) error {
	unread := !x.launch.OnDevice && x.args.Scalar(routine.Beta) == 0
	if a.Ptr(routine.C) == a.Ptr(routine.D) || a.Null(routine.C) || unread {
		return nil
	}
	size := element(x.args, routine.C)
	from, to := driver.Ptr(a.Ptr(routine.C)), driver.Ptr(a.Ptr(routine.D))
	return x.Copy2D(x.stream, to, uint64(a.Int(routine.LDD))*size, from, uint64(a.Int(routine.LDC))*size,
		uint64(a.Int(routine.M))*size, uint64(a.Int(routine.N)))
}

// trsmEx is trsm of the compute type. cuBLAS has no use for supplied inverted blocks.
func (x *execution) trsmEx() error {
	if err := x.setPointerMode(x.h, x.launch.OnDevice); err != nil {
		return err
	}
	name := map[int64]string{
		routine.DatatypeF32: "S", routine.DatatypeF64: "D", routine.DatatypeF32C: "C", routine.DatatypeF64C: "Z",
	}[x.args.Int(routine.ComputeType)]
	return x.problems(func(a *routine.Args) error {
		alpha := uintptr(a.Ptr(routine.Alpha))
		if !x.launch.OnDevice {
			number.Store(x.args.Int(routine.ComputeType), x.scalars[0][:], x.args.Scalar(routine.Alpha))
			alpha = uintptr(unsafe.Pointer(&x.scalars[0]))
		}
		return x.call("cublas"+name+"trsm_v2", x.h.cublas, enumeration(routine.SideKind, a.Int(routine.Side)),
			enumeration(routine.Fill, a.Int(routine.Uplo)), enumeration(routine.Operation, a.Int(routine.TransA)),
			enumeration(routine.Diagonal, a.Int(routine.Diag)), uintptr(a.Int(routine.M)), uintptr(a.Int(routine.N)),
			alpha, uintptr(a.Ptr(routine.A)), uintptr(a.Int(routine.LDA)), uintptr(a.Ptr(routine.B)),
			uintptr(a.Int(routine.LDB)))
	})
}

// reductionEx computes dot_ex, dotc_ex, nrm2_ex, hdot or bfdot by a function of cuBLAS.
func (x *execution) reductionEx(function string) error {
	if err := x.setPointerMode(x.h, true); err != nil {
		return err
	}
	result, _ := x.args.Routine.ParamAt(routine.Result)
	problem := int64(-1)
	return x.problems(func(a *routine.Args) error {
		problem++
		to := uintptr(a.Ptr(routine.Result))
		if !x.launch.OnDevice {
			to = uintptr(x.launch.Result) + uintptr(problem*x.args.ElementBytes(result))
		}
		list := []uintptr{x.h.cublas, uintptr(a.Int(routine.N))}
		for _, v := range []routine.Slot{routine.X, routine.Y} {
			if _, ok := a.Routine.ParamAt(v); ok {
				list = append(list, x.typedVector(a, v)...)
			}
		}
		list = append(list, to, cudaTypes[x.args.Datatype(result)], cudaTypes[wideType(a)])
		return x.call(function+wide(a), list...)
	})
}

// wideType returns the datatype in which a routine computes vectors: float for 16-bit elements, because cuBLAS computes
// them only so.
func wideType(a *routine.Args) int64 {
	if _, ok := a.Routine.ParamAt(routine.ExecutionType); !ok {
		return routine.DatatypeF32
	}
	if t := a.Int(routine.ExecutionType); t != routine.DatatypeF16 && t != routine.DatatypeBF16 {
		return t
	}
	return routine.DatatypeF32
}

// fetched makes the value of a scalar known on the host, which waits for the stream if it is on the device.
func (x *execution) fetched(s routine.Slot) error {
	if !x.launch.OnDevice {
		return nil
	}
	raw := make([]byte, 16)
	if err := x.fetch(raw[:element(x.args, s)], driver.Ptr(x.args.Ptr(s))); err != nil {
		return err
	}
	p, _ := x.args.Routine.ParamAt(s)
	x.args.SetFetched(s, number.Load(x.args.Datatype(p), raw))
	return nil
}

// alphaAs returns the address of alpha in the type in which a call computes. An alpha of that type may be on the
// device.
func (x *execution) alphaAs(computed int64) (uintptr, error) {
	p, _ := x.args.Routine.ParamAt(routine.Alpha)
	if x.launch.OnDevice && x.args.Datatype(p) == computed {
		return uintptr(x.args.Ptr(routine.Alpha)), x.setPointerMode(x.h, true)
	}
	if err := x.fetched(routine.Alpha); err != nil {
		return 0, err
	}
	return uintptr(unsafe.Pointer(x.scalarAs(routine.Alpha, computed))), x.setPointerMode(x.h, false)
}

// axpyEx computes axpy_ex or haxpy.
func (x *execution) axpyEx() error {
	computed := wideType(x.args)
	alpha, err := x.alphaAs(computed)
	if err != nil {
		return err
	}
	return x.problems(func(a *routine.Args) error {
		list := []uintptr{x.h.cublas, uintptr(a.Int(routine.N)), alpha, cudaTypes[computed]}
		list = append(append(list, x.typedVector(a, routine.X)...), x.typedVector(a, routine.Y)...)
		return x.call("cublasAxpyEx"+wide(a), append(list, cudaTypes[computed])...)
	})
}

func (x *execution) scalEx() error {
	computed := wideType(x.args)
	alpha, err := x.alphaAs(computed)
	if err != nil {
		return err
	}
	return x.problems(func(a *routine.Args) error {
		list := []uintptr{x.h.cublas, uintptr(a.Int(routine.N)), alpha, cudaTypes[computed]}
		return x.call("cublasScalEx"+wide(a), append(append(list, x.typedVector(a, routine.X)...),
			cudaTypes[computed])...)
	})
}

func (x *execution) rotEx() error {
	if err := x.setPointerMode(x.h, x.launch.OnDevice); err != nil {
		return err
	}
	return x.problems(func(a *routine.Args) error {
		c, s := uintptr(a.Ptr(routine.Cosine)), uintptr(a.Ptr(routine.Sine))
		if !x.launch.OnDevice {
			c = uintptr(unsafe.Pointer(x.scalar(routine.Cosine)))
			s = uintptr(unsafe.Pointer(x.scalar(routine.Sine)))
		}
		list := []uintptr{x.h.cublas, uintptr(a.Int(routine.N))}
		list = append(append(list, x.typedVector(a, routine.X)...), x.typedVector(a, routine.Y)...)
		return x.call("cublasRotEx"+wide(a), append(list, c, s, cudaTypes[a.Int(routine.RotationType)],
			cudaTypes[wideType(a)])...)
	})
}

// typedVector returns the arguments of a vector: its address, datatype and increment.
func (x *execution) typedVector(a *routine.Args, s routine.Slot) []uintptr {
	p, _ := a.Routine.ParamAt(s)
	inc, _ := a.Routine.Companion(s, routine.Increment)
	return []uintptr{uintptr(a.Ptr(s)), cudaTypes[a.Datatype(p)], uintptr(a.Int(inc.Slot))}
}
