package routine

import (
	"fmt"
	"math"
	"strings"
)

// CType returns the type of a parameter as the C header declares it, with arrays of pointers as pointers to pointers.
func (r *Routine) CType(p *Param) string {
	switch p.Kind {
	case Int32:
		return r.integer()
	case Int64:
		switch r.Library {
		case HipBLAS:
			return "hipblasStride"
		case HipSOLVER:
			return "long long"
		}
		return "rocblas_stride"
	case Uint32:
		return "uint32_t"
	case FixedInt32:
		return "int32_t"
	case Size:
		return "size_t"
	case Object:
		return p.Object
	case ArrayOfArrays:
		if p.Elem != OfArgument {
			return constant(p) + r.element(p.Elem) + "* const*"
		}
		return constant(p) + "void*"
	case Real:
		return r.element(OfReal)
	case Scalar, Array, Output:
		if p.Object != "" {
			return p.Object + "*"
		}
		return constant(p) + r.element(p.Elem) + "*"
	}
	if name, ok := layerTypes[p.Kind]; ok {
		return name
	}
	if name, ok := blasTypes[p.Kind]; ok && r.Library == HipBLAS {
		return name
	}
	return "rocblas_" + EnumName(p.Kind)
}

// layerTypes are the types of the enumerations of hipSOLVER.
var layerTypes = map[Kind]string{MatrixOperation: "hipsolverOperation_t", FillMode: "hipsolverFillMode_t",
	SideMode: "hipsolverSideMode_t", EigMode: "hipsolverEigMode_t", EigType: "hipsolverEigType_t",
	EigRange: "hipsolverEigRange_t", VectorLetter: "signed char", HipDatatype: "hipDataType",
	BlasCompute: "hipblasComputeType_t", BlasAlgo: "hipblasGemmAlgo_t", BlasFlags: "hipblasGemmFlags_t"}

// blasTypes are the types of the enumerations of hipBLAS.
var blasTypes = map[Kind]string{Operation: "hipblasOperation_t", Fill: "hipblasFillMode_t",
	Diagonal: "hipblasDiagType_t", SideKind: "hipblasSideMode_t"}

func constant(p *Param) string {
	if p.Access == In {
		return "const "
	}
	return ""
}

// integer returns the type of sizes, leading dimensions and increments.
func (r *Routine) integer() string {
	switch {
	case r.Wide:
		return "int64_t"
	case r.IsLayer():
		return "int"
	}
	return "rocblas_int"
}

func (r *Routine) element(e Element) string {
	t := r.Type
	switch {
	case e == OfArgument:
		return "void"
	case e == OfInt:
		return r.integer()
	case e == OfInt32 && r.IsLayer():
		return "int"
	case e == OfInt32:
		return "rocblas_int"
	case e == OfSingle:
		t = TypeS
	case e == OfReal && t == TypeC:
		t = TypeS
	case e == OfReal && t == TypeZ:
		t = TypeD
	}
	if name, ok := blasElements[t]; ok && r.Library == HipBLAS {
		return name
	}
	return map[Type]string{
		TypeS: "float", TypeD: "double", TypeC: "rocblas_float_complex", TypeZ: "rocblas_double_complex",
		TypeH: "rocblas_half", TypeBF: "rocblas_bfloat16",
	}[t]
}

// blasElements are the types of elements that hipBLAS names in another way than rocBLAS.
var blasElements = map[Type]string{TypeC: "hipComplex", TypeZ: "hipDoubleComplex", TypeH: "hipblasHalf",
	TypeBF: "hipblasBfloat16"}

// Declaration returns the C declaration of a routine.
func (r *Routine) Declaration() string {
	var b strings.Builder
	status, handle := "rocblas_status", "rocblas_handle"
	if r.IsLayer() {
		status, handle = r.Library.String()+"Status_t", r.Library.String()+"Handle_t"
	}
	b.WriteString(status + " " + r.CName() + "(" + handle + " handle")
	for i := range r.Params {
		p := &r.Params[i]
		b.WriteString(", " + r.CType(p) + " " + p.Name)
	}
	b.WriteString(")")
	return b.String()
}

// CheckRange checks that a value fits the C type of an integer parameter.
func (r *Routine) CheckRange(p *Param, v int64) error {
	if v >= 0 && v <= math.MaxInt32 { // it fits each of the types
		return nil
	}
	return r.checkBounds(p, v)
}

func (r *Routine) checkBounds(p *Param, v int64) error {
	low, high := r.bounds(p.Kind)
	if v >= low && v <= high {
		return nil
	}
	hint := ""
	if _, ok := Find(r.Library, r.Name+"_64"); ok && p.Kind == Int32 {
		hint = fmt.Sprintf("; %s.%s_64 takes 64-bit sizes", r.Library, r.Name)
	}
	if v < low && low == 0 {
		return fmt.Errorf("%d is negative, and %s is unsigned", v, r.CType(p))
	}
	return fmt.Errorf("%d does not fit the %s of %s (%d to %d)%s", v, r.CType(p), r.CName(), low, high, hint)
}

func (r *Routine) bounds(k Kind) (low, high int64) {
	switch {
	case k == Int32 && !r.Wide, k == FixedInt32:
		return math.MinInt32, math.MaxInt32
	case k == Uint32:
		return 0, math.MaxUint32
	case k == Size:
		return 0, math.MaxInt64
	}
	return math.MinInt64, math.MaxInt64
}
