package tuning

import "slices"

// Type is the type of the elements of a matrix.
type Type uint8

// The types of the tuning files. Few products have the last ones.
const (
	Float Type = iota
	Double
	ComplexFloat
	ComplexDouble
	Half
	Int8x4
	Int32
	BFloat16
	Int8
	XFloat32
	Float8
	BFloat8
	Float8BFloat8
	BFloat8Float8
)

var typeNames = []string{"Float", "Double", "ComplexFloat", "ComplexDouble", "Half", "Int8x4", "Int32", "BFloat16",
	"Int8", "XFloat32", "Float8", "BFloat8", "Float8BFloat8", "BFloat8Float8"}

var typeBytes = []uint64{4, 8, 8, 16, 2, 4, 4, 2, 1, 4, 1, 1, 1, 1}

func (t Type) String() string { return typeNames[t] }

// Bytes returns the size of an element.
func (t Type) Bytes() uint64 { return typeBytes[t] }

// Complex reports whether elements are complex numbers.
func (t Type) Complex() bool { return t == ComplexFloat || t == ComplexDouble }

func typeOf(name string) (Type, bool) {
	i := slices.Index(typeNames, name)
	return Type(max(i, 0)), i >= 0
}

// Metric is how the library judges kernels.
type Metric uint8

// The metrics. The experimental ones are set by a variable of the environment only.
const (
	DeviceEfficiency Metric = iota
	CUEfficiency
	ExperimentalGrid
	ExperimentalDTree
)

// Matrix is the layout of an operand of a product.
type Matrix struct {
	Type   Type
	LD     uint64 // the leading dimension
	Stride uint64 // between the matrices of a batch
}

// Problem is a product D = alpha op(A) op(B) + beta C, or a batch of them.
type Problem struct {
	TransA, TransB byte // 'N', 'T' or 'C'
	M, N, K, Batch uint64
	A, B, C, D     Matrix
	Compute        Type

	// Alpha and Beta are the categories of the factors: 0, 1, -1, or 2 for any other. The library sets K to zero when
	// alpha is zero.
	Alpha, Beta float64
	Strided     bool // matrices of a batch have strides; false for arrays of pointers
	InPlace     bool // C and D are the same matrix

	Deterministic   bool
	Metric          Metric
	Fp16Alt         bool
	Fp16AltRound    bool
	XF32            bool // products of f32 may use fewer bits
	VectorUnitsOnly bool // no matrix instructions
	Stochastic      bool // rounding of 8-bit results

	// Free is the number of bytes that a kernel may use.
	Free uint64
}

// NoLimit as Free offers all kernels.
const NoLimit = ^uint64(0)

// size returns the size of an index of the product, in the order of the files: m, n, batch, k.
func (p *Problem) size(i int64) uint64 { return [...]uint64{p.M, p.N, p.Batch, p.K}[i] }

// wide reports whether sums have more bits than factors.
func (p *Problem) wide() bool { return p.Compute.Bytes() > min(p.A.Type.Bytes(), p.B.Type.Bytes()) }

// operations are the names of the files for op(A) and op(B).
var operationsA = map[byte]string{'N': "_Ailk", 'T': "_Alik", 'C': "_AlikC"}
var operationsB = map[byte]string{'N': "_Bljk", 'T': "_Bjlk", 'C': "_BjlkC"}

// Operation returns the name of the product in the files. A conjugate transpose of real numbers is a transpose.
func (p *Problem) Operation() string {
	real := func(op byte, t Type) byte {
		if op == 'C' && !t.Complex() {
			return 'T'
		}
		return op
	}
	a, b := operationsA[real(p.TransA, p.A.Type)], operationsB[real(p.TransB, p.B.Type)]
	return "Contraction_l" + a + b + "_Cijk_Dijk"
}

// intensity is the number of operations for each byte of the matrices.
func (p *Problem) intensity() float64 {
	c := p.M * p.N * p.Batch
	operations := float64(2*c*p.K) * 1e-9
	bytes := p.M*p.K*p.Batch*p.A.Type.Bytes() + p.K*p.N*p.Batch*p.B.Type.Bytes()
	if p.Beta != 0 {
		operations += float64(2*c) * 1e-9
		c *= 2
	}
	return operations / (float64(bytes+c*p.C.Type.Bytes()) * 1e-9)
}

// strides are the distances between elements, columns and matrices.
func (m *Matrix) strides() [3]uint64 { return [...]uint64{1, m.LD, m.Stride} }

// Device has the properties of a GPU that decide the choice.
type Device struct {
	Arch         string // "gfx90a"
	ComputeUnits int    // HIP's multiprocessors
	APU          bool   // the host reads device memory directly
}

// Variables are the settings of environment variables that change products.
type Variables struct {
	Experimental          uint64 // 1 chooses kernels by grids, 2 by decision trees
	Fp16Alt, Fp16AltRound *bool  // nil if not set
	VectorUnitsForF64     bool
}

// Apply changes a product as the library does.
func (v *Variables) Apply(p *Problem) {
	switch v.Experimental {
	case 1:
		p.Metric = ExperimentalGrid
	case 2:
		p.Metric = ExperimentalDTree
	}
	if v.Fp16Alt != nil {
		p.Fp16Alt = *v.Fp16Alt
	}
	if v.Fp16AltRound != nil {
		p.Fp16AltRound = *v.Fp16AltRound
	}
	p.VectorUnitsOnly = v.VectorUnitsForF64 && p.A.Type == Double
}
