package api

import (
	"slices"
	"strings"

	"roclua/hip/routine"
)

var hipblasLibrary = routine.HipBLAS

var hipblas = Module{
	Name: "hipblas",
	About: "BLAS and LAPACK routines through hipBLAS, which repeats calls of some that lack memory; its handles are " +
		"those of rocblas",
	Library: &hipblasLibrary,
}

// hipblasFunctions completes the declarations.
func hipblasFunctions() []*Function {
	return inLayer(routine.HipBLAS, slices.Concat(layerHandles(routine.HipBLAS), copies(), []*Function{
		declare("SetPointerMode", "sets whether scalars and results are in host memory or in device memory", handle(),
			enum("mode", routine.PointerMode, pointerModes)),
		declare("GetPointerMode", "returns whether scalars and results are in host memory or in device memory",
			handle()).returns("mode", "integer", pointerModes),
		declare("SetAtomicsMode", "sets whether kernels may use atomic operations", handle(),
			enum("atomics_mode", routine.AtomicsMode, atomicsModes)),
		declare("GetAtomicsMode", "returns whether kernels may use atomic operations", handle()).
			returns("atomics_mode", "integer", atomicsModes),
		declare("SetWorkspace", "makes a handle use memory of the caller, as rocblas.set_workspace does; not in "+
			"hipBLAS of ROCm 6.4", handle(), pointer("workspace", "device memory"),
			bytes("workspaceSizeInBytes", "size in bytes")).
			fails("hipblas.status_not_supported", "the release does not have the function"),
		declare("SetMathMode", "sets the precision of products in single precision", handle(),
			enum("mode", routine.MathMode, mathModes)),
		declare("GetMathMode", "returns the precision of products in single precision", handle()).
			returns("mode", "integer", mathModes),
		declare("StatusToString", "returns the C name of a status, or \"<undefined hipblasStatus_t value>\"",
			int32Param("status", "number of the status")).returns("name", "string", "the name"),
	}))
}

// copies declares the functions that copy vectors and matrices, which are rocBLAS's with other names.
func copies() (list []*Function) {
	names := strings.NewReplacer("et_vector", "etVector", "et_matrix", "etMatrix", "_async", "Async")
	params := strings.NewReplacer("elem_size", "elemSize", "a", "AP", "b", "BP")
	for _, f := range transferFunctions() {
		if strings.HasSuffix(f.Name, "_64") {
			continue
		}
		f.Name = names.Replace(f.Name)
		f.Name = strings.ToUpper(f.Name[:1]) + f.Name[1:]
		for i := range f.Params {
			if p := &f.Params[i]; p.Name == "elem_size" || len(p.Name) == 1 {
				p.Name = params.Replace(p.Name)
			}
		}
		f.Errors = nil
		list = append(list, f.
			fails("hipblas.status_invalid_value", "a size, a distance of elements or a pointer is not valid").
			fails("hipblas.status_internal_error", "HIP refused the copy; rocm-6.4 prints the error and succeeds"))
	}
	return list
}
