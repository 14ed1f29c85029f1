package amd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/matmul"
	"roclua/hip/native"
	"roclua/hip/nogpu"
)

// BLASLt is an installed hipBLASLt on a device. It says which kernels it uses, and computes nothing. It is not for
// several goroutines at once.
type BLASLt struct {
	Path, Version string
	Arch          string // of the device
	Units         int    // its compute units

	library *dl.Library
	handle  uintptr
	reply   reply
}

// ltNames are the names of hipBLASLt.
var ltNames = []string{"libhipblaslt.so.1", "libhipblaslt.so.0", "libhipblaslt.so"}

const ltAdvice = "install hipBLASLt (libhipblaslt1 of Debian, hipblaslt of AMD's packages), or name its folder in " +
	EnvPath

// noBLASLt returns the error of a machine on which hipBLASLt cannot be used.
func noBLASLt(reason, advice string) error { return errors.New(reason + "\nto do: " + advice) }

// ltKernels are the files that decide which kernels hipBLASLt uses.
var ltKernels = kernelFolders{title: "hipBLASLt", variable: "HIPBLASLT_TENSILE_LIBPATH",
	below: []string{"hipblaslt/library"}}

// BLASLtWithoutGPU returns a HIP runtime that needs no GPU, for OpenBLASLt and devices of an architecture.
func BLASLtWithoutGPU(ctx context.Context, arch string) (string, error) {
	path := nogpu.Find(search().Candidates(ltNames...)...)
	if path == "" {
		return "", noBLASLt("no hipBLASLt was found: "+strings.Join(ltNames, ", "), ltAdvice)
	}
	if err := ltKernels.check(path, arch); err != nil {
		return "", err
	}
	return nogpu.Compile(ctx, path)
}

// OpenBLASLt opens hipBLASLt and makes a handle. runtime is the path of a HIP runtime, or "" for the one that the
// library finds.
func OpenBLASLt(runtime string) (*BLASLt, error) {
	if runtime != "" {
		if _, err := dl.Open(runtime); err != nil {
			return nil, err
		}
	}
	library, err := dl.Open(search().Candidates(ltNames...)...)
	if err != nil {
		return nil, noBLASLt("no hipBLASLt was found: "+err.Error(), ltAdvice)
	}
	// A lookup in a library finds the functions of the libraries that it needs, here of HIP.
	api := &native.API{Library: library, Platform: "amd", Prefix: "hip", NameAndArch: nameAndArch,
		Can: driver.Capabilities{KeepsErrors: true}}
	rt, err := native.Open(api, driver.Config{Devices: 1}, native.Plain)
	if err != nil {
		return nil, noBLASLt(err.Error(), "use a machine with an AMD GPU, or --without-gpu")
	}
	device := rt.Devices()[0].Properties()
	rt.Close()
	arch, _, _ := strings.Cut(device.Arch, ":")
	path := nogpu.Find(library.Path)
	if path != "" {
		if err := ltKernels.check(path, arch); err != nil {
			return nil, err
		}
	}
	l := &BLASLt{Path: cmp.Or(path, library.Path), Arch: arch, Units: device.Multiprocessors, library: library}
	if err := l.call("hipblasLtCreate", uintptr(unsafe.Pointer(&l.handle))); err != nil {
		return nil, err
	}
	var version int32
	if err := l.call("hipblasLtGetVersion", l.handle, uintptr(unsafe.Pointer(&version))); err != nil {
		return nil, err
	}
	l.Version = fmt.Sprintf("%d.%d.%d", version/100_000, version/100%1000, version%100)
	return l, nil
}

// Close destroys the handle.
func (l *BLASLt) Close() error { return l.call("hipblasLtDestroy", l.handle) }

// ltStatuses are the names of the statuses of hipBLAS, by number.
var ltStatuses = []string{"SUCCESS", "NOT_INITIALIZED", "ALLOC_FAILED", "INVALID_VALUE", "MAPPING_ERROR",
	"EXECUTION_FAILED", "INTERNAL_ERROR", "NOT_SUPPORTED", "ARCH_MISMATCH", "HANDLE_IS_NULLPTR", "INVALID_ENUM",
	"UNKNOWN"}

// statusError returns the error of a function of hipBLASLt that did not return success.
func statusError(function string, status int) error {
	if status < len(ltStatuses) {
		return fmt.Errorf("%s: HIPBLAS_STATUS_%s", function, ltStatuses[status])
	}
	return fmt.Errorf("%s: status %d", function, status)
}

// call calls a function that returns a hipblasStatus_t.
//
//go:uintptrescapes
func (l *BLASLt) call(name string, args ...uintptr) error {
	address, err := l.library.Symbol(name)
	if err != nil {
		return noBLASLt(err.Error(), "install a complete hipBLASLt in place of "+l.library.Path)
	}
	if status := int(int32(dl.CallWords(address, args))); status != 0 {
		return statusError(name, status)
	}
	return nil
}

type object struct {
	library *BLASLt
	kind    string // in the names of functions, such as "MatrixLayout"
	address uintptr
	err     error
}

// create makes an object, with at most four arguments.
func (l *BLASLt) create(kind string, args ...uintptr) *object {
	var words [4]uintptr
	copy(words[:], args)
	o := &object{library: l, kind: kind}
	o.err = l.call("hipblasLt"+kind+"Create", uintptr(unsafe.Pointer(&o.address)), words[0], words[1], words[2],
		words[3])
	return o
}

// destroy destroys the object, if it was made.
func (o *object) destroy() error {
	if o.address == 0 {
		return nil
	}
	return o.library.call("hipblasLt"+o.kind+"Destroy", o.address)
}

// set sets attributes until one fails.
func (o *object) set(list ...attribute) {
	for _, a := range list {
		if o.err == nil {
			o.err = o.library.call("hipblasLt"+o.kind+"SetAttribute", o.address, uintptr(a.number),
				uintptr(unsafe.Pointer(&a.value)), uintptr(a.bytes))
		}
	}
}

type attribute struct {
	number, bytes int
	value         uint64
}

// The numbers of attributes in hipblaslt.h.
const (
	layoutBatch  = 0
	layoutStride = 1

	preferenceMaxBytes = 1

	descTransA, descTransB         = 0, 1
	descEpilogue                   = 2
	descBias, descBiasType         = 3, 4
	descScaleA                     = 5 // scales of B, C and D follow
	descAux, descAuxLead           = 10, 11
	descAuxStride                  = 12
	descPointerMode, descMaxD      = 13, 14
	descAuxType                    = 22
	descScaleModeA, descScaleModeB = 31, 32
)

// Values of attributes.
const (
	scaleVector = 3 // one factor for each row of A or column of B
	alphaVector = 4 // alpha is an array of the device
	anyAddress  = 1 << 16
)

// attributes lists the attributes of a product. Arrays have an address, which is not read.
func attributes(p *matmul.Product) []attribute {
	list := []attribute{{descTransA, 4, operation(p.TransA)}, {descTransB, 4, operation(p.TransB)},
		{descEpilogue, 4, uint64(p.EpilogueNumber())}}
	if p.HasBias() {
		list = append(list, attribute{descBias, 8, anyAddress})
	}
	if p.Bias != "" {
		list = append(list, attribute{descBiasType, 4, uint64(matmul.TypeNumber(p.Bias))})
	}
	if p.HasAux() {
		list = append(list, attribute{descAux, 8, anyAddress}, attribute{descAuxLead, 8, uint64(p.Lead[matmul.D])},
			attribute{descAuxStride, 8, uint64(p.Stride[matmul.D])})
	}
	if p.Aux != "" {
		list = append(list, attribute{descAuxType, 4, uint64(matmul.TypeNumber(p.Aux))})
	}
	for i, scaled := range []bool{p.ScaleA != matmul.NoScale, p.ScaleB != matmul.NoScale, p.ScaleC, p.ScaleD} {
		if scaled {
			list = append(list, attribute{descScaleA + i, 8, anyAddress})
		}
	}
	for i, scale := range []matmul.Scale{p.ScaleA, p.ScaleB} {
		if scale == matmul.Vector {
			list = append(list, attribute{descScaleModeA + i, 4, scaleVector})
		}
	}
	if p.ScaleAlpha {
		list = append(list, attribute{descPointerMode, 4, alphaVector})
	}
	if p.MaxD {
		list = append(list, attribute{descMaxD, 8, anyAddress})
	}
	return list
}

// operation returns the number of an operation on a matrix.
func operation(letter byte) uint64 {
	switch letter {
	case 'T':
		return 112
	case 'C':
		return 113
	}
	return 111
}

// reply is hipBLASLt's answer to a request: a hipblasLtMatmulHeuristicResult_t, and how many there are.
type reply struct {
	algorithm struct {
		solution  int32
		others    [12]byte
		workspace uint64
	}
	bytes    uint64
	status   int32
	waves    float32
	reserved [4]int32
	count    int32
}

// Kernel returns the kernel of a product with a number of free bytes; nil if there is none.
func (l *BLASLt) Kernel(p *matmul.Product, free uint64) (k *matmul.Kernel, err error) {
	desc := l.create("MatmulDesc", uintptr(p.ComputeNumber()), uintptr(matmul.TypeNumber(p.Scale)))
	desc.set(attributes(p)...)
	preference := l.create("MatmulPreference")
	preference.set(attribute{preferenceMaxBytes, 8, free})
	objects := []*object{desc}
	for i := range p.Types {
		rows, columns := p.Size(i)
		layout := l.create("MatrixLayout", uintptr(matmul.TypeNumber(p.Types[i])), uintptr(rows), uintptr(columns),
			uintptr(p.Lead[i]))
		if p.Batch != 1 {
			layout.set(attribute{layoutBatch, 4, uint64(p.Batch)}, attribute{layoutStride, 8, uint64(p.Stride[i])})
		}
		objects = append(objects, layout)
	}
	objects = append(objects, preference)
	args := []uintptr{l.handle}
	for _, o := range objects {
		args = append(args, o.address)
		err = errors.Join(err, o.err)
	}
	if err == nil {
		k, err = l.first(args)
	}
	for _, o := range objects {
		err = errors.Join(err, o.destroy())
	}
	return k, err
}

// first returns the best kernel of a request.
func (l *BLASLt) first(args []uintptr) (*matmul.Kernel, error) {
	const function = "hipblasLtMatmulAlgoGetHeuristic"
	a := &l.reply
	*a = reply{}
	err := l.call(function, append(args, 1, uintptr(unsafe.Pointer(a)), uintptr(unsafe.Pointer(&a.count)))...)
	if err == nil && a.count > 0 && a.status != 0 {
		err = statusError(function, int(a.status))
	}
	if err != nil || a.count == 0 {
		return nil, err
	}
	return matmul.NewKernel(int(a.algorithm.solution), l.name(), a.bytes), nil
}

// The C++ functions that the name of a kernel needs, as the compiler spells them.
const (
	solutionName = "_ZN13hipblaslt_ext23getSolutionNameFromAlgoB5cxx11EPvR22_hipblasLtMatmulAlgo_t"
	freeMemory   = "_ZdlPv"
)

// name returns the name of the kernel in the reply; "" if the library cannot say it. It is a std::string: an address,
// a length, and 16 bytes that have short texts, to which the address then points.
func (l *BLASLt) name() string {
	function, err1 := l.library.Symbol(solutionName)
	free, err2 := l.library.Symbol(freeMemory)
	if err1 != nil || err2 != nil {
		return ""
	}
	var text struct {
		address *byte
		length  int
		short   [16]byte
	}
	dl.Call(function, uintptr(unsafe.Pointer(&text)), l.handle, uintptr(unsafe.Pointer(&l.reply.algorithm)))
	name := string(unsafe.Slice(text.address, text.length))
	if text.address != &text.short[0] {
		dl.Call(free, uintptr(unsafe.Pointer(text.address)))
	}
	return name
}
