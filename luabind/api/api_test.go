package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/luabind/api"
)

// find returns the declaration of a function by its title.
func find(title string) (*api.Function, bool) {
	list := api.Functions()
	i := slices.IndexFunc(list, func(f *api.Function) bool { return f.Title() == title })
	if i < 0 {
		return nil, false
	}
	return list[i], true
}

func Example() {
	f, _ := find("hip.malloc_async")
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

// TestFinding looks for every declaration by its name, and for names that nothing has.
func TestFinding(t *testing.T) {
	for _, m := range api.Modules() {
		if have, ok := api.FindModule(m.Name); !ok || have != m {
			t.Errorf("the module %s is not found", m.Name)
		}
		if slices.Contains(api.Loadable(), m.Name) == m.Global {
			t.Errorf("%s can be loaded: %v, and is global: %v", m.Name, !m.Global, m.Global)
		}
	}
	for _, c := range api.Classes() {
		if have, ok := api.FindClass(c.Name); !ok || have != c {
			t.Errorf("the class %s is not found", c.Name)
		}
	}
	_, module := api.FindModule("frobnicate")
	if _, class := api.FindClass("frobnicate"); module || class {
		t.Errorf("frobnicate is a module: %v, a class: %v", module, class)
	}
}

// TestDescriptions checks what documentation says of nil and of defaults.
func TestDescriptions(t *testing.T) {
	for want, p := range map[string]api.Param{
		"rows":                                {},
		"rows (nil: none)":                    {Nil: "none"},
		"rows (nil: none; default: cols)":     {Nil: "none", Else: "cols", Default: int64(1), Optional: true},
		"rows (default 0)":                    {Default: int64(0), Optional: true},
		"rows (optional)":                     {Optional: true},
		"rows (nil: all)":                     {Optional: true, Nil: "all"},
		"rows (nil: none; default ascending)": {Nil: "none", Default: "ascending", Optional: true},
	} {
		p.About = "rows"
		if have := p.Describe(); have != want {
			t.Errorf("%+v is described as %q, want %q", p, have, want)
		}
		if p.Optional && p.Default == nil && p.Else == "" && p.Nil == "" {
			if p.Variadic = true; p.Describe() != "rows" {
				t.Errorf("further arguments are described as %q", p.Describe())
			}
		}
	}
}

// TestTypes checks the types and the messages of parameters whose values are restricted.
func TestTypes(t *testing.T) {
	all := api.Param{Kind: api.Integer, Low: api.MinInteger, High: api.MaxInteger}
	below, above := all, all
	below.Low, above.High = 0, 7
	options := api.Param{Kind: api.Options,
		Fields: []api.Param{{Name: "a", Kind: api.Number}, {Name: "b", Kind: api.Plain}}}
	for _, c := range []struct {
		p         api.Param
		typ, want string
	}{
		{all, "integer", "an integer"},
		{below, "integer", "an integer between 0 and 9007199254740992"},
		{above, "integer", "an integer between -9007199254740992 and 7"},
		{api.Param{Kind: api.Integer, High: 1, Constants: []string{"a", "b"}}, "integer", "one of hip.a, hip.b"},
		{api.Param{Kind: api.Enum, Enum: routine.SideKind}, "rocblas.side", "a constant such as rocblas.side_left"},
		{api.Param{Kind: api.Enum, Enum: routine.Fill, Nil: "any"}, "rocblas.fill?",
			"a constant such as rocblas.fill_upper or nil"},
		{api.Param{Kind: api.Choice, Choices: []string{"x", "y"}}, `"x"|"y"`, "one of x y"},
		{api.Param{Kind: api.Func}, "function", "a function"},
		{api.Param{Kind: api.Func, Signature: "fun(): any"}, "fun(): any", "a function"},
		{options, "{a:number?,b:number|string|boolean?}", "a table of options"},
		{api.Param{Kind: api.Stream}, "roclua.stream", "a stream"},
		{api.Param{Kind: api.Stream, Nil: "the null stream"}, "roclua.stream?", "a stream or nil"},
		{api.Param{Kind: api.Handle, Nil: "the null handle"}, "roclua.handle", "a handle"},
	} {
		if typ, want := c.p.Type(), c.p.Want(); typ != c.typ || want != c.want {
			t.Errorf("%+v has type %q and wants %q; want %q and %q", c.p, typ, want, c.typ, c.want)
		}
	}
}

// TestReturns checks the results of a call and of its try form.
func TestReturns(t *testing.T) {
	results := []api.Result{{Name: "a", Type: "number"}, {Name: "b", Type: "number?"}, {Name: "c", Type: "string|nil"}}
	r, _ := routine.Find(routine.RocBLAS, "ddot")
	for _, c := range []struct {
		f         api.Function
		call, try string
	}{
		{api.Function{}, "", ""},
		{api.Function{Results: results}, "a number b number? c string|nil", "a number b number? c string|nil"},
		{api.Function{Status: api.HIPStatus}, "status roclua.hip_status",
			"status roclua.hip_status error roclua.error?"},
		{api.Function{Status: api.HIPStatus, Results: results}, "a number b number? c string|nil",
			"a number? b number? c string|nil status roclua.hip_status error roclua.error?"},
		{api.Function{Status: api.RocBLASStatus, Results: results[:1], Routine: r}, "a number status roclua.status",
			"a number? status roclua.status error roclua.error?"},
	} {
		for try, want := range map[bool]string{false: c.call, true: c.try} {
			var have []string
			for _, r := range c.f.Returns(try) {
				have = append(have, r.Name, r.Type)
			}
			if strings.Join(have, " ") != want {
				t.Errorf("%+v returns %q with try = %v, want %q", c.f, have, try, want)
			}
		}
	}
}

// TestTries checks that functions that call C have a try form, and methods do not.
func TestTries(t *testing.T) {
	for title, want := range map[string]bool{"hip.malloc": true, "array.zeros": false, "handle:device_malloc": false} {
		if f, ok := find(title); !ok || f.Tries() != want {
			t.Errorf("%s is declared: %v, and has a try form: %v", title, ok, !want)
		}
	}
	for name, want := range map[string]bool{"hip": true, "array": false, "rocblas": true} {
		if m, _ := api.FindModule(name); m.Tries() != want {
			t.Errorf("%s has a table of try forms: %v", name, !want)
		}
	}
}

// TestRequired checks how many arguments a call has at least.
func TestRequired(t *testing.T) {
	must, may := api.Param{}, api.Param{Optional: true}
	for want, params := range [][]api.Param{{may}, {must, may}, {may, must}, {must, must, must, may, may}} {
		if f := (api.Function{Params: params}); f.Required() != want {
			t.Errorf("%+v needs %d arguments, want %d", params, f.Required(), want)
		}
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

// TestParametersOfRoutines checks which values a routine accepts for each of its parameters.
func TestParametersOfRoutines(t *testing.T) {
	r, _ := routine.Find(routine.RocBLAS, "zher")
	f := api.Of(r)
	var have []string
	for i := range f.Params {
		have = append(have, f.Params[i].Name+": "+f.Params[i].Want())
	}
	want := []string{"handle: a handle", "uplo: a constant such as rocblas.fill_upper", "n: an integer",
		"alpha: a number, {re, im} or a device pointer", "x: a device pointer or nil", "incx: an integer",
		"A: a device pointer or nil",
		"lda: an integer"}
	if !slices.Equal(have, want) {
		t.Errorf("the parameters are %q, want %q", have, want)
	}
	r, _ = routine.Find(routine.RocSOLVER, "dsyevj")
	for _, p := range api.Of(r).Params {
		if (p.Kind == api.Number) != (p.Name == "abstol") {
			t.Errorf("%s of dsyevj is %s", p.Name, p.Want())
		}
	}
}

// TestTransferNames checks that copies of vectors and matrices name their arrays as the C functions do.
func TestTransferNames(t *testing.T) {
	for title, want := range map[string]string{
		"rocblas.set_vector":       "rocblas.set_vector(n, elem_size, x, incx, y, incy) -> status",
		"rocblas.get_vector_async": "rocblas.get_vector_async(n, elem_size, x, incx, y, incy, stream) -> status",
		"rocblas.set_matrix":       "rocblas.set_matrix(rows, cols, elem_size, a, lda, b, ldb) -> status",
		"rocblas.get_matrix":       "rocblas.get_matrix(rows, cols, elem_size, a, lda, b, ldb) -> status",
	} {
		if f, _ := find(title); f.Signature() != want {
			t.Errorf("%s is called as %s", title, f.Signature())
		}
	}
}

// TestConstantsOfParams checks that the constants that a parameter names have its values.
func TestConstantsOfParams(t *testing.T) {
	values, checked := driver.Constants(), 0
	for _, m := range api.Modules() {
		for _, f := range m.Functions {
			for _, p := range f.Params {
				for i, name := range p.Constants {
					if v, ok := values[name]; !ok || int64(v) != p.Low+int64(i) || int64(v) > p.High {
						t.Errorf("%s: %s: hip.%s is %d, want %d", f.Title(), p.Name, name, v, p.Low+int64(i))
					}
					checked++
				}
			}
		}
	}
	if checked == 0 {
		t.Error("no parameter names constants")
	}
}
