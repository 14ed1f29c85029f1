package amd

import (
	"unsafe"

	"roclua/hip/matmul"
)

// object is an object of hipBLASLt.
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

// attribute is the value of an attribute.
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
