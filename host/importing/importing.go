// Package importing makes scenarios that measure from what other benchmark programs read: command lines and one-line
// entries of YAML for rocblas-bench and rocsolver-bench, whose options may have several values, as the axes of nvbench.
package importing

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/routine"
	"roclua/host/applog/lines"
	"roclua/input"
	"roclua/internal/nearest"
	"roclua/internal/units"
)

// call is a call to measure.
type call struct {
	name   string // of the measurement
	line   int
	args   routine.Args
	rotate int64 // copies of the arguments; 1 for none

	result, replaced *routine.Param // an array that is another one of the call; nil for none
}

// Bounds on what a file can have.
const (
	mostCalls  = 10_000
	mostErrors = 20
)

// file is what was read of a file.
type file struct {
	parser *lines.Parser
	calls  []call
	names  map[string]int // how many calls have a name without its number
	unused map[string]int // how many commands have an option that rocblas-bench ignores for their function
}

// entry is a line of the file: a program and its options, each with its values.
type entry struct {
	kind    lines.Kind
	options []axis
}

// axis is an option with its values.
type axis struct {
	name   string
	values []string
	many   bool // they were written as a list
}

// BenchFile is Bench for a file, or for standard input if its name is "-".
func BenchFile(ctx context.Context, name string, stdin io.Reader) (script []byte, note string, err error) {
	var text []byte
	if name == "-" {
		name = "standard input"
		text, err = input.Stream(ctx, stdin, name, input.Lines)
	} else {
		text, err = input.File(name, input.Lines)
	}
	if err != nil {
		return nil, "", err
	}
	return Bench(name, text)
}

// Bench returns a scenario in Lua that measures the calls of a file, and a note about options that are ignored, or "".
// The error has a line for each wrong line of the file.
func Bench(name string, text []byte) (script []byte, note string, err error) {
	var wrong []error
	f := file{parser: lines.NewParser(), names: map[string]int{}, unused: map[string]int{}}
	for line := range logicalLines(string(text)) {
		e, err := readEntry(line.text)
		if err == nil && e != nil {
			err = f.add(e, line.number)
		}
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s:%d: %w", name, line.number, err))
		}
		if len(wrong) == mostErrors {
			break
		}
	}
	if len(wrong) > 0 {
		return nil, "", errors.Join(wrong...)
	}
	if len(f.calls) == 0 {
		return nil, "", fmt.Errorf("%s has no command of rocblas-bench or rocsolver-bench, and no entry such as "+
			`"- {rocblas_function: rocblas_dgemm, M: 64}"`, name)
	}
	note = f.note()
	return write(filepath.Base(name), note, f.calls), note, nil
}

// note counts the options that are ignored; "" if there are none.
func (f *file) note() string {
	total := 0
	var counts []string
	for _, name := range slices.Sorted(maps.Keys(f.unused)) {
		total += f.unused[name]
		counts = append(counts, fmt.Sprintf("%s (%d)", name, f.unused[name]))
	}
	if total == 0 {
		return ""
	}
	return fmt.Sprintf("%s that rocblas-bench ignores for the function: %s", units.Count(total, "option"),
		strings.Join(counts, ", "))
}

// programs are the benchmark programs by name.
var programs = map[string]lines.Kind{"rocblas-bench": lines.Bench, "rocsolver-bench": lines.SolverBench}

// readEntry reads a line. It returns nil for a line without an entry: a comment, or what a shell or YAML needs.
func readEntry(text string) (*entry, error) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || trimmed == "---" || strings.HasPrefix(trimmed, "#") {
		return nil, nil
	}
	if flow, ok := strings.CutPrefix(strings.TrimSpace(strings.TrimPrefix(trimmed, "-")), "{"); ok {
		return readFlow(flow)
	}
	words, err := shellWords(trimmed)
	if err != nil {
		return nil, err
	}
	for i, w := range words {
		if kind, ok := programs[filepath.Base(w)]; ok {
			return readCommand(kind, words[i+1:])
		}
	}
	hint := ""
	if len(words) > 0 {
		hint = nearest.DidYouMean(filepath.Base(words[0]), []string{"rocblas-bench", "rocsolver-bench"})
	}
	return nil, fmt.Errorf("%.60q is neither a command of rocblas-bench or rocsolver-bench nor an entry of YAML in "+
		"braces on one line%s", trimmed, hint)
}

// readCommand reads the options of a command: -m 64, --lda 64, -n [64,128], and axes as -a n=[64:256:64].
func readCommand(kind lines.Kind, words []string) (*entry, error) {
	e := &entry{kind: kind}
	for i := 0; i < len(words); i++ {
		option := strings.TrimLeft(words[i], "-")
		dashes := len(words[i]) - len(option)
		if dashes == 0 || dashes > 2 || option == "" || strings.ContainsAny(option[:1], "0123456789.") {
			return nil, fmt.Errorf("%q is not an option; options begin with - or --", words[i])
		}
		name, value, joined := strings.Cut(option, "=")
		switch {
		case joined:
		case kind == lines.Bench && slices.Contains(switches, name):
			value = "true"
		case i+1 < len(words) && !isOption(words[i+1]):
			i++
			value = words[i]
		case slices.Contains(maybeSwitches, name):
			value = "true"
		default:
			return nil, fmt.Errorf("the option %s has no value", words[i])
		}
		if name == "a" || name == "axis" {
			if name, value, joined = strings.Cut(value, "="); !joined {
				return nil, fmt.Errorf("the axis %q has no values; write -a n=[64,128] or -a n=[64:256:64]", name)
			}
		}
		one, err := readAxis(name, value)
		if err != nil {
			return nil, err
		}
		e.options = append(e.options, one)
	}
	return e, nil
}

// isOption reports whether a word is an option, and not a negative number.
func isOption(word string) bool {
	return len(word) > 1 && word[0] == '-' && (word[1] < '0' || word[1] > '9') && word[1] != '.'
}

// add adds the calls of an entry, one for each combination of the values of its options.
func (f *file) add(e *entry, line int) error {
	total := 1
	for _, o := range e.options {
		if total *= len(o.values); total > mostCalls-len(f.calls) {
			return fmt.Errorf("the file has more than %d calls, with all values of its options", mostCalls)
		}
	}
	for i := range total {
		options := make([]lines.Option, len(e.options))
		for j, rest := len(options)-1, i; j >= 0; j-- { // the last option varies fastest
			o := e.options[j]
			options[j] = lines.Option{Name: o.name, Value: o.values[rest%len(o.values)]}
			rest /= len(o.values)
		}
		a, others, err := f.parser.Command(e.kind, options)
		if err != nil {
			return err
		}
		c := call{line: line, args: *a, rotate: 1}
		err = f.use(&c, e.kind, others)
		if err != nil {
			return err
		}
		if e.kind == lines.Bench {
			f.share(&c, e)
		}
		c.name = f.nameOf(&c.args)
		f.calls = append(f.calls, c)
	}
	return nil
}

// nameOf returns the name of a measurement: the routine and its sizes, with a number if another one has that name.
func (f *file) nameOf(a *routine.Args) string {
	name := a.Routine.Name
	for _, s := range []routine.Slot{routine.M, routine.N, routine.K, routine.NRHS, routine.BatchCount} {
		if p, ok := a.Routine.ParamAt(s); ok {
			name += fmt.Sprintf("_%s%d", strings.TrimSuffix(p.Name, "_count"), a.Int(s))
		}
	}
	if f.names[name]++; f.names[name] > 1 {
		return fmt.Sprintf("%s_%d", name, f.names[name])
	}
	return name
}

// switches are options of rocblas-bench without a value, maybeSwitches other options that may have none.
var (
	switches = []string{"HMM", "any_stride", "atomics_allowed", "atomics_not_allowed", "fortran", "h", "help",
		"log_datatype", "log_function_name", "outofplace", "rocblas_tensile_commit_hash", "version", "z"}
	maybeSwitches = append([]string{"c_noalias_d", "profile", "profile_kernels", "singular"}, switches...)
)

// ignored are options and keys that do not change the call, or that t:measure decides itself.
var ignored = append([]string{"f", "function", "rocblas_function", "r", "precision", "a_type", "b_type",
	"c_type", "d_type", "compute_type", "composite_compute_type", "i", "iters", "j", "cold_iters", "v",
	"verify", "api", "math_mode", "device", "atomics_mode", "norm_check", "unit_check", "timing", "time_gpu",
	"workspace", "threads", "streams", "perf", "mem_query", "device_memory_limit", "initialization", "init",
	"flush_memory_size", "rotating", "category", "name", "gpu_arch", "pointer_mode", "user_allocated_workspace",
	"alphai", "betai", "rocblas-bench", "call_count", "hash", "algo", "solution_index", "flags", "graph_test",
	"numerics_check", "use_hmm", "hmm", "arithmetic_check", "t", "test", "parallel_devices", "use_hipblaslt",
	"function_filter", "name_filter"}, maybeSwitches...)

// unused are the arguments of rocblas-bench. It ignores those that its function does not have.
var unused = strings.Fields("m sizem n sizen k sizek kl ku lda ldb ldc ldd stride_a stride_b stride_c stride_d " +
	"stride_x stride_y incx incy alpha beta transposea transposeb transa transb side uplo diag batch_count geam_ex_op")

// use takes the options that are not arguments.
func (f *file) use(c *call, kind lines.Kind, others []lines.Option) error {
	for _, o := range others {
		switch name := strings.ToLower(o.Name); {
		case o.Name == "flush_batch_count":
			n, err := strconv.ParseInt(o.Value, 10, 64)
			if err != nil || n < 1 || n > 1<<16 {
				return fmt.Errorf("%s: %q is not a number of copies between 1 and 65536", o.Name, o.Value)
			}
			c.rotate = n
		case slices.Contains(ignored, name):
		case kind == lines.Bench && slices.Contains(unused, name):
			f.unused[o.Name]++
		default:
			known := slices.Clone(ignored)
			for i := range c.args.Routine.Params {
				known = append(known, c.args.Routine.Params[i].Name)
			}
			return fmt.Errorf("%s has no option %q%s", c.args.Routine.CName(), o.Name,
				nearest.DidYouMean(o.Name, known))
		}
	}
	return nil
}

// results are the arguments of a result that replaces C or, of trmm, B.
var results = map[routine.FamilyID]map[routine.Slot]routine.Slot{
	routine.GemmEx: {routine.D: routine.C, routine.LDD: routine.LDC, routine.StrideD: routine.StrideC,
		routine.DType: routine.CType},
	routine.Trmm: {routine.C: routine.B, routine.LDC: routine.LDB, routine.StrideC: routine.StrideB},
}

// share makes the result replace an argument, as rocblas-bench does without --outofplace: it ignores the layout of the
// result.
func (f *file) share(c *call, e *entry) {
	if slices.ContainsFunc(e.options, func(o axis) bool { return o.name == "outofplace" && o.values[0] != "false" }) {
		return
	}
	for to, from := range results[c.args.Routine.Family.ID] {
		p, ok := c.args.Routine.ParamAt(to)
		if !ok {
			continue
		}
		if p.Kind.IsPointer() {
			c.result = p
			c.replaced, _ = c.args.Routine.ParamAt(from)
			continue
		}
		for _, o := range e.options {
			if c.args.Routine.Option([]byte(o.name)) == p && c.args.Int(to) != c.args.Int(from) {
				f.unused[o.name]++
			}
		}
		c.args.SetInt(to, c.args.Int(from))
	}
}
