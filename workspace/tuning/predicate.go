package tuning

import (
	"math"
	"slices"
)

// query is one choice: a product, the device, and the solution that is being tested.
type query struct {
	*Problem
	operation string // of the product
	device    *Device
	solution  *Kernel
}

// test is a condition of the files, on products, devices or solutions. nil is a condition that always holds.
type test func(q *query) bool

func (t test) holds(q *query) bool { return t == nil || t(q) }

// argument is the value that a condition of a file compares with.
type argument struct {
	index int64
	value value
	*reader
}

func (a *argument) number() uint64 { return uint64(a.at(a.given()).int()) }
func (a *argument) real() float64  { return a.at(a.given()).float() }
func (a *argument) flag() bool     { return a.at(a.given()).bool() }
func (a *argument) name() string   { return a.at(a.given()).string() }
func (a *argument) typeName() Type { return a.at(a.given()).typeName() }

// divisor returns a number other than zero.
func (a *argument) divisor() uint64 {
	n := a.number()
	if n == 0 {
		a.fail(a.value.from, "a multiple of 0")
	}
	return n
}

// given returns the value, which must be there.
func (a *argument) given() value {
	if a.value.n == 0 {
		a.fail(a.rest, "a condition without a value")
	}
	return a.value
}

// within returns the index, which must be less than n.
func (a *argument) within(n int64) int64 {
	if a.index < 0 || a.index >= n {
		a.fail(a.rest, "index %d, want 0 to %d", a.index, n-1)
	}
	return a.index
}

func (r *reader) typeName() Type {
	at := r.rest
	name := r.string()
	t, ok := typeOf(name)
	if !ok {
		r.fail(at, "the type of numbers %q is not known", name)
	}
	return t
}

// Conditions on one number have two forms.
func sized(compare func(have, want uint64) bool) func(*loader, *argument) test {
	return func(_ *loader, a *argument) test {
		i, n := a.within(4), a.number()
		return func(q *query) bool { return compare(q.size(i), n) }
	}
}

func strided(of func(p *Problem) *Matrix) func(*loader, *argument) test {
	return func(_ *loader, a *argument) test {
		i, n := a.within(3), a.number()
		return func(q *query) bool { return of(q.Problem).strides()[i] == n }
	}
}

// condition returns a condition on a value, which is read once.
func condition[T any](read func(*argument) T, holds func(q *query, want T) bool) func(*loader, *argument) test {
	return func(_ *loader, a *argument) test {
		want := read(a)
		return func(q *query) bool { return holds(q, want) }
	}
}

func simple(t test) func(*loader, *argument) test { return func(*loader, *argument) test { return t } }

// predicates are the kinds of conditions. Some take a value of one of few names; those are compared with all of them.
var predicates map[string]func(l *loader, a *argument) test

func init() {
	number, divisor, real := (*argument).number, (*argument).divisor, (*argument).real
	flag, name, typeName := (*argument).flag, (*argument).name, (*argument).typeName
	predicates = map[string]func(l *loader, a *argument) test{
		"TruePred":  simple(nil),
		"FalsePred": simple(func(*query) bool { return false }),
		"And":       func(l *loader, a *argument) test { return all(l.tests(a)) },
		"Or":        func(l *loader, a *argument) test { return either(l.tests(a)) },
		"Not":       func(l *loader, a *argument) test { return not(l.test(a.at(a.given()))) },
		"AMDGPU":    func(l *loader, a *argument) test { return l.test(a.at(a.given())) },

		"Processor": condition(name, func(q *query, name string) bool { return q.device.Arch == name }),
		"CUCount":   condition(number, func(q *query, n uint64) bool { return uint64(q.device.ComputeUnits) == n }),
		"IsAPU":     condition(number, func(q *query, n uint64) bool { return q.device.APU == (n != 0) }),

		"Free0SizeMultiple": condition(divisor, func(q *query, n uint64) bool { return q.M%n == 0 }),
		"Free1SizeMultiple": condition(divisor, func(q *query, n uint64) bool { return q.N%n == 0 }),
		"BatchSizeMultiple": condition(divisor, func(q *query, n uint64) bool { return q.Batch%n == 0 }),
		"BoundSizeMultiple": condition(divisor, func(q *query, n uint64) bool { return q.K%n == 0 }),
		"BatchSizeEqual":    condition(number, func(q *query, n uint64) bool { return q.Batch == n }),
		"MaxProblemSizeGreaterThan": condition(number, func(q *query, n uint64) bool {
			return max(q.M, q.N, q.K) > n
		}),
		"LeadingFree0SizesGreaterOrEqual": condition(number, func(q *query, n uint64) bool { return q.M >= n }),
		"LeadingFree1SizesGreaterOrEqual": condition(number, func(q *query, n uint64) bool { return q.N >= n }),
		"GlobalSplitUCheckMinK":           condition(number, func(q *query, n uint64) bool { return q.K >= n }),
		"SizeEqual":                       sized(func(have, want uint64) bool { return have == want }),
		"SizeGreaterThan":                 sized(func(have, want uint64) bool { return have > want }),
		"SizeLessThan":                    sized(func(have, want uint64) bool { return have < want }),
		"SizeMultiple": func(_ *loader, a *argument) test {
			i, n := a.within(4), a.divisor()
			return func(q *query) bool { return q.size(i)%n == 0 }
		},
		"SizeInRange":  sizeInRange,
		"StrideAEqual": strided(func(p *Problem) *Matrix { return &p.A }),
		"StrideBEqual": strided(func(p *Problem) *Matrix { return &p.B }),
		"StrideCEqual": strided(func(p *Problem) *Matrix { return &p.C }),
		"StrideDEqual": strided(func(p *Problem) *Matrix { return &p.D }),
		"LDCEqualsLDD": simple(func(q *query) bool { return q.C.LD == q.D.LD }),
		"CDStridesEqual": simple(func(q *query) bool {
			return q.C.LD == q.D.LD && q.C.Stride == q.D.Stride
		}),
		"CEqualsD": simple(func(q *query) bool { return q.InPlace }),

		"AIGreaterThanEqual": condition(real, func(q *query, x float64) bool { return q.intensity() >= x }),
		"AILessThanEqual":    condition(real, func(q *query, x float64) bool { return q.intensity() <= x }),
		"AlphaValue":         scalar(func(p *Problem) float64 { return p.Alpha }),
		"BetaValue":          scalar(func(p *Problem) float64 { return p.Beta }),
		"BetaZero":           simple(func(q *query) bool { return q.Beta == 0 }),
		"BetaOne":            simple(func(q *query) bool { return q.Beta == 1 }),

		"HighPrecisionAccumulate": condition(flag, func(q *query, want bool) bool { return q.wide() == want }),
		"DeterministicMode":       condition(flag, func(q *query, want bool) bool { return q.Deterministic == want }),
		"StridedBatched":          condition(flag, func(q *query, want bool) bool { return q.Strided == want }),
		"StochasticRounding":      condition(flag, func(q *query, want bool) bool { return q.Stochastic == want }),
		"Fp16AltImpl":             simple(func(q *query) bool { return q.Fp16Alt }),
		"Fp16AltImplRound":        simple(func(q *query) bool { return q.Fp16AltRound }),
		"CUEfficiency":            simple(func(q *query) bool { return q.Metric == CUEfficiency }),
		"ExperimentalGrid":        simple(func(q *query) bool { return q.Metric == ExperimentalGrid }),
		"ExperimentalDTree":       simple(func(q *query) bool { return q.Metric == ExperimentalDTree }),
		"EqualityMatching":        simple(nil),
		// rocBLAS never decides that a persistent kernel has too few tiles, and accepts any language of kernels.
		"PersistentKernelCheck":    simple(nil),
		"KernelLanguageCompatible": named([]string{"Any", "Assembly", "Source"}, nil),
		"ArithmeticUnitCompatible": named([]string{"Any", "MFMA", "VALU"}, func(q *query, unit string) bool {
			return !q.VectorUnitsOnly || unit == "VALU"
		}),
		"F32XdlMathOp": condition(typeName, func(q *query, t Type) bool {
			return q.XF32 == (t == XFloat32)
		}),
		"TypesEqual":                 typesEqual,
		"OperationIdentifierEqual":   condition(name, func(q *query, name string) bool { return q.operation == name }),
		"BufferLoadOffsetLimitCheck": bufferLoads,
		"BufferStoreOffsetLimitCheck": condition(number, func(q *query, n uint64) bool {
			return q.D.LD*q.D.Type.Bytes()*n < 1<<32
		}),
		"WorkspaceCheck": simple(func(q *query) bool { return q.solution.fits(q.Problem) }),
	}
}

func all(tests []test) test {
	tests = slices.DeleteFunc(tests, func(t test) bool { return t == nil })
	return func(q *query) bool {
		for _, t := range tests {
			if !t(q) {
				return false
			}
		}
		return true
	}
}

func either(tests []test) test {
	return func(q *query) bool { return slices.ContainsFunc(tests, func(t test) bool { return t.holds(q) }) }
}

func not(t test) test { return func(q *query) bool { return !t.holds(q) } }

func sizeInRange(_ *loader, a *argument) test {
	i := a.within(4)
	from, to := uint64(0), ^uint64(0)
	r := a.at(a.given())
	r.entries(func(key []byte) {
		switch string(key) {
		case "min":
			from = uint64(r.int())
		case "max":
			to = uint64(r.int())
		default:
			r.skip()
		}
	})
	return func(q *query) bool { return from <= q.size(i) && q.size(i) < to }
}

func scalar(of func(*Problem) float64) func(*loader, *argument) test {
	want := map[string]float64{"1": 1, "-1": -1}
	return named([]string{"Any", "1", "-1"}, func(q *query, name string) bool {
		return name == "Any" || of(q.Problem) == want[name]
	})
}

// named is a condition whose value is one of the names.
func named(names []string, holds func(q *query, name string) bool) func(*loader, *argument) test {
	return func(_ *loader, a *argument) test {
		name := a.name()
		if !slices.Contains(names, name) {
			a.fail(a.value.from, "%q, want one of %q", name, names)
		}
		if holds == nil {
			return nil
		}
		return func(q *query) bool { return holds(q, name) }
	}
}

func typesEqual(_ *loader, a *argument) test {
	var types [4]Type
	r := a.at(a.given())
	if n := r.elements(); n != len(types) {
		r.fail(a.value.from, "%d types, want %d", n, len(types))
	}
	for i := range types {
		types[i] = r.typeName()
	}
	return func(q *query) bool { return types == [...]Type{q.A.Type, q.B.Type, q.C.Type, q.D.Type} }
}

// bufferLoads is a condition of kernels that load with offsets of 32 bits.
func bufferLoads(_ *loader, a *argument) test {
	var n [4]uint64
	r := a.at(a.given())
	for i, v := range r.fields("DUorMT0", "ShiftPtrElemA", "DUorMT1", "ShiftPtrElemB") {
		n[i] = uint64(r.at(v).int())
	}
	return func(q *query) bool {
		return (q.A.LD*n[0]+n[1])*q.A.Type.Bytes() < 1<<32 && (q.B.LD*n[2]+n[3])*q.B.Type.Bytes() < 1<<32
	}
}

// forest is a list of decision trees. Each one judges whether its kernel is good for a product; the first that says yes
// is used. Numbers have 32 bits, as in the library.
type forest struct {
	features []feature
	trees    []tree
	other    node // used if no tree says yes
}

type feature func(p *Problem) float32

type tree struct {
	steps []step
	node  node
}

// step compares a feature with a threshold. The next step may be yes or no.
type step struct {
	feature   int32
	threshold float32
	low, high int32
}

const (
	no  = -1
	yes = -2
)

func (f *forest) choose(q *query) *Kernel {
	values := make([]float32, len(f.features))
	for i, feature := range f.features {
		values[i] = feature(q.Problem)
	}
	for i := range f.trees {
		if t := &f.trees[i]; t.accepts(values) {
			if k := t.node.choose(q); k != nil {
				return k
			}
		}
	}
	return f.other.choose(q)
}

func (t *tree) accepts(values []float32) bool {
	i := int32(0)
	for i >= 0 {
		s := &t.steps[i]
		if values[s.feature] <= s.threshold {
			i = s.low
		} else {
			i = s.high
		}
	}
	return i == yes
}

func ceil(x float32) float32 { return float32(math.Ceil(float64(x))) }

// granularity is how full the last tile is.
func granularity(x float32) float32 { return x / ceil(x) }

// scales are the numbers of a feature: parts of a tile, of a unit, of a wave.
type scales struct{ tile0, tile1, units, waves float32 }

func (s scales) tilesPerUnit(p *Problem) float32 {
	return ceil(float32(p.M)*s.tile0) * ceil(float32(p.N)*s.tile1) * s.units
}

// features are the kinds of features. An index other than zero has no meaning for products.
var features = map[string]func(r *reader, v value) feature{
	"FreeSizeA": func(*reader, value) feature { return func(p *Problem) float32 { return float32(p.M) } },
	"FreeSizeB": func(*reader, value) feature { return func(p *Problem) float32 { return float32(p.N) } },
	"BatchSize": func(*reader, value) feature { return func(p *Problem) float32 { return float32(p.Batch) } },
	"BoundSize": func(*reader, value) feature { return func(p *Problem) float32 { return float32(p.K) } },
	"Tile0Granularity": func(r *reader, v value) feature {
		x := float32(r.at(v).float())
		return func(p *Problem) float32 { return granularity(float32(p.M) * x) }
	},
	"Tile1Granularity": func(r *reader, v value) feature {
		x := float32(r.at(v).float())
		return func(p *Problem) float32 { return granularity(float32(p.N) * x) }
	},
	"CUGranularity": func(r *reader, v value) feature {
		s := readScales(r.at(v))
		return func(p *Problem) float32 { return granularity(s.tilesPerUnit(p)) }
	},
	"WavesPerSIMD": func(r *reader, v value) feature {
		s := readScales(r.at(v))
		return func(p *Problem) float32 { return ceil(s.tilesPerUnit(p)) * s.waves }
	},
	// The library multiplies n by itself, not by m.
	"ProblemScaleMeasure": func(*reader, value) feature {
		return func(p *Problem) float32 { return float32(p.N * p.N * p.Batch) }
	},
}

func readScales(r *reader) scales {
	var s scales
	for i, v := range r.fields("mt0", "mt1", "cus", "ws?") {
		if v.n > 0 {
			*[...]*float32{&s.tile0, &s.tile1, &s.units, &s.waves}[i] = float32(r.at(v).float())
		}
	}
	return s
}

// verdict is a search's knowledge of a class of nodes.
type verdict uint8

const (
	untested verdict = iota
	refused          // its nodes have no kernel for the product
	passed
)

// verdicts are the verdicts about the classes of a table. Most entries need no test of conditions, because there are
// few classes.
type verdicts []verdict

func (t *table) verdicts() verdicts { return make(verdicts, len(t.last)) }

func (v verdicts) choose(t *table, i int, q *query) *Kernel {
	class := t.classes[i]
	switch v[class] {
	case refused:
		return nil
	case passed:
		if k, single := t.nodes[i].(*Kernel); single {
			return k
		}
	}
	k := t.nodes[i].choose(q)
	if v[class] = refused; k != nil {
		v[class] = passed
	}
	return k
}

// classify numbers the classes of nodes. Kernels with the same conditions are one class, any other node is one alone.
func (t *table) classify() {
	numbers := map[*conditions]int32{}
	t.classes = make([]int32, len(t.nodes))
	for i, n := range t.nodes {
		class := int32(len(t.last))
		if k, single := n.(*Kernel); single {
			if known, ok := numbers[k.conditions]; ok {
				class = known
			}
			numbers[k.conditions] = class
		}
		if int(class) == len(t.last) {
			t.last = append(t.last, 0)
		}
		t.classes[i], t.last[class] = class, int32(i)
	}
}

// testAll tests all classes. It returns the set of those that have a kernel, and their last entry; -1 if there is none.
// A kernel whose workspace is not known counts as one: its test ends the choice, which the library may not reach.
func (t *table) testAll(q *query, known verdicts) (set []uint64, last int) {
	set, last = make([]uint64, t.words()), -1
	for class, i := range t.last {
		k, single := t.nodes[i].(*Kernel)
		if single && k.tilesPartly || known.choose(t, int(i), q) != nil {
			set[class/64] |= 1 << (class % 64)
			last = max(last, int(i))
		}
	}
	return set, last
}

// words is the length of a set of classes, which has a bit for each.
func (t *table) words() int { return (len(t.last) + 63) / 64 }

// collect computes the sets of the classes in blocks of so many entries.
func (t *table) collect(entries int) {
	words := t.words()
	t.sets = make([]uint64, (len(t.nodes)+entries-1)/entries*words)
	for i, class := range t.classes {
		t.sets[i/entries*words+int(class/64)] |= 1 << (class % 64)
	}
}

// meets reports whether a block has an entry whose class is in a set.
func (t *table) meets(block int, set []uint64) bool {
	for i, word := range set {
		if t.sets[block*len(set)+i]&word != 0 {
			return true
		}
	}
	return false
}

// blockEntries is the number of neighbouring entries that a search for the nearest one can skip together.
const blockEntries = 32

// box is the least and the greatest numbers of the keys of a block.
type box struct{ low, high []int64 }

func (t *table) block() {
	for from := 0; from < len(t.nodes); from += blockEntries {
		b := box{append([]int64(nil), t.at(from)...), append([]int64(nil), t.at(from)...)}
		for i := from + 1; i < min(from+blockEntries, len(t.nodes)); i++ {
			for j, x := range t.at(i) {
				b.low[j], b.high[j] = min(b.low[j], x), max(b.high[j], x)
			}
		}
		t.boxes = append(t.boxes, b)
	}
}

// distance returns a sum of squares that is not greater than the distance of any entry in the box: its steps are those
// of the distance, and rounding keeps the order of numbers.
func (b *box) distance(key []int64) (sum float64) {
	for j, x := range key {
		d := float64(max(b.low[j]-x, x-b.high[j], 0))
		sum += float64(d * d)
	}
	return sum
}
