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
		jacobiFunctions("Syevj", "eigenvalues"), jacobiFunctions("Gesvdj", "singular values"), paramsFunctions()))
}

const nullObject = "null, with the status invalid_value"

// paramsFunctions declares the functions for the object that functions with 64-bit sizes take.
func paramsFunctions() []*Function {
	params := Param{Name: "params", Kind: Params, About: "the object", Nil: nullObject}
	return []*Function{
		declare("DnCreateParams", "creates the object that functions with 64-bit sizes take").
			returns("params", "roclua.solver_params", "the object"),
		declare("DnDestroyParams", "destroys the object", params),
		declare("DnSetAdvOptions", "would choose an algorithm; hipSOLVER does not implement it", params,
			int32Param("func", "number of a hipsolverDnFunction_t"),
			int32Param("alg", "number of a hipsolverAlgMode_t")).
			fails("hipsolver.status_not_supported", "always"),
	}
}

// jacobiFunctions declares the functions for the options of one of Jacobi's methods.
func jacobiFunctions(method, values string) []*Function {
	info := Param{Name: "info", Kind: Jacobi, About: "the object", Nil: nullObject}
	name := "X" + strings.ToLower(method)
	setter, getter := name+"Set", name+"Get"
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
		declare(setter+"Tolerance", "sets the norm below which a call stops", info,
			Param{Name: "tolerance", Kind: Number, About: "the norm; 0, which means the precision, at first"}),
		stored(declare(getter+"Residual", "returns the norm of what remained in the last call, for which it waits",
			handle(), info).returns("residual", "number", "the norm")),
		stored(declare(getter+"Sweeps", "returns the sweeps of the last call, for which it waits", handle(), info).
			returns("executed_sweeps", "integer", "the number")),
	}
}

// stored declares when a result of the last call is not there.
func stored(f *Function) *Function {
	return f.fails("hipsolver.status_not_supported", "the last call was for a batch").
		fails("hipsolver.status_internal_error", "no call was made, or a stream is captured")
}
