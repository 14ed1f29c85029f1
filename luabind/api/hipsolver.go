package api

import (
	"roclua/hip/routine"
	"roclua/workspace/status"
)

var hipsolverLibrary = routine.HipSOLVER

var hipsolver = Module{
	Name: "hipsolver",
	About: "LAPACK routines through hipSOLVER, which changes the memory of a handle around each call; its handles " +
		"are those of rocblas",
	Library: &hipsolverLibrary,
}

// layerStatus returns the class of the statuses of a library above rocBLAS and rocSOLVER.
func layerStatus(routine.Library) StatusClass { return HipSOLVERStatus }

// hipsolverFunctions completes the declarations.
func hipsolverFunctions() []*Function {
	info := Param{Name: "info", Kind: Jacobi, About: "the object"}
	list := []*Function{
		declare("Create", "creates a handle, as rocblas.create_handle does").
			returns("handle", "roclua.handle", "the new handle").
			fails("hipsolver.status_alloc_failed", "the device has too little free memory"),
		declare("Destroy", "destroys a handle", handle()),
		declare("SetStream", "sets the stream of a handle", handle(), stream()),
		declare("GetStream", "returns the stream of a handle", handle()).
			returns("stream", "roclua.stream|integer?", "the stream; nil is the null stream"),
		declare("CreateSyevjInfo", "creates the options of Jacobi's method; the first call with them allocates 12 "+
			"bytes of device memory for each problem").
			returns("info", "roclua.syevj_info", "the object"),
		declare("DestroySyevjInfo", "destroys the object and frees its device memory", info),
		declare("XsyevjSetMaxSweeps", "sets how many sweeps a call makes at most", info,
			int32Param("max_sweeps", "the number; 100 at first")).
			fails("hipsolver.status_invalid_value", "max_sweeps is less than 1"),
		declare("XsyevjSetSortEig", "sets whether eigenvalues are sorted", info,
			int32Param("sort_eig", "0 for unsorted eigenvalues; 1 at first")),
	}
	for _, f := range list {
		f.C, f.Status = "hipsolver"+f.Name, HipSOLVERStatus
	}
	return list
}

// hipsolverConstants lists the enumerations, then the statuses.
func hipsolverConstants() (list []Constant) {
	for _, c := range routine.LayerConstants(routine.HipSOLVER) {
		list = append(list, Constant{c.Name, c.Value, "integer", ""})
	}
	for _, s := range status.AllHipSOLVER() {
		list = append(list, Constant{"status_" + s.Short(), int64(s), string(HipSOLVERStatus), s.Meaning()})
	}
	return list
}
