package plan

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/nearest"
	"roclua/hip/units"
	"roclua/host/config"
	"roclua/host/result"
)

// points returns the parameters of each case: settings for all cases, the axes that step together, and every axis of
// the matrix, which multiply.
func (sc *Scenario) points(common map[string]any) ([]map[string]any, error) {
	base := map[string]any{}
	for name, v := range common {
		if sc.hasParam(name) {
			base[name] = v
		}
	}
	maps.Copy(base, sc.Settings.Params)
	points, err := sc.zipped(base)
	if err != nil {
		return nil, err
	}
	for _, axis := range slices.Sorted(maps.Keys(sc.Settings.Matrix)) {
		values, err := sc.axis("matrix", axis, sc.Settings.Matrix[axis])
		if err != nil {
			return nil, err
		}
		var next []map[string]any
		for _, p := range points {
			for _, v := range values {
				q := maps.Clone(p)
				q[axis] = v
				next = append(next, q)
			}
		}
		points = next
	}
	for _, p := range points {
		if err := sc.checkParams(p); err != nil {
			return nil, err
		}
	}
	return points, nil
}

// zipped returns a point for each step of the axes that step together.
func (sc *Scenario) zipped(base map[string]any) ([]map[string]any, error) {
	if len(sc.Settings.Zip) == 0 {
		return []map[string]any{base}, nil
	}
	var points []map[string]any
	first := ""
	for _, axis := range slices.Sorted(maps.Keys(sc.Settings.Zip)) {
		values, err := sc.axis("zip", axis, sc.Settings.Zip[axis])
		if err != nil {
			return nil, err
		}
		if points == nil {
			first = axis
			for range values {
				points = append(points, maps.Clone(base))
			}
		}
		if len(values) != len(points) {
			return nil, fmt.Errorf("scenario %s: zip: %s has %d values, %s has %d; they step together", sc.Name, first,
				len(points), axis, len(values))
		}
		for i, v := range values {
			points[i][axis] = v
		}
	}
	return points, nil
}

// axis reads the values of an axis: a list, one value, or for a number a range such as "64:4096:x2" or "1,2,4:8".
func (sc *Scenario) axis(where, name string, value any) ([]any, error) {
	switch v := value.(type) {
	case []any:
		if len(v) == 0 {
			return nil, fmt.Errorf("scenario %s: %s: %s has no values", sc.Name, where, name)
		}
		return v, nil
	case string:
		if sc.isNumber(name) {
			return numbers(sc.Name+": "+where+": "+name, v)
		}
	}
	return []any{value}, nil
}

func numbers(where, text string) ([]any, error) {
	list, err := config.ParseAxis(text)
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", where, err)
	}
	var values []any
	for _, item := range list {
		n, err := units.Parse(item)
		if err != nil {
			return nil, fmt.Errorf("scenario %s: %w", where, err)
		}
		values = append(values, n)
	}
	return values, nil
}

// setAxes replaces axes of the scenario by those of the command line, such as n=64,128.
func (sc *Scenario) setAxes(texts []string) error {
	for _, text := range texts {
		name, values, ok := strings.Cut(text, "=")
		if !ok || values == "" {
			return fmt.Errorf("--axis %s: want NAME=VALUES, such as n=64:1024:x2 or type=s,d", text)
		}
		if !sc.hasAxis(name) {
			continue
		}
		var list any = values
		if !sc.isNumber(name) {
			var items []any
			for _, item := range strings.Split(values, ",") {
				items = append(items, plainText(item))
			}
			list = items
		}
		matrix := maps.Clone(sc.Settings.Matrix)
		if matrix == nil {
			matrix = map[string]any{}
		}
		matrix[name] = list
		sc.Settings.Matrix = matrix
		sc.Settings.Zip = maps.Clone(sc.Settings.Zip)
		delete(sc.Settings.Zip, name)
	}
	return nil
}

// plainText reads true and false as booleans.
func plainText(text string) any {
	if b, err := strconv.ParseBool(text); err == nil && (text == "true" || text == "false") {
		return b
	}
	return text
}

// checkParams makes sure that every parameter exists and has its default's type; integers, and strings such as "64K"
// for a number, become Lua numbers.
func (sc *Scenario) checkParams(point map[string]any) error {
	names := paramNames(sc)
	for name, v := range point {
		switch n := v.(type) {
		case int64:
			v = float64(n)
		case string: // "64K"
			if f, err := units.Parse(n); err == nil && sc.isNumber(name) {
				v = f
			}
		}
		point[name] = v
		if config.IsFaultAxis(name) {
			continue
		}
		i := slices.Index(names, name)
		if i < 0 {
			return unknownParam("scenario "+sc.Name, name, sc)
		}
		if want := sc.Declared.Params[i].Value; fmt.Sprintf("%T", v) != fmt.Sprintf("%T", want) {
			return fmt.Errorf("scenario %s: parameter %s is %v, must be a %s like its default %v", sc.Name, name, v,
				KindOf(want),
				result.FormatValue(want))
		}
	}
	return nil
}

// paramNames lists the parameters of scenarios, sorted.
func paramNames(scenarios ...*Scenario) []string {
	var names []string
	for _, sc := range scenarios {
		for _, p := range sc.Declared.Params {
			names = append(names, p.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// unknownParam returns the error about a parameter that a scenario or a file does not have.
func unknownParam(what, name string, scenarios ...*Scenario) error {
	names := paramNames(scenarios...)
	return fmt.Errorf("%s has no parameter %q%s (has %s)", what, name, nearest.DidYouMean(name, names),
		cmp.Or(strings.Join(names, ", "), "none"))
}

// KindOf returns what the value of a parameter is: a number, a boolean or a string.
func KindOf(v any) string {
	switch v.(type) {
	case float64:
		return "number"
	case bool:
		return "boolean"
	}
	return "string"
}

// faults returns the faults of one case, which are those of the scenario or else of the run, changed by its axes, and
// the parameters without those axes.
func (sc *Scenario) faults(common config.Faults, point map[string]any) (config.Faults, map[string]any, error) {
	f := common
	if !sc.Settings.Faults.IsZero() {
		f = sc.Settings.Faults
	}
	params := map[string]any{}
	for name, v := range point {
		if !config.IsFaultAxis(name) {
			params[name] = v
			continue
		}
		n, ok := v.(float64)
		if !ok || n != math.Trunc(n) || n < 1 || n > 1<<53 {
			return f, nil, fmt.Errorf("scenario %s: axis %s: %v, must be a whole number from 1", sc.Name, name,
				result.FormatValue(v))
		}
		f.SetAxis(name, int(n))
	}
	return f, params, nil
}

// onlySimulated is why a case with faults is skipped on a real device.
const onlySimulated = "allocations are made to fail (faults) on the simulated device alone, platform " +
	config.Simulated
