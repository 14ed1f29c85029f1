package luabind_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
	"roclua/luabind/api"
	"roclua/luabind/manual"
	"roclua/luabind/record"
	"roclua/workspace"
)

// kindsOf is a function of Lua that returns the types of its arguments: "number userdata nil". A status is "status".
const kindsOf = `
	local function kinds(...)
		local list = {}
		for i = 1, select("#", ...) do
			local v = select(i, ...)
			local name = tostring(v)
			list[i] = (name:find("^rocblas_status_") or name:find("^HIPSOLVER_STATUS_") or name:find("^HIPBLAS_STATUS_")
				or name:find("^hipSuccess") or name:find("^hipError")) and type(v) == "userdata" and "status" or type(v)
		end
		return table.concat(list, " ")
	end `

// matches reports whether values of Lua, by their types, are declared results.
func matches(kinds string, declared []api.Result) bool {
	got := strings.Fields(kinds)
	if len(got) != len(declared) {
		return false
	}
	for i, r := range declared {
		if !kindMatches(got[i], r.Type) {
			return false
		}
	}
	return true
}

// kindMatches reports whether a type of Lua is one of a declared type, such as "integer?" or "number|number[]|nil".
func kindMatches(got, declared string) bool {
	for typ := range strings.SplitSeq(strings.Replace(declared, "?", "|nil", 1), "|") {
		want := typ
		switch {
		case typ == "any":
			return true
		case typ == "integer":
			want = "number"
		case typ == "roclua.status", typ == "roclua.hip_status", typ == "roclua.hipsolver_status",
			typ == "roclua.hipblas_status":
			want = "status"
		case strings.HasSuffix(typ, "[]"), typ == "roclua.properties", typ == "roclua.stats",
			typ == "roclua.measurement":
			want = "table"
		case strings.HasPrefix(typ, "roclua."):
			want = "userdata"
		}
		if got == want {
			return true
		}
	}
	return false
}

// prepared are the objects of declared functions, with arrays of one element, which is also a square matrix.
var prepared = strings.Replace(objects, `array.zeros("d", 4)`, `array.zeros("d", 1)`, 1) + kindsOf

// before is what a function needs to succeed.
var before = map[string]string{
	"rocsolver.log_end":                     "rocsolver.log_begin() ",
	"rocsolver.log_set_layer_mode":          "rocsolver.log_begin() ",
	"rocsolver.log_set_max_levels":          "rocsolver.log_begin() ",
	"rocsolver.log_restore_defaults":        "rocsolver.log_begin() ",
	"rocsolver.log_write_profile":           "rocsolver.log_begin() ",
	"rocsolver.log_flush_profile":           "rocsolver.log_begin() ",
	"rocblas.stop_device_memory_size_query": "rocblas.start_device_memory_size_query(handle) ",
	"handle:set_optimal_device_memory_size": "rocblas.start_device_memory_size_query(handle) ",
	"array.lu_residual":                     "array1[1] = 1 ",
	"hip.device_disable_peer_access":        "hip.device_enable_peer_access(1) ",
	"hip.stream_end_capture":                "hip.stream_begin_capture(stream, 2) ",
	"hip.event_elapsed_time":                "hip.event_record(event, stream) hip.event_synchronize(event) ",
}

func init() {
	for _, method := range []string{"syevj", "gesvdj"} {
		for _, result := range []string{"Residual", "Sweeps"} { // of a call
			before["hipsolver.X"+method+"Get"+result] = "hipsolver.Dsyevj(handle, 201, 121, 1, pointer, 1, " +
				"pointer + 64, nil, 0, pointer + 128, jacobi) "
		}
	}
}

// succeeding are the arguments of the functions that fail with those that arguments returns.
var succeeding = map[string]string{
	"array.view":                 `"d", hip.malloc_managed(8), 1`,
	"hip.bytes":                  `"1K"`,
	"handle:gemm_kernel":         `handle, {m = 1, n = 1, k = 1, a_type = rocblas.datatype_f32_r}`,
	"t:forms":                    `t, "dscal", {n = 1, alpha = 1, x = array1}, function() end`,
	"handle:prepare":             `handle, "dscal", {n = 1, alpha = 1, x = pointer}`,
	"prepared:set":               "prepared, {n = 0}",
	"hip.mem_pool_set_attribute": "hip.mem_pool_attr_release_threshold, 64",
	"hip.mem_pool_get_attribute": "hip.mem_pool_attr_release_threshold",
	"hip.memcpy2d":               "array1, 8, pointer, 8, 8, 1",
	"hip.memcpy2d_async":         "array1, 8, pointer, 8, 8, 1, 4, stream",
}

// TestResultsAreDeclared calls every function, in both forms, and compares the results with the declaration.
func TestResultsAreDeclared(t *testing.T) {
	for _, f := range callable() {
		if slices.Contains([]string{"t:skip", "array.load", "array:save"}, f.Title()) {
			continue // it does not return, or needs a file
		}
		if strings.HasSuffix(f.Name, "_rfinfo") || strings.HasSuffix(f.Name, "_rfinfo_mode") {
			continue // they fail on simulated devices
		}
		if f.Name == "DnSetAdvOptions" {
			continue // it always fails
		}
		args, ok := succeeding[f.Title()]
		if !ok {
			args = strings.Join(arguments(f), ", ")
		}
		t.Run(f.Title(), func(t *testing.T) { testResults(t, f, callee(f), args, false) })
		if f.Tries() {
			t.Run(f.Title()+" try", func(t *testing.T) { testResults(t, f, f.Owner+".try."+f.Name, args, true) })
		}
	}
}

func testResults(t *testing.T, f *api.Function, name, args string, try bool) {
	body := prepared + before[f.Title()] + fmt.Sprintf(`t:log(kinds(%s(%s)))`, name, args)
	rec := runOnDevices(t, scenario("", body), record.Case{})
	if rec.End != nil {
		t.Fatalf("%s", rec.End)
	}
	lines := strings.Split(strings.TrimSuffix(rec.Log, "\n"), "\n")
	kinds := lines[len(lines)-1]
	declared := f.Returns(try)
	if f.Reason && !strings.HasPrefix(kinds, "nil") {
		declared = declared[:len(declared)-1]
	}
	if !matches(kinds, declared) {
		t.Errorf("returns %q, declared are %v", kinds, declared)
	}
	if try && !strings.HasSuffix(kinds, "status nil") && f.Status != api.NoStatus {
		t.Errorf("the call fails: %s", kinds)
	}
}

// TestResultsOfRoutines calls a routine of each family in a size query, in both forms.
func TestResultsOfRoutines(t *testing.T) {
	seen := map[string]bool{}
	var b strings.Builder
	b.WriteString(prepared + "rocblas.start_device_memory_size_query(handle)\n")
	var called []*routine.Routine
	for _, r := range routine.All() {
		if seen[r.Family.Name] || !r.Family.ExportedBy(workspace.DefaultProfileOf("cpu")) ||
			r.Family.Uses(buffer.SparseWork) {
			continue
		}
		seen[r.Family.Name] = true
		called = append(called, r)
		more := "{ handle = handle,"
		for _, p := range api.Of(r).Params {
			if p.Kind == api.Pointer {
				more += " " + p.Name + " = pointer,"
			}
		}
		_, arguments, _ := strings.Cut(manual.Example(r, "handle"), "{")
		example := r.Name + more + arguments
		for _, module := range []string{"", ".try"} {
			fmt.Fprintf(&b, "t:metric(%q, kinds(%s%s.%s))\n", r.Name+module, r.Library, module, example)
		}
	}
	b.WriteString("rocblas.stop_device_memory_size_query(handle)")
	rec := run(t, scenario("", b.String()), record.Case{})
	if rec.End != nil || len(rec.Metrics) != 2*len(called) {
		t.Fatalf("%d results of %d routines; %s", len(rec.Metrics), len(called), rec.End)
	}
	for i, r := range called {
		for form, try := range []bool{false, true} {
			kinds, _ := rec.Metrics[2*i+form].Value.(string)
			if declared := api.Of(r).Returns(try); !matches(kinds, declared) {
				t.Errorf("%s: returns %q, declared are %v", r.Name, kinds, declared)
			}
		}
	}
}
