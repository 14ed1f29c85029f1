package api

var passed = Result{"passed", "boolean", "whether the check passed"}

func message() Param {
	return withDefault(optional(text("text", "name of the check in the report"), "name of the function"), "")
}

func wanted(name string) Param { return Param{Name: name, Kind: Status, About: "the expected status"} }

func callArguments() Param {
	return optional(variadic(anything("...", "arguments of the function")), "")
}

func testClass() *Class {
	return &Class{
		Name: "test", Receiver: "t", kind: Test,
		About: "the parameter t of a scenario's functions: the parameters of the case, and these fields and methods",
		Fields: []Field{
			{"scheme", "string?", "memory scheme of the case; nil when the scenario has no schemes"},
			{"seed", "integer", "seed of the random numbers of the case"},
			{"env", "table<string, string>", "environment variables of the case"},
			{"handle", "roclua.handle", "handle of the case, created under its scheme when it is first used"},
			{"data", "any",
				"a copy of the result of the scenario's setup_all, or of the file _setup.lua of its folder"},
			{"profile", "string", "library release, such as rocm-7.2"},
			{"arch", "string", "architecture of the device, such as gfx90a"},
			{"platform", "string", "platform: cpu, nvidia or amd"},
			{"virtual_time", "boolean", "whether all times of the case are virtual, a model's: see roclua docs loads"},
		},
		Methods: append(testMethods(), measureMethod()),
	}
}

func testMethods() []*Function {
	return []*Function{
		declare("metric", "records a metric of the case; to record it again is an error, unless the field metrics of "+
			"the scenario says which value counts",
			text("name", "name of the metric; names of measured values, such as seconds and hip.malloc, are reserved"),
			Param{Name: "value", Kind: Plain, About: "the value"},
			optional(text("unit", "unit of the value"), "no unit")),
		declare("check", "checks that a condition is true; when it fails the case fails but continues",
			anything("condition", "the condition; nil and false fail"), message()).results(passed),
		declare("equal", "checks that two values are equal; tables are compared item by item, arrays by type, "+
			"shape and elements",
			anything("have", "the actual value"), anything("want", "the expected value"), message()).results(passed),
		declare("near", "checks that two numbers differ by at most a tolerance; NaN always fails",
			number("have", "the actual number"), number("want", "the expected number"),
			number("tolerance", "the largest difference, which is finite"), message()).results(passed),
		declare("compare", "checks that the elements of two arrays are equal up to a tolerance, |have - want| <= "+
			"atol + rtol |want|; a failure names the worst element and counts the others; NaN differs from "+
			"everything; to compare no element fails",
			Param{Name: "have", Kind: Array, About: "the actual array"},
			Param{Name: "want", Kind: Array, About: "the expected array, of the same shape"},
			optional(Param{Name: "options", Kind: Options, About: "the options", Fields: compareOptions},
				"the elements must be equal"), message()).results(passed),
		declare("status", "checks a status", wanted("want"), anything("have", "the actual status"), message()).
			results(passed),
		declare("raises", "checks that a function raises an error with a status", wanted("status"),
			function("fn", "function", "the function to call"), callArguments()).
			returns("error", "roclua.error?", "the error; nil when there was none"),
		declare("case", "calls a function on a separate device, as one row of a table: t.handle and all that t makes "+
			"are new, and released when the function ends. An error fails the row, also one that makes "+
			"its device unusable, and the case continues. Checks and problems start with the name, metrics are "+
			"NAME.metric; t:skip ends the row alone, and a case that has nothing but skipped rows is skipped. A "+
			"pointer, stream or handle from outside belongs to the other device. On a real device rows use the same "+
			"device",
			text("name", "name of the row"),
			function("fn", "fun(t: roclua.test, ...)", "the function to call"), callArguments()).
			returns("passed", "boolean", "whether nothing failed in the row"),
		declare("forms", "calls a routine in each of its forms with the same problems: for one problem, with "+
			"arrays of pointers (_batched), with strides (_strided_batched), and each of them with 64-bit integers "+
			"(_64). Each form is a row of t:case with its name. Arrays are host arrays that have the data of all "+
			"problems one after the other; pointers, strides and leading dimensions, which are their rows, follow "+
			"from them. A form that the platform does not compute is skipped; the summary counts it. The function "+
			"gets the arrays that a form wrote, by name, for a reduction also the list result with a number for each "+
			"problem",
			text("routine", "name of the routine in one of its forms, such as dgetrf"),
			Param{Name: "arguments", Kind: List, About: "its named arguments without the handle, and batch_count, " +
				"the number of problems, 1 if it is missing"},
			function("check", "fun(t: roclua.test, out: table<string, roclua.array>)", "the function to call")).
			returns("passed", "boolean", "whether nothing failed in any form"),
		declare("skip", "ends the case and reports it as skipped; earlier failures still fail the case",
			withDefault(text("reason", "the reason"), "the scenario gives no reason")),
		declare("log", "writes a line to the log of the case, as print does",
			optional(variadic(anything("...", "values, separated by tabs in the line")), "")),
		declare("defects", "returns the ids of known library defects that concern the calls so far; roclua docs ID "+
			"describes one").returns("ids", "string[]", "the ids; empty if there are none"),
		declare("defer", "calls a function when the case ends; the last deferred function is called first; a "+
			"function that is deferred in teardown is called after it",
			function("fn", "function", "the function to call"), callArguments()),
		declare("guard", "checks when the case ends that nothing has written a part of device memory since, such as "+
			"an input or the marks around an output; the memory has been written before, and is not freed by hand",
			pointer("ptr", "the first byte"), bytes("size", "size in bytes"), message()),
		declare("open", "creates a handle under a memory scheme; it is destroyed when the case ends",
			optional(Param{Name: "options", Kind: Options, About: "the options", Fields: openOptions}, "")).
			returns("handle", "roclua.handle", "the new handle"),
		declare("malloc", "allocates device memory as hip.malloc does; it is freed when the case ends",
			bytes("size", "size in bytes")).returns("ptr", "roclua.pointer?", "address of the memory; nil for 0 bytes"),
		declare("upload", "allocates device memory for an array and copies the array to it; the memory is freed when "+
			"the case ends", Param{Name: "array", Kind: Array, About: "host array"}).
			returns("ptr", "roclua.pointer?", "address of the copy; nil for an empty array"),
		declare("stream", "creates a stream on the current device; it is destroyed when the case ends",
			withDefault(constant("flags", "hip.stream_default or hip.stream_non_blocking", streamFlags...), int64(0))).
			returns("stream", "roclua.stream", "the new stream"),
		declare("event", "creates an event on the current device; it is destroyed when the case ends").
			returns("event", "roclua.event", "the new event"),
	}
}

var compareOptions = []Param{
	defaulting("rtol", "tolerance as a share of the expected element", 0),
	defaulting("atol", "tolerance for all elements", 0),
	withDefault(Param{Name: "nan_equal", Kind: Boolean, About: "whether NaN is equal to NaN"}, false),
	withDefault(Param{Name: "region", Kind: Choice, About: "the part of the matrix that is compared",
		Choices: []string{"all", "upper", "lower", "strictly_upper", "strictly_lower", "diagonal"}}, "all"),
	batch(),
}

const aboutBytes = "size in bytes of the memory, in a scheme with a size"

var openOptions = []Param{
	optional(text("scheme", "memory scheme"), "the scheme of the case, or managed"),
	optional(bytes("bytes", aboutBytes), "the default size of the architecture"),
}

var scenarioClass = Class{
	Name:  "scenario",
	About: "the table that the file of a scenario returns; a file can also return a list of such tables with names",
	Fields: []Field{
		{"name", "string?", "name in a list of scenarios: the scenario is called FILE/NAME; only in a list"},
		{"about", "string?", "description of the scenario"},
		{"source", "string?", "the document that describes it"},
		{"params", "table<string, number|string|boolean>?", "parameters with their defaults"},
		{"schemes", "\"any\"|string[]?", "memory schemes that it runs under"},
		{"platforms", "string|string[]|nil", "platforms that it runs on; cases on other platforms are skipped"},
		{"profiles", "string|string[]|nil",
			"prefixes of the profiles that it runs on, such as rocm-; cases on other profiles are skipped"},
		{"tags", "string|string[]|nil", "labels for selecting scenarios"},
		{"expect", "table<string, string>?",
			"conditions on metrics, such as \"< 1e-10\", by the name of the metric or FUNCTION(name)"},
		{"metrics", "table<string, \"first\"|\"last\"|\"max\"|\"min\">?",
			"which value counts of a metric that a case records more than once, by the name of the metric"},
		{"bytes", "integer|fun(t: roclua.test): integer|nil", aboutBytes + ", of t.handle"},
		{"setup_all", "fun(data: any): any",
			"runs once in each worker, without a device, before its first case; its result, of numbers, strings, " +
				"tables and arrays, is copied to t.data of each case; its argument is the result of the folder's " +
				"_setup.lua, or of a function that _setup.lua returns"},
		{"setup", "fun(t: roclua.test): any", "runs first; the clients of a workload get its result as c.shared"},
		{"run", "fun(t: roclua.test)?", "the scenario; a scenario has it, or a workload"},
		{"workload", "roclua.workload?", "how many clients run events, for how long and how often"},
		{"client", "fun(c: roclua.client)?", "runs in each client of a workload, before the load"},
		{"event", "fun(c: roclua.client)?", "the event that the clients of a workload repeat"},
		{"events", "{name: string, weight: number?, run: fun(c: roclua.client)}[]?",
			"several kinds of events instead of event, with their shares"},
		{"leave", "fun(c: roclua.client)?", "runs in each client of a workload, after the load"},
		{"teardown", "fun(t: roclua.test)?", "runs last, also after an error"},
	},
}
