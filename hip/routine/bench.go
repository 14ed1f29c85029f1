package routine

import "sync"

// This file has the names, letters and defaults of the benchmark programs, rocblas-bench and rocsolver-bench.

// optionSlots maps options of rocblas-bench and rocsolver-bench, keys of profiles, arguments of trace trees and names
// in hipSOLVER, in lower case without underscores, to arguments: the first one that a routine has.
var optionSlots = sync.OnceValue(func() map[string][]Slot {
	return map[string][]Slot{
		"m": {M}, "n": {N}, "k": {K}, "nrhs": {NRHS}, "kl": {KL},
		"ku": {KU}, "sizem": {M}, "sizen": {N}, "sizek": {K},
		"side": {Side}, "uplo": {Uplo}, "diag": {Diag}, "transa": {TransA},
		"transposea": {TransA}, "transb": {TransB}, "transposeb": {TransB},
		"trans": {TransA}, "alpha": {Alpha}, "beta": {Beta},
		"lda": {LDA}, "ldb": {LDB}, "ldc": {LDC}, "ldd": {LDD}, "ldv": {LDV},
		"ldu": {LDU}, "ldx": {LDX}, "ldy": {LDY}, "ldw": {LDW}, "ldz": {LDZ},
		"ldt": {LDT}, "ldf": {LDT}, "ldinva": {LDInvA},
		"inca": {IncA}, "incb": {IncB}, "incc": {IncC}, "incx": {IncX},
		"incy": {IncY}, "incp": {IncX},
		"stridea": {StrideA}, "strideb": {StrideB}, "stridec": {StrideC, StrideParam},
		"strided": {StrideVecD, StrideD}, "stridex": {StrideX}, "stridey": {StrideY},
		"stridee": {StrideE}, "stridep": {StrideP, StrideTauP, StrideTau},
		"strideq": {StrideQ}, "strides": {StrideS}, "strideu": {StrideU},
		"stridev": {StrideV}, "stridew": {StrideW}, "stridez": {StrideZ},
		"stridef": {StrideF}, "strideinva": {StrideInvA},
		"batchcount": {BatchCount}, "batch": {BatchCount}, "bc": {BatchCount},
		"algo": {Algo}, "solutionindex": {SolutionIndex}, "flags": {Flags},
		"geamexop":    {GeamOperation},
		"computetype": {ComputeType, ExecutionType},
		"evect":       {Evect}, "leftsvect": {LeftSvect}, "leftsv": {LeftSvect},
		"rightsvect": {RightSvect}, "rightsv": {RightSvect}, "svect": {Svect},
		"fastalg": {FastAlg}, "mode": {FastAlg}, "srange": {Srange}, "erange": {Erange},
		"eorder": {Eorder}, "esort": {Esort}, "itype": {Itype}, "direct": {Direct},
		"storev": {Storev}, "pivot": {PivotMode}, "vl": {LowerBound},
		"vu": {UpperBound}, "il": {LowerIndex}, "iu": {UpperIndex}, "abstol": {Abstol},
		"maxsweeps": {MaxSweeps}, "nb": {NB}, "nblocks": {NBlocks}, "nv": {NV},
		"nu": {NU}, "nc": {NC}, "k1": {K1}, "k2": {K2},
		"jobz": {Evect}, "jobu": {LeftSvect}, "jobv": {RightSvect}, "jobvt": {RightSvect}, "range": {Erange},
		"batchsize": {BatchCount}, "tolerance": {Abstol},
	}
})

// Option returns the parameter for an option of the benchmark programs, or for a name in hipSOLVER: left_svect for
// "leftsv" and "jobu". It returns nil if there is none. Scripts use the names of Param only.
func (r *Routine) Option(name []byte) *Param {
	var buffer [24]byte
	short := buffer[:0]
	for _, c := range name {
		switch {
		case c == '_' || len(short) == cap(short):
		case c >= 'A' && c <= 'Z':
			short = append(short, c|0x20)
		default:
			short = append(short, c)
		}
	}
	for _, s := range optionSlots()[string(short)] {
		if p, ok := r.ParamAt(s); ok {
			return p
		}
	}
	if len(short) == len("atype") && string(short[1:]) == "type" {
		return r.typeParam(int(short[0]) - 'a')
	}
	return nil
}

// typeParam returns the parameter for an option such as a_type: the one with this name or, in a routine with x_type
// instead of a_type, the one at the position of the letter.
func (r *Routine) typeParam(i int) *Param {
	named := []Slot{AType, BType, CType, DType}
	if r.Has(AType) && i >= 0 && i < len(named) {
		p, _ := r.ParamAt(named[i])
		return p
	}
	for k := range r.Params {
		p := &r.Params[k]
		if p.Kind != Datatype || p.Slot == ComputeType || p.Slot == ExecutionType {
			continue
		}
		if i == 0 {
			return p
		}
		i--
	}
	return nil
}

// letters maps letters to the values of enumerations.
var letters = sync.OnceValue(func() map[Kind]map[byte]int64 {
	return map[Kind]map[byte]int64{
		Operation: {'N': OperationNone, 'T': OperationTranspose,
			'C': OperationConjugateTranspose},
		Fill:           {'U': FillUpper, 'L': FillLower, 'F': FillFull},
		Diagonal:       {'N': DiagonalNonUnit, 'U': DiagonalUnit},
		SideKind:       {'L': SideLeft, 'R': SideRight, 'B': SideBoth},
		Direction:      {'F': DirectForward, 'B': DirectBackward},
		Storage:        {'C': StorevColumns, 'R': StorevRows},
		EigenvectorJob: {'V': EvectOriginal, 'I': EvectTridiagonal, 'N': EvectNone},
		SingularVectorJob: {'A': SvectAll, 'S': SvectSingular, 'V': SvectSingular, 'O': SvectOverwrite,
			'N': SvectNone},
		WorkMode:           {'O': WorkOutofplace, 'I': WorkInplace},
		ProblemForm:        {'1': EformAx, '2': EformAbx, '3': EformBax},
		EigenvalueRange:    {'A': ErangeAll, 'V': ErangeValue, 'I': ErangeIndex},
		EigenvalueOrder:    {'B': EorderBlocks, 'E': EorderEntire},
		EigenvalueSort:     {'N': EsortNone, 'A': EsortAscending},
		SingularValueRange: {'A': SrangeAll, 'V': SrangeValue, 'I': SrangeIndex},
		RotationPivot:      {'V': PivotVariable, 'T': PivotTop, 'B': PivotBottom},
		FillMode:           {'U': FillUpper, 'L': FillLower},
		SideMode:           {'L': SideLeft, 'R': SideRight},
		EigMode:            {'N': EigModeNoVector, 'V': EigModeVector},
		MatrixOperation:    {'N': OperationNone, 'T': OperationTranspose, 'C': OperationConjugateTranspose},
		EigRange:           {'A': EigRangeAll, 'V': EigRangeAll + 1, 'I': EigRangeAll + 2},
		VectorLetter:       {'N': 'N', 'A': 'A', 'S': 'S', 'O': 'O'},
		Datatype: {'s': DatatypeF32, 'd': DatatypeF64, 'c': DatatypeF32C,
			'z': DatatypeF64C, 'h': DatatypeF16},
	}
})

// Letter returns the value of an enumeration that has a letter in BLAS, LAPACK or the benchmark programs.
func Letter(k Kind, c byte) (int64, bool) {
	v, ok := letters()[k][c]
	return v, ok
}

// benchValues are the values that rocsolver-bench and rocblas-bench take for options that scripts must give.
var benchValues = map[Kind]int64{Operation: OperationNone, Fill: FillUpper, Diagonal: DiagonalNonUnit,
	Direction: DirectForward, EigenvectorJob: EvectNone, SingularVectorJob: SvectNone, WorkMode: WorkOutofplace,
	ProblemForm: EformAx, EigenvalueRange: ErangeAll, EigenvalueOrder: EorderEntire, EigenvalueSort: EsortAscending,
	SingularValueRange: SrangeAll, RotationPivot: PivotVariable,
	MatrixOperation: OperationNone, FillMode: FillUpper, SideMode: SideLeft, EigMode: EigModeNoVector,
	EigType: EigType1, EigRange: EigRangeAll, VectorLetter: 'N'}

// BenchDefault returns the default that the benchmark programs have for a parameter without one in scripts: a fixed
// value, or m for the n of rocSOLVER. from is the parameter whose value it takes, or nil.
func (r *Routine) BenchDefault(p *Param) (d Default, from *Param, ok bool) {
	if v, ok := benchValues[p.Kind]; ok {
		return Default{routine: r, param: p, rule: fixed, value: v}, nil, true
	}
	if p.Slot == NV || p.Slot == NC {
		return Default{routine: r, param: p, rule: fixed}, nil, true
	}
	if m, ok := r.ParamAt(M); ok && r.Library != RocBLAS && p.Slot == N {
		return Default{routine: r, param: p, rule: follows, first: m}, m, true
	}
	return Default{}, nil, false
}
