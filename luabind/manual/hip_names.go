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

// hipNames are the names in hipSOLVER of functions that are not in its module, with the C names in rocBLAS.
var hipNames = hipFunctions()

func hipFunctions() map[string]string {
	names := map[string]string{}
	for name, short := range handleNames {
		names["hipsolverDn"+name] = "rocblas_" + short
	}
	return names
}

// findHIPNames finds the function that a name in hipSOLVER means.
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
