package sequence

import (
	"cmp"
	"strconv"
	"strings"
)

// Output lines of a numbered script start with a marker and the number of an operation.
const (
	marker       = "@"
	heldMarker   = "held@"
	callsMarker  = "calls@"
	lastMarker   = "last@"
	statesMarker = "states@"
)

// Numbered returns a script with output for Parse.
func Numbered(ops []*Operation) string {
	s := script{numbered: true}
	s.begin(ops)
	for _, op := range ops {
		s.add(op, false)
	}
	s.end()
	return s.String()
}

// Parse reads the output of a numbered script and returns the results by operation number. An operation that did not
// return has no result.
func Parse(ops []*Operation, output string) map[int]Result {
	results := map[int]Result{}
	hasHandle := map[int]bool{}
	for line := range strings.Lines(output) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		kind, number, ok := strings.Cut(fields[0], marker)
		n, err := strconv.Atoi(number)
		if !ok || err != nil || n < 0 || n >= len(ops) {
			continue
		}
		a, returned := results[n]
		switch op, values := ops[n], fields[1:]; {
		case kind == "":
			a = parse(op, values)
			if op.IsCreate() || op.Name == destroyHandle {
				hasHandle[op.Handle] = op.IsCreate() && a.Status == "success"
			}
		case !returned:
			continue
		case kind+marker == heldMarker && hasHandle[ops[n].Handle]:
			held := parse(&Operation{Name: stopQuery}, values)
			a.Held = cmp.Or(held.Value, held.Status)
		case kind+marker == callsMarker && len(values) == 1:
			a.Calls = op.comparable(strings.Split(values[0], callSeparator))
		case kind+marker == lastMarker && len(values) == 1:
			a.Last = lastError(values[0])
		case kind+marker == statesMarker && len(values) == 1:
			a.States = values[0]
		}
		results[n] = a
	}
	return results
}

// LargestExact is the size up to which a script prints every size exactly: a Lua number has 53 bits.
const LargestExact = 1 << 53

// AsPrinted returns the result as printed by a script. Overflowing sizes are larger than LargestExact.
func (a Result) AsPrinted() Result {
	a.Value, a.Held = asPrinted(a.Value), asPrinted(a.Held)
	for i, call := range a.Calls {
		name, rest, _ := strings.Cut(call, " ")
		bytes, result, _ := strings.Cut(rest, " ")
		a.Calls[i] = name + " " + asPrinted(bytes) + " " + result
	}
	return a
}

func asPrinted(text string) string {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil && n > LargestExact {
		return strconv.FormatFloat(float64(n), 'f', 0, 64)
	}
	return text
}

// statusPrefix is the prefix of the C names of all statuses.
const statusPrefix = "rocblas_status_"

// parse returns the result of an operation from its printed values.
func parse(op *Operation, fields []string) Result {
	a := Result{Status: "success"}
	if len(fields) > 0 && (strings.HasPrefix(op.Name, "is_") || op.Name == stopQuery || op.ReadsMode() ||
		op.Call != nil && op.Call.Routine.ReturnsNumber() && !op.Call.computes()) {
		a.Value = fields[0]
	}
	if op.Name == endCapture && len(fields) > 0 {
		a.Value = fields[0]
	}
	for _, field := range fields {
		a.Absent = a.Absent || strings.Contains(field, "is not in this library")
		if name, ok := strings.CutPrefix(field, statusPrefix); ok {
			a.Status = name
		}
		if name, ok := layerName(field); ok {
			a.Status = name
		}
		if op.IsHIP() && strings.HasPrefix(field, "hip") && !strings.Contains(field, ":") {
			a.Status = field
		}
	}
	if a.Status != success(op) {
		a.Value = ""
	}
	return a
}
