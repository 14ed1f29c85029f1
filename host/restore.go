package host

import (
	"encoding/json"
	"fmt"
	"math"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/luabind"
)

// record restores what a case did from its form in a result file.
func (c *jsonCase) record() (*luabind.Record, error) {
	r := &luabind.Record{Skipped: c.Skipped, Problems: c.Problems, Log: c.Log, Seconds: c.Seconds, Statuses: c.Statuses,
		Stats: hip.Stats{Calls: c.HIP.Calls, Syncs: c.HIP.Syncs, Kernels: c.HIP.Kernels, PeakBytes: c.HIP.PeakBytes,
			Allocations: c.HIP.Allocations, Injected: c.HIP.Injected}}
	for _, f := range c.Faults {
		call := hip.Call{Name: f.Call, Bytes: f.Bytes, HasBytes: true, Result: driver.ErrorOutOfMemory, Cause: f.Cause, Origin: f.Origin, Injected: f.Why}
		if f.Stream != nil {
			call.Stream, call.HasStream = *f.Stream, true
		}
		r.Faults = append(r.Faults, call)
	}
	for _, m := range c.Metrics {
		v, err := restoreValue(m.Value)
		if err != nil {
			return nil, fmt.Errorf("metric %s: %w", m.Name, err)
		}
		r.Metrics = append(r.Metrics, luabind.Metric{Name: m.Name, Value: v, Unit: m.Unit})
	}
	for _, check := range c.Checks {
		r.Checks = append(r.Checks, luabind.Check(check))
	}
	if e := c.Error; e != nil {
		r.End = &e.End
	}
	return r, nil
}

// exactNumbers bounds the whole numbers that metrics keep as such: Lua's numbers are not exact beyond.
const exactNumbers = 1 << 53

// notFinite are the numbers that JSON has no form for; a metric that is such a text is read as the number.
var notFinite = map[string]float64{"NaN": math.NaN(), "+Inf": math.Inf(1), "-Inf": math.Inf(-1)}

func restoreValue(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil && -exactNumbers < n && n < exactNumbers {
			return n, nil
		}
		return v.Float64()
	case string:
		if f, ok := notFinite[v]; ok {
			return f, nil
		}
		return v, nil
	case bool:
		return v, nil
	}
	return nil, fmt.Errorf("%v is a %T, want a number, a text or a truth", v, v)
}
