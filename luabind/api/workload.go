package api

import "slices"

func clientClass() *Class {
	return &Class{
		Name: "client", Receiver: "c", kind: Client,
		About: "the parameter c of the functions of a workload: one of its clients, which have a Lua state, a handle " +
			"and a stream each. It has the parameters of the case, and these fields and methods",
		Fields: []Field{
			{"id", "integer", "number of the client, from 1"},
			{"clients", "integer", "number of clients"},
			{"shared", "any", "a copy of the result of setup; streams, events, device memory and the handles that " +
				"the workload shares are the same for all clients"},
			{"handle", "roclua.handle", "handle of the client, created under the scheme of the case when it is first " +
				"used, in the stream of the client"},
			{"stream", "roclua.stream", "stream of the client, non-blocking, created when it is first used"},
			{"scheme", "string?", "memory scheme of the case; nil when the scenario has no schemes"},
			{"seed", "integer", "seed of the random numbers of the client"},
			{"profile", "string", "library release, such as rocm-7.2"},
			{"arch", "string", "architecture of the device, such as gfx90a"},
			{"platform", "string", "platform: cpu, nvidia or amd"},
			{"virtual_time", "boolean", "whether all times of the case are virtual, a model's: see roclua docs loads"},
		},
		Methods: clientMethods(),
	}
}

// clientMethods are the methods of t that a client has, too.
func clientMethods() []*Function {
	names := []string{"check", "equal", "near", "compare", "status", "raises", "log", "defer", "open", "malloc",
		"upload", "event"}
	return slices.DeleteFunc(testMethods(), func(f *Function) bool { return !slices.Contains(names, f.Name) })
}

var workloadClass = Class{
	Name: "workload",
	About: "the load of a scenario with events. A number or a duration can also be the name of a parameter, whose " +
		"value it then has. Durations are strings such as \"10s\", or seconds",
	Fields: []Field{
		{"clients", "integer|string|nil", "clients in parallel (default 1)"},
		{"duration", "string|number|nil", "how long the load lasts; required without count and stages"},
		{"count", "integer|string|nil", "number of events after which the load ends"},
		{"rate", "number|string|nil", "events that arrive in a second, whether or not a client is ready, so that " +
			"latencies count from the arrival; 0, the default, lets each client run one event after another"},
		{"arrivals", "\"random\"|\"even\"|nil", "whether events arrive at random times, as a Poisson process, or at " +
			"equal distances (default random)"},
		{"queue", "integer|string|nil", "events that wait for a client, at most; others are dropped, and the case " +
			"fails (default 1000)"},
		{"stages", "{duration: string|number, start: string|number|nil, clients: integer|string|nil, rate: " +
			"number|string|nil}[]?",
			"parts of the load during which the number of clients or the rate changes at an even pace"},
		{"shared", "string|string[]|nil", "fields of the result of setup with handles that all clients use"},
		{"tolerate", "string|string[]|nil", "statuses with which events may fail, such as memory_error; any other " +
			"status fails the case"},
		{"abort_on_fail", "string|string[]|nil", "metrics of the load that end it when an expectation on them fails"},
		{"warmup", "string|number|nil", "events that arrive or begin before this time are not counted"},
		{"grace", "string|number|nil", "how long the last events may take after the load (default 5 s)"},
	},
}
