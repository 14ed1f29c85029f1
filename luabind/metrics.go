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

func testMetric(c *engine.Call, t *test, name string, value any, unit engine.Option[string]) error {
	if record.IsMeasured(name) {
		c.Bad("name", "%q is the name of a measured value (%s); choose another name", name, record.MeasuredText())
	}
	return t.keepMetric(c.L, record.Metric{Name: name, Value: value, Unit: unit.Value,
		Epsilon: t.epsilon(value, unit.Value)})
}

// keepMetric records a metric, which may have been recorded before.
func (t *test) keepMetric(l *lua.LState, m record.Metric) error {
	if i, again := t.metrics[m.Name]; again {
		text, _ := m.Value.(string)
		t.s.VM.Meter().Charge(l, 0, text)
		if err := t.record.Metrics[i].Choose(t.choices[m.Name], m); err != nil {
			return fmt.Errorf("t:metric: name: %w", err)
		}
		return nil
	}
	if err := t.addMetric(l, m); err != nil {
		return err
	}
	if t.metrics == nil {
		t.metrics = map[string]int{}
	}
	t.metrics[m.Name] = len(t.record.Metrics) - 1
	return nil
}

// addMetric records a metric with a new name.
func (t *test) addMetric(l *lua.LState, m record.Metric) error {
	if len(t.record.Metrics) == maxMetrics {
		return fmt.Errorf("t:metric: a case can have at most %d metrics", maxMetrics)
	}
	text, _ := m.Value.(string)
	t.s.VM.Meter().Charge(l, metricText, m.Name, text, m.Unit)
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
