// Package calibrate fits the model of a device's time to measured times, for the command roclua calibrate.
package calibrate

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	devicetime "roclua/hip/cpu/time"
	"roclua/host/answer"
	"roclua/host/compare"
	"roclua/host/exit"
	"roclua/host/output"
	"roclua/internal/units"
	"roclua/luabind/record"
	"roclua/workspace/footprint"
)

// Report is the row of an architecture that fits measured times, and how well it does.
type Report struct {
	Arch   string           `json:"arch"`   // of the device, whose row was fitted
	Row    []Value          `json:"row"`    // the values that change
	Kept   []string         `json:"kept"`   // keys of the others: not determined by these times, or of a data sheet
	Calls  []Call           `json:"calls"`  // in the order of the file
	Before devicetime.Error `json:"before"` // of the row before
	After  devicetime.Error `json:"after"`  // of the fitted row
	Source string           `json:"source"` // of the row before
}

// Value is a value of a row.
type Value struct {
	Key    string  `json:"key"`
	Before float64 `json:"before"` // in seconds, or bytes or operations in a second
	After  float64 `json:"after"`
}

// Call is a measured call and its predicted times, in seconds.
type Call struct {
	Routine  string  `json:"routine"`
	Sizes    string  `json:"sizes"`    // as in the name of the measurement, "n=64"
	Measured float64 `json:"measured"` // median of the device
	Before   float64 `json:"before"`   // by the row before
	After    float64 `json:"after"`    // by the fitted row
	Ratio    float64 `json:"ratio"`    // of after to measured

	point devicetime.Point
}

// errSimulated reports times of a simulated device.
var errSimulated = errors.New("these are times of a simulated device, and a fit needs times of a real one: " +
	"roclua run --platform nvidia or amd")

// File fits the row of an architecture to the measurements of a result file.
func File(path string) (*Report, error) {
	cases, _, err := compare.ReadCases(path)
	if err != nil {
		return nil, err
	}
	r := &Report{}
	for _, c := range cases {
		for i := range c.Measurements {
			m := &c.Measurements[i]
			call, err := callOf(m)
			switch {
			case m.Simulated:
				err = errSimulated
			case r.Arch != "" && r.Arch != c.Arch:
				err = fmt.Errorf("measured on %s, and others on %s: a row is of one architecture", c.Arch, r.Arch)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: measurement %q: %w", path, m.Name, err)
			}
			r.Arch = c.Arch
			r.Calls = append(r.Calls, call)
		}
	}
	if err := r.fit(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}

// callOf returns the call of a measurement by its name, such as dgetrs.n64.nrhs2. Other sizes are as n, and there is
// one right-hand side.
func callOf(m *record.Measurement) (c Call, err error) {
	name, rest, _ := strings.Cut(m.Name, ".")
	parsed, err := footprint.Parse(name)
	if err != nil {
		return c, err
	}
	sizes, has := "", map[string]string{}
	for part := range strings.SplitSeq(rest, ".") {
		key := strings.TrimRight(part, "0123456789")
		if p, ok := parsed.Routine.Param(key); !ok || !p.Kind.IsInteger() || key == part {
			return c, fmt.Errorf("a name such as %s.n64 has the sizes of the call, not %q", name, part)
		}
		has[key] = part[len(key):]
		sizes += fmt.Sprintf(" %s=%s", key, has[key])
	}
	text := name + sizes
	for _, other := range [][2]string{{"m", has["n"]}, {"k", has["n"]}, {"nrhs", "1"}} {
		if _, ok := parsed.Routine.Param(other[0]); ok && has[other[0]] == "" && other[1] != "" {
			text += " " + strings.Join(other[:], "=")
		}
	}
	if parsed, err = footprint.Parse(text); err != nil {
		return c, err
	}
	seq, err := footprint.NewSequence([]*footprint.Call{parsed}, nil)
	if err != nil {
		return c, err
	}
	c = Call{Routine: name, Sizes: strings.TrimSpace(sizes), Measured: m.Device.Median,
		point: devicetime.Point{Work: devicetime.WorkOf(seq.Args(0), m.Bytes), Seconds: m.Device.Median,
			PeakFlops: m.PeakFlops, PeakBytes: m.PeakBytes}}
	c.point.Operations = m.Flops
	return c, nil
}

func (r *Report) fit() error {
	if len(r.Calls) == 0 {
		return exit.With(exit.Nothing, errors.New("it has no measurements: roclua run --platform nvidia "+
			"scripts/measure/calibrate.lua --out json=FILE measures calls"))
	}
	row, source := devicetime.Of(r.Arch, nil)
	points := make([]devicetime.Point, len(r.Calls))
	for i, c := range r.Calls {
		points[i] = c.point
	}
	fit, keys := row.Fit(points)
	if len(keys) == 0 {
		return fmt.Errorf("%s determines no value of %s: measure several sizes, from small to large",
			units.Count(len(points), "measurement"), strings.Join(devicetime.Names(), ", "))
	}
	for _, key := range devicetime.Names() {
		if slices.Contains(keys, key) {
			r.Row = append(r.Row, Value{key, row[key], fit[key]})
		} else {
			r.Kept = append(r.Kept, key)
		}
	}
	before, after := row.Model(), fit.Model()
	for i := range r.Calls {
		c := &r.Calls[i]
		c.Before, c.After = before.Predict(c.point.Work), after.Predict(c.point.Work)
		c.Ratio = c.After / c.Measured
	}
	r.Before, r.After, r.Source = before.Error(points), after.Error(points), source
	return nil
}

// Title names the architecture.
func (r *Report) Title() string { return "roclua calibrate: the model of time of " + r.Arch }

// Document returns the whole report.
func (r *Report) Document() (any, error) { return r, nil }

// Sections has the row in TOML and the times of the calls.
func (r *Report) Sections() (*answer.Answer, error) {
	lines := []string{"[device.time]"}
	for _, v := range r.Row {
		lines = append(lines, fmt.Sprintf("%s = %s # %s before", v.Key, short(v.After), short(v.Before)))
	}
	if r.Kept != nil {
		lines = append(lines, "# as before, not determined by these times or of a data sheet: "+
			strings.Join(r.Kept, ", "))
	}
	t := answer.NewTable("routine", "sizes", "measured", "before", "after", "after/measured").Numbers(2, 3, 4, 5)
	for _, c := range r.Calls {
		t.Row(c.Routine, c.Sizes, micro(c.Measured), micro(c.Before), micro(c.After), fmt.Sprintf("%.2f", c.Ratio))
	}
	below := []string{"times in µs, of each of many calls without a wait between them"}
	for _, of := range []struct {
		name string
		devicetime.Error
	}{{"before", r.Before}, {"after", r.After}} {
		below = append(below, fmt.Sprintf("%s: median ratio of predicted to measured time %.2f, worst %.2f", of.name,
			of.Median, of.Worst))
	}
	below = append(below, "before is the row of "+r.Arch+"; "+r.Source)
	return &answer.Answer{Heading: r.Title(), Sections: []answer.Section{{Lines: lines},
		{Heading: "predicted times", Table: t, Below: below}}}, nil
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
func micro(s float64) string { return strconv.FormatFloat(math.Round(s*1e8)/100, 'f', 2, 64) }

// Table has a row for each call.
func (r *Report) Table() (output.Table, error) {
	var rows [][]string
	for _, c := range r.Calls {
		rows = append(rows, []string{c.Routine, c.Sizes, short(c.Measured), short(c.Before), short(c.After),
			short(c.Ratio)})
	}
	return output.TableOf([]string{"routine", "sizes", "measured", "before", "after", "ratio"}, rows), nil
}
