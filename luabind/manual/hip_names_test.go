package manual_test

import (
	"strings"
	"testing"

	"roclua/luabind/api"
	"roclua/luabind/manual"
)

// TestHIPNames finds functions that are not routines by their names in hipSOLVER.
func TestHIPNames(t *testing.T) {
	for name, want := range map[string]string{
		"hipsolverDnSetStream": "set_stream", "hipsolverDnGetStream": "get_stream",
		"hipsolverDnCreate": "create_handle", "hipsolverDnDestroy": "destroy_handle",
	} {
		pages := manual.Find(name, manual.Program{})
		if len(pages) != 1 {
			t.Errorf("%s has %d pages, want 1", name, len(pages))
			continue
		}
		var b strings.Builder
		pages[0](&b)
		if begin := name + " is rocblas_" + want + ":\n\nrocblas." + want + "("; !strings.HasPrefix(b.String(), begin) {
			t.Errorf("%s does not start with %q:\n%s", name, begin, &b)
		}
	}
	// hipSOLVER has no pointer mode, hipBLAS no size queries.
	for _, name := range []string{"hipsolverSetPointerMode", "hipblasStartDeviceMemorySizeQuery", "hipblasSetStreams"} {
		if pages := manual.Find(name, manual.Program{}); len(pages) != 0 {
			t.Errorf("%s has %d pages", name, len(pages))
		}
	}
}

// TestHIPNamesExist checks that each function has a page.
func TestHIPNamesExist(t *testing.T) {
	known := map[string]bool{}
	for _, f := range api.Functions() {
		known[f.C] = true
	}
	for name, c := range manual.HIPNames {
		if !known[c] {
			t.Errorf("%s is %s, which is not a function", name, c)
		}
	}
}
