package files

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
)

// testCase is the arguments of a case, sorted by name.
type testCase []pair

func (c testCase) find(key string) (int, bool) {
	return slices.BinarySearchFunc(c, key, func(p pair, key string) int { return strings.Compare(p.key, key) })
}

// get returns an argument; nil if there is none.
func (c testCase) get(key string) *value {
	if i, ok := c.find(key); ok {
		return c[i].value
	}
	return nil
}

// with returns a copy with another value of an argument; without it if the value is nil.
func (c testCase) with(key string, v *value) testCase {
	i, ok := c.find(key)
	after := i
	if ok {
		after++
	}
	to := append(make(testCase, 0, len(c)+1), c[:i]...)
	if v != nil {
		to = append(to, pair{key, v})
	}
	return append(to, c[after:]...)
}

// merged returns a copy with all values of a dictionary.
func (c testCase) merged(of testCase) testCase {
	to := make(testCase, 0, len(c)+len(of))
	for len(c) > 0 && len(of) > 0 {
		switch order := strings.Compare(c[0].key, of[0].key); {
		case order < 0:
			to, c = append(to, c[0]), c[1:]
		case order > 0:
			to, of = append(to, of[0]), of[1:]
		default:
			to, c, of = append(to, of[0]), c[1:], of[1:]
		}
	}
	return append(append(to, c...), of...)
}

// expandedList is the name of a list of dictionaries. With a target it is a dictionary, whose keys are its values, each
// with a value of the target.
type expandedList struct{ name, target string }

// usualLists are the lists of dictionaries of rocBLAS's files.
var usualLists = []expandedList{{name: "arguments"}, {name: "transA_transB"}, {name: "alpha_beta"},
	{name: "alphai_betai"}, {name: "incx_incy"}, {name: "matrix_size"}, {name: "precision"}, {"function", "precision"},
	{name: "threads_streams"}}

// mostWork bounds the arguments of all cases: the tests of rocBLAS have a fraction of it. Tests change it.
var mostWork int64 = 1_000_000_000

var errTooMany = errors.New("the tests have too many cases with this one: name smaller files or fewer values")

// unused are arguments that change neither a call nor its handle.
var unused = strings.Fields("name norm_check unit_check res_check timing iters cold_iters initialization pad threads " +
	"streams devices os_flags cleanup repeatability_check flush_batch_count flush_memory_size known_bug_platforms")

// used removes the values of arguments that change nothing.
func (c testCase) used() testCase {
	return slices.DeleteFunc(c, func(p pair) bool {
		return p.value.kind != listKind && p.value.span == nil && slices.Contains(unused, p.key)
	})
}

// generate calls each for the cases of a test, in the order of rocblas_gentest.py: first the lists of dictionaries, by
// the names in pairs, then lists and ranges of values in the alphabetical order of their names. times is how many cases
// one counts for.
func (t *tests) generate(c testCase, times int64) error {
	if t.work += int64(len(c)) + 1; t.work > mostWork {
		return errTooMany
	}
	if t.work%1024 < int64(len(c)) && t.ctx.Err() != nil {
		return t.ctx.Err()
	}
	for _, l := range t.pairs {
		v := c.get(l.name)
		switch {
		case v == nil:
		case l.target != "" && v.kind == dictKind:
			for _, p := range v.pairs {
				name := &value{kind: wordKind, text: p.key, line: p.value.line}
				if err := t.generate(c.with(l.name, name).with(l.target, p.value), times); err != nil {
					return err
				}
			}
			return nil
		case l.target == "" && (v.kind == dictKind || v.kind == listKind):
			return t.dictionaries(c.with(l.name, nil), l.name, v, times)
		}
	}
	for _, p := range c {
		switch {
		case p.value.span != nil:
			return t.numbers(c, p.key, p.value, times)
		case p.value.kind == listKind && !slices.Contains(t.whole, p.key):
			return t.values(c, p.key, p.value.items, times)
		}
	}
	if name := c.get("rocblas_function"); name != nil {
		if of := t.functions.get(name.text); of != nil {
			return t.generate(c.with("rocblas_function", nil).merged(of.pairs), times)
		}
	}
	return t.each(c, times)
}

// dictionaries expands a list of dictionaries; one alone is applied once.
func (t *tests) dictionaries(c testCase, name string, v *value, times int64) error {
	items := v.items
	if v.kind == dictKind {
		items = []*value{v}
	}
	for _, item := range items {
		if item.kind != dictKind {
			return refuse(item.line, "%s has %q; want dictionaries such as {M: 64, N: 64}", name, item.text)
		}
		if err := t.generate(c.merged(item.pairs), times); err != nil {
			return err
		}
	}
	return nil
}

func (t *tests) numbers(c testCase, key string, v *value, times int64) error {
	s := v.span
	if s.step == 0 {
		return refuse(v.line, "%s: the step of %q is 0", key, v.text)
	}
	for n := s.first; s.step > 0 && n <= s.last || s.step < 0 && n > s.last; n += s.step {
		of := &value{kind: intKind, n: n, text: strconv.FormatInt(n, 10), line: v.line}
		if err := t.generate(c.with(key, of), times); err != nil {
			return err
		}
		if s.step > 0 && n > s.last-s.step {
			break // the next one may be too large for an integer
		}
	}
	return nil
}

// values expands a list of values. One is enough of those that change nothing.
func (t *tests) values(c testCase, key string, items []*value, times int64) error {
	if slices.Contains(unused, key) && len(items) > 0 {
		return t.generate(c.with(key, items[0]), times*int64(len(items)))
	}
	for _, item := range items {
		if err := t.generate(c.with(key, item), times); err != nil {
			return err
		}
	}
	return nil
}

// strideRule is how a scale sets the strides of a strided batch: products of arguments, and of the scale. A name that
// ends with ? keeps the value of the test. when has an argument and the letters that it must have, or with ! must not.
type strideRule struct{ functions, when, strides string }

var strideRules = []strideRule{
	{"asum nrm2 scal swap copy dot dotc dot_ex dotc_ex rot rot_ex rotm iamax iamin axpy axpy_ex nrm2_ex scal_ex " +
		"hemv hbmv sbmv hpmv spr spr2 hpr hpr2 tpsv her her2 syr2", "", "stride_x=N*incx stride_y=N*incy"},
	{"tpmv trmv trsv tbsv", "", "stride_x=N*incx"},
	{"tpmv spr spr2 hpr hpr2 tpsv", "", "stride_a=N*N"},
	{"trmv trsv gbmv hemv hbmv sbmv her her2 syr2 tbsv dgmm", "", "stride_a=N*lda"},
	{"gemv gbmv", "transA TC", "stride_x=M*incx stride_y=N*incy"},
	{"gemv gbmv", "transA !TC", "stride_x=N*incx stride_y=M*incy"},
	{"ger geru gerc", "", "stride_x=M*incx stride_y=N*incy"},
	{"hpmv", "", "stride_a?=N*N+1*half"},
	{"tbmv", "", "stride_a?=N*lda stride_x?=N*incx"},
	{"rotg", "", "stride_a?=1 stride_b?=1 stride_c?=1 stride_d?=1"},
	{"rotmg", "", "stride_a?=1 stride_b?=1 stride_c?=five stride_x?=1 stride_y?=1"},
	{"dgmm", "side L", "stride_x=M*incx"},
	{"dgmm", "side !L", "stride_x=N*incx"},
	{"dgmm geam trmm", "", "stride_c=N*ldc"},
	{"geam", "transA N", "stride_a=N*lda"},
	{"geam", "transA !N", "stride_a=M*lda"},
	{"geam", "transB N", "stride_b=N*ldb"},
	{"geam", "transB !N", "stride_b=M*ldb"},
	{"trmm trsm trsm_ex", "", "stride_b=N*ldb"},
	{"trmm trsm trsm_ex", "side L", "stride_a=M*lda"},
	{"trmm trsm trsm_ex", "side !L", "stride_a=N*lda"},
}

// arguments are the arguments of a case, whose defaults are computed.
type arguments struct {
	testCase
	computed []pair // before the others
}

// pair returns the argument that counts; nil if there is none.
func (a *arguments) pair(key string) *pair {
	for i := range a.computed {
		if a.computed[i].key == key {
			return &a.computed[i]
		}
	}
	if i, ok := a.find(key); ok {
		return &a.testCase[i]
	}
	return nil
}

func (a *arguments) get(key string) *value {
	if p := a.pair(key); p != nil {
		return p.value
	}
	return nil
}

func (a *arguments) set(key string, n int64) {
	v := &value{kind: intKind, n: n, text: strconv.FormatInt(n, 10)}
	for i := range a.computed {
		if a.computed[i].key == key {
			a.computed[i].value = v
			return
		}
	}
	a.computed = append(a.computed, pair{key, v})
}

// otherwise sets an argument that the case lacks.
func (a *arguments) otherwise(key string, n int64) {
	if a.get(key) == nil {
		a.set(key, n)
	}
}

func (a *arguments) int(key string) int64 {
	if v := a.get(key); v != nil {
		return v.n
	}
	return 0
}

// is reports whether an argument is a letter, as in "transA TC".
func (a *arguments) is(when string) bool {
	name, letters, _ := strings.Cut(when, " ")
	letters, not := strings.CutPrefix(letters, "!")
	v := a.get(name)
	return v != nil && v.text != "" && strings.Contains(letters, strings.ToUpper(v.text)) != not
}

// setStrides sets the strides of a case with stride_scale, as rocblas_gentest.py does.
func (a *arguments) setStrides(function string) {
	scale := a.get("stride_scale")
	base, strided := strings.CutSuffix(function, "_strided_batched")
	if short, ok := strings.CutSuffix(function, "_strided_batched_ex"); ok {
		base, strided = short+"_ex", true
	}
	if scale == nil || !strided || strings.HasPrefix(function, "gemm_") {
		return
	}
	factor, err := strconv.ParseFloat(scale.text, 64)
	if err != nil {
		return
	}
	for _, r := range strideRules {
		if !slices.Contains(strings.Fields(r.functions), base) || r.when != "" && !a.is(r.when) {
			continue
		}
		for stride := range strings.FieldsSeq(r.strides) {
			name, product, _ := strings.Cut(stride, "=")
			name, keep := strings.CutSuffix(name, "?")
			switch n, ok := a.product(product, factor); {
			case !ok:
			case keep:
				a.otherwise(name, n)
			default:
				a.set(name, max(n, -n))
			}
		}
	}
}

// product multiplies arguments with the scale. ok is false if one is missing.
func (a *arguments) product(factors string, scale float64) (n int64, ok bool) {
	whole, exact := int64(1), scale == float64(int64(scale))
	for name := range strings.SplitSeq(factors, "*") {
		switch v := a.get(strings.TrimSuffix(name, "+1")); {
		case name == "1":
		case name == "half":
			scale /= 2
		case name == "five":
			return int64(scale) * 5, true
		case v == nil:
			return 0, false
		default:
			f := v.n
			switch {
			case strings.HasSuffix(name, "+1"):
				f++
			case name == "incx":
				f = max(f, -f)
			}
			whole *= f
		}
	}
	if exact && scale == float64(int64(scale)) {
		return whole * int64(scale), true
	}
	return int64(float64(whole) * scale), true
}

// setLayouts sets the leading dimensions and strides that a case lacks, as a product has them.
func (a *arguments) setLayouts() {
	a.otherwise("stride_x", 0)
	a.otherwise("stride_y", 0)
	if a.is("transA *") || a.is("transB *") {
		for _, name := range []string{"lda", "ldb", "ldc", "ldd", "stride_a", "stride_b", "stride_c", "stride_d"} {
			a.otherwise(name, 0)
		}
		return
	}
	m, n, k := a.int("M"), a.int("N"), a.int("K")
	aRows, aColumns, bRows, bColumns := m, k, k, n
	if !a.is("transA N") {
		aRows, aColumns = k, m
	}
	if !a.is("transB N") {
		bRows, bColumns = n, k
	}
	a.otherwise("lda", cmp.Or(aRows, 1))
	a.otherwise("ldb", cmp.Or(bRows, 1))
	a.otherwise("ldc", cmp.Or(m, 1))
	a.otherwise("ldd", cmp.Or(m, 1))
	if a.int("batch_count") <= 0 {
		aColumns, bColumns, n = 0, 0, 0
	}
	a.otherwise("stride_a", a.int("lda")*aColumns)
	a.otherwise("stride_b", a.int("ldb")*bColumns)
	a.otherwise("stride_c", a.int("ldc")*n)
	a.otherwise("stride_d", a.int("ldd")*n)
}

// scanned are the arguments that take the value of scan where they are -999.
var scanned = strings.Fields("stride_a stride_b stride_c stride_d stride_x stride_y M N K KL KU lda ldb ldc ldd incx " +
	"incy batch_count")

const noScan = -999

// scan replaces arguments, as rocblas-bench does.
func (a *arguments) scan() {
	n := a.get("scan")
	if n == nil || n.n == noScan {
		return
	}
	for _, name := range scanned {
		if v := a.get(name); v != nil && v.n == noScan {
			a.set(name, n.n)
		}
	}
}
