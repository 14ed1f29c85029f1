package routine

import (
	"slices"
	"strings"
)

// A part is one argument of the mathematics, a matrix say, as a family declares it; it expands to the parameters that
// a variant of the routine takes for it: A and lda, and in the strided form its stride.
type part func(f *Family, v Variant) []Param

// strideStyle is the way a header spells strides: strideA, stride_A or stride_a.
type strideStyle uint8

const (
	joined     strideStyle = iota // strideA, stridex
	underscore                    // stride_A, stride_x
	lower                         // stride_a; stride_invA keeps its capital
)

func (s strideStyle) name(array string) string {
	switch {
	case s == joined:
		return "stride" + array
	case s == lower && len(array) == 1:
		return "stride_" + strings.ToLower(array)
	}
	return "stride_" + array
}

func single(p Param) part { return func(*Family, Variant) []Param { return []Param{p} } }

func dim(s Slot, about string) part {
	return single(Param{Name: dimName[s], Slot: s, Kind: Int32, About: about})
}

var dimName = map[Slot]string{M: "m", N: "n", K: "k", NRHS: "nrhs"}

func side(about string) part {
	return single(Param{Name: "side", Slot: Side, Kind: SideKind, About: about})
}

func uplo(about string) part {
	return single(Param{Name: "uplo", Slot: Uplo, Kind: Fill, About: about})
}

func diag() part {
	return single(Param{Name: "diag", Slot: Diag, Kind: Diagonal, About: "whether the diagonal is taken as ones"})
}

func operation(name string, s Slot, about string) part {
	return single(Param{Name: name, Slot: s, Kind: Operation, About: about})
}

func scalar(s Slot, elem Element, about string) part {
	name := "alpha"
	if s == Beta {
		name = "beta"
	}
	return single(Param{Name: name, Slot: s, Kind: Scalar, Access: In, Elem: elem, About: about})
}

func alpha() part { return scalar(Alpha, OfType, "factor of the product") }
func beta() part  { return scalar(Beta, OfType, "factor of the old result; 0 means it is not read") }

// typed inserts the argument that says what an array holds behind the array.
func typed(s Slot, p part) part {
	return func(f *Family, v Variant) []Param {
		list := ofArgument(s, p)(f, v)
		datatype := Param{Name: list[0].Name + "_type", Slot: s, Kind: Datatype, About: "datatype of " + list[0].Name}
		return slices.Insert(list, 1, datatype)
	}
}

// ofArgument says that a datatype argument decides what an array, a scalar or a result holds.
func ofArgument(s Slot, p part) part {
	return func(f *Family, v Variant) []Param {
		list := p(f, v)
		list[0].Elem, list[0].Type = OfArgument, s
		return list
	}
}

// unreadWhenZero names the scalar that makes a matrix unread by being zero, where that is not alpha.
func unreadWhenZero(s Slot, p part) part {
	return func(f *Family, v Variant) []Param {
		list := p(f, v)
		list[0].Factor = s
		return list
	}
}

func option(name string, s Slot, kind Kind, about string) part {
	return single(Param{Name: name, Slot: s, Kind: kind, About: about})
}

// slots of an array's companions.
var companions = map[Slot]struct{ ld, inc, stride Slot }{
	A:    {ld: LDA, stride: StrideA},
	B:    {ld: LDB, stride: StrideB},
	C:    {ld: LDC, stride: StrideC},
	D:    {ld: LDD, stride: StrideD},
	InvA: {ld: LDInvA, stride: StrideInvA},
	X:    {inc: IncX, stride: StrideX},
	Y:    {inc: IncY, stride: StrideY},
	Ipiv: {stride: StrideP},
}

var arrayName = map[Slot]string{A: "A", B: "B", C: "C", D: "D", InvA: "invA", X: "x", Y: "y", Ipiv: "ipiv"}

// arrayName returns what the header calls an array.
func (f *Family) arrayName(s Slot) string {
	if f.lowercase {
		return strings.ToLower(arrayName[s])
	}
	return arrayName[s]
}

// matrix declares a column-major matrix: the array, its leading dimension, and its stride in the strided form.
func matrix(s Slot, layout Layout, rows, cols Extent, access Access, about string) part {
	return func(f *Family, v Variant) []Param {
		name := f.arrayName(s)
		list := []Param{array(Param{Name: name, Slot: s, Access: access, Layout: layout, Rows: rows, Cols: cols, About: about}, v)}
		if layout != Packed {
			ld := "ld" + name
			if s != InvA {
				ld = strings.ToLower(ld)
			}
			list = append(list, Param{Name: ld, Slot: companions[s].ld, Kind: Int32, Of: s, About: "leading dimension of " + name})
		}
		return appendStride(list, f, v, s)
	}
}

// vector declares a vector: the array, its increment, and its stride in the strided form.
func vector(s Slot, length Extent, access Access, about string) part {
	return func(f *Family, v Variant) []Param {
		name := arrayName[s]
		list := []Param{
			array(Param{Name: name, Slot: s, Access: access, Layout: Vector, Rows: length, About: about}, v),
			{Name: "inc" + name, Slot: companions[s].inc, Kind: Int32, Of: s, About: "distance of two elements of " + name},
		}
		return appendStride(list, f, v, s)
	}
}

// array completes an array parameter: in the batched form it is an array of pointers.
func array(p Param, v Variant) Param {
	p.Kind = Array
	if v == Batched {
		p.Kind = ArrayOfArrays
	}
	return p
}

func appendStride(list []Param, f *Family, v Variant, s Slot) []Param {
	if v != StridedBatched {
		return list
	}
	name := f.arrayName(s)
	return append(list, Param{Name: f.strides.name(name), Slot: companions[s].stride, Kind: Int64, Of: s,
		About: "distance of two problems' " + name + ", in elements"})
}

// pivots declares ipiv, which lies contiguous for each problem and has a stride in both batch forms.
func pivots(elem Element, length Extent, access Access, about string) part {
	return func(_ *Family, v Variant) []Param {
		list := []Param{{Name: "ipiv", Slot: Ipiv, Kind: Array, Access: access, Elem: elem, Layout: Contiguous, Rows: length, About: about}}
		if v != Plain {
			list = append(list, Param{Name: "strideP", Slot: StrideP, Kind: Int64, Of: Ipiv, About: "distance of two problems' ipiv, in elements"})
		}
		return list
	}
}

func info() part {
	return single(Param{Name: "info", Slot: Info, Kind: Array, Access: Out, Elem: OfInt, Layout: Contiguous, Rows: one,
		About: "0, or the 1-based place where the factorization met a zero or a non-positive pivot; one per problem"})
}

// result declares the result of a reduction, one per problem.
func result(plain, batch string, elem Element, about string) part {
	return func(_ *Family, v Variant) []Param {
		name := plain
		if v != Plain {
			name = batch
		}
		return []Param{{Name: name, Slot: Result, Kind: Output, Access: Out, Elem: elem, Layout: Contiguous, Rows: one, About: about}}
	}
}

// batchCount declares the number of problems, which plain routines do not have.
func batchCount() part {
	return func(_ *Family, v Variant) []Param {
		if v == Plain {
			return nil
		}
		return []Param{{Name: "batch_count", Slot: BatchCount, Kind: Int32, About: "number of problems"}}
	}
}
