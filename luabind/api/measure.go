package api

func measureMethod() *Function {
	return declare("measure", "repeats a call and records its times on the host and on the device, in "+
		"seconds: the metrics NAME.device.median, NAME.device.p95, NAME.host.median, NAME.noise and "+
		"NAME.samples, and NAME.gflops and NAME.gbs if the operations and the bytes are known, with "+
		"NAME.gflops_share and NAME.gbs_share of the device's peak; counts and traces contain only the first call",
		text("name", "name of the measurement"),
		Param{Name: "options", Kind: Options, Fields: measureOptions, Nil: "the defaults; it may be left out",
			About: "the options"},
		Param{Name: "call", Kind: Callable, About: "a prepared call, or a function, which gets the number of the " +
			"copy of its arguments"}).
		returns("measurement", "roclua.measurement", "the times")
}

var measureOptions = []Param{
	optional(number("min_time", "least time that the samples take together, in seconds"),
		"0.5; none in virtual time, where all samples take the same"),
	defaulting("max_time", "time after which no further sample is taken, in seconds", 5),
	defaulting("max_noise", "error of the device's median, as a share, at which no further sample is taken", 0.005),
	withDefault(integer("min_samples", 1, 1<<16, "least number of samples"), int64(10)),
	optional(integer("calls", 1, 1<<20, "calls in each sample"), "as many as take 1 ms; 1 with cold"),
	optional(Param{Name: "cold", Kind: Boolean, About: "whether the caches of the device are flushed before each " +
		"sample"}, "false"),
	optional(Param{Name: "hot", Kind: Boolean, About: "with cold, whether samples with filled caches are taken too: " +
		"the metrics are then NAME.cold.device.median and NAME.hot.device.median, and so on"}, "false"),
	withDefault(integer("rotate", 1, 1<<16, "copies of the arguments that calls use in turn"), int64(1)),
	optional(number("flops", "floating-point operations of a call"), "the standard count of a prepared call"),
	optional(number("bytes", "bytes that a call reads and writes"), "the bytes of the arrays of a prepared call"),
}

// defaulting declares an optional number with a default.
func defaulting(name, about string, otherwise float64) Param {
	p := number(name, about)
	p.Optional, p.Default = true, otherwise
	return p
}

var measurementClass = Class{
	Name:  "measurement",
	About: "how long a call takes: times are in seconds of one call",
	Fields: []Field{
		{"device", "{median: number, p95: number}", "times on the device"},
		{"host", "{median: number, p95: number}", "times until the call returned on the host"},
		{"noise", "number", "error of the device's median as a share of it: half of its 95 % confidence interval"},
		{"samples", "integer", "number of samples"},
		{"calls", "integer", "calls in each sample"},
		{"stopped", "string", "why no further sample was taken: noise, max_time or samples"},
		{"gflops", "number?", "10^9 floating-point operations in a second"},
		{"gbs", "number?", "10^9 bytes in a second"},
		{"gflops_share", "number?", "gflops as a share of the device's peak for the type of a prepared call, where " +
			"its data sheet is known"},
		{"gbs_share", "number?", "gbs as a share of the device's peak, where its data sheet is known"},
		{"cold", "roclua.measurement?", "the times with flushed caches, if both were measured"},
		{"simulated", "boolean", "whether these are modelled times of the device, or of the machine that " +
			"simulates it"},
	},
}
