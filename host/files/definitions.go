package files

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/arch"
	"roclua/hip/matmul"
	"roclua/hip/routine"
	"roclua/host/applog/lines"
)

var definitions = Form{
	Name: "definitions of benchmarks or tests in YAML",
	About: "Files of rocblas-bench --yaml and of rocblas-test: tests, whose lists and ranges of values multiply, or " +
		"a list of calls. A line include: FILE is replaced by the file, which is in the same folder or in one of -I.",
	Example: `Definitions:
  - &sizes
    - { M: 64, N: 64 }
    - { M: 4096, N: 64 }
Tests:
- name: solves
  category: quick
  function: trsm
  a_type: [ f32_r, f64_r ]
  side: L
  uplo: U
  transA: [ N, T ]
  diag: N
  matrix_size: *sizes
`,
	bench: true,
	none:  "test that makes a call",
	is: func(name string, text []byte) bool {
		return sectionPattern().Match(text) || hasSuffix(name, ".yaml .yml")
	},
	read: (*reader).definitions,
}

// sectionPattern is a line that only a file of definitions has.
var sectionPattern = lazy(`(?m)^ *(Tests|Definitions|Datatypes|Dictionary lists to expand|Defaults) *:|` +
	`^include\s*:\s*[-.\w/]+\.ya?ml`)

// tests reads the tests of a document.
type tests struct {
	*reader
	*document
	parser   *lines.Parser
	names    map[string]string // of the values of enumerations: "f32_r" is 151
	known    []string          // the arguments of the program; nil if the document does not say
	defaults testCase
	test     *value // that is expanded
	wrong    error  // of the test
	options  []lines.Option
	without  map[string]map[string]bool // arguments that change nothing, by function

	pairs     []expandedList
	whole     []string // lists that are one value
	functions *value   // arguments by the name in C
	work      int64    // arguments of the cases so far
}

func (r *reader) definitions() error {
	s := source{folders: r.options.Folders}
	if err := s.add(r.name, r.text); err != nil {
		return err
	}
	parser := lines.NewParser()
	for _, d := range s.documents() {
		t := &tests{reader: r, document: &d, parser: parser, without: map[string]map[string]bool{}}
		if err := t.read(); err != nil {
			return err
		}
	}
	return nil
}

// read reads a document. Without the test that has an error, the others are read.
func (t *tests) read() error {
	for {
		root, err := t.document.read()
		var where *refusal
		if err == nil {
			return t.tests(root)
		}
		if !errors.As(err, &where) {
			return err
		}
		place := t.at(where.line)
		if strings.Contains(err.Error(), "unknown anchor") {
			err = fmt.Errorf("%w; another file defines it, which the file includes", err)
		}
		if stop := t.refuse(place.errorf("%w", err)); stop != nil || !t.clearTest(where.line-1) {
			return stop
		}
	}
}

// clearTest empties the lines of the test that has a line. It returns false if there is none.
func (t *tests) clearTest(line int) bool {
	if line < 0 || line >= len(t.lines) {
		return false
	}
	begin := line
	for begin >= 0 && !bytes.HasPrefix(bytes.TrimLeft(t.lines[begin], " "), []byte("- name:")) {
		begin--
	}
	if begin < 0 {
		return false
	}
	indent := func(i int) int { return len(t.lines[i]) - len(bytes.TrimLeft(t.lines[i], " ")) }
	item := indent(begin)
	end := begin + 1
	for end < len(t.lines) && (len(bytes.TrimSpace(t.lines[end])) == 0 || indent(end) > item) {
		end++
	}
	if line >= end {
		return false
	}
	for i := begin; i < end; i++ {
		t.lines[i] = nil
	}
	return true
}

// tests reads the tests of a document, which are in its section or are the items of a list.
func (t *tests) tests(root *value) error {
	list := root
	if root != nil && root.kind == dictKind {
		list = root.get("Tests")
	}
	if list == nil || list.kind != listKind {
		t.content.sections = "; it has no section Tests"
		if root.get("Definitions") != nil {
			t.content.sections += ": files that include it have one"
		}
		return nil
	}
	t.enumerations(root.get("Datatypes"))
	if of := root.get("Defaults"); of != nil {
		t.defaults = of.pairs
	}
	for _, of := range root.get("Arguments").list() {
		for _, p := range of.pairs {
			t.known = append(t.known, p.key)
		}
	}
	for _, bug := range root.get("Known bugs").list() {
		t.bug(bug)
	}
	t.pairs, t.functions = expandedLists(root.get("Dictionary lists to expand")), root.get("Functions")
	for _, name := range root.get("Lists to not expand").list() {
		t.whole = append(t.whole, name.text)
	}
	for _, test := range list.items {
		t.test, t.wrong = test, nil
		if test.kind != dictKind {
			t.wrong = refuse(test.line, "%q is not a test; want values such as function: gemm", test.text)
		} else if err := t.generate(t.defaults.merged(test.pairs).used(), 1); err != nil {
			where := (*refusal)(nil)
			if errors.Is(err, errTooMany) {
				return t.at(test.line).errorf("%w", err)
			}
			if !errors.As(err, &where) {
				return err
			}
			t.wrong = err
		}
		if t.wrong == nil {
			continue
		}
		line := test.line
		if where := (*refusal)(nil); errors.As(t.wrong, &where) {
			line = cmp.Or(where.line, line)
		}
		if err := t.refuse(t.at(line).errorf("%w", t.wrong)); err != nil {
			return err
		}
	}
	return nil
}

func (v *value) list() []*value {
	if v == nil {
		return nil
	}
	return v.items
}

// expandedLists reads the names of the lists of dictionaries.
func expandedLists(v *value) []expandedList {
	if v == nil {
		return usualLists
	}
	var names []expandedList
	for _, of := range v.items {
		switch {
		case of.kind == wordKind:
			names = append(names, expandedList{name: of.text})
		case of.kind == dictKind && len(of.pairs) == 1:
			names = append(names, expandedList{of.pairs[0].key, of.pairs[0].value.text})
		}
	}
	return names
}

// enumerations reads names of values, as an enumeration or a mapping of names has them.
func (t *tests) enumerations(types *value) {
	t.names = maps.Clone(usualNames)
	for _, of := range types.list() {
		for _, p := range of.pairs {
			for _, name := range p.value.get("attr").dictionary() {
				t.names[name.key] = name.value.text
			}
			if n, ok := t.names[p.value.text]; ok {
				t.names[p.key] = n
			}
		}
	}
}

func (v *value) dictionary() []pair {
	if v == nil {
		return nil
	}
	return v.pairs
}

// mostBugs bounds the known bugs that are shown.
const mostBugs = 20

func (t *tests) bug(v *value) {
	var fields []string
	for _, p := range v.pairs {
		fields = append(fields, p.key+": "+p.value.text)
	}
	if len(t.content.Bugs) < mostBugs {
		t.content.Bugs = append(t.content.Bugs, strings.Join(fields, ", "))
	}
}

func (t *tests) each(c testCase, times int64) error {
	a := &arguments{testCase: c}
	function, category := a.get("function"), a.get("category")
	if function == nil {
		function = a.get("rocblas_function")
	}
	switch {
	case function == nil || function.kind != wordKind:
		t.wrong = cmp.Or(t.wrong, refuse(t.test.line, "the test has no function, such as function: gemm"))
		return nil
	case category != nil && t.reader.options.Categories != nil &&
		!slices.Contains(t.reader.options.Categories, category.text):
		t.content.Left["category "+category.text] += times
		return nil
	case !t.runs(a, function.text):
		t.content.Left["for other architectures"] += times
		return nil
	}
	if t.without[function.text] == nil && notCalls().MatchString(function.text) {
		t.content.Left[function.text] += times
		return nil
	}
	count := max(a.int("call_count"), 1) // entries of a profile have it
	if times > lines.MostCalls/count {
		t.wrong = cmp.Or(t.wrong, refuse(t.test.line, "call_count: a test represents more than %d calls",
			lines.MostCalls))
		return nil
	}
	times *= count
	if function.text == "matmul" {
		t.wrong = cmp.Or(t.wrong, t.matmul(a, times))
		return nil
	}
	t.complete(a, function.text)
	args, err := t.command(a, function.text, times)
	if none := (*lines.NoPrecision)(nil); errors.As(err, &none) {
		t.content.Left[function.text+" of "+none.Precision] += times // the program has no such test either
		return nil
	}
	if err != nil {
		t.wrong = cmp.Or(t.wrong, err)
		return nil
	}
	call := &Call{Args: args, Times: times, Line: t.at(t.test.line).line, Merges: true,
		Settings: Settings{OnHost: true, OnDevice: true}}
	for _, set := range settingNames {
		if v := a.get(set.name); v != nil && v.text != "" && t.number(v) != set.usual {
			err = cmp.Or(err, call.Settings.set(set.name, t.number(v), args.Routine.IsProduct()))
		}
	}
	if err != nil {
		t.wrong = cmp.Or(t.wrong, err)
		return nil
	}
	return t.call(call)
}

// matmul makes a product of hipBLASLt.
func (t *tests) matmul(a *arguments, times int64) error {
	var list []matmul.Option
	for _, p := range a.testCase {
		if o, ok := matmul.Key(p.key, p.value.text); ok {
			list = append(list, o)
		}
	}
	of, err := matmul.New(list)
	if err != nil {
		return err
	}
	return t.call(&Call{Product: &of, Times: times, Line: t.at(t.test.line).line, Merges: true})
}

// notCalls are the functions of tests that make no routine call, or only wrong ones.
var notCalls = lazy(`_bad_arg$|_get_solutions$|_internal_interfaces$|_operators$|` +
	`^(set|check|helper)_|^(logging|multiheaded|ostream_threadsafety|atomics_mode)$`)

// runs reports whether a test runs on one of the architectures, for which gpu_arch is a pattern: "94?" is of gfx940 to
// gfx94f. The program has no test of a product with flags or a math mode that the device lacks.
func (t *tests) runs(a *arguments, function string) bool {
	of, product := a.get("gpu_arch"), strings.HasPrefix(function, "gemm_") || function == "gemm"
	pattern := of != nil && of.text != ""
	f16, xf32 := product && t.numbered(a, "flags")&fp16Alt != 0, product && t.numbered(a, "math_mode") != 0
	if t.reader.options.Archs == nil || !pattern && !f16 && !xf32 {
		return true
	}
	return slices.ContainsFunc(t.reader.options.Archs, func(name string) bool {
		ok, err := true, error(nil)
		if pattern {
			ok, err = path.Match("gfx"+of.text, name)
		}
		return ok && err == nil && (!f16 || name == "gfx90a") && (!xf32 || arch.Of(name).XF32)
	})
}

// fp16Alt is rocblas_gemm_flags_fp16_alt_impl.
const fp16Alt = 4

// numbered returns an argument that is a number or the name of one; 0 for another.
func (t *tests) numbered(a *arguments, key string) int64 {
	v := a.get(key)
	if v == nil {
		return 0
	}
	n, _ := strconv.ParseInt(t.number(v), 10, 64)
	return n
}

// complete sets the arguments that follow from others, if the document has defaults as rocBLAS's have.
func (t *tests) complete(a *arguments, function string) {
	if t.defaults == nil {
		return
	}
	a.setStrides(function)
	a.setLayouts()
	a.scan()
}

// number returns a value as the number of its name.
func (t *tests) number(v *value) string { return cmp.Or(t.names[v.text], v.text) }

// command returns the call of a case. The program ignores values that are none of its arguments.
func (t *tests) command(a *arguments, function string, times int64) (*routine.Args, error) {
	t.options = t.options[:0]
	without := t.without[function]
	for _, list := range [][]pair{a.computed, a.testCase} {
		for i, p := range list {
			switch {
			case without[p.key]:
			case a.pair(p.key) != &list[i]:
			case p.key == "stride_scale":
			case t.known != nil && !slices.Contains(t.known, p.key) && p.key != "rocblas_function":
				t.content.Ignored[p.key] += times
			default:
				t.option(p.key, p.value)
			}
		}
	}
	args, others, err := t.parser.Command(lines.Bench, t.options)
	if err != nil {
		return nil, err
	}
	if without == nil { // the same for all types
		without = map[string]bool{}
		for _, o := range others {
			known := t.known == nil || slices.Contains(t.known, o.Name)
			without[o.Name] = known && !slices.Contains(deciding, o.Name)
		}
		t.without[function] = without
	}
	if !slices.ContainsFunc(t.options, lines.OutOfPlace) &&
		(args.Routine.Family.ID != routine.GemmEx3 || a.int("c_noalias_d") == 0) {
		inPlace(args)
	}
	return args, nil
}

// deciding are the arguments that decide about the routine and its scalars.
var deciding = strings.Fields("function rocblas_function a_type b_type c_type api alphai betai outofplace")

// otherNames are the names of arguments that differ from the names in rocblas-bench.
var otherNames = map[string]string{"geam_op": "geam_ex_op", "composite_compute_type": "compute_type"}

// option adds an argument as an option of rocblas-bench. Those without a value are left out.
func (t *tests) option(name string, v *value) {
	text := v.text
	switch name {
	case "a_type", "b_type", "c_type", "d_type":
		if !strings.Contains(text, "_") {
			text = t.number(v)
		}
	case "compute_type", "composite_compute_type", "api", "flags", "geam_op":
		text = t.number(v)
	case "alpha", "beta", "alphai", "betai":
		if text == "nan" {
			text = "2" // the program has a number that is not one, and no null pointer
		}
	}
	switch {
	case v.kind == nullKind || text == "*" || text == "-1" && strings.HasSuffix(name, "compute_type"):
		return
	case name == "api":
		n, _ := strconv.Atoi(text)
		text = strconv.Itoa(n & 1) // C, FORTRAN and INTERNAL are even, and their forms with 64-bit integers odd
	}
	t.options = append(t.options, lines.Option{Name: cmp.Or(otherNames[name], name), Value: text})
}

// usualNames are the names of values in a document without datatypes.
var usualNames = map[string]string{"C": "0", "C_64": "1", "FORTRAN": "2", "FORTRAN_64": "3", "INTERNAL": "4",
	"INTERNAL_64": "5", "none": "0", "atomics_not_allowed": "0", "atomics_allowed": "1"}
