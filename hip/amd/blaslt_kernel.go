package amd

import (
	"errors"
	"unsafe"

	"roclua/hip/dl"
	"roclua/hip/matmul"
)

// reply is what hipBLASLt writes for a request: a hipblasLtMatmulHeuristicResult_t, and how many there are.
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
		err = &LtStatus{function, int(a.status)}
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
