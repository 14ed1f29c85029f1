package result

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/driver"
	"roclua/host/baseline"
	"roclua/luabind/record"
)

// ofEveryCase are the values that every case has.
var ofEveryCase = map[string]func(*record.Record) any{
	"seconds":     func(r *record.Record) any { return r.Seconds },
	"kernels":     func(r *record.Record) any { return int64(r.Stats.Kernels) },
	"peak_bytes":  func(r *record.Record) any { return int64(r.Stats.PeakBytes) },
	"hip.total":   func(r *record.Record) any { return int64(Sum(r.Stats.Calls)) },
	"syncs.total": func(r *record.Record) any { return int64(Sum(r.Stats.Syncs)) },
}

// Values returns the values of a case that expectations and baselines name: its metrics, and what the runtime counted.
// A metric with the name of a measured value, which only a file of an earlier version has, is left out.
func Values(r *record.Record) map[string]any {
	v := make(map[string]any, len(ofEveryCase)+len(r.Stats.Calls)+len(r.Stats.Syncs)+2*len(r.Statuses)+len(r.Metrics))
	for name, of := range ofEveryCase {
		v[name] = of(r)
	}
	for name, n := range r.Stats.Calls {
		v["hip."+driver.ScriptName(name)] = int64(n)
	}
	for cause, n := range r.Stats.Syncs {
		v["syncs."+cause] = int64(n)
	}
	if r.Stats.Injected > 0 {
		v["faults.injected"] = int64(r.Stats.Injected)
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

// Value returns one of the Values of a case, without the others. A counter that was never counted is zero.
func Value(r *record.Record, name string) (any, bool) {
	if of := ofEveryCase[name]; of != nil {
		return of(r), true
	}
	if record.IsCounter(name) {
		return int64(counter(r, name)), true
	}
	for _, m := range slices.Backward(r.Metrics) {
		if m.Name == name && !record.IsMeasured(name) {
			return m.Value, true
		}
	}
	return nil, false
}

// counter returns how often what a name counts has happened in a case.
func counter(r *record.Record, name string) (n int) {
	family, of, _ := strings.Cut(name, ".")
	switch family {
	case "hip":
		for call, count := range r.Stats.Calls {
			if driver.ScriptName(call) == of {
				n += count
			}
		}
	case "syncs":
		n = r.Stats.Syncs[of]
	case "faults":
		if of == "injected" {
			n = r.Stats.Injected
		}
	case "status":
		for call, count := range r.Statuses {
			if _, status, _ := strings.Cut(call, "."); call == of || status == of {
				n += count
			}
		}
	}
	return n
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
	for _, name := range []string{"seconds", "hip.total", "syncs.total"} {
		delete(v, name)
	}
	for name := range v {
		if strings.HasPrefix(name, "status.") && strings.Count(name, ".") == 1 {
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
	if f, ok := v.(float64); ok && f == math.Trunc(f) && math.Abs(f) < exactNumbers {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return FormatValue(v)
}
