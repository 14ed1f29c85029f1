package api

import "roclua/hip/routine"

var hipblasLibrary = routine.HipBLAS

var hipblas = Module{
	Name: "hipblas",
	About: "BLAS and LAPACK routines through hipBLAS, which repeats calls of some that lack memory; its handles are " +
		"those of rocblas",
	Library: &hipblasLibrary,
}

// hipblasFunctions completes the declarations.
func hipblasFunctions() []*Function {
	return inLayer(routine.HipBLAS, append(layerHandles(routine.HipBLAS),
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
	))
}
