package products

import (
	"encoding/csv"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"roclua/hip/routine"
	"roclua/workspace/footprint"
)

// types are the types of short shapes, and the arguments of gemm_ex.
var types = map[string]string{
	"f16": "a_type=f16_r compute_type=f32_r", "bf16": "a_type=bf16_r compute_type=f32_r",
	"f32": "a_type=f32_r compute_type=f32_r", "f64": "a_type=f64_r compute_type=f64_r",
	"f32c": "a_type=f32_c compute_type=f32_c", "f64c": "a_type=f64_c compute_type=f64_c",
	"i8": "a_type=i8_r c_type=i32_r compute_type=i32_r",
}

// Types are the names of types of short shapes.
const Types = "bf16, f16, f32, f64, f32c, f64c, i8"

// short is a shape such as TN:128x128x65536 or 64x64x64x32.
var short = regexp.MustCompile(`^(?:([NTC])([NTC]):)?(\d+)x(\d+)x(\d+)(?:x(\d+))?$`)

// Parse reads a product: a call of gemm or gemm_ex, or a short shape of a type.
func Parse(text, of string) (Shape, error) {
	call := text
	if m := short.FindStringSubmatch(text); m != nil {
		if types[of] == "" {
			return Shape{}, fmt.Errorf("no type %q; want one of %s", of, Types)
		}
		name := "gemm_ex"
		if m[6] != "" {
			name = "gemm_strided_batched_ex batch_count=" + m[6]
		}
		letter := func(s string) string { return map[bool]string{true: "N", false: s}[s == ""] }
		call = fmt.Sprintf("%s transA=%s transB=%s m=%s n=%s k=%s %s", name, letter(m[1]), letter(m[2]), m[3],
			m[4], m[5], types[of])
	}
	c, err := footprint.Parse(call)
	if err != nil {
		return Shape{}, err
	}
	if !IsProduct(c.Routine) {
		return Shape{}, fmt.Errorf("%s is not a form of gemm or gemm_ex", c.Routine.Name)
	}
	s, err := footprint.NewSequence([]*footprint.Call{c}, nil)
	if err != nil {
		return Shape{}, err
	}
	return Shape{Text: text, Times: 1, Args: s.Args(0)}, nil
}

// IsProduct reports whether a routine is gemm or gemm_ex.
func IsProduct(r *routine.Routine) bool {
	return r.Family.ID == routine.Gemm || r.Family.ID == routine.GemmEx
}

// ReadCSV reads a table with a product in each row. The columns are m, n, k and other arguments of gemm_ex, and may be
// routine, type and times.
func ReadCSV(r io.Reader, of string) ([]Shape, error) {
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
			s, err = rowShape(head, row, of)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		list = append(list, s)
	}
}

// rowShape reads a row of a table.
func rowShape(head, row []string, of string) (Shape, error) {
	name, times, arguments := "gemm_ex", int64(1), ""
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
	if strings.HasSuffix(name, "_ex") && !strings.Contains(arguments, "a_type=") {
		if types[of] == "" {
			return Shape{}, fmt.Errorf("no type %q; want one of %s", of, Types)
		}
		arguments += " " + types[of]
	}
	s, err := Parse(name+arguments, of)
	s.Times = times
	return s, err
}
