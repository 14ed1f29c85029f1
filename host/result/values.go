package result

import (
	"fmt"
	"maps"
	"math"
	"strconv"
	"strings"

	"roclua/hip/driver"
	"roclua/hip/trace"
	"roclua/host/baseline"
	"roclua/luabind/record"
)

// ofStats are the values that every case has, and each device of a case with several.
var ofStats = map[string]func(*trace.Counts) any{
	"kernels":     func(s *trace.Counts) any { return int64(s.Kernels) },
	"peak_bytes":  func(s *trace.Counts) any { return int64(s.PeakBytes) },
	"hip.total":   func(s *trace.Counts) any { return int64(Sum(s.Calls)) },
	"syncs.total": func(s *trace.Counts) any { return int64(Sum(s.Syncs)) },
}

// Values returns the values of a case that expectations and baselines name: its metrics, and the counts of the runtime.
// A metric with the name of a measured value, which only a file of an earlier version has, is left out.
func Values(r *record.Record) map[string]any {
	perDevice := len(ofStats) + len(r.Stats.Calls) + len(r.Stats.Syncs)
	v := make(map[string]any, perDevice*(1+len(r.Stats.Devices))+2*len(r.Statuses)+len(r.Metrics))
	v["seconds"] = r.Seconds
	if ids := r.Defects.IDs(); ids != nil {
		v["defects"] = int64(len(ids))
	}
	addStats(v, &r.Stats.Counts, func(name string) string { return name })
	for i := range r.Stats.Devices {
		addStats(v, &r.Stats.Devices[i], func(name string) string { return record.OnDevice(name, i) })
	}
	for name, n := range r.Statuses {
		v["status."+name] = int64(n)
		_, status, _ := strings.Cut(name, ".")
		sum, _ := v["status."+status].(int64)
		v["status."+status] = sum + int64(n)
	}
	for _, m := range r.Metrics {
		if !record.IsMeasured(m.Name) {
			v[m.Name] = m.Value
		}
	}
	return v
}

// addStats adds the counts of the runtime, on one device or on all, by names that name completes.
func addStats(v map[string]any, s *trace.Counts, name func(string) string) {
	for value, of := range ofStats {
		v[name(value)] = of(s)
	}
	for call, n := range s.Calls {
		v[name("hip."+driver.ScriptName(call))] = int64(n)
	}
	for cause, n := range s.Syncs {
		v[name("syncs."+cause)] = int64(n)
	}
	if s.Injected > 0 {
		v[name("faults.injected")] = int64(s.Injected)
	}
}

// Value returns one of the Values of a case. A counter that was never counted is zero.
func Value(r *record.Record, name string) (any, bool) {
	if v, ok := Values(r)[name]; ok {
		return v, true
	}
	base, device, ofDevice := record.DeviceOf(name)
	if ofDevice && device >= len(r.Stats.Devices) || name != "defects" && !record.IsCounter(base) {
		return nil, false
	}
	return int64(0), true
}

// Sum adds up counts.
func Sum(counts map[string]int) int {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return sum
}

// TimeUnits are the units of metrics that are times, in seconds. Times never repeat exactly: baselines leave them
// out, and compare shows their ratios.
var TimeUnits = map[string]float64{"s": 1, "seconds": 1, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}

// Residuals returns the rounding units of the metrics that are residuals.
func Residuals(r *record.Record) map[string]float64 {
	var list map[string]float64
	for _, m := range r.Metrics {
		if m.Epsilon > 0 {
			if list == nil {
				list = map[string]float64{}
			}
			list[m.Name] = m.Epsilon
		}
	}
	return list
}

// BaselineValues returns the values of a case that a baseline keeps: all except times, and sums of values that it
// keeps already.
func BaselineValues(r *record.Record) baseline.Values {
	if r.WasSkipped() {
		return baseline.Values{baseline.Skipped: r.Skipped}
	}
	v := baseline.Values(Values(r))
	delete(v, "seconds")
	delete(v, "defects") // they are facts about the release, and change without the script
	for name := range v {
		base, _, _ := record.DeviceOf(name)
		if base == "hip.total" || base == "syncs.total" ||
			strings.HasPrefix(name, "status.") && strings.Count(name, ".") == 1 {
			delete(v, name)
		}
	}
	for _, m := range r.Metrics {
		_, timed := TimeUnits[m.Unit]
		switch {
		case record.IsMeasured(m.Name):
		case timed:
			delete(v, m.Name)
		default:
			v[m.Name] = m.Value
		}
	}
	for _, m := range r.Measurements {
		for _, metric := range m.Metrics() {
			delete(v, metric.Name)
		}
	}
	if r.Load != nil {
		for _, metric := range r.Load.Metrics() {
			delete(v, metric.Name)
		}
		maps.DeleteFunc(v, func(name string, _ any) bool { return record.IsMeasured(name) })
	}
	return v
}

// FormatValue writes a value of a script in the shortest form that reads back the same.
func FormatValue(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case int64:
		return strconv.FormatInt(v, 10)
	}
	return fmt.Sprint(v)
}

// FormatExact writes a value like FormatValue, but whole numbers always in full.
func FormatExact(v any) string {
	if f, ok := v.(float64); ok && f == math.Trunc(f) && math.Abs(f) < record.ExactNumbers {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return FormatValue(v)
}
