package config

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"roclua/internal/units"
)

// An axis is written as a list of values and ranges, "64,128,500:1000:100". A range is FROM:TO, FROM:TO:STEP or
// FROM:TO:xFACTOR, and includes TO when a step reaches it. Numbers can have the suffixes of package units.

// MaxValues bounds the values of one axis, because all are held in memory.
const MaxValues = 1_000_000

// ParseAxis returns the values of an axis, with ranges expanded. Other values are returned unchanged. An axis of more
// than MaxValues values is an error before it is expanded.
func ParseAxis(text string) ([]string, error) {
	var values []string
	for item := range strings.SplitSeq(text, ",") {
		item = strings.TrimSpace(item)
		switch {
		case item == "":
			return nil, fmt.Errorf("%s has an empty value", quoted(text))
		case !strings.Contains(item, ":"):
			values = append(values, item)
		default:
			list, err := parseRange(item)
			if err != nil {
				return nil, err
			}
			values = slices.Grow(values, len(list))
			for _, v := range list {
				values = append(values, strconv.FormatInt(v, 10))
			}
		}
		if len(values) > MaxValues {
			return nil, tooMany(text, "more than "+strconv.Itoa(MaxValues))
		}
	}
	return values, nil
}

// tooMany is the error for an axis of too many values.
func tooMany(text, count string) error {
	return fmt.Errorf("%s has %s values, at most %d are possible; use a larger step or a factor, such as 64:8192:x2",
		quoted(text), count, MaxValues)
}

// quoted returns a value for an error message, at most its first 60 bytes.
func quoted(text string) string {
	if len(text) > 60 {
		return fmt.Sprintf("%.60q...", text)
	}
	return strconv.Quote(text)
}

func parseRange(text string) ([]int64, error) {
	parts := strings.Split(text, ":")
	if len(parts) > 3 {
		return nil, fmt.Errorf("%s is not a range; write FROM:TO, FROM:TO:STEP or FROM:TO:xFACTOR", quoted(text))
	}
	from, err1 := units.ParseInt(parts[0])
	to, err2 := units.ParseInt(parts[1])
	switch {
	case err1 != nil || err2 != nil:
		return nil, fmt.Errorf("%s: FROM and TO must be integers", quoted(text))
	case from > to:
		return nil, fmt.Errorf("%s: FROM is more than TO", quoted(text))
	case len(parts) == 2:
		return steps(text, from, to, 1)
	}
	if factor, ok := strings.CutPrefix(parts[2], "x"); ok {
		return factors(text, from, to, factor)
	}
	step, err := units.ParseInt(strings.TrimPrefix(parts[2], "+"))
	if err != nil || step <= 0 {
		return nil, fmt.Errorf("%s: STEP must be a positive integer, or xFACTOR", quoted(text))
	}
	return steps(text, from, to, step)
}

func steps(text string, from, to, step int64) ([]int64, error) {
	more := uint64(to-from) / uint64(step)
	if more >= MaxValues {
		return nil, tooMany(text, strconv.FormatUint(max(more, more+1), 10))
	}
	list := make([]int64, 0, more+1)
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
		return nil, fmt.Errorf("%s: xFACTOR must be a number above 1, and FROM above 0", quoted(text))
	}
	var list []int64
	for v := float64(from); v <= float64(to) && v < math.MaxInt64; v *= f {
		if len(list) == MaxValues {
			return nil, fmt.Errorf("%s takes more than %d steps; use a larger factor", quoted(text), MaxValues)
		}
		list = append(list, int64(math.Round(v)))
	}
	return slices.Compact(list), nil
}
