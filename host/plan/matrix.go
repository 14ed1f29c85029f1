package plan

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"roclua/host/config"
	"roclua/host/result"
	"roclua/internal/nearest"
	"roclua/internal/units"
	"roclua/luabind/record"
)

// setPoints sets the parameters of the cases: settings for all cases, the axes that step together, and every axis of
// the matrix, which multiply.
func (sp *Space) setPoints(sc *Scenario, common map[string]any) error {
	base := map[string]any{}
	for name, v := range common {
		if sc.hasParam(name) {
			base[name] = v
		}
	}
	maps.Copy(base, sc.Settings.Params)
	for _, axes := range []map[string]any{sc.Settings.Zip, sc.Settings.Matrix} {
		for name := range axes {
			delete(base, name) // the axis replaces it
		}
	}
	for _, name := range slices.Sorted(maps.Keys(base)) {
		v, err := sc.checkParam(name, base[name])
		if err != nil {
			_, own := sc.Settings.Params[name]
			return &settingError{key: "params." + name, ofRun: !own, err: err}
		}
		base[name] = v
	}
	var err error
	if sp.Steps, err = sc.steps(base); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(sc.Settings.Matrix)) {
		values, err := sc.axis("matrix", name, sc.Settings.Matrix[name])
		if err != nil {
			return err
		}
		sp.Axes = append(sp.Axes, Axis{Name: name, Values: values})
		for _, step := range sp.Steps {
			delete(step, name) // the matrix replaces it
		}
	}
	return nil
}

// steps returns the parameters of each step of the axes that step together; one step when there are none.
func (sc *Scenario) steps(base map[string]any) ([]map[string]any, error) {
	if len(sc.Settings.Zip) == 0 {
		return []map[string]any{base}, nil
	}
	var steps []map[string]any
	first := ""
	for _, axis := range slices.Sorted(maps.Keys(sc.Settings.Zip)) {
		values, err := sc.axis("zip", axis, sc.Settings.Zip[axis])
		if err != nil {
			return nil, err
		}
		if steps == nil {
			first = axis
			for range values {
				steps = append(steps, maps.Clone(base))
			}
		}
		if len(values) != len(steps) {
			return nil, &settingError{key: "zip." + axis,
				err: fmt.Errorf("scenario %s: zip: %s has %d values, %s has %d; they step together", sc.Name, first,
					len(steps), axis, len(values))}
		}
		for i, v := range values {
			steps[i][axis] = v
		}
	}
	return steps, nil
}

// axis reads the values of an axis: a list, one value, or for a number a range such as "64:4096:x2" or "1,2,4:8".
func (sc *Scenario) axis(where, name string, value any) ([]any, error) {
	key := where + "." + name
	values, err := sc.axisValues(where, name, value)
	if err != nil {
		return nil, &settingError{key: key, err: err}
	}
	checked := make([]any, len(values))
	for i, v := range values {
		if checked[i], err = sc.checkParam(name, v); err != nil {
			if _, isList := value.([]any); isList && sc.hasAxis(name) {
				key = fmt.Sprintf("%s[%d]", key, i)
			}
			return nil, &settingError{key: key, err: err}
		}
	}
	return checked, nil
}

func (sc *Scenario) axisValues(where, name string, value any) ([]any, error) {
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

// setAxes replaces axes of the scenario by axes of the command line, such as n=64,128.
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
				items = append(items, sc.item(name, item))
			}
			list = items
		}
		matrix := maps.Clone(sc.Settings.Matrix)
		if matrix == nil {
			matrix = map[string]any{}
		}
		matrix[name] = list
		sc.Settings.Matrix = matrix
		if sc.axes == nil {
			sc.axes = map[string]string{}
		}
		sc.axes[name] = "--axis " + text
		sc.Settings.Zip = maps.Clone(sc.Settings.Zip)
		delete(sc.Settings.Zip, name)
	}
	return nil
}

// item reads a value of an axis that is not a number: true and false are booleans for a parameter that is one.
func (sc *Scenario) item(name, text string) any {
	isBoolean := slices.ContainsFunc(sc.Declared.Params, func(p record.Param) bool {
		return p.Name == name && KindOf(p.Value) == "boolean"
	})
	if isBoolean && (text == "true" || text == "false") {
		return text == "true"
	}
	return text
}

// checkParam makes sure that a parameter exists and that its value has its default's type; integers, and strings such
// as "64K" for a number, become Lua numbers. A value of a key of faults must be a whole number from 1.
func (sc *Scenario) checkParam(name string, v any) (any, error) {
	switch n := v.(type) {
	case int64:
		if !units.IsExact(n) {
			return nil, fmt.Errorf("scenario %s: parameter %s: %d %w", sc.Name, name, n, units.ErrInexact)
		}
		v = float64(n)
	case string: // "64K"
		f, err := units.Parse(n)
		switch {
		case !sc.isNumber(name):
		case err == nil:
			v = f
		case errors.Is(err, units.ErrInexact):
			return nil, fmt.Errorf("scenario %s: parameter %s: %w", sc.Name, name, err)
		}
	}
	if config.IsFaultAxis(name) {
		if n, ok := v.(float64); !ok || n != math.Trunc(n) || n < 1 || n > 1<<53 {
			return nil, fmt.Errorf("scenario %s: axis %s: %v, must be a whole number from 1", sc.Name, name,
				result.FormatValue(v))
		}
		return v, nil
	}
	i := slices.IndexFunc(sc.Declared.Params, func(p record.Param) bool { return p.Name == name })
	if i < 0 {
		return nil, unknownParam("scenario "+sc.Name, name, sc)
	}
	if want := sc.Declared.Params[i].Value; fmt.Sprintf("%T", v) != fmt.Sprintf("%T", want) {
		return nil, fmt.Errorf("scenario %s: parameter %s is %v, must be a %s like its default %v", sc.Name, name, v,
			KindOf(want), result.FormatValue(want))
	}
	return v, nil
}

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
func unknownParam(owner, name string, scenarios ...*Scenario) error {
	names := paramNames(scenarios...)
	return fmt.Errorf("%s has no parameter %q%s (has %s)", owner, name, nearest.DidYouMean(name, names),
		cmp.Or(strings.Join(names, ", "), "none"))
}

// KindOf returns the kind of a parameter's value: number, boolean or string.
func KindOf(v any) string {
	switch v.(type) {
	case float64:
		return "number"
	case bool:
		return "boolean"
	}
	return "string"
}

// faults returns the faults of one case, which the scenario or else the run sets and the case's axes change, and the
// parameters without these axes.
func (sp *Space) faults(point map[string]any) (*config.Faults, map[string]any) {
	if !slices.ContainsFunc(sp.params, func(p paramText) bool { return config.IsFaultAxis(p.name) }) {
		return &sp.Faults, point
	}
	f, params := sp.Faults, map[string]any{}
	for name, v := range point {
		if n, ok := v.(float64); ok && config.IsFaultAxis(name) {
			f.SetAxis(name, int(n))
		} else {
			params[name] = v
		}
	}
	return &f, params
}

// onlySimulated is why a case with faults is skipped on a real device.
const onlySimulated = "faults are injected on the simulated device alone, platform " +
	config.Simulated
