package products

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/routine"
	"roclua/workspace/footprint"
)

// Library is the library whose kernels are computed.
type Library struct {
	types   map[string]string // of short shapes, and their arguments
	call    string            // how a short shape or a row of a table is called
	batched string            // with a batch
	read    func(call string) (Shape, error)
}

// RocBLAS computes gemm and gemm_ex.
var RocBLAS = &Library{types: types, call: "gemm_ex", batched: "gemm_strided_batched_ex", read: readCall}

// types are the types of short shapes, and the arguments of gemm_ex.
var types = map[string]string{
	"f16": "a_type=f16_r compute_type=f32_r", "bf16": "a_type=bf16_r compute_type=f32_r",
	"f32": "a_type=f32_r compute_type=f32_r", "f64": "a_type=f64_r compute_type=f64_r",
	"f32c": "a_type=f32_c compute_type=f32_c", "f64c": "a_type=f64_c compute_type=f64_c",
	"i8": "a_type=i8_r c_type=i32_r compute_type=i32_r",
}

// Types are the names of types of short shapes.
const Types = "bf16, f16, f32, f64, f32c, f64c, i8"

// typed returns the arguments of a type.
func (l *Library) typed(of string) (string, error) {
	if text := l.types[of]; text != "" {
		return text, nil
	}
	return "", fmt.Errorf("no type %q; want one of %s", of, strings.Join(slices.Sorted(maps.Keys(l.types)), ", "))
}

// short is a shape such as TN:128x128x65536 or 64x64x64x32.
var short = regexp.MustCompile(`^(?:([NTC])([NTC]):)?(\d+)x(\d+)x(\d+)(?:x(\d+))?$`)

// Parse reads a product: a short shape of a type, or a call.
func (l *Library) Parse(text, of string) (Shape, error) {
	call := text
	if m := short.FindStringSubmatch(text); m != nil {
		arguments, err := l.typed(of)
		if err != nil {
			return Shape{}, err
		}
		name := l.call
		if m[6] != "" {
			name = l.batched + " batch_count=" + m[6]
		}
		call = fmt.Sprintf("%s transA=%s transB=%s m=%s n=%s k=%s %s", name, cmp.Or(m[1], "N"), cmp.Or(m[2], "N"), m[3],
			m[4], m[5], arguments)
	}
	s, err := l.read(call)
	s.Text, s.Times = text, 1
	return s, err
}

// readCall reads a call of rocBLAS.
func readCall(call string) (Shape, error) {
	c, err := footprint.Parse(call)
	if err != nil {
		return Shape{}, err
	}
	if !c.Routine.IsProduct() {
		return Shape{}, fmt.Errorf("%s is not a form of gemm, gemm_ex or gemm_ex3", c.Routine.Name)
	}
	s, err := footprint.NewSequence([]*footprint.Call{c}, nil)
	if err != nil {
		return Shape{}, err
	}
	return Shape{Args: s.Args(0)}, nil
}

// Logged returns the shape of a call in a log. What another library does not compute is shown with the reason.
func (l *Library) Logged(text string, times int64, a *routine.Args) Shape {
	s := Shape{Text: text, Times: times, Args: a}
	if l == RocBLAS {
		return s
	}
	var err error
	if s.product, err = translate(a); err != nil {
		s.product, s.refused = nil, err.Error()
	}
	return s
}

// ReadCSV reads a table with a product in each row. The columns are m, n, k and other arguments of gemm_ex, and may be
// routine, type and times.
func (l *Library) ReadCSV(r io.Reader, of string) ([]Shape, error) {
	table := csv.NewReader(r)
	table.TrimLeadingSpace = true
	head, err := table.Read()
	if err != nil {
		return nil, err
	}
	var list []Shape
	for {
		row, err := table.Read()
		if err == io.EOF {
			return list, nil
		}
		line, _ := table.FieldPos(0)
		s := Shape{}
		if err == nil {
			s, err = l.rowShape(head, row, of)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		list = append(list, s)
	}
}

// rowShape reads a row of a table.
func (l *Library) rowShape(head, row []string, of string) (Shape, error) {
	name, times, arguments := l.call, int64(1), ""
	for i, column := range head {
		switch value := strings.TrimSpace(row[i]); {
		case value == "":
		case column == "routine":
			name = value
		case column == "type":
			of = value
		case column == "times":
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				return Shape{}, fmt.Errorf("times %q is not a number", value)
			}
			times = n
		default:
			arguments += " " + column + "=" + value
		}
	}
	if (name == l.call || strings.HasSuffix(name, "_ex")) && !strings.Contains(arguments, "a_type=") {
		typed, err := l.typed(of)
		if err != nil {
			return Shape{}, err
		}
		arguments += " " + typed
	}
	s, err := l.Parse(name+arguments, of)
	s.Times = times
	return s, err
}
