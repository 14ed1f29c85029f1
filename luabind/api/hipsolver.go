package api

import (
	"slices"
	"strings"

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
	return inLayer(routine.HipSOLVER, slices.Concat(layerHandles(routine.HipSOLVER),
		jacobiFunctions("Syevj", "eigenvalues"), jacobiFunctions("Gesvdj", "singular values")))
}

// jacobiFunctions declares the functions for the options of one of Jacobi's methods.
func jacobiFunctions(method, values string) []*Function {
	info := Param{Name: "info", Kind: Jacobi, About: "the object"}
	setter := "X" + strings.ToLower(method) + "Set"
	return []*Function{
		declare("Create"+method+"Info", "creates the options of Jacobi's method for "+values+"; the first call with "+
			"them allocates 12 bytes of device memory for each problem").
			returns("info", "roclua.jacobi_info", "the object"),
		declare("Destroy"+method+"Info", "destroys the object and frees its device memory", info),
		declare(setter+"MaxSweeps", "sets how many sweeps a call makes at most", info,
			int32Param("max_sweeps", "the number; 100 at first")).
			fails("hipsolver.status_invalid_value", "max_sweeps is less than 1"),
		declare(setter+"SortEig", "sets whether "+values+" are sorted", info,
			int32Param("sort_eig", "0 for unsorted "+values+"; 1 at first")),
	}
}
