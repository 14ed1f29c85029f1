package report

import (
	"fmt"
	"maps"
	"slices"

	"roclua/host/output"
	"roclua/host/result"
)

// caseColumns are the columns of every case. The columns of parameters and of metrics follow.
var caseColumns = []string{"id", "scenario", "scheme", "platform", "profile", "arch", "outcome", "seconds", "problem"}

// Table has a row for each case: its identity, its outcome, and a column for each parameter and each metric that any
// case has.
func (r *Report) Table() (output.Table, error) {
	params, metrics, err := r.columnNames()
	rows := func(add func(row []string) error) error {
		return r.Each(func(_ int, res *result.Result) error {
			row := []string{res.ID, res.Scenario, res.Scheme, res.Platform, res.Profile, res.Arch,
				string(res.Outcome()), fmt.Sprintf("%.6f", res.Record.Seconds), res.Headline()}
			row = appendValues(row, params, res.Params)
			have := map[string]any{}
			for _, m := range res.Record.Metrics {
				have[m.Name] = m.Value
			}
			return add(appendValues(row, metrics, have))
		})
	}
	columns := slices.Concat(caseColumns, renamed(params, "param.", slices.Concat(caseColumns, metrics)),
		renamed(metrics, "metric.", caseColumns))
	return output.Table{Columns: columns, Rows: rows}, err
}

// appendValues appends the values of names to a row. The field of a name without a value is empty.
func appendValues(row, names []string, values map[string]any) []string {
	for _, name := range names {
		cell := ""
		if v, ok := values[name]; ok {
			cell = result.FormatValue(v)
		}
		row = append(row, cell)
	}
	return row
}

// renamed returns names of columns, with a prefix if other columns have them: "n", or "metric.scheme".
func renamed(names []string, prefix string, others []string) []string {
	columns := slices.Clone(names)
	for i, name := range columns {
		if slices.Contains(others, name) {
			columns[i] = prefix + name
		}
	}
	return columns
}

// columnNames lists the parameters and the metrics of all cases, sorted.
func (r *Report) columnNames() (params, metrics []string, err error) {
	p, m := map[string]bool{}, map[string]bool{}
	err = r.Each(func(_ int, c *result.Result) error {
		for name := range c.Params {
			p[name] = true
		}
		for _, metric := range c.Record.Metrics {
			m[metric.Name] = true
		}
		return nil
	})
	return slices.Sorted(maps.Keys(p)), slices.Sorted(maps.Keys(m)), err
}
