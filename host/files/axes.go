package files

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"roclua/host/applog/lines"
)

// readFlow reads an entry of YAML, after its opening brace: "rocblas_function: rocblas_dgemm, M: [64, 128] }".
func readFlow(text string) (*entry, error) {
	e := &entry{kind: lines.Bench}
	depth, start, quote := 0, 0, byte(0)
	pair := func(text string) error {
		name, value, ok := strings.Cut(text, ":")
		name, value = strings.Trim(name, " \t\"'"), strings.TrimSpace(value)
		if strings.TrimSpace(text) == "" {
			return nil
		}
		if !ok || name == "" || value == "" {
			return fmt.Errorf("%.60q is not NAME: VALUE", strings.TrimSpace(text))
		}
		one, err := readAxis(name, value)
		e.options = append(e.options, one)
		return err
	}
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '(':
			depth++
		case c == ']' || c == ')':
			depth--
		case (c == ',' || c == '}') && depth <= 0:
			if err := pair(text[start:i]); err != nil {
				return nil, err
			}
			start = i + 1
			if c == '}' {
				return e, nil
			}
		}
	}
	return nil, fmt.Errorf("the brace of the entry is not closed on its line")
}

// readAxis reads the values of an option: one, a list [64, 128] or a range [64:256:64]. With [pow2] after the name they
// are exponents of 2, as in nvbench.
func readAxis(name, value string) (axis, error) {
	name, power := strings.CutSuffix(strings.TrimSpace(name), "[pow2]")
	list, many := strings.CutPrefix(strings.TrimSpace(value), "[")
	list, closed := strings.CutSuffix(list, "]")
	if many != closed {
		return axis{}, fmt.Errorf("%s: the list %q is not closed", name, value)
	}
	a := axis{name: name, values: []string{strings.Trim(value, "\"'")}}
	if many {
		a.values = nil
		for one := range strings.SplitSeq(list, ",") {
			one = strings.Trim(strings.TrimSpace(one), "\"'")
			numbers, err := readRange(one)
			if err != nil {
				return a, fmt.Errorf("%s: %w", name, err)
			}
			a.values = append(a.values, numbers...)
		}
	}
	for i, v := range a.values {
		if v == "" {
			return a, fmt.Errorf("%s: a value is empty", name)
		}
		if n, err := strconv.ParseUint(v, 10, 64); power && (err != nil || n > 62) {
			return a, fmt.Errorf("%s: %q is not an exponent of 2 from 0 to 62", name, v)
		} else if power {
			a.values[i] = strconv.FormatUint(bits.RotateLeft64(1, int(n)), 10)
		}
	}
	return a, nil
}

// readRange reads "64:256:64", whose end belongs to it, or another value.
func readRange(text string) ([]string, error) {
	parts := strings.Split(text, ":")
	if len(parts) == 1 {
		return []string{text}, nil
	}
	numbers := []int64{0, 0, 1}
	for i, part := range parts {
		n, err := strconv.ParseInt(strings.TrimSpace(part), 10, 64)
		if err != nil || i > 2 {
			return nil, fmt.Errorf("%q is not a range; write START:STOP or START:STOP:STEP", text)
		}
		numbers[i] = n
	}
	start, stop, step := numbers[0], numbers[1], numbers[2]
	if step <= 0 || stop < start || (stop-start)/step >= mostRange {
		return nil, fmt.Errorf("%q has no values, or more than %d", text, mostRange)
	}
	var list []string
	for n := start; n <= stop && n >= start; n += step {
		list = append(list, strconv.FormatInt(n, 10))
	}
	return list, nil
}
