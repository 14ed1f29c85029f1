package files

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/matmul"
	"roclua/hip/routine"
	"roclua/host/applog/lines"
)

var tables = Form{
	Name: "tables of shapes of products",
	About: "CSV, also with tabs or semicolons, whose first line names the columns in any order: M, N and K, also " +
		"sizeM; transA and transB, also opA; lda, stride_a and others of gemm_ex; batch_count, type, routine; and " +
		"counts, times or weight for how often a product is made. Other columns are ignored by name. Without a type " +
		"it is --type of gemm.",
	Example: `counts,transA,transB,M,N,K,type
3,N,T,4096,512,14336,bf16
1,T,N,64,64,32768,f32
`,
	Rows: true,
	none: "row with a product",
	is: func(_ string, text []byte) bool {
		line, _, _ := bytes.Cut(bytes.TrimLeft(text, "\r\n"), []byte("\n"))
		_, columns := header(string(line))
		return slices.Contains(columns, "m") && slices.Contains(columns, "n") && slices.Contains(columns, "k")
	},
	read: (*reader).table,
}

// Types are the types of products, and their arguments.
var Types = map[string]string{
	"f16": "a_type=f16_r compute_type=f32_r", "bf16": "a_type=bf16_r compute_type=f32_r",
	"f32": "a_type=f32_r compute_type=f32_r", "f64": "a_type=f64_r compute_type=f64_r",
	"f32c": "a_type=f32_c compute_type=f32_c", "f64c": "a_type=f64_c compute_type=f64_c",
	"i8": "a_type=i8_r c_type=i32_r compute_type=i32_r",
}

// columns are the columns that are read, by their spellings in lower case without underscores and blanks.
var columns = map[string]string{"m": "m", "sizem": "m", "n": "n", "sizen": "n", "k": "k", "sizek": "k",
	"transa": "transA", "transposea": "transA", "opa": "transA", "transb": "transB", "transposeb": "transB",
	"opb": "transB", "lda": "lda", "ldb": "ldb", "ldc": "ldc", "ldd": "ldd", "stridea": "stride_a",
	"strideb": "stride_b", "stridec": "stride_c", "strided": "stride_d", "batch": "batch_count",
	"batchcount": "batch_count", "alpha": "alpha", "beta": "beta", "atype": "a_type", "btype": "b_type",
	"ctype": "c_type", "dtype": "d_type", "computetype": "compute_type", "epilogue": "epilogue", "type": "type",
	"precision": "type", "datatype": "type", "routine": "routine", "function": "routine", "counts": "times",
	"count": "times", "times": "times", "weight": "times", "weights": "times", "calls": "times", "callcount": "times"}

// operations are spellings of operations.
var operations = map[string]string{"0": "N", "FALSE": "N", "NONE": "N", "OP_N": "N", "111": "N", "1": "T", "TRUE": "T",
	"TRANSPOSE": "T", "OP_T": "T", "112": "T", "OP_C": "C", "113": "C"}

var unspaced = strings.NewReplacer("_", "", " ", "")

// header separates the names of a table. The names of columns that are not read are as they are written.
func header(line string) (separator rune, names []string) {
	separator = ','
	for _, other := range "\t;" {
		if strings.Count(line, string(other)) > strings.Count(line, string(separator)) {
			separator = other
		}
	}
	for name := range strings.SplitSeq(strings.TrimPrefix(line, "\ufeff"), string(separator)) {
		name = strings.Trim(name, " \t\r\"")
		names = append(names, cmp.Or(columns[unspaced.Replace(strings.ToLower(name))], name))
	}
	return separator, names
}

// fields reads the rows of a table. Each is called with the number of a line and its fields. It says what is wrong with
// a row that is not read, or returns an error that ends the reading.
func (r *reader) fields(separator rune, each func(line int, fields []string) (wrong, err error)) error {
	in := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(r.text, []byte("\ufeff"))))
	in.Comma, in.Comment, in.TrimLeadingSpace, in.FieldsPerRecord = separator, '#', true, -1
	for {
		row, err := in.Read()
		if err == io.EOF {
			return nil
		}
		line, wrong := 0, error(nil)
		if bad := (*csv.ParseError)(nil); errors.As(err, &bad) {
			line, wrong, err = bad.Line, bad.Err, nil
		} else if err == nil {
			line, _ = in.FieldPos(0)
			for i := range row {
				row[i] = strings.TrimSpace(row[i])
			}
			wrong, err = each(line, row)
		}
		if wrong != nil {
			err = r.refuse(place{r.name, line}.errorf("%w", wrong))
		}
		if err != nil {
			return err
		}
	}
}

// table reads a table. A line that names columns again, as rocblas-bench writes it, begins another one.
func (r *reader) table() error {
	line, _, _ := strings.Cut(strings.TrimLeft(string(r.text), "\r\n\ufeff"), "\n")
	separator, names := header(line)
	scale := r.scale(separator)
	p := lines.NewParser()
	return r.fields(separator, func(line int, row []string) (wrong, err error) {
		_, again := header(strings.Join(row, string(separator)))
		if slices.Contains(again, "m") && slices.Contains(again, "n") && slices.Contains(again, "k") {
			names = again
			return nil, nil
		}
		if len(row) != len(names) {
			return fmt.Errorf("%d columns separated by %q; want %d, as in the line with the names", len(row), separator,
				len(names)), nil
		}
		s := shape{name: "gemm_ex", times: 1}
		for i, name := range names {
			wrong = cmp.Or(wrong, r.cell(&s, name, row[i], scale))
		}
		if wrong == nil {
			if wrong = r.setType(&s); wrong != nil && s.typ == "" {
				return nil, place{r.name, line}.errorf("%w", wrong)
			}
		}
		if wrong == nil {
			wrong = r.product(p, &s, line)
		}
		return wrong, nil
	})
}

// shape is a product of a row.
type shape struct {
	name     string // of the routine
	options  []lines.Option
	typ      string
	times    int64
	recorded string // the kernel that a tuning chose
	label    string // its name in the row
	lt       bool   // only hipBLASLt computes it
}

func (s *shape) set(name, value string) {
	s.options = append(s.options, lines.Option{Name: name, Value: value})
}

func (s *shape) has(name string) bool {
	return slices.ContainsFunc(s.options, func(o lines.Option) bool { return o.Name == name })
}

// scale is the factor of weights: 1 if all are whole numbers.
func (r *reader) scale(separator rune) float64 {
	scale, at := 1.0, -1
	_ = r.fields(separator, func(_ int, row []string) (wrong, err error) {
		if at < 0 {
			_, names := header(strings.Join(row, string(separator)))
			at = slices.Index(names, "times")
		} else if at < len(row) {
			if w, err := strconv.ParseFloat(row[at], 64); err == nil && w != math.Trunc(w) {
				scale = 1000
			}
		}
		return nil, nil
	})
	r.content.Refused, r.content.Reasons = 0, nil // they are found again
	if scale > 1 {
		r.content.Remarks = append(r.content.Remarks, "the weights, which have decimals, are multiplied by 1000")
	}
	return scale
}

func (r *reader) cell(s *shape, name, value string, scale float64) error {
	switch {
	case value == "":
	case name == "times":
		w, err := strconv.ParseFloat(value, 64)
		if err != nil || w < 0 || w*scale > 1<<53 {
			return fmt.Errorf("times %q is not a number", value)
		}
		s.times = int64(math.Round(w * scale))
	case name == "routine":
		s.name = strings.TrimPrefix(value, "rocblas_")
	case name == "type":
		s.typ = value
	case name == "transA" || name == "transB":
		s.set(name, cmp.Or(operations[strings.ToUpper(value)], value))
	case !slices.Contains(slices.Collect(maps.Values(columns)), name):
		r.content.Columns[name]++
	default:
		s.set(name, value)
	}
	return nil
}

// setType sets the arguments for the type of a product.
func (r *reader) setType(s *shape) error {
	if s.has("a_type") || s.name != "gemm_ex" && !strings.HasSuffix(s.name, "_ex") {
		return nil
	}
	types := r.options.Types
	if types == nil {
		types = Types
	}
	name := cmp.Or(s.typ, r.options.Type, "bf16")
	letters := map[string]string{"s": "f32", "d": "f64", "c": "f32c", "z": "f64c", "h": "f16", "f32_r": "f32",
		"f64_r": "f64", "f32_c": "f32c", "f64_c": "f64c", "f16_r": "f16", "bf16_r": "bf16", "i8_r": "i8"}
	arguments := cmp.Or(types[name], types[letters[name]])
	if arguments == "" {
		return fmt.Errorf("no type %q; want one of %s", name, strings.Join(slices.Sorted(maps.Keys(types)), ", "))
	}
	for field := range strings.FieldsSeq(arguments) {
		name, value, _ := strings.Cut(field, "=")
		if !s.has(name) {
			s.set(name, value)
		}
	}
	return nil
}

// product passes on a product: the rocBLAS call, or of hipBLASLt if that is wanted.
func (r *reader) product(p *lines.Parser, s *shape, line int) error {
	if s.name == "gemm_ex" && s.has("batch_count") {
		s.name = "gemm_strided_batched_ex"
	}
	c := &Call{Times: s.times, Line: line, Recorded: s.recorded, Text: s.name}
	if r.options.Matmuls && strings.HasPrefix(s.name, "gemm_") {
		c.Text = "matmul"
	}
	for _, o := range s.options {
		c.Text += " " + o.Name + "=" + o.Value
	}
	c.Text = cmp.Or(s.label, c.Text)
	if r.options.Matmuls || s.lt {
		of, err := matmul.New(s.options)
		if err != nil {
			return err
		}
		c.Product = &of
		return r.call(c)
	}
	a, others, err := p.Command(lines.Bench, append(s.options,
		lines.Option{Name: "rocblas_function", Value: "rocblas_" + s.name}))
	if err != nil {
		return err
	}
	for _, o := range others {
		if o.Name != "rocblas_function" {
			return fmt.Errorf("%s has no argument %q", s.name, o.Name)
		}
	}
	switch {
	case !a.Routine.IsProduct():
		return fmt.Errorf("%s is not a form of gemm, gemm_ex or gemm_ex3", s.name)
	case !s.has("ldd") && !s.has("d_type"):
		inPlace(a)
	default:
		a.PlaceResult()
	}
	if _, ok := a.Routine.ParamAt(routine.D); ok && a.Null(routine.D) {
		a.PlaceResult()
	}
	c.Args = a
	return r.call(c)
}
