package luabind

import (
	"fmt"
	"maps"
	"slices"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/peak"
	"roclua/hip/routine/region"
	"roclua/hip/trace"
	"roclua/luabind/api"
	"roclua/luabind/engine"
	"roclua/luabind/library"
	"roclua/luabind/measure"
	"roclua/luabind/record"
)

// callable is a function or a prepared call; the other one is nil.
type callable struct {
	fn       *lua.LFunction
	prepared *library.Prepared
}

// measured is the call that t:measure measures.
type measured struct {
	callable
	copies *library.Copies // of the arguments of a prepared call; nil for one
	rotate int
	made   int // calls so far
}

// withoutOptions makes a function of a method whose second argument, a table of options, may be left out.
func withoutOptions(b engine.Body) engine.Body {
	return func(ps *engine.Parameters) func(*engine.Call) error {
		run := b(ps)
		return func(c *engine.Call) error {
			if c.L.GetTop() == 3 && c.L.Get(3).Type() != lua.LTTable {
				c.L.Insert(lua.LNil, 3)
			}
			return run(c)
		}
	}
}

// testMeasure repeats a call and records its times.
func testMeasure(c *engine.Call, t *test, name string, options engine.Options, call callable) error {
	if record.IsMeasured(name) {
		c.Bad("name", "%q is the name of a measured value (%s); choose another name", name, record.MeasuredText())
	}
	m := &measured{callable: call, rotate: int(options["rotate"].(int64))}
	passes := passesOf(name, options)
	for _, p := range passes {
		p.out.Simulated = t.s.NeedRuntime().Platform() == "cpu"
		p.out.Model = t.s.Runtime.Clock() != nil
		m.count(p.out, options)
		m.setPeak(p.out, t.s.Device().Properties().Name)
	}
	if err := t.takeSamples(c, m, passes, options); err != nil {
		return err
	}
	var table *lua.LTable
	for _, p := range passes {
		if err := t.addMeasurement(c, p.out); err != nil {
			return err
		}
		cold := table
		if table = measurementTable(c, p.out); cold != nil {
			table.RawSetString("cold", cold)
		}
	}
	return c.Return(nil, table)
}

// pass is a series of samples, with caches that are flushed before each sample or not.
type pass struct {
	out  *record.Measurement
	cold bool
}

// passesOf returns the series of a measurement: one, or a cold one and then a hot one.
func passesOf(name string, options engine.Options) []pass {
	cold := engine.OptionOf(options, "cold", false)
	if !cold || !engine.OptionOf(options, "hot", false) {
		return []pass{{&record.Measurement{Name: name}, cold}}
	}
	return []pass{{&record.Measurement{Name: name + ".cold"}, true}, {&record.Measurement{Name: name + ".hot"}, false}}
}

// addMeasurement records a measurement and its metrics.
func (t *test) addMeasurement(c *engine.Call, out *record.Measurement) error {
	t.s.VM.Meter().Charge(c.L, measurementText, out.Name)
	t.s.VM.Meter().Charge(c.L, 0, out.Notes...)
	for _, metric := range out.Metrics() {
		if err := t.storeMetric(c.L, byMeasure, metric); err != nil {
			return err
		}
	}
	t.record.Measurements = append(t.record.Measurements, *out)
	return nil
}

// readCallable reads a function or a prepared call.
func readCallable(c *engine.Call, p *api.Param, v lua.LValue) callable {
	if fn, ok := v.(*lua.LFunction); ok {
		return callable{fn: fn}
	}
	if ud, ok := v.(*lua.LUserData); ok {
		if prepared, ok := ud.Value.(*library.Prepared); ok {
			return callable{prepared: prepared}
		}
	}
	c.Want(p, v)
	return callable{}
}

// count sets the operations and bytes of a call.
func (m *measured) count(out *record.Measurement, options engine.Options) {
	if m.prepared != nil {
		out.Flops, out.Bytes = m.prepared.Args().Operations(), float64(region.Traffic(m.prepared.Args()))
	}
	out.Flops = engine.OptionOf(options, "flops", out.Flops)
	out.Bytes = engine.OptionOf(options, "bytes", out.Bytes)
}

// setPeak sets the peak rates of the device, as far as they are known. A function may use any datatype.
func (m *measured) setPeak(out *record.Measurement, device string) {
	most := peak.Of(device)
	out.PeakBytes = most.Bytes()
	if m.prepared != nil {
		out.PeakFlops = most.Flops(m.prepared.Args().Operands())
	}
}

// run makes n calls. A call that fails raises its error.
func (m *measured) run(l *lua.LState, n int) {
	if m.prepared != nil && m.copies == nil {
		m.prepared.Repeat(l, n)
		return
	}
	for range n {
		at := m.made % m.rotate
		m.made++
		if m.prepared != nil {
			m.copies.Use(at)
			m.prepared.Repeat(l, 1)
			continue
		}
		l.Push(m.fn)
		l.Push(lua.LNumber(at + 1))
		l.Call(1, 0)
	}
}

// stream returns the stream that is timed: a prepared call's, or the null stream, which waits for the others.
func (m *measured) stream() (*hip.Stream, error) {
	if m.prepared == nil {
		return nil, nil
	}
	return m.prepared.Stream()
}

// The options' defaults that depend on others.
const (
	sampleTime = time.Millisecond // least time of a sample: its first and last call wait longer
	mostCalls  = 1 << 16
	modelCalls = 8                      // in virtual time, whose calls all take as long
	usualTime  = 500 * time.Millisecond // of all samples, except in virtual time
)

// longest bounds the seconds of a measurement.
const longest = 1e6

// sampler takes the samples of one measurement.
type sampler struct {
	*measured
	l     *lua.LState
	watch *hip.Stopwatch
	check func() // ends the case at its limits
	cold  bool

	started time.Time
	clock   driver.Clock // nil for the time of the machine
	series  measure.Series
}

// takeSamples makes the calls. The first one is recorded as any other; the calls of samples are not.
func (t *test) takeSamples(c *engine.Call, m *measured, passes []pass, options engine.Options) error {
	rt, dev := t.s.NeedRuntime(), t.s.Device()
	if dev.Capturing() {
		return fmt.Errorf("%s: a stream is captured; measure the launch of its graph", c.Fn.Title())
	}
	m.run(c.L, 1)
	if err := dev.Synchronize(); err != nil {
		return err
	}
	seen, restore := rt.Recorder().Unrecord()
	defer restore()
	defer func(before bool) { t.s.Unrecorded = before }(t.s.Unrecorded)
	t.s.Unrecorded = true
	stream, err := m.stream()
	if err != nil {
		return err
	}
	if m.prepared != nil && m.rotate > 1 {
		if m.copies, err = m.prepared.Copy(c, m.rotate); err != nil {
			return err
		}
		defer m.copies.Free()
	}
	if m.prepared != nil {
		defer rt.Repeat()()
	}
	watch, err := dev.NewStopwatch(stream)
	if err != nil {
		return err
	}
	defer watch.Destroy()
	for _, p := range passes {
		s := &sampler{measured: m, l: c.L, watch: watch, check: func() { t.s.VM.Meter().Check(c.L) }, cold: p.cold,
			started: time.Now(), clock: rt.Clock()}
		s.series.Rule = ruleOf(c, options)
		if _, ok := options["min_time"]; !ok && s.clock == nil {
			s.series.Rule.MinTime = usualTime
		}
		if err := s.sample(p.out, options); err != nil {
			return err
		}
		p.out.Notes = notes(seen)
	}
	return nil
}

// sample takes samples until the rule is met.
func (s *sampler) sample(out *record.Measurement, options engine.Options) error {
	calls, err := s.calls(options)
	if err != nil {
		return err
	}
	for out.Stopped == "" {
		s.check()
		host, device, whole, err := s.once(calls)
		if err != nil {
			return err
		}
		s.series.Add(host, device, whole)
		out.Stopped = s.series.Enough()
	}
	out.Calls = calls
	s.series.Summarize(out)
	return nil
}

// calls returns the calls of a sample: as many as take sampleTime, unless the script says.
func (s *sampler) calls(options engine.Options) (int, error) {
	if n, ok := options["calls"].(int64); ok {
		return int(n), nil
	}
	if s.clock != nil && s.cold {
		return 1, nil
	} else if s.clock != nil {
		return modelCalls, nil
	}
	for calls := 1; ; calls *= 2 {
		s.check()
		_, _, whole, err := s.once(calls)
		if err != nil || s.cold || whole >= sampleTime || calls >= mostCalls {
			return calls, err
		}
	}
}

// once takes one sample: the seconds of one of its calls on the host and on the device, and the time of the sample.
func (s *sampler) once(calls int) (host, device float64, whole time.Duration, err error) {
	begin := s.now()
	if s.cold {
		err = s.watch.FlushCaches()
	}
	if err == nil {
		err = s.watch.Start()
	}
	if err != nil {
		return 0, 0, 0, err
	}
	start := s.now()
	s.run(s.l, calls)
	took := s.now() - start
	elapsed, err := s.watch.Stop()
	return took.Seconds() / float64(calls), elapsed.Seconds() / float64(calls), s.now() - begin, err
}

// now returns the time since the start of the measurement, or the virtual time.
func (s *sampler) now() time.Duration {
	if s.clock != nil {
		return s.clock.Now()
	}
	return time.Since(s.started)
}

// ruleOf reads when there are enough samples.
func ruleOf(c *engine.Call, o engine.Options) measure.Rule {
	for _, name := range []string{"min_time", "max_time", "max_noise"} {
		if v := engine.OptionOf(o, name, 0.0); !(v >= 0 && v <= longest) {
			c.Bad(name, "got %g, want a number between 0 and %g", v, longest)
		}
	}
	seconds := func(name string) time.Duration {
		return time.Duration(engine.OptionOf(o, name, 0.0) * float64(time.Second))
	}
	return measure.Rule{MinTime: seconds("min_time"), MaxTime: seconds("max_time"), MaxNoise: o["max_noise"].(float64),
		MinSamples: int(o["min_samples"].(int64))}
}

// notes lists the events in the library that spoil the times.
func notes(seen *trace.Unrecorded) []string {
	var list []string
	if seen.Growths > 0 {
		list = append(list, "the workspace of a handle grew "+times(seen.Growths)+
			": preallocate it, or call the routine once before")
	}
	for _, cause := range slices.Sorted(maps.Keys(seen.Waits)) {
		list = append(list, fmt.Sprintf("the library waited for the device %s (%s): device times contain the host's",
			times(seen.Waits[cause]), cause))
	}
	return list
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// measurementTable returns the times for the script.
func measurementTable(c *engine.Call, m *record.Measurement) *lua.LTable {
	times := func(d record.Distribution) *lua.LTable {
		t := c.L.CreateTable(0, 2)
		t.RawSetString("median", lua.LNumber(d.Median))
		t.RawSetString("p95", lua.LNumber(d.P95))
		return t
	}
	known := func(v float64) lua.LValue { return engine.Given(v > 0, lua.LNumber(v)) }
	operations, bytes := m.Rates()[0], m.Rates()[1]
	return c.NewRecord("measurement", times(m.Device), times(m.Host), lua.LNumber(m.Noise), lua.LNumber(m.Samples),
		lua.LNumber(m.Calls), lua.LString(m.Stopped), known(operations.PerSecond/1e9), known(bytes.PerSecond/1e9),
		known(operations.Share()), known(bytes.Share()), lua.LNil, lua.LBool(m.Simulated))
}
