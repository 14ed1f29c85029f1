package manual

func testMethod(name, about string, args, returns []Value) Entry {
	return Entry{Owner: "t", Name: name, Args: args, Returns: returns, About: about}
}

var passed = values("passed boolean: whether it held")

var testMethods = []Entry{
	testMethod("metric", "records a number, a text or a boolean of this case", values("name string: its name", "value number|string|boolean: its value", "unit? string: its unit"), nil),
	testMethod("check", "checks a condition; the case goes on when it fails", values("condition any: what must be true", "text? string: what it means"), passed),
	testMethod("equal", "checks that two values are the same, tables item by item", values("have any: what there is", "want any: what there should be", "text? string: what it means"), passed),
	testMethod("near", "checks that two numbers are close; NaN is close to nothing", values("have number: what there is", "want number: what there should be", "tolerance number: their largest distance", "text? string: what it means"), passed),
	testMethod("status", "checks a status", values("want roclua.status: what it should be", "have roclua.status: what it is", "text? string: what it means"), passed),
	testMethod("raises", "checks that a function raises an error of a status", values("status roclua.status: the status", "fn function: what to call", "...? any: its arguments"), values("error roclua.error?: what was raised")),
	testMethod("skip", "ends the case and counts it as skipped", values("reason? string: why"), nil),
	testMethod("log", "writes a line into the case's log", values("...? any: what to write"), nil),
	testMethod("defer", "lets a function run when the case ends, the last one first", values("fn function: what to call", "...? any: its arguments"), nil),
	testMethod("open", "opens a handle under a scheme, which is closed when the case ends", values("options? {scheme:string?,bytes:integer?}: the case's scheme and the default size unless given"),
		values("handle roclua.handle: the new handle")),
}

// Field is a field of an object.
type Field struct{ Name, Type, About string }

// Class is an object with fields that a script reads.
type Class struct {
	Name   string // "roclua.test"
	About  string
	Fields []Field
}

// Classes are the objects that scripts meet.
var Classes = []Class{
	{"roclua.test", "what the functions of a scenario get: the parameters of the case as fields, and these", []Field{
		{"scheme", "string?", "the scheme that the case runs under"}, {"seed", "integer", "the seed of the case"},
		{"env", "table<string, string>", "the environment of the case"}, {"handle", "roclua.handle", "the handle of the case, opened under its scheme"},
		{"profile", "string", "the library release, rocm-7.2 say"}, {"arch", "string", "the architecture of the device"}, {"platform", "string", "the platform"}}},
	{"roclua.scenario", "what a scenario's file returns", []Field{
		{"about", "string?", "what it is about"}, {"source", "string?", "the document that it shows"},
		{"params", "table<string, number|string|boolean>?", "parameters with their defaults"},
		{"schemes", "\"any\"|string[]?", "schemes that it runs under"}, {"expect", "table<string, string>?", "conditions on metrics, \"< 1e-10\" say, by their names or FUNCTION(name)"}, {"platforms", "string|string[]|nil", "platforms that it can run on; other cases are skipped"}, {"profiles", "string|string[]|nil", "beginnings of the names of profiles that it is about, \"rocm-\" say; other cases are skipped"}, {"bytes", "integer|fun(t: roclua.test): integer|nil", "size of the memory where the scheme lets the user decide"},
		{"setup", "fun(t: roclua.test)?", "runs first"}, {"run", "fun(t: roclua.test)", "the scenario"}, {"teardown", "fun(t: roclua.test)?", "runs last, whatever happened"}}},
	{"roclua.status", "a rocblas_status; == compares, tostring gives the name in C", []Field{
		{"code", "integer", "its number"}, {"ok", "boolean", "whether it is no error"}, {"name", "string", "its name in C"}}},
	{"roclua.hip_status", "a hipError_t; == compares, tostring gives the name in C", []Field{
		{"code", "integer", "its number"}, {"ok", "boolean", "whether it is no error"}, {"name", "string", "its name in C"}}},
	{"roclua.error", "what an error status raises; its text says need and have", []Field{
		{"status", "roclua.status|roclua.hip_status|nil", "the status"}, {"func", "string?", "the function in C"},
		{"required", "integer?", "bytes that were needed"}, {"available", "integer?", "bytes that there were"}, {"scheme", "string?", "who owned the handle's memory"},
		{"source", "string", "the script's file"}, {"line", "integer", "the script's line"}, {"message", "string", "its text"}}},
	{"roclua.array", "a typed array on the host, column-major; a[i] reads and writes 1-based, #a counts", []Field{
		{"rows", "integer", "rows"}, {"cols", "integer", "columns"}, {"type", "string", "element type"}, {"bytes", "integer", "bytes"}}},
	{"roclua.loan", "memory borrowed from a handle; loan[i] is buffer i", []Field{{"bytes", "integer", "bytes, rounding included"}}},
	{"roclua.properties", "what hipGetDeviceProperties tells", []Field{{"name", "string", "the device"}, {"gcn_arch_name", "string", "its architecture"},
		{"total_global_mem", "integer", "bytes of its memory"}, {"warp_size", "integer", "threads of a wavefront"}, {"multi_processor_count", "integer", "compute units"},
		{"max_threads_per_block", "integer", "threads"}, {"shared_mem_per_block", "integer", "bytes"}, {"clock_rate", "integer", "kHz"}}},
	{"roclua.stats", "what was called so far", []Field{{"calls", "table<string, integer>", "calls of HIP by name; calls.total counts all"},
		{"syncs", "table<string, integer>", "calls that made the host wait, by cause; syncs.total counts all"}, {"kernels", "integer", "routines that ran"},
		{"live_bytes", "integer", "device memory in use"}, {"peak_bytes", "integer", "the most there was"}, {"live_blocks", "integer", "allocations in use"},
		{"streams", "integer", "open streams"}, {"events", "integer", "open events"},
		{"allocations", "integer", "requests for memory of at least a byte, failed ones among them"}, {"injected", "integer", "requests that were made to fail"}}},
	{"roclua.trace_call", "one call of HIP", []Field{{"call", "string", "its name in C"}, {"bytes", "integer?", "bytes"}, {"stream", "integer?", "stream number"},
		{"ptr", "roclua.pointer?", "address"}, {"result", "integer", "hipError_t"}, {"seconds", "number", "when it was made"}, {"duration", "number", "how long it took"},
		{"cause", "string", "script, growth, create_handle, workspace_allocation and so on"}, {"origin", "string", "the script's line"}, {"synchronizing", "boolean", "whether the host waited"},
		{"injected", "string?", "why the call was made to fail"}}},
	{"roclua.hazard", "one memory used by two streams without an order", []Field{{"ptr", "roclua.pointer", "first byte in common"}, {"bytes", "integer", "bytes in common"},
		{"earlier", "table", "call, stream, write, origin"}, {"later", "table", "call, stream, write, origin"}}},
}
