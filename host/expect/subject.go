package expect

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Subject is the left side of an expectation: a value of each case, or a function over the values of all cases.
type Subject struct {
	Metric   string
	Function string // "" for the value of each case
}

var functions = map[string]func(sorted []float64) float64{
	"min": func(v []float64) float64 { return v[0] }, "max": func(v []float64) float64 { return v[len(v)-1] },
	"mean": func(v []float64) float64 { return sum(v) / float64(len(v)) }, "sum": sum,
	"count":  func(v []float64) float64 { return float64(len(v)) },
	"median": quantile(0.5), "p50": quantile(0.5), "p90": quantile(0.9), "p95": quantile(0.95), "p99": quantile(0.99),
}

func sum(v []float64) float64 {
	total := 0.0
	for _, x := range v {
		total += x
	}
	return total
}

// quantile returns a nearest-rank quantile function; its result is one of the values.
func quantile(q float64) func([]float64) float64 {
	return func(v []float64) float64 { return v[max(0, int(math.Ceil(q*float64(len(v))))-1)] }
}

var applied = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(\w+)\(([^()]+)\)$`)
})

// ParseSubject reads "residual", "hip.malloc" or "p95(seconds)".
func ParseSubject(text string) (Subject, error) {
	m := applied().FindStringSubmatch(text)
	if m == nil {
		if strings.ContainsAny(text, "() ") || text == "" {
			return Subject{}, fmt.Errorf("%q is neither a metric nor FUNCTION(metric)", text)
		}
		return Subject{Metric: text}, nil
	}
	if functions[m[1]] == nil {
		var known []string
		for name := range functions {
			known = append(known, name)
		}
		sort.Strings(known)
		return Subject{}, fmt.Errorf("%q: unknown function %q (have %s)", text, m[1], strings.Join(known, ", "))
	}
	return Subject{m[2], m[1]}, nil
}

// Over reduces the values of all cases to one; ok is false if there are none, or if one is not a number.
func (s Subject) Over(values []any) (result float64, ok bool) {
	var list []float64
	for _, v := range values {
		n, isNumber := number(v)
		if !isNumber || math.IsNaN(n) {
			return 0, false
		}
		list = append(list, n)
	}
	if len(list) == 0 {
		return 0, false
	}
	slices.Sort(list)
	return functions[s.Function](list), true
}
