package host

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"roclua/host/config"
	"roclua/luabind"
)

// points returns the parameters of each case: settings for all cases, the axes that step together, and every axis of the
// matrix, which multiply.
func (sc *scenario) points(common map[string]any) ([]map[string]any, error) {
	base := map[string]any{}
	for name, v := range common {
		if sc.hasParam(name) {
			base[name] = v
		}
	}
	maps.Copy(base, sc.settings.Params)
	points, err := sc.zipped(base)
	if err != nil {
		return nil, err
	}
	for _, axis := range slices.Sorted(maps.Keys(sc.settings.Matrix)) {
		values, err := sc.axis("matrix", axis, sc.settings.Matrix[axis])
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

// zipped gives the axes that step together.
func (sc *scenario) zipped(base map[string]any) ([]map[string]any, error) {
	if len(sc.settings.Zip) == 0 {
		return []map[string]any{base}, nil
	}
	var points []map[string]any
	first := ""
	for _, axis := range slices.Sorted(maps.Keys(sc.settings.Zip)) {
		values, err := sc.axis("zip", axis, sc.settings.Zip[axis])
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
			return nil, fmt.Errorf("scenario %s: zip: %s has %d values, %s has %d; they step together", sc.name, first, len(points), axis, len(values))
		}
		for i, v := range values {
			points[i][axis] = v
		}
	}
	return points, nil
}

// axis reads the values of an axis: a list, one value, or for a number a text such as "64:4096:x2" or "1,2,4:8".
func (sc *scenario) axis(where, name string, value any) ([]any, error) {
	switch v := value.(type) {
	case []any:
		if len(v) == 0 {
			return nil, fmt.Errorf("scenario %s: %s: %s has no values", sc.name, where, name)
		}
		return v, nil
	case string:
		if sc.isNumber(name) {
			return numbers(sc.name+": "+where+": "+name, v)
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
		n, err := strconv.ParseFloat(item, 64)
		if err != nil {
			return nil, fmt.Errorf("scenario %s: %q is no number", where, item)
		}
		values = append(values, n)
	}
	return values, nil
}

// isNumber reports whether a parameter's default is a number, as the keys of faults are.
func (sc *scenario) isNumber(name string) bool {
	return config.IsFaultAxis(name) || slices.ContainsFunc(sc.declared.Params, func(p luabind.Param) bool {
		_, number := p.Value.(float64)
		return p.Name == name && number
	})
}

// setAxes puts the axes of the command line, n=64,128, in place of a scenario's own.
func (sc *scenario) setAxes(texts []string) error {
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
		matrix := maps.Clone(sc.settings.Matrix)
		if matrix == nil {
			matrix = map[string]any{}
		}
		matrix[name] = list
		sc.settings.Matrix = matrix
		sc.settings.Zip = maps.Clone(sc.settings.Zip)
		delete(sc.settings.Zip, name)
	}
	return nil
}

// plainText reads true and false as what they are.
func plainText(text string) any {
	if b, err := strconv.ParseBool(text); err == nil && (text == "true" || text == "false") {
		return b
	}
	return text
}

// idleExceptions names the exceptions that none of the cases of a whole run is one of: most likely they say it wrongly.
func idleExceptions(cfg *config.Config, cases []*plannedCase) []string {
	var idle []string
	for _, s := range cfg.Scenarios {
		for _, of := range []struct {
			key  string
			list []config.Exception
		}{{"skip", s.Skip}, {"known_failures", s.KnownFailures}} {
			for _, e := range of.list {
				re := regexp.MustCompile(e.Match)
				if !slices.ContainsFunc(cases, func(p *plannedCase) bool { return re.MatchString(p.id) }) {
					idle = append(idle, fmt.Sprintf("%s: scenario %s: %s = %q matches no case (roclua inspect lists their ids)", cfg.File(), s.Script, of.key, e.Match))
				}
			}
		}
	}
	return idle
}

// excepted returns the reason of the first exception that an id matches.
func excepted(list []config.Exception, id string) (reason string, ok bool) {
	for _, e := range list {
		if regexp.MustCompile(e.Match).MatchString(id) {
			return e.Reason, true
		}
	}
	return "", false
}

// tags are those of the script and those of the configuration.
func (sc *scenario) tags() []string {
	return slices.Concat(sc.declared.Tags, sc.settings.Tags)
}
