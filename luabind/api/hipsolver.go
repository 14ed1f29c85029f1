package api

import (
	"roclua/hip/routine"
)

var hipsolverLibrary = routine.HipSOLVER

var hipsolver = Module{
	Name: "hipsolver",
	About: "LAPACK routines through hipSOLVER, which changes the memory of a handle around each call; its handles " +
		"are those of rocblas",
	Library: &hipsolverLibrary,
}

// hipsolverFunctions completes the declarations.
func hipsolverFunctions() []*Function {
	info := Param{Name: "info", Kind: Jacobi, About: "the object"}
	return inLayer(routine.HipSOLVER, append(layerHandles(routine.HipSOLVER),
		declare("CreateSyevjInfo", "creates the options of Jacobi's method; the first call with them allocates 12 "+
			"bytes of device memory for each problem").
			returns("info", "roclua.syevj_info", "the object"),
		declare("DestroySyevjInfo", "destroys the object and frees its device memory", info),
		declare("XsyevjSetMaxSweeps", "sets how many sweeps a call makes at most", info,
			int32Param("max_sweeps", "the number; 100 at first")).
			fails("hipsolver.status_invalid_value", "max_sweeps is less than 1"),
		declare("XsyevjSetSortEig", "sets whether eigenvalues are sorted", info,
			int32Param("sort_eig", "0 for unsorted eigenvalues; 1 at first"))))
}
