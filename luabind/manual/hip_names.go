package manual

import (
	"cmp"
	"fmt"
	"io"

	"roclua/luabind/api"
)

// handleNames maps the functions for handles with the names of cuSOLVER to the functions of rocBLAS.
var handleNames = map[string]string{
	"Create": "create_handle", "Destroy": "destroy_handle", "SetStream": "set_stream", "GetStream": "get_stream",
}

// hipblasNames are the functions of hipBLAS that are neither routines nor in the module hipblas.
var hipblasNames = map[string]string{
	"SetMathMode": "set_math_mode", "GetMathMode": "get_math_mode",
	"SetVector": "set_vector", "GetVector": "get_vector", "SetMatrix": "set_matrix", "GetMatrix": "get_matrix",
	"SetVectorAsync": "set_vector_async", "GetVectorAsync": "get_vector_async",
	"SetMatrixAsync": "set_matrix_async", "GetMatrixAsync": "get_matrix_async",
}

// hipNames are the names in hipBLAS and hipSOLVER of functions that are not routines, with the C names in rocBLAS.
var hipNames = hipFunctions()

func hipFunctions() map[string]string {
	names := map[string]string{}
	for name, short := range handleNames {
		names["hipsolverDn"+name] = "rocblas_" + short
	}
	for name, short := range hipblasNames {
		names["hipblas"+name] = "rocblas_" + short
	}
	return names
}

// findHIPNames finds the function that a name in hipBLAS or hipSOLVER means.
func findHIPNames(name string) (pages []Page) {
	c := hipNames[name]
	for _, f := range api.Functions() {
		if c != "" && f.C == c {
			pages = append(pages, func(w io.Writer) {
				fmt.Fprintf(w, "%s is %s:\n\n", name, c)
				writeFunction(w, f)
			})
		}
	}
	return pages
}

// FunctionNamed returns the name in scripts of a function that is not a routine: "hip.set_device" for hipSetDevice, and
// "rocblas.set_stream" for rocblas_set_stream, hipblasSetStream and set_stream. It is empty for other names.
func FunctionNamed(name string) string {
	c := cmp.Or(hipNames[name], name)
	for _, f := range api.Functions() {
		if !f.IsMethod() && (f.C != "" && f.C == c || f.Title() == name || f.C != "" && f.Name == name) {
			return f.Title()
		}
	}
	return ""
}
