package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/units"
)

// An axis is written as a list of values and ranges, "64,128,500:1000:100". A range is FROM:TO, FROM:TO:STEP or
// FROM:TO:xFACTOR, and includes TO when a step reaches it. Numbers can have the suffixes of package units.

// maxRange bounds the values of one range, so that a typing error is reported and does not exhaust memory.
const maxRange = 50_000_000

// ParseAxis returns the values of an axis, with ranges expanded. Other values are returned as they are written.
func ParseAxis(text string) ([]string, error) {
	var values []string
	for _, item := range strings.Split(text, ",") {
		item = strings.TrimSpace(item)
		switch {
		case item == "":
			return nil, fmt.Errorf("%q has an empty value", text)
		case !strings.Contains(item, ":"):
			values = append(values, item)
		default:
			list, err := parseRange(item)
			if err != nil {
				return nil, err
			}
			for _, v := range list {
				values = append(values, strconv.FormatInt(v, 10))
			}
		}
	}
	return values, nil
}

// parseRange expands one range.
func parseRange(text string) ([]int64, error) {
	parts := strings.Split(text, ":")
	if len(parts) > 3 {
		return nil, fmt.Errorf("%q is not a range; write FROM:TO, FROM:TO:STEP or FROM:TO:xFACTOR", text)
	}
	from, err1 := units.ParseInt(parts[0])
	to, err2 := units.ParseInt(parts[1])
	switch {
	case err1 != nil || err2 != nil:
		return nil, fmt.Errorf("%q: FROM and TO must be integers", text)
	case from > to:
		return nil, fmt.Errorf("%q: FROM is more than TO", text)
	case len(parts) == 2:
		return steps(text, from, to, 1)
	}
	if factor, ok := strings.CutPrefix(parts[2], "x"); ok {
		return factors(text, from, to, factor)
	}
	step, err := units.ParseInt(strings.TrimPrefix(parts[2], "+"))
	if err != nil || step <= 0 {
		return nil, fmt.Errorf("%q: STEP must be a positive integer, or xFACTOR", text)
	}
	return steps(text, from, to, step)
}

func steps(text string, from, to, step int64) ([]int64, error) {
	if uint64(to-from)/uint64(step) >= maxRange {
		return nil, fmt.Errorf("%q has more than %d values", text, maxRange)
	}
	var list []int64
	for v := from; ; v += step {
		list = append(list, v)
		if v > to-step {
			return list, nil
		}
	}
}

// factors multiplies; a fractional factor rounds, and no value appears twice.
func factors(text string, from, to int64, factor string) ([]int64, error) {
	f, err := strconv.ParseFloat(factor, 64)
	if err != nil || !(f > 1) || math.IsInf(f, 1) || from <= 0 {
		return nil, fmt.Errorf("%q: xFACTOR must be a number above 1, and FROM above 0", text)
	}
	var list []int64
	for v := float64(from); v <= float64(to) && v < math.MaxInt64 && len(list) < maxRange; v *= f {
		list = append(list, int64(math.Round(v)))
	}
	return slices.Compact(list), nil
}
