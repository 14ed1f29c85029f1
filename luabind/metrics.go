package luabind

import (
	"cmp"
	"fmt"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/array"
	"roclua/luabind/engine"
	"roclua/luabind/record"
)

// maxMetrics is the most metrics of a case. Each is a column of tables and an entry of baselines.
const maxMetrics = 10_000

// Bytes that a metric, a check and a measurement count for the limit of output, in addition to their strings: the rest
// of their entry in a report.
const (
	metricText      = 96
	checkText       = 128
	measurementText = 2048
)

// The recorders of metrics in messages.
const (
	byMetric   = "t:metric"
	byMeasure  = "t:measure"
	byWorkload = "workload"
)

// storedMetric is a metric of the record: its index and its recorder.
type storedMetric struct {
	index int
	by    string
}

func testMetric(c *engine.Call, t *test, name string, value any, unit engine.Option[string]) error {
	return t.storeMetric(c.L, byMetric, record.Metric{Name: name, Value: value, Unit: unit.Value,
		Epsilon: t.epsilon(value, unit.Value)})
}

// storeMetric records a metric. Only one that t:metric recorded can be recorded again, by t:metric. l is nil outside of
// Lua, where nothing counts for the limit of output.
func (t *test) storeMetric(l *lua.LState, by string, m record.Metric) error {
	stored, again := t.metrics[m.Name]
	text, _ := m.Value.(string)
	switch {
	case record.IsMeasured(m.Name):
		return fmt.Errorf("%s: name: %q is the name of a measured value (%s); choose another name", by, m.Name,
			record.MeasuredText())
	case again && (by != byMetric || stored.by != byMetric):
		return fmt.Errorf("%s: name: %q was recorded before, by %s; choose another name", by, m.Name, stored.by)
	case again:
		t.s.VM.Meter().Charge(l, 0, text)
		if err := t.record.Metrics[stored.index].Choose(t.choices[m.Name], m); err != nil {
			return fmt.Errorf("%s: name: %w", by, err)
		}
		return nil
	case len(t.record.Metrics) == maxMetrics:
		return fmt.Errorf("%s: a case can have at most %d metrics", by, maxMetrics)
	}
	if l != nil {
		t.s.VM.Meter().Charge(l, metricText, m.Name, text, m.Unit)
	}
	if t.metrics == nil {
		t.metrics = map[string]storedMetric{}
	}
	t.metrics[m.Name] = storedMetric{len(t.record.Metrics), by}
	t.record.Metrics = append(t.record.Metrics, m)
	return nil
}

// epsilon returns the rounding unit of a residual: of the checks that computed it, or for the unit residual of the type
// that the parameters name.
func (t *test) epsilon(value any, unit string) float64 {
	epsilon := t.s.Residuals.Epsilon(value)
	if epsilon != 0 || unit != "residual" {
		return epsilon
	}
	kind, _ := t.c.Params["type"].(string)
	return cmp.Or(array.Epsilon(kind), array.Epsilon("d"))
}
