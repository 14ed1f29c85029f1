// Package baseline compares the values of cases with earlier values, and reads and writes the files that keep them for
// review.
//
//	f, err := baseline.Read("baselines/solve.toml")
//	changes := baseline.Differences(baseline.Compare(id, f.Cases[id], values, tolerances))
//
// Times never repeat exactly, so CompareTimes compares them as a ratio with its spread.
package baseline

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"roclua/luabind/record"
)

// Values are the values of one case by name: int64, float64, string or bool. A skipped case has only Skipped.
type Values map[string]any

// Skipped is the name of the reason of a skipped case.
const Skipped = "skipped"

// Kind classifies a change of a value.
type Kind string

const (
	Same    Kind = "SAME"
	More    Kind = "MORE"
	Less    Kind = "LESS"
	Changed Kind = "CHANGED" // of a string or a boolean, or to another type
	New     Kind = "NEW"
	Gone    Kind = "GONE"
)

// Change is the comparison of one value, or of a whole case if Name is empty.
type Change struct {
	Kind Kind   `json:"kind"`           // MORE, LESS, CHANGED, NEW or GONE
	Case string `json:"case,omitempty"` // id of the case
	Name string `json:"name,omitempty"` // name of the value
	Old  any    `json:"old,omitempty"`  // value before; nil for NEW
	New  any    `json:"new,omitempty"`  // value now; nil for GONE
}

// MarshalJSON writes the change by its tags, and its difference.
func (c Change) MarshalJSON() ([]byte, error) {
	type tagged Change
	change := struct {
		tagged
		Difference any `json:"difference,omitempty"`
	}{tagged: tagged{c.Kind, c.Case, c.Name, record.Finite(c.Old), record.Finite(c.New)}}
	if d, ok := c.Difference(); ok {
		change.Difference = record.Finite(d)
	}
	return record.Encode(change)
}

// Difference returns new minus old for numbers; ok is false for other values.
func (c Change) Difference() (d float64, ok bool) {
	a, isNumber := Number(c.Old)
	b, alsoNumber := Number(c.New)
	return b - a, isNumber && alsoNumber
}

// DifferenceText returns the signed difference; "" if there is none.
func (c Change) DifferenceText() string {
	if d, ok := c.Difference(); ok && c.Kind != Same {
		return Signed(d)
	}
	return ""
}

// String returns the change on one line: "workspace_bytes: 64 -> 128 (+64)".
func (c Change) String() string {
	switch {
	case c.Name == "" && c.Kind == New:
		return "the case is not in the baseline; roclua run --update adds it"
	case c.Name == "":
		return "the case is gone"
	case c.Kind == New:
		return fmt.Sprintf("%s: new, %s", c.Name, Text(c.New))
	case c.Kind == Gone:
		return fmt.Sprintf("%s: gone, was %s", c.Name, Text(c.Old))
	}
	text := fmt.Sprintf("%s: %s -> %s", c.Name, Text(c.Old), Text(c.New))
	if d, ok := c.Difference(); ok {
		text += fmt.Sprintf(" (%s)", Signed(d))
	}
	return text
}

// Text writes a value so that it round-trips: integers without a point, other numbers with all digits.
func Text(v any) string {
	switch v := v.(type) {
	case nil:
		return "-"
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return strconv.Quote(v)
	}
	return fmt.Sprint(v)
}

// Signed writes a difference with its sign.
func Signed(d float64) string {
	if d == math.Trunc(d) && math.Abs(d) < 1<<53 {
		return fmt.Sprintf("%+d", int64(d))
	}
	return fmt.Sprintf("%+.3g", d)
}

// Number returns a value as a number; ok is false for other values.
func Number(v any) (float64, bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// Compare compares all values of a case, and returns the comparisons sorted by name. Values within their tolerance are
// the same; ignored values are omitted.
func Compare(id string, before, after Values, tolerances Tolerances) []Change {
	all := Values{}
	maps.Copy(all, before)
	maps.Copy(all, after)
	var list []Change
	for _, name := range slices.Sorted(maps.Keys(all)) {
		tolerance := tolerances[name]
		if tolerance.Ignore {
			continue
		}
		c := Change{Case: id, Name: name, Old: before[name], New: after[name]}
		c.Kind = kind(c.Old, c.New, tolerance)
		list = append(list, c)
	}
	return list
}

func kind(before, after any, t Tolerance) Kind {
	switch {
	case before == nil:
		return New
	case after == nil:
		return Gone
	}
	a, isNumber := Number(before)
	b, alsoNumber := Number(after)
	switch {
	case !isNumber || !alsoNumber:
		if before == after {
			return Same
		}
		return Changed
	case t.Covers(a, b):
		return Same
	case b > a:
		return More
	case b < a:
		return Less
	}
	return Changed // one of them is NaN
}

// Differences keeps the changes that are not Same.
func Differences(list []Change) []Change {
	return slices.DeleteFunc(list, func(c Change) bool { return c.Kind == Same })
}
