package api

import (
	"math"

	"roclua/hip/routine"
)

func rocsolver() *Module {
	return &Module{
		Name:      "rocsolver",
		About:     "the LAPACK routines of the library",
		Functions: inLibrary("rocsolver_", solverFunctions(), rfinfoFunctions(), logFunctions()),
		Constants: enumerated(routine.RocSOLVER),
		Library:   of(routine.RocSOLVER),
	}
}

const algModes = "rocsolver.alg_mode_gpu or rocsolver.alg_mode_hybrid"

func solverFunctions() []*Function {
	return []*Function{
		declare("get_version_string", "returns the version of rocSOLVER whose behavior the profile reproduces").
			returns("version", "string", "the version"),
		declare("get_version_string_size",
			"returns the size of the version string in bytes, with its terminating zero").
			returns("bytes", "integer", "size in bytes"),
		declare("set_alg_mode", "sets whether a function works on the device alone or also on the host; gesvd has "+
			"the mode of bdsqr, and syev_heev those of sterf and steqr; the hybrid mode of sterf reduces the "+
			"workspace of syevd, heevd, sygvd and hegvd without eigenvectors",
			handle(), enum("func", routine.SolverFunction, "the function"), enum("mode", routine.AlgMode, algModes)).
			fails("rocblas.status_invalid_value", "the function or the mode cannot be set; rocm-6.4 does not have "+
				"steqr and syev_heev"),
		declare("get_alg_mode", "returns whether a function works on the device alone or also on the host", handle(),
			enum("func", routine.SolverFunction, "the function")).
			returns("mode", "integer", algModes+"; rocsolver.alg_mode_mixed if those of sterf and steqr differ").
			fails("rocblas.status_invalid_value", "the function has no modes; not returned before set_alg_mode was "+
				"called with the handle"),
	}
}

func rfinfo() Param {
	return Param{Name: "rfinfo", Kind: Rfinfo, About: "the object", Nil: "the null pointer"}
}

var noRfinfo = Cause{"rocblas.status_invalid_pointer", "rfinfo is null"}

const rfinfoModes = "rocsolver.rfinfo_mode_lu or rocsolver.rfinfo_mode_cholesky"

func rfinfoFunctions() []*Function {
	return []*Function{
		declare("create_rfinfo", "creates the object for the refactorization of sparse matrices; csrrf_analysis, "+
			"csrrf_refactlu, csrrf_refactchol and csrrf_solve without it return invalid_pointer, but in a size query "+
			"end the process",
			handle()).returns("rfinfo", "roclua.rfinfo", "the object").
			fails("rocblas.status_not_implemented", "the library does not find rocSPARSE, which is not modelled"),
		declare("destroy_rfinfo", "destroys the object", rfinfo()).raises(noRfinfo),
		declare("set_rfinfo_mode", "sets the factorization", rfinfo(), enum("mode", routine.RfinfoMode, rfinfoModes)).
			raises(noRfinfo),
		declare("get_rfinfo_mode", "returns the factorization", rfinfo()).returns("mode", "integer", rfinfoModes).
			raises(noRfinfo),
	}
}

var noLog = Cause{"rocblas.status_internal_error", "no log has begun"}

const noText = "; only the library writes a log, the model returns the status"

func logFunctions() []*Function {
	return []*Function{
		declare("log_begin", "begins the log of the library, which ends with the script"+noText).
			fails("rocblas.status_internal_error", "a log has begun and has not ended"),
		declare("log_end", "ends the log").raises(noLog),
		declare("log_set_layer_mode", "sets the layers of logging",
			integer("layer_mode", 0, math.MaxUint32, "sum of constants such as rocblas.layer_mode_log_trace; "+
				"with layer_mode_ex_log_kernel kernels, too")).
			raises(noLog),
		declare("log_set_max_levels", "sets how deep nested calls are logged", int32Param("max_levels", "the depth")).
			raises(noLog).fails("rocblas.status_invalid_value", "max_levels is not positive"),
		declare("log_restore_defaults", "resets the layers and the depth of logging").raises(noLog),
		declare("log_write_profile", "writes the profile of the calls").raises(noLog),
		declare("log_flush_profile", "writes the profile of the calls and begins a new one").raises(noLog),
	}
}
