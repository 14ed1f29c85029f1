package routine

import "fmt"

// Slot is the place of an argument in Args. An argument of the same role has the same slot in every routine, whatever
// the header calls it (trans or transA, stride_a or strideA), so that rules and kernels read arguments without a
// search. A new kind of argument needs a constant here and a row in slots.
type Slot uint8

const (
	Side Slot = iota
	Uplo
	TransA // also the only operation of a routine that has one
	TransB
	Diag
	M
	N
	K
	NRHS

	// The scalars that a call passes by address, on host or device. Args has their host values.
	Alpha
	Beta
	Cosine
	Sine

	A
	LDA
	StrideA
	B
	LDB
	StrideB
	C
	LDC
	StrideC
	D
	LDD
	StrideD
	X
	IncX
	StrideX
	Y
	IncY
	StrideY
	InvA
	LDInvA
	StrideInvA
	InvASize
	Ipiv // pivot indices; the Householder scalars of geqrf, which the header also calls ipiv
	StrideP
	Info
	Result
	BatchCount
	AType
	BType
	CType
	DType
	XType
	YType
	ResultType
	ExecutionType
	ComputeType
	Algo
	SolutionIndex
	Flags
	KL
	KU
	RotationParam
	StrideParam
	AlphaType
	RotationType
	GeamOperation

	// Arrays and sizes of the solver.
	MatV
	LDV
	StrideV
	MatT
	LDT
	MatW
	LDW
	MatX
	LDX
	MatY
	LDY
	Tau
	StrideTau
	TauQ
	StrideQ
	TauP
	StrideTauP
	VecD
	StrideVecD
	VecE
	StrideE
	K1
	K2
	NB
	KB
	Direct
	Storev
	MatU
	LDU
	StrideU
	MatZ
	LDZ
	StrideZ
	VecS
	StrideS
	VecW
	StrideW
	VecC
	Nev
	Nsplit
	Iblock
	Isplit
	Ifail
	StrideF
	Residual
	Sweeps
	NV
	NU
	NC
	LowerBound
	UpperBound
	LowerIndex
	UpperIndex
	Abstol
	MaxSweeps
	Evect
	LeftSvect
	RightSvect
	Srange
	Erange
	Eorder
	Esort
	Itype
	FastAlg
	PivotMode
	Svect
	Nsv
	NBlocks
	IncA
	IncB
	IncC

	// Sparse matrices. The first one of a routine, which headers call M, A or L, has the slots of A.
	NnzA
	PtrA
	IndA
	ValA
	NnzT
	PtrT
	IndT
	ValT
	NnzU
	PtrU
	IndU
	ValU
	PivP
	PivQ
	Rfinfo

	Econ

	// Arguments of hipSOLVER.
	Work
	Lwork
	RealWork
	Niters
	LayerInfo
	HostWork
	HostLwork

	HostInfo // of hipBLAS: the number of a wrong argument

	SlotCount
)

// slotInfo describes a slot. Leading dimensions, increments and strides have no row: their names follow from the array
// that they belong to.
type slotInfo struct {
	name string // the usual name in headers

	ld, inc, stride Slot   // arrays: the slots of their leading dimension, increment and stride
	strideName      string // arrays: the name of the stride, where it does not follow from the array's name
}

var slots = [SlotCount]slotInfo{
	Side:          {name: "side"},
	Uplo:          {name: "uplo"},
	TransA:        {name: "transA"},
	TransB:        {name: "transB"},
	Diag:          {name: "diag"},
	M:             {name: "m"},
	N:             {name: "n"},
	K:             {name: "k"},
	NRHS:          {name: "nrhs"},
	Alpha:         {name: "alpha"},
	A:             {name: "A", ld: LDA, stride: StrideA, inc: IncA},
	B:             {name: "B", ld: LDB, stride: StrideB, inc: IncB},
	Beta:          {name: "beta"},
	C:             {name: "C", ld: LDC, stride: StrideC, inc: IncC},
	D:             {name: "D", ld: LDD, stride: StrideD},
	X:             {name: "x", inc: IncX, stride: StrideX},
	Y:             {name: "y", inc: IncY, stride: StrideY},
	InvA:          {name: "invA", ld: LDInvA, stride: StrideInvA},
	InvASize:      {name: "invA_size"},
	Ipiv:          {name: "ipiv", stride: StrideP, strideName: "strideP"},
	Info:          {name: "info"},
	Result:        {name: "result"},
	BatchCount:    {name: "batch_count"},
	AType:         {name: "a_type"},
	BType:         {name: "b_type"},
	CType:         {name: "c_type"},
	DType:         {name: "d_type"},
	XType:         {name: "x_type"},
	YType:         {name: "y_type"},
	ResultType:    {name: "result_type"},
	ExecutionType: {name: "execution_type"},
	ComputeType:   {name: "compute_type"},
	Algo:          {name: "algo"},
	SolutionIndex: {name: "solution_index"},
	Flags:         {name: "flags"},
	KL:            {name: "kl"},
	KU:            {name: "ku"},
	Cosine:        {name: "c"},
	Sine:          {name: "s"},
	RotationParam: {name: "param", stride: StrideParam},
	AlphaType:     {name: "alpha_type"},
	RotationType:  {name: "cs_type"},
	GeamOperation: {name: "geam_ex_op"},
	MatV:          {name: "V", ld: LDV, stride: StrideV},
	MatT:          {name: "T", ld: LDT},
	MatW:          {name: "W", ld: LDW},
	MatX:          {name: "X", ld: LDX, stride: StrideX, inc: IncX},
	MatY:          {name: "Y", ld: LDY},
	Tau:           {name: "tau", stride: StrideTau, strideName: "strideP"},
	TauQ:          {name: "tauq", stride: StrideQ, strideName: "strideQ"},
	TauP:          {name: "taup", stride: StrideTauP, strideName: "strideP"},
	VecD:          {name: "D", stride: StrideVecD},
	VecE:          {name: "E", stride: StrideE},
	K1:            {name: "k1"},
	K2:            {name: "k2"},
	NB:            {name: "nb"},
	KB:            {name: "kb"},
	Direct:        {name: "direct"},
	Storev:        {name: "storev"},
	MatU:          {name: "U", ld: LDU, stride: StrideU},
	MatZ:          {name: "Z", ld: LDZ, stride: StrideZ},
	VecS:          {name: "S", stride: StrideS},
	VecW:          {name: "W", stride: StrideW},
	VecC:          {name: "C"},
	Nev:           {name: "nev"},
	Nsplit:        {name: "nsplit"},
	Iblock:        {name: "iblock"},
	Isplit:        {name: "isplit"},
	Ifail:         {name: "ifail", stride: StrideF, strideName: "strideF"},
	Residual:      {name: "residual"},
	Sweeps:        {name: "n_sweeps"},
	NV:            {name: "nv"},
	NU:            {name: "nu"},
	NC:            {name: "nc"},
	LowerBound:    {name: "vl"},
	UpperBound:    {name: "vu"},
	LowerIndex:    {name: "il"},
	UpperIndex:    {name: "iu"},
	Abstol:        {name: "abstol"},
	MaxSweeps:     {name: "max_sweeps"},
	Evect:         {name: "evect"},
	LeftSvect:     {name: "left_svect"},
	RightSvect:    {name: "right_svect"},
	Srange:        {name: "srange"},
	Erange:        {name: "erange"},
	Eorder:        {name: "eorder"},
	Esort:         {name: "esort"},
	Itype:         {name: "itype"},
	FastAlg:       {name: "fast_alg"},
	PivotMode:     {name: "pivot"},
	Svect:         {name: "svect"},
	Nsv:           {name: "nsv"},
	NBlocks:       {name: "nblocks"},
	NnzA:          {name: "nnzA"},
	PtrA:          {name: "ptrA"},
	IndA:          {name: "indA"},
	ValA:          {name: "valA"},
	NnzT:          {name: "nnzT"},
	PtrT:          {name: "ptrT"},
	IndT:          {name: "indT"},
	ValT:          {name: "valT"},
	NnzU:          {name: "nnzU"},
	PtrU:          {name: "ptrU"},
	IndU:          {name: "indU"},
	ValU:          {name: "valU"},
	PivP:          {name: "pivP"},
	PivQ:          {name: "pivQ"},
	Rfinfo:        {name: "rfinfo"},
	Econ:          {name: "econ"},
	Work:          {name: "work"},
	Lwork:         {name: "lwork"},
	RealWork:      {name: "rwork"},
	Niters:        {name: "niters"},
	LayerInfo:     {name: "params"},
	HostWork:      {name: "workOnHost"},
	HostLwork:     {name: "lworkOnHost"},
	HostInfo:      {name: "info"},
}

// slotName returns the usual name of an argument. It panics for a slot without a row.
func slotName(s Slot) string {
	if slots[s].name == "" {
		panic(fmt.Sprintf("hip/routine: slot %d has no row in the table of slots", s))
	}
	return slots[s].name
}

// ScalarCount is the number of scalars that a call can pass by address.
const ScalarCount = int(Sine-Alpha) + 1

// ScalarIndex numbers the slots of scalars from 0.
func ScalarIndex(s Slot) int { return int(s - Alpha) }
