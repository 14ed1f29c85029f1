package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"roclua/hip/routine"
	"roclua/luabind/api"
)

func Example() {
	f, _ := api.Find("hip.malloc_async")
	fmt.Println(f.Signature())
	for i := range f.Params {
		fmt.Println(f.Params[i].Name+":", f.Params[i].Want())
	}
	// Output:
	// hip.malloc_async(size, stream) -> ptr
	// size: a number of bytes
	// stream: a stream or nil
}

func ExampleOf() {
	r, _ := routine.Find(routine.RocBLAS, "dasum")
	fmt.Println(api.Of(r).Signature())
	// Output: rocblas.dasum(handle, n, x, incx) -> result, status
}

// TestErrorsExist compares the statuses that declarations mention with the constants of the modules.
func TestErrorsExist(t *testing.T) {
	known := map[string]bool{}
	for _, m := range api.Modules() {
		for _, c := range m.Constants {
			known[m.Name+"."+c.Name] = true
		}
	}
	for _, f := range api.Functions() {
		for _, e := range f.Errors {
			if !known[e.Status] {
				t.Errorf("%s: there is no constant %s", f.Title(), e.Status)
			}
		}
	}
}

// TestDocumentationStyle checks that documentation is made of phrases without a full stop.
func TestDocumentationStyle(t *testing.T) {
	check := func(what, about string) {
		first := []rune(about + " ")[0]
		if about == "" || unicode.IsSpace(first) || strings.HasSuffix(about, ".") && !strings.HasSuffix(about, "...") {
			t.Errorf("%s: %q", what, about)
		}
	}
	for _, f := range api.Functions() {
		check(f.Title(), f.About)
		for _, p := range f.Params {
			check(f.Title()+": "+p.Name, p.About)
		}
		for _, r := range f.Results {
			check(f.Title()+": "+r.Name, r.About)
		}
		for _, e := range f.Errors {
			check(f.Title()+": "+e.Status, e.When)
		}
	}
	for _, c := range api.Classes() {
		check(c.Name, c.About)
		for _, field := range c.Fields {
			check(c.Name+"."+field.Name, field.About)
		}
	}
}

// TestMethodNames checks that a handle has its own methods, the functions that take a handle first, and the routines.
func TestMethodNames(t *testing.T) {
	handle, _ := api.FindClass("handle")
	names := handle.MethodNames()
	for _, want := range []string{"query", "set_stream", "dgetrf"} {
		if !slices.Contains(names, want) {
			t.Errorf("a handle has no method %s", want)
		}
	}
	if slices.Contains(names, "create_handle") {
		t.Error("create_handle is a method")
	}
	if array, _ := api.FindClass("array"); !slices.Contains(array.MethodNames(), "norm") {
		t.Error("an array has no method norm")
	}
}

// TestResultTypes checks what reductions return: one number, one of a complex type, or one for each problem.
func TestResultTypes(t *testing.T) {
	for name, want := range map[string]string{
		"dasum": "number?", "dznrm2": "number?", "idamax": "integer?", "izamax": "integer?",
		"cdotu": "number|number[]|nil", "zdotu": "number|number[]|nil", "dot_ex": "number|number[]|nil",
		"ddot_batched": "roclua.array?", "izamax_batched": "roclua.array?", "zdotu_strided_batched": "roclua.array?",
	} {
		r, _ := routine.Find(routine.RocBLAS, name)
		if results := api.Of(r).Results; len(results) != 1 || results[0].Type != want {
			t.Errorf("%s returns %+v, want %s", name, results, want)
		}
	}
}
