package luabind_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/luabind/api"
	"roclua/luabind/record"
)

// objects creates one object of each class, for the tests of declared functions.
const objects = `
	local hipblas, hipsolver = require "hipblas", require "hipsolver"
	local jacobi, params = hipsolver.CreateSyevjInfo(), hipsolver.DnCreateParams()
	local handle, other = rocblas.create_handle(), rocblas.create_handle()
	local stream, event, pointer = hip.stream_create(), hip.event_create(), hip.malloc(4096)
	local array1, allocation = array.zeros("d", 4), other:device_malloc(64)
	local captured = hip.stream_create_with_flags(hip.stream_non_blocking)
	hip.stream_begin_capture(captured, hip.stream_capture_mode_relaxed)
	hip.memset_async(pointer, 0, 64, captured)
	local prepared = handle:prepare("dscal", {n = 1, alpha = 1, x = pointer})
	local graph = hip.stream_end_capture(captured)
	local exec = hip.graph_instantiate(graph) `

// samples are values of Lua, by the expressions of a test with objects.
var samples = map[string]string{
	"handle": "handle", "stream": "stream", "event": "event", "pointer": "pointer", "array": "array1",
	"allocation": "allocation", "prepared": "prepared", "graph": "graph", "exec": "exec",
	"test": "t", "fraction": "1.5", "string": `"much"`, "boolean": "true", "table": "{}", "jacobi": "jacobi",
	"params":   "params",
	"function": "print",
}

// accepted lists the samples that each kind of parameter accepts.
var accepted = map[api.Kind][]string{
	api.Handle: {"handle"}, api.Stream: {"stream"}, api.Event: {"event"}, api.Pointer: {"pointer"},
	api.Memory: {"pointer", "array"}, api.Array: {"array"}, api.Numbers: {"array"}, api.Allocation: {"allocation"},
	api.Prepared: {"prepared"}, api.Callable: {"prepared", "function"}, api.Boolean: {"boolean"},
	api.Graph: {"graph"}, api.GraphExec: {"exec"},
	api.Test: {"test"}, api.Number: {"fraction"}, api.String: {"string", "fraction"}, api.Element: {"fraction"},
	api.Plain: {"string", "fraction", "boolean"}, api.Environment: {"string", "fraction"},
	api.Jacobi: {"jacobi"}, api.Params: {"params"},
	api.List: {"table"}, api.Options: {"table"}, api.Func: {"function"},
}

// valid returns an expression that a parameter accepts.
func valid(p *api.Param) string {
	switch p.Kind {
	case api.Bytes:
		return "64"
	case api.Integer:
		switch {
		case p.Name == "attribute":
			return "hip.device_attribute_warp_size"
		case p.Name == "device" || p.High < 1:
			return "0"
		case p.Name == "kind":
			return "4"
		}
		return "1"
	case api.Enum:
		i := slices.IndexFunc(routine.Constants, func(c routine.Constant) bool { return c.Enum == p.Enum })
		if i < 0 {
			return fmt.Sprint(routine.Legal(p.Enum)[0])
		}
		return routine.EnumLibrary(p.Enum).String() + "." + routine.Constants[i].Name
	case api.Rfinfo: // there are none on simulated devices
		return "nil"
	case api.Status:
		return "rocblas.status_success"
	case api.Choice:
		return `"` + p.Choices[0] + `"`
	case api.ElementType:
		return `"d"`
	case api.List:
		return "{1, 2}"
	case api.Options:
		if slices.ContainsFunc(p.Fields, func(f api.Param) bool { return f.Name == "max_time" }) {
			return "{max_time = 0}"
		}
	case api.Func:
		return "function() end"
	case api.Any:
		return "1"
	}
	return samples[accepted[p.Kind][0]]
}

// callable returns the declared functions that a scenario can call. Clients have methods of t, by the same Go
// functions.
func callable() []*api.Function {
	return slices.DeleteFunc(slices.Clone(api.Functions()),
		func(f *api.Function) bool { return f.Receiver == api.Client })
}

// arguments returns the expressions of a valid call, beginning with the receiver of a method.
func arguments(f *api.Function) []string {
	var list []string
	if f.IsMethod() {
		list = append(list, samples[accepted[f.Receiver][0]])
	}
	for i := range f.Params {
		list = append(list, valid(&f.Params[i]))
	}
	return list
}

// callee returns the expression of a function.
func callee(f *api.Function) string {
	if f.IsMethod() {
		return samples[accepted[f.Receiver][0]] + "." + f.Name
	}
	return f.Title()
}

// protected runs a call with pcall and returns the message of its error, or "".
func protected(t *testing.T, f *api.Function, args []string) (message string, done *record.Record) {
	t.Helper()
	body := fmt.Sprintf(`%s
		local ok, err = pcall(%s, %s)
		t:metric("message", ok and "" or tostring(err))`, objects, callee(f), strings.Join(args, ", "))
	if len(args) == 0 {
		body = strings.Replace(body, ", )", ")", 1)
	}
	done = run(t, scenario(`params = {},`, body), record.Case{})
	if len(done.Metrics) == 1 {
		message, _ = done.Metrics[0].Value.(string)
	}
	return message, done
}

// TestDeclaredFunctionsAreCallable calls every declared function with arguments that its declaration accepts. Its Go
// function may return an error status, but not complain about an argument.
func TestDeclaredFunctionsAreCallable(t *testing.T) {
	for _, f := range callable() {
		t.Run(f.Title(), func(t *testing.T) {
			message, rec := protected(t, f, arguments(f))
			if strings.Contains(message, "want ") || strings.Contains(message, "takes ") {
				t.Error(message)
			}
			if f.Name != "skip" && len(rec.Metrics) == 0 {
				t.Errorf("the scenario ended early: %+v", rec.End)
			}
		})
	}
}

// TestWrongTypes passes values of every other type for each parameter of each declared function. The error names the
// function, the parameter, the value and what the parameter accepts.
func TestWrongTypes(t *testing.T) {
	for _, f := range callable() {
		t.Run(f.Title(), func(t *testing.T) {
			for i := range f.Params {
				if p := &f.Params[i]; p.Kind != api.Any {
					testWrongTypes(t, f, p, len(arguments(f))-len(f.Params)+i)
				}
			}
		})
	}
}

// recorded returns a protected call whose error message is a metric; the metric is empty when there is no error.
func recorded(callee, args, metric string) string {
	return fmt.Sprintf("\ndo local ok, err = pcall(%s, %s) t:metric(%q, ok and \"\" or tostring(err)) end", callee,
		args, metric)
}

// testWrongTypes tests one parameter, at a place among the arguments. One scenario makes all calls.
func testWrongTypes(t *testing.T, f *api.Function, p *api.Param, place int) {
	var b strings.Builder
	b.WriteString(objects)
	for name, sample := range samples {
		if slices.Contains(accepted[p.Kind], name) {
			continue
		}
		args := arguments(f)
		args[place] = sample
		b.WriteString(recorded(callee(f), strings.Join(args, ", "), name))
	}
	if p.Nil == "" && !p.Optional {
		args := arguments(f)
		b.WriteString(recorded(callee(f), strings.Join(append(args[:place:place], "nil"), ", "), "nil"))
	}
	rec := run(t, scenario("", b.String()), record.Case{})
	if rec.End != nil {
		t.Fatalf("%+v\n%s", rec.End, b.String())
	}
	for _, m := range rec.Metrics {
		message := fmt.Sprint(m.Value)
		for _, part := range []string{f.Title() + ": ", p.Name + ": ", "got ", "want "} {
			if !strings.Contains(message, part) {
				t.Errorf("%s for %s: %q does not contain %q", m.Name, p.Name, message, part)
			}
		}
	}
}

// TestArgumentCount passes one argument too many to every declared function.
func TestArgumentCount(t *testing.T) {
	for _, f := range callable() {
		if n := len(f.Params); n > 0 && f.Params[n-1].Variadic {
			continue
		}
		t.Run(f.Title(), func(t *testing.T) {
			message, _ := protected(t, f, append(arguments(f), `"more"`))
			want := fmt.Sprintf("got %d", len(f.Params)+1)
			if !strings.Contains(message, f.Title()+": takes ") || !strings.HasSuffix(message, want) {
				t.Errorf("%q does not say takes ..., %s", message, want)
			}
		})
	}
}

// TestWrongTypesOfRoutines passes a boolean for each parameter of one routine of each family, in C order and by name.
func TestWrongTypesOfRoutines(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range routine.All() {
		if seen[r.Family.Name] {
			continue
		}
		seen[r.Family.Name] = true
		t.Run(r.Name, func(t *testing.T) { testRoutine(t, r) })
	}
}

func testRoutine(t *testing.T, r *routine.Routine) {
	f := api.Of(r)
	var b strings.Builder
	b.WriteString(objects)
	call := func(name, args string) {
		b.WriteString(recorded(f.Title(), args, name))
	}
	for i := range f.Params {
		args := make([]string, len(f.Params))
		for j := range args {
			if args[j] = "nil"; j > 0 && f.Params[j].Kind != api.Pointer {
				args[j] = valid(&f.Params[j])
			}
		}
		args[i] = "true"
		call(f.Params[i].Name, strings.Join(args, ", "))
		call(f.Params[i].Name+" by name", "{ "+f.Params[i].Name+" = true }")
	}
	done := run(t, scenario("", b.String()), record.Case{})
	if done.End != nil || len(done.Metrics) != 2*len(f.Params) {
		t.Fatalf("%+v\n%s", done.End, b.String())
	}
	for _, m := range done.Metrics {
		want := f.Title() + ": " + strings.TrimSuffix(m.Name, " by name") + ": got the boolean true, want "
		if message := fmt.Sprint(m.Value); !strings.Contains(message, want) {
			t.Errorf("%q does not contain %q", message, want)
		}
	}
}

// nullStatuses has the status of a call with a null object of a kind: of HIP, of rocBLAS and rocSOLVER, and of the
// libraries above them. A null stream, array or host array can be legal: such a call has some status.
var nullStatuses = map[api.Kind]string{
	api.Handle: "rocblas_status_invalid_handle|HIP(BLAS|SOLVER)_STATUS_NOT_INITIALIZED|false",
	api.Event:  "hipErrorInvalidHandle", api.Graph: "hipErrorInvalidValue", api.GraphExec: "hipErrorInvalidValue",
	api.Rfinfo: "rocblas_status_invalid_pointer", api.Jacobi: "HIPSOLVER_STATUS_INVALID_VALUE",
	api.Params: "HIPSOLVER_STATUS_INVALID_VALUE", api.Stream: anyStatus, api.Pointer: anyStatus, api.Memory: anyStatus,
	api.Array: anyStatus}

const anyStatus = "hip[ES].*|0|1|rocblas_status_.*|HIP(BLAS|SOLVER)_STATUS_.*"

// otherNullStatuses are the statuses of functions that differ from nullStatuses. The real libraries return those of
// hipBLAS and hipSOLVER, also on rocm-6.4.
var otherNullStatuses = map[string]string{
	"rocsolver.create_rfinfo handle":      "rocblas_status_not_implemented",
	"hipsolver.XsyevjGetResidual handle":  "HIPSOLVER_STATUS_HANDLE_IS_NULLPTR",
	"hipsolver.XsyevjGetSweeps handle":    "HIPSOLVER_STATUS_HANDLE_IS_NULLPTR",
	"hipsolver.XgesvdjGetResidual handle": "HIPSOLVER_STATUS_HANDLE_IS_NULLPTR",
	"hipsolver.XgesvdjGetSweeps handle":   "HIPSOLVER_STATUS_HANDLE_IS_NULLPTR",
	"hipsolver.DnSetAdvOptions params":    "HIPSOLVER_STATUS_NOT_SUPPORTED",
}

// TestNullObjects passes null for each object of each function of the C APIs. The function returns a status.
func TestNullObjects(t *testing.T) {
	for _, f := range callable() {
		if !f.Tries() {
			continue
		}
		t.Run(f.Title(), func(t *testing.T) { testNullObjects(t, f) })
	}
}

func testNullObjects(t *testing.T, f *api.Function) {
	for i := range f.Params {
		p := &f.Params[i]
		want, isObject := nullStatuses[p.Kind]
		if other, ok := otherNullStatuses[f.Title()+" "+p.Name]; ok {
			want = other
		}
		if isObject && p.Nil != "" {
			requireNullStatus(t, []nullCall{{f, i, want}})
		}
	}
}

// nullCall is a call of a function with null for a parameter.
type nullCall struct {
	*api.Function
	place int
	want  string // regular expression of the status
}

// requireNullStatus makes calls in one scenario.
func requireNullStatus(t *testing.T, calls []nullCall) {
	t.Helper()
	var b strings.Builder
	b.WriteString(objects + `
		local function status(...) return tostring((select(-2, ...))) end
		local function only(...) return tostring((...)) end`)
	for i, c := range calls {
		args, get := arguments(c.Function), "status"
		args[c.place] = "nil"
		if c.Status == api.NoStatus {
			get = "only"
		}
		fmt.Fprintf(&b, `
			do local ok, have = pcall(function() return %s(%s.try.%s(%s)) end) t:metric("%d", have) end`, get,
			c.Owner, c.Name, strings.Join(args, ", "), i)
	}
	rec := run(t, scenario("params = {},", b.String()), record.Case{})
	if len(rec.Metrics) != len(calls) {
		t.Errorf("%d of %d calls: %+v", len(rec.Metrics), len(calls), rec.End)
	}
	for i, m := range rec.Metrics {
		have, c := fmt.Sprint(m.Value), calls[i]
		if !regexp.MustCompile("^(" + c.want + ")$").MatchString(have) {
			t.Errorf("%s with null for %s: %s, want %s", c.Title(), c.Params[c.place].Name, have, c.want)
		}
	}
}

// TestNullObjectsOfRoutines calls every routine with the null handle, and with each null object.
func TestNullObjectsOfRoutines(t *testing.T) {
	const inScenario = 50
	for _, library := range []routine.Library{routine.RocBLAS, routine.RocSOLVER, routine.HipBLAS, routine.HipSOLVER} {
		var calls []nullCall
		for _, r := range library.Routines() {
			f := api.Of(r)
			calls = append(calls, nullCall{f, 0, anyStatus})
			for i := range f.Params {
				if want := nullStatuses[f.Params[i].Kind]; i > 0 && want != "" && want != anyStatus {
					calls = append(calls, nullCall{f, i, want})
				}
			}
		}
		for some := range slices.Chunk(calls, inScenario) {
			requireNullStatus(t, some)
		}
	}
}
