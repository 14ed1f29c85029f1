package files

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/matmul"
	"roclua/hip/routine"
	"roclua/host/applog/lines"
	"roclua/internal/nearest"
)

var commands = Form{
	Name: "commands of rocblas-bench, rocsolver-bench, hipblas-bench, hipsolver-bench or hipblaslt-bench",
	About: "Shell scripts and lists of commands, and entries of YAML in braces. An option can have several values, " +
		"as a list [64,128], a range [64:256:64] or -a m=[64:256:64]; all combinations are calls. Variables with " +
		"literal values, arithmetic and loops over words are followed, but no shell is run: other commands are " +
		"named and left out. Run a script that needs a shell with a program rocblas-bench that prints its name and " +
		"arguments, and read its output. --yaml FILE reads definitions, in the folder of the script or in one of -I.",
	Example: `bench=${1:-./rocblas-bench}
for n in 64 {128..512..128}; do
  ${bench} -f gemm -r d -m $n -n $n -k 64 \
    --transposeA T
done
rocsolver-bench -f getrf -r d -m [1024,4096]
- { rocblas_function: rocblas_sgemm, M: 64, N: 64, K: 64, call_count: 10 }
- { function: matmul, M: 64, N: 64, K: 64, transA: T, a_type: bf16_r, compute_type: c_f32_r, call_count: 2 }
`,
	bench: true,
	none: "command of rocblas-bench or rocsolver-bench, and no entry such as " +
		`"- {rocblas_function: rocblas_dgemm, M: 64}"`,
	is: func(name string, text []byte) bool {
		return bytes.HasPrefix(text, []byte("#!")) || hasSuffix(name, ".sh .bash")
	},
	read: (*reader).commands,
}

// entry is a command: its program and its options, each with its values.
type entry struct {
	kind    lines.Kind
	options []axis
}

// axis is an option with its values.
type axis struct {
	name   string
	values []string
}

func (r *reader) commands() error {
	text := bytes.TrimPrefix(r.text, []byte("\ufeff"))
	s := &shell{reader: r, parser: lines.NewParser(), source: string(text), line: 1, values: map[string]string{},
		lists: map[string][]string{}}
	return s.run(0)
}

// flow reads an entry of YAML, after its brace. wrong says why it is not read; err ends the reading.
func (s *shell) flow(text string, line int) (wrong, err error) {
	if kind, p, err := matmul.ParseLine(text); err != nil {
		return err, nil
	} else if kind != matmul.NoProduct {
		return nil, s.call(&Call{Product: &p, Times: matmul.Times(text), Line: line})
	}
	e, wrong := readFlow(text)
	if wrong != nil {
		return wrong, nil
	}
	return s.add(e, line), nil
}

// programs are the benchmark programs by name.
var programs = map[string]lines.Kind{"rocblas-bench": lines.Bench, "rocsolver-bench": lines.SolverBench,
	"rocblas-gemm-tune": lines.Bench, "hipblas-bench": lines.Bench, "hipsolver-bench": lines.SolverBench,
	"hipblaslt-bench": lines.HipBLASLt}

// programPattern finds a command, an entry, or a variable that may have a program.
var programPattern = lazy(`(?:rocblas|rocsolver|hipblas|hipsolver|hipblaslt)-bench|rocblas-gemm-tune|` +
	`benchmark\.py|function\s*:|(?m:^\W*\$\w)`)

// program returns the index of the word that names a program; -1 if there is none.
func program(words []string) int {
	if len(words) > 0 && strings.HasPrefix(filepath.Base(words[0]), "python") {
		return -1 // a benchmark program is an argument of another one
	}
	return slices.IndexFunc(words, func(w string) bool {
		_, ok := programs[filepath.Base(w)]
		return ok
	})
}

// command reads the words of a command. wrong says why it is not read; err ends the reading.
func (s *shell) command(words []string, line int) (wrong, err error) {
	if len(words) > 1 && filepath.Base(words[1]) == "benchmark.py" {
		return s.benchmark(words[2:])
	}
	at := program(words)
	if strings.HasPrefix(words[0], "$") && at < 0 {
		if len(words) > 1 && isOption(words[1]) { // a variable that the environment sets
			of := "rocblas-bench"
			if strings.Contains(strings.ToLower(words[0]), "solver") {
				of = "rocsolver-bench"
			}
			at, words[0] = 0, of
		} else {
			return nil, nil
		}
	}
	if at < 0 {
		for _, w := range words {
			if inner := strings.Fields(w); len(inner) > 1 && program(inner) >= 0 {
				return s.command(inner, line)
			}
		}
		if len(words) == 1 && words[0] == "---" {
			return nil, nil
		}
		hint := nearest.DidYouMean(filepath.Base(words[0]), []string{"rocblas-bench", "rocsolver-bench"})
		return fmt.Errorf("%.60q is neither a command of rocblas-bench or rocsolver-bench nor an entry of YAML in "+
			"braces on one line%s", strings.Join(words, " "), hint), nil
	}
	name := filepath.Base(words[at])
	if file := yamlFile(words[at:]); file != "" {
		return s.included(file)
	}
	if name == "hipblaslt-bench" {
		p, err := matmul.New(matmul.Options(strings.Join(words[at+1:], " ")))
		if err != nil {
			return err, nil
		}
		return nil, s.call(&Call{Product: &p, Times: 1, Line: line})
	}
	e, wrong := readCommand(programs[name], words[at+1:])
	if wrong != nil {
		return wrong, nil
	}
	return s.add(e, line), nil
}

// yamlFile returns the file of definitions that a command has instead of options; "" for none.
func yamlFile(words []string) string {
	for i, w := range words {
		if name, ok := strings.CutPrefix(w, "--yaml="); ok {
			return name
		}
		if w == "--yaml" && i+1 < len(words) {
			return words[i+1]
		}
	}
	return ""
}

// benchmark reads the files of rocBLAS's benchmark.py: LEVEL/NAME.yaml for the options -l LEVEL -f NAME -f NAME.
func (s *shell) benchmark(words []string) (wrong, err error) {
	level := ""
	for i := 1; i < len(words); i++ {
		switch words[i-1] {
		case "-l", "--level":
			level = words[i]
		case "-f", "--function":
			of, err := s.included(filepath.Join(level, words[i]+".yaml"))
			if wrong = cmp.Or(wrong, of); err != nil {
				return wrong, err
			}
		}
	}
	return wrong, nil
}

// included reads a file that a command names: from the folder of the script, or from one that the user names.
func (s *shell) included(name string) (wrong, err error) {
	if s.depth == mostDepth {
		return fmt.Errorf("%s: want at most %d files that include each other", name, mostDepth), nil
	}
	r := *s.reader
	r.depth++
	r.name, r.text, err = findFile(filepath.Dir(s.name), s.options.Folders, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no file %s; name its folder, such as -I FOLDER", name), nil
	case err != nil:
		return err, nil
	}
	return r.definitions(), nil
}

// readCommand reads the options of a command: -m 64, --lda 64, -n [64,128], and axes as -a n=[64:256:64].
func readCommand(kind lines.Kind, words []string) (*entry, error) {
	e := &entry{kind: kind}
	for i := 0; i < len(words); i++ {
		option := strings.TrimLeft(words[i], "-")
		dashes := len(words[i]) - len(option)
		if dashes == 0 || dashes > 2 || option == "" || strings.ContainsAny(option[:1], "0123456789.") {
			return nil, fmt.Errorf("%q is not an option; options start with - or --", words[i])
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

// mostCombinations bounds the calls of a command.
const mostCombinations = 100_000

// add adds the calls of an entry, one for each combination of the values of its options.
func (s *shell) add(e *entry, line int) error {
	total := 1
	for _, o := range e.options {
		if total *= len(o.values); total > mostCombinations {
			return fmt.Errorf("it has more than %d calls, with all values of its options", mostCombinations)
		}
	}
	for i := range total {
		options := make([]lines.Option, len(e.options))
		for j, rest := len(options)-1, i; j >= 0; j-- { // the last option varies fastest
			o := e.options[j]
			options[j] = lines.Option{Name: o.name, Value: o.values[rest%len(o.values)]}
			rest /= len(o.values)
		}
		a, others, err := s.parser.Command(e.kind, options)
		if err != nil {
			return err
		}
		c := &Call{Args: a, Times: 1, Line: line}
		if err := s.use(c, e.kind, others); err != nil {
			return err
		}
		if e.kind == lines.Bench && !slices.ContainsFunc(options, lines.OutOfPlace) {
			for _, p := range inPlace(a) {
				for _, o := range options {
					if a.Routine.Option([]byte(o.Name)) == p {
						s.content.Ignored[o.Name]++
					}
				}
			}
		}
		if err := s.call(c); err != nil {
			return err
		}
	}
	return nil
}

// switches are options of rocblas-bench without a value, maybeSwitches other options that may have none.
var (
	switches = []string{"HMM", "any_stride", "atomics_allowed", "atomics_not_allowed", "fortran", "h", "help",
		"log_datatype", "log_function_name", "outofplace", "rocblas_tensile_commit_hash", "version", "z"}
	maybeSwitches = append([]string{"c_noalias_d", "profile", "profile_kernels", "singular"}, switches...)
)

// ignored are options and keys that do not change the call, or that t:measure decides itself.
var ignored = append([]string{"f", "function", "rocblas_function", "r", "precision", "a_type", "b_type",
	"c_type", "d_type", "compute_type", "composite_compute_type", "i", "iters", "j", "cold_iters", "v", "verify",
	"device", "norm_check", "unit_check", "timing", "time_gpu", "threads", "streams", "perf", "mem_query",
	"device_memory_limit", "initialization", "init", "flush_memory_size", "rotating", "category", "name", "gpu_arch",
	"pointer_mode", "alphai", "betai", "rocblas-bench", "hash", "algo", "solution_index", "flags", "numerics_check",
	"arithmetic_check", "t", "test", "parallel_devices", "function_filter", "name_filter"}, maybeSwitches...)

// unusedOptions are the arguments of rocblas-bench. It ignores those that its function does not have.
var unusedOptions = strings.Fields("m sizem n sizen k sizek kl ku lda ldb ldc ldd stride_a stride_b stride_c " +
	"stride_d stride_x stride_y incx incy alpha beta transposea transposeb transa transb side uplo diag batch_count " +
	"geam_ex_op")

// use takes the options that are not arguments.
func (s *shell) use(c *Call, kind lines.Kind, others []lines.Option) error {
	for _, o := range others {
		known, err := c.Settings.option(o.Name, o.Value, c.Args.Routine.IsProduct())
		switch name := strings.ToLower(o.Name); {
		case err != nil:
			return err
		case known:
		case o.Name == "flush_batch_count":
			n, err := strconv.ParseInt(o.Value, 10, 64)
			if err != nil || n < 1 || n > 1<<16 {
				return fmt.Errorf("%s: %q is not a number of copies between 1 and 65536", o.Name, o.Value)
			}
			c.Copies = n
		case o.Name == "call_count":
			n, err := strconv.ParseInt(o.Value, 10, 64)
			if err != nil || n < 1 || n > lines.MostCalls {
				return fmt.Errorf("call_count: %q is not a number of calls between 1 and %d", o.Value, lines.MostCalls)
			}
			c.Times = n
		case slices.Contains(ignored, name):
		case kind == lines.Bench && slices.Contains(unusedOptions, name):
			s.content.Ignored[o.Name]++
		default:
			known := slices.AppendSeq(slices.Clone(ignored), maps.Keys(settingOptions))
			for i := range c.Args.Routine.Params {
				known = append(known, c.Args.Routine.Params[i].Name)
			}
			return fmt.Errorf("%s has no option %q%s", c.Args.Routine.CName(), o.Name,
				nearest.DidYouMean(o.Name, known))
		}
	}
	return nil
}

// products are the arguments of the result of a GEMM, and of the array that it replaces.
var products = map[routine.Slot]routine.Slot{routine.D: routine.C, routine.LDD: routine.LDC,
	routine.StrideD: routine.StrideC, routine.DType: routine.CType}

// replaced are the arguments of results that replace another array.
var replaced = map[routine.FamilyID]map[routine.Slot]routine.Slot{routine.GemmEx: products, routine.GemmEx3: products,
	routine.Trmm: {routine.C: routine.B, routine.LDC: routine.LDB, routine.StrideC: routine.StrideB}}

// inPlace makes the result of a call replace an array, as the benchmark programs do without --outofplace: they ignore
// the layout of the result, but check it. It returns the parameters whose values it changes.
func inPlace(a *routine.Args) (changed []*routine.Param) {
	slots := replaced[a.Routine.Family.ID]
	for _, ld := range []routine.Slot{routine.LDC, routine.LDD} {
		if _, ok := slots[ld]; ok && a.Int(ld) < a.Int(routine.M) {
			return nil // the program makes the call as it is, which fails
		}
	}
	for to, from := range slots {
		p, ok := a.Routine.ParamAt(to)
		switch {
		case !ok:
		case p.Kind.IsPointer():
			a.SetPtr(to, a.Ptr(from))
		case a.Int(to) != a.Int(from):
			a.SetInt(to, a.Int(from))
			changed = append(changed, p)
		}
	}
	return changed
}
