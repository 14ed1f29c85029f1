package difftest

import (
	"strconv"
	"strings"
)

// Lines of the output of a numbered script begin with a marker and the number of an operation.
const (
	marker     = "@"
	heldMarker = "held@"
)

// Numbered returns a script whose output Parse reads.
func Numbered(ops []*Operation) string {
	s := script{numbered: true}
	s.begin(ops)
	for _, op := range ops {
		s.add(op, false)
	}
	s.end()
	return s.String()
}

// Parse reads the output of a numbered script: the results by the number of the operation. An operation that did not
// return has none.
func Parse(ops []*Operation, output string) map[int]Result {
	results := map[int]Result{}
	for line := range strings.Lines(output) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if text, ok := strings.CutPrefix(fields[0], marker); ok {
			if n, err := strconv.Atoi(text); err == nil && n >= 0 && n < len(ops) {
				results[n] = parse(ops[n], fields[1:])
			}
		}
		if text, ok := strings.CutPrefix(fields[0], heldMarker); ok {
			if n, err := strconv.Atoi(text); err == nil {
				a, returned := results[n]
				if !returned || ops[n].IsCreate() && a.Status != "success" {
					continue
				}
				held := parse(&Operation{Name: stopQuery}, fields[1:])
				if a.Held = held.Value; a.Held == "" {
					a.Held = held.Status
				}
				results[n] = a
			}
		}
	}
	return results
}

// LargestExact is the largest size up to which a script prints every size exactly: a number of Lua has 53 bits.
const LargestExact = 1 << 53

// AsPrinted returns the result as a script prints it. Sizes that overflow are larger than LargestExact.
func (a Result) AsPrinted() Result {
	a.Value, a.Held = asPrinted(a.Value), asPrinted(a.Held)
	return a
}

func asPrinted(text string) string {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil && n > LargestExact {
		return strconv.FormatFloat(float64(n), 'f', 0, 64)
	}
	return text
}

// statusPrefix begins the C names of all statuses.
const statusPrefix = "rocblas_status_"

// parse returns the result of an operation from the values that it printed.
func parse(op *Operation, fields []string) Result {
	a := Result{Status: "success"}
	if len(fields) > 0 && (strings.HasPrefix(op.Name, "is_") || op.Name == stopQuery || op.Name == "get_atomics_mode") {
		a.Value = fields[0]
	}
	for _, field := range fields {
		a.Absent = a.Absent || strings.Contains(field, "is not in this library")
		if name, ok := strings.CutPrefix(field, statusPrefix); ok {
			a.Status = name
		}
	}
	if a.Status != "success" {
		a.Value = ""
	}
	return a
}
