package manual

import (
	"cmp"
	"fmt"
	"io"

	"roclua/luabind/api"
)

// hipNames are functions of hipSOLVER that are not in its module, with their C names in rocBLAS.
var hipNames = map[string]string{
	"hipsolverDnCreate": "rocblas_create_handle", "hipsolverDnDestroy": "rocblas_destroy_handle",
	"hipsolverDnSetStream": "rocblas_set_stream", "hipsolverDnGetStream": "rocblas_get_stream",
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
