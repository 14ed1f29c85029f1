package api

import (
	"math"

	"roclua/hip/routine"
)

// rocsolverFunctions completes the declarations: those that take a handle first are methods of it.
func rocsolverFunctions() []*Function {
	var list []*Function
	for _, group := range [][]*Function{solverFunctions, rfinfoFunctions, logFunctions} {
		for _, f := range group {
			f.C, f.Status = "rocsolver_"+f.Name, RocBLASStatus
			f.Method = len(f.Params) > 0 && f.Params[0].Kind == Handle
			list = append(list, f)
		}
	}
	return list
}

const algModes = "rocsolver.alg_mode_gpu or rocsolver.alg_mode_hybrid"

var solverFunctions = []*Function{{
	Name:    "get_version_string",
	About:   "returns the version of rocSOLVER whose behavior the profile reproduces",
	Results: []Result{{"version", "string", "the version"}},
}, {
	Name:    "get_version_string_size",
	About:   "returns the size of the version string in bytes, with its terminating zero",
	Results: []Result{integerResult("bytes", "size in bytes")},
}, {
	Name: "set_alg_mode",
	About: "sets whether a function works on the device alone or also on the host; gesvd has the mode of bdsqr, and " +
		"syev_heev those of sterf and steqr; the hybrid mode of sterf reduces the workspace of syevd, heevd, sygvd " +
		"and hegvd without eigenvectors",
	Params: []Param{handle(), enum("func", routine.SolverFunction, "the function"),
		enum("mode", routine.AlgMode, algModes)},
	Errors: []Cause{{"rocblas.status_invalid_value",
		"the function or the mode cannot be set; rocm-6.4 does not have steqr and syev_heev"}},
}, {
	Name:    "get_alg_mode",
	About:   "returns whether a function works on the device alone or also on the host",
	Params:  []Param{handle(), enum("func", routine.SolverFunction, "the function")},
	Results: []Result{integerResult("mode", algModes+"; rocsolver.alg_mode_mixed if those of sterf and steqr differ")},
	Errors: []Cause{{"rocblas.status_invalid_value",
		"the function has no modes; not returned before set_alg_mode was called with the handle"}},
}}

func rfinfo() Param {
	return Param{Name: "rfinfo", Kind: Rfinfo, About: "the object", Nil: "the null pointer"}
}

var noRfinfo = Cause{"rocblas.status_invalid_pointer", "rfinfo is null"}

const rfinfoModes = "rocsolver.rfinfo_mode_lu or rocsolver.rfinfo_mode_cholesky"

var rfinfoFunctions = []*Function{{
	Name:    "create_rfinfo",
	About:   "creates the object for the refactorization of sparse matrices",
	Params:  []Param{handle()},
	Results: []Result{{"rfinfo", "roclua.rfinfo", "the object"}},
	Errors: []Cause{{"rocblas.status_not_implemented",
		"the library does not find rocSPARSE, which is not modelled"}},
}, {
	Name: "destroy_rfinfo", About: "destroys the object", Params: []Param{rfinfo()}, Errors: []Cause{noRfinfo},
}, {
	Name: "set_rfinfo_mode", About: "sets the factorization",
	Params: []Param{rfinfo(), enum("mode", routine.RfinfoMode, rfinfoModes)}, Errors: []Cause{noRfinfo},
}, {
	Name: "get_rfinfo_mode", About: "returns the factorization", Params: []Param{rfinfo()},
	Results: []Result{integerResult("mode", rfinfoModes)}, Errors: []Cause{noRfinfo},
}}

var noLog = Cause{"rocblas.status_internal_error", "no log has begun"}

const noText = "; only the library writes a log, the model returns the status"

var logFunctions = []*Function{{
	Name: "log_begin", About: "begins the log of the library, which ends with the script" + noText,
	Errors: []Cause{{"rocblas.status_internal_error", "a log has begun and has not ended"}},
}, {
	Name: "log_end", About: "ends the log", Errors: []Cause{noLog},
}, {
	Name: "log_set_layer_mode", About: "sets what is logged",
	Params: []Param{integer("layer_mode", 0, math.MaxUint32, "sum of constants such as rocblas.layer_mode_log_trace")},
	Errors: []Cause{noLog},
}, {
	Name: "log_set_max_levels", About: "sets how deep nested calls are logged",
	Params: []Param{int32Param("max_levels", "the depth")},
	Errors: []Cause{noLog, {"rocblas.status_invalid_value", "max_levels is not positive"}},
}, {
	Name: "log_restore_defaults", About: "sets what is logged, and how deep, to their defaults", Errors: []Cause{noLog},
}, {
	Name: "log_write_profile", About: "writes the profile of the calls", Errors: []Cause{noLog},
}, {
	Name: "log_flush_profile", About: "writes the profile of the calls and begins a new one", Errors: []Cause{noLog},
}}
