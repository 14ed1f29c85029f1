package tuning

import "slices"

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

// argument is what a condition of a file compares with.
type argument struct {
	index int64
	value value
	*reader
}

func (a *argument) number() uint64 { return uint64(a.at(a.given()).int()) }
func (a *argument) real() float64  { return a.at(a.given()).float() }
func (a *argument) flag() bool     { return a.at(a.given()).bool() }
func (a *argument) name() string   { return a.at(a.given()).string() }

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

// typeName reads the name of a type.
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

func multiple(of func(p *Problem) uint64) func(*loader, *argument) test {
	return func(_ *loader, a *argument) test {
		n := a.divisor()
		return func(q *query) bool { return of(q.Problem)%n == 0 }
	}
}

func atLeast(of func(p *Problem) uint64) func(*loader, *argument) test {
	return func(_ *loader, a *argument) test {
		n := a.number()
		return func(q *query) bool { return of(q.Problem) >= n }
	}
}

func flagged(of func(p *Problem) bool) func(*loader, *argument) test {
	return func(_ *loader, a *argument) test {
		want := a.flag()
		return func(q *query) bool { return of(q.Problem) == want }
	}
}

func simple(t test) func(*loader, *argument) test { return func(*loader, *argument) test { return t } }

func sizeM(p *Problem) uint64     { return p.M }
func sizeN(p *Problem) uint64     { return p.N }
func sizeK(p *Problem) uint64     { return p.K }
func sizeBatch(p *Problem) uint64 { return p.Batch }

// predicates are the kinds of conditions. Some take a value of one of few names; those are compared with all of them.
var predicates map[string]func(l *loader, a *argument) test

func init() {
	predicates = map[string]func(l *loader, a *argument) test{
		"TruePred":  simple(nil),
		"FalsePred": simple(func(*query) bool { return false }),
		"And":       func(l *loader, a *argument) test { return all(l.tests(a)) },
		"Or":        func(l *loader, a *argument) test { return either(l.tests(a)) },
		"Not":       func(l *loader, a *argument) test { return not(l.test(a.at(a.given()))) },
		"AMDGPU":    func(l *loader, a *argument) test { return l.test(a.at(a.given())) },

		"Processor": func(_ *loader, a *argument) test {
			name := a.name()
			return func(q *query) bool { return q.device.Arch == name }
		},
		"CUCount": func(_ *loader, a *argument) test {
			n := a.number()
			return func(q *query) bool { return uint64(q.device.ComputeUnits) == n }
		},
		"IsAPU": func(_ *loader, a *argument) test {
			want := a.number() != 0
			return func(q *query) bool { return q.device.APU == want }
		},

		"Free0SizeMultiple": multiple(sizeM),
		"Free1SizeMultiple": multiple(sizeN),
		"BatchSizeMultiple": multiple(sizeBatch),
		"BoundSizeMultiple": multiple(sizeK),
		"BatchSizeEqual": func(_ *loader, a *argument) test {
			n := a.number()
			return func(q *query) bool { return q.Batch == n }
		},
		"MaxProblemSizeGreaterThan": func(_ *loader, a *argument) test {
			n := a.number()
			return func(q *query) bool { return max(q.M, q.N, q.K) > n }
		},
		"LeadingFree0SizesGreaterOrEqual": atLeast(sizeM),
		"LeadingFree1SizesGreaterOrEqual": atLeast(sizeN),
		"GlobalSplitUCheckMinK":           atLeast(sizeK),
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

		"AIGreaterThanEqual": func(_ *loader, a *argument) test {
			x := a.real()
			return func(q *query) bool { return q.intensity() >= x }
		},
		"AILessThanEqual": func(_ *loader, a *argument) test {
			x := a.real()
			return func(q *query) bool { return q.intensity() <= x }
		},
		"AlphaValue": scalar(func(p *Problem) float64 { return p.Alpha }),
		"BetaValue":  scalar(func(p *Problem) float64 { return p.Beta }),
		"BetaZero":   simple(func(q *query) bool { return q.Beta == 0 }),
		"BetaOne":    simple(func(q *query) bool { return q.Beta == 1 }),

		"HighPrecisionAccumulate": flagged((*Problem).wide),
		"DeterministicMode":       flagged(func(p *Problem) bool { return p.Deterministic }),
		"StridedBatched":          flagged(func(p *Problem) bool { return p.Strided }),
		"StochasticRounding":      flagged(func(p *Problem) bool { return p.Stochastic }),
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
		"F32XdlMathOp": func(_ *loader, a *argument) test {
			want := a.at(a.given()).typeName() == XFloat32
			return func(q *query) bool { return q.XF32 == want }
		},
		"TypesEqual": typesEqual,
		"OperationIdentifierEqual": func(_ *loader, a *argument) test {
			name := a.name()
			return func(q *query) bool { return q.operation == name }
		},
		"BufferLoadOffsetLimitCheck": bufferLoads,
		"BufferStoreOffsetLimitCheck": func(_ *loader, a *argument) test {
			n := a.number()
			return func(q *query) bool { return q.D.LD*q.D.Type.Bytes()*n < 1<<32 }
		},
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
