// Package matmul describes GEMMs as hipBLASLt takes them: their types, layouts and epilogues. It reads them from
// options of hipblaslt-bench and from the lines of hipBLASLt's log, and explains the names of kernels.
package matmul

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// The matrices of a product, as indices: D = A*B + C.
const (
	A = iota
	B
	C
	D
)

// Product is a GEMM. Equal products compare equal.
type Product struct {
	TransA, TransB byte // 'N', 'T' or 'C'
	M, N, K, Batch int64
	Lead           [4]int64  // leading dimensions
	Stride         [4]int64  // in elements between the matrices of a batch; 0 for one matrix
	Types          [4]string // names such as "bf16_r"
	Compute, Scale string    // types of the sum over k and of alpha and beta
	Epilogue       string    // a name of Epilogues
	Bias, Aux      string    // types of the bias and of the array that an epilogue reads or writes; "" for D's
	ScaleA, ScaleB Scale
	ScaleC, ScaleD bool // these have a scalar factor
	ScaleAlpha     bool // alpha is a vector
	MaxD           bool // the largest absolute value of D is stored
}

// Scale is how a matrix of 8-bit numbers is multiplied by factors.
type Scale int

// The kinds of factors.
const (
	NoScale Scale = iota
	Scalar
	Vector
)

// Size returns the rows and columns of a matrix as it is stored.
func (p *Product) Size(matrix int) (rows, columns int64) {
	switch {
	case matrix == A && p.TransA == 'N':
		return p.M, p.K
	case matrix == A:
		return p.K, p.M
	case matrix == B && p.TransB == 'N':
		return p.K, p.N
	case matrix == B:
		return p.N, p.K
	}
	return p.M, p.N
}

// HasBias reports whether the epilogue reads a bias or writes its gradient.
func (p *Product) HasBias() bool { return p.EpilogueNumber()&(bitBias|bitGradient|bitsBiasOf) != 0 }

// HasAux reports whether the epilogue reads or writes another matrix.
func (p *Product) HasAux() bool { return p.EpilogueNumber()&bitAux != 0 }

// EpilogueNumber returns the number of the epilogue in C.
func (p *Product) EpilogueNumber() int { return number(epilogues, p.Epilogue) }

// ComputeNumber returns the number of the type of the sum in C.
func (p *Product) ComputeNumber() int { return number(computes, p.Compute) }

// TypeNumber returns the number of a data type in C.
func TypeNumber(name string) int { return number(types, name) }

// String returns a short form, such as "TN:128x128x65536 bf16_r, bias".
func (p Product) String() string {
	text := fmt.Sprintf("%c%c:%dx%dx%d", p.TransA, p.TransB, p.M, p.N, p.K)
	if p.Batch > 1 {
		text += fmt.Sprintf("x%d", p.Batch)
	}
	text += " " + p.Types[A]
	if p.Types[B] != p.Types[A] {
		text += "*" + p.Types[B]
	}
	if p.Types[D] != p.Types[A] {
		text += " to " + p.Types[D]
	}
	if p.Epilogue != "none" {
		text += ", " + strings.ReplaceAll(p.Epilogue, "_", " ")
	}
	return text
}

// WithEpilogue returns the product with another epilogue, whose bias has the type of D.
func (p Product) WithEpilogue(name string) Product {
	p.Epilogue, p.Bias, p.Aux = name, "", ""
	return p
}

// Kernel is a kernel of hipBLASLt.
type Kernel struct {
	Index   int    // of the solution, in the files of an installation
	Name    string // "" if the library does not say it
	Bytes   uint64 // workspace that it wants
	Tile    [2]int // of D, by one group of threads; zeros if the name does not say it
	Split   int    // parts of the sum over k; 0 if the library decides them at the call
	StreamK bool   // groups of threads share the sums, as many as fit on the device
}

var (
	tilePattern   = regexp.MustCompile(`_MT(\d+)x(\d+)x`)
	splitPattern  = regexp.MustCompile(`_GSU(\d+)_`)
	streamPattern = regexp.MustCompile(`_SK[1-9]\d*_`)
)

// NewKernel returns a kernel with the properties in its name.
func NewKernel(index int, name string, bytes uint64) *Kernel {
	k := &Kernel{Index: index, Name: name, Bytes: bytes, StreamK: streamPattern.MatchString(name)}
	if m := tilePattern.FindStringSubmatch(name); m != nil {
		k.Tile[0], _ = strconv.Atoi(m[1])
		k.Tile[1], _ = strconv.Atoi(m[2])
	}
	if m := splitPattern.FindStringSubmatch(name); m != nil && !k.StreamK {
		k.Split, _ = strconv.Atoi(m[1])
	}
	return k
}

// Groups returns the groups of threads of a product on a device; 0 if they are not known.
func (k *Kernel) Groups(p *Product, units int) uint64 {
	switch {
	case k.StreamK:
		return uint64(units)
	case k.Split == 0 || k.Tile[0] == 0 || k.Tile[1] == 0:
		return 0
	}
	tiles := func(size int64, of int) uint64 { return uint64((size + int64(of) - 1) / int64(of)) }
	return tiles(p.M, k.Tile[0]) * tiles(p.N, k.Tile[1]) * uint64(max(1, p.Batch)) * uint64(k.Split)
}

// value is a value of an enumeration of hipBLASLt: its name in options, its name in traces and its number in C.
type value struct {
	name, trace string
	number      int
}

var types = []value{
	{"f32_r", "R_32F", 0}, {"f64_r", "R_64F", 1}, {"f16_r", "R_16F", 2}, {"i8_r", "R_8I", 3}, {"i32_r", "R_32I", 10},
	{"bf16_r", "R_16BF", 14}, {"f8_r", "R_8F_E4M3", 28}, {"bf8_r", "R_8F_E5M2", 29}, {"f6_r", "R_6F_E2M3", 31},
	{"bf6_r", "R_6F_E3M2", 32}, {"f4_r", "R_4F_E2M1", 33}, {"f8_fnuz_r", "R_8F_E4M3_FNUZ", 1000},
	{"bf8_fnuz_r", "R_8F_E5M2_FNUZ", 1001},
}

// computes are the types of the sum over k.
var computes = []value{
	{"f16_r", "COMPUTE_16F", 0}, {"f32_r", "COMPUTE_32F", 2}, {"f32_f16_r", "COMPUTE_32F_16F", 4},
	{"f32_bf16_r", "COMPUTE_32F_16BF", 5}, {"xf32_r", "COMPUTE_32XF", 6}, {"f64_r", "COMPUTE_64F", 7},
	{"i32_r", "COMPUTE_32I", 9}, {"f32_f8_fnuz_r", "COMPUTE_32F_F8_FNUZ", 100},
	{"f32_bf8_fnuz_r", "COMPUTE_32F_BF8_FNUZ", 101}, {"f32_f8bf8_fnuz_r", "COMPUTE_32F_F8BF8_FNUZ", 102},
	{"f32_bf8f8_fnuz_r", "COMPUTE_32F_BF8F8_FNUZ", 103},
}

// epilogues are the operations on the product before it is stored.
var epilogues = []value{
	{"none", "EPILOGUE_DEFAULT", 1}, {"relu", "EPILOGUE_RELU", 2}, {"bias", "EPILOGUE_BIAS", 4},
	{"relu_bias", "EPILOGUE_RELU_BIAS", 6}, {"gelu", "EPILOGUE_GELU", 32}, {"gelu_bias", "EPILOGUE_GELU_BIAS", 36},
	{"relu_aux", "EPILOGUE_RELU_AUX", 130}, {"relu_aux_bias", "EPILOGUE_RELU_AUX_BIAS", 134},
	{"gelu_aux", "EPILOGUE_GELU_AUX", 160}, {"gelu_aux_bias", "EPILOGUE_GELU_AUX_BIAS", 164},
	{"dgelu", "EPILOGUE_DGELU", 192}, {"dgelu_bgrad", "EPILOGUE_DGELU_BGRAD", 208},
	{"bgrada", "EPILOGUE_BGRADA", 256}, {"bgradb", "EPILOGUE_BGRADB", 512},
	{"swish", "EPILOGUE_SWISH_EXT", 1 << 16}, {"swish_bias", "EPILOGUE_SWISH_BIAS_EXT", 1<<16 | 4},
	{"clamp", "EPILOGUE_CLAMP_EXT", 1 << 17}, {"clamp_bias", "EPILOGUE_CLAMP_BIAS_EXT", 1<<17 | 4},
	{"clamp_aux", "EPILOGUE_CLAMP_AUX_EXT", 1<<17 | 128},
	{"clamp_aux_bias", "EPILOGUE_CLAMP_AUX_BIAS_EXT", 1<<17 | 132},
	{"sigmoid", "EPILOGUE_SIGMOID_EXT", 1 << 18}, {"sigmoid_bias", "EPILOGUE_SIGMOID_BIAS_EXT", 1<<18 | 4},
}

// The bits of the numbers of epilogues for further arrays.
const (
	bitBias     = 4
	bitGradient = 16 // of the bias
	bitAux      = 128
	bitsBiasOf  = 256 | 512 // the gradient of the bias of A or of B
)

// names lists the values of an enumeration under their names in options.
func names(list []value) []string {
	var all []string
	for _, v := range list {
		all = append(all, v.name)
	}
	return all
}

// find returns the number of a value by its name in options.
func find(list []value, name string) (int, bool) {
	for _, v := range list {
		if v.name == name {
			return v.number, true
		}
	}
	return 0, false
}

// named returns the name in options of a value in a trace; "" if there is none.
func named(list []value, trace string) string {
	for _, v := range list {
		if v.trace == trace {
			return v.name
		}
	}
	return ""
}

// Epilogues lists the names of epilogues.
func Epilogues() []string { return names(epilogues) }

// number returns the number of a value that has been checked.
func number(list []value, name string) int {
	n, _ := find(list, name)
	return n
}
