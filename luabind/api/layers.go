package api

import (
	"slices"
	"strings"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

// layerStatus returns the class of the statuses of a library above rocBLAS and rocSOLVER.
func layerStatus(l routine.Library) StatusClass {
	if l == routine.HipBLAS {
		return HipBLASStatus
	}
	return HipSOLVERStatus
}

// layerHandles declares the functions for handles that both libraries above rocBLAS have.
func layerHandles(l routine.Library) []*Function {
	return []*Function{
		declare("Create", "creates a handle, as rocblas.create_handle does").
			returns("handle", "roclua.handle", "the new handle").
			fails(l.String()+".status_alloc_failed", "the device has too little free memory"),
		declare("Destroy", "destroys a handle", handle()),
		declare("SetStream", "sets the stream of a handle", handle(), stream()),
		declare("GetStream", "returns the stream of a handle", handle()).
			returns("stream", "roclua.stream|integer?", "the stream; nil is the null stream"),
	}
}

// inLayer completes the declarations of a library.
func inLayer(l routine.Library, groups ...[]*Function) []*Function {
	list := slices.Concat(groups...)
	for _, f := range list {
		f.C, f.Status = l.String()+f.Name, layerStatus(l)
	}
	return list
}

// layerConstants lists the enumerations of a library above rocBLAS, then its statuses.
func layerConstants(l routine.Library) (list []Constant) {
	for _, c := range routine.LayerConstants(l) {
		list = append(list, Constant{c.Name, c.Value, "integer", ""})
	}
	for _, number := range status.LayerStatuses() {
		list = append(list, Constant{"status_" + status.LayerName(number), int64(number), string(layerStatus(l)),
			status.LayerMeaning(number)})
	}
	return list
}

func hipblas() *Module {
	return &Module{
		Name: "hipblas",
		About: "BLAS and LAPACK routines through hipBLAS, which repeats calls of some that lack memory; it takes " +
			"handles of rocblas",
		Functions: inLayer(routine.HipBLAS, layerHandles(routine.HipBLAS), copies(), hipblasModes()),
		Constants: layerConstants(routine.HipBLAS),
		Library:   of(routine.HipBLAS),
	}
}

func hipblasModes() []*Function {
	return []*Function{
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
	}
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

func hipsolver() *Module {
	return &Module{
		Name: "hipsolver",
		About: "LAPACK routines through hipSOLVER, which changes the memory of a handle around each call; it " +
			"takes handles of rocblas",
		Functions: inLayer(routine.HipSOLVER, layerHandles(routine.HipSOLVER), jacobiFunctions("Syevj", "eigenvalues"),
			jacobiFunctions("Gesvdj", "singular values"), paramsFunctions()),
		Constants: layerConstants(routine.HipSOLVER),
		Library:   of(routine.HipSOLVER),
	}
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
		stored(declare(getter+"Residual", "waits for the last call and returns the norm of its residual",
			handle(), info).returns("residual", "number", "the norm")),
		stored(declare(getter+"Sweeps", "waits for the last call and returns its sweeps", handle(), info).
			returns("executed_sweeps", "integer", "the number")),
	}
}

// stored declares when a result of the last call is not there.
func stored(f *Function) *Function {
	return f.fails("hipsolver.status_not_supported", "the last call was for a batch").
		fails("hipsolver.status_internal_error", "no call was made, or a stream is captured")
}
