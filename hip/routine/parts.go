package routine

import (
	"slices"
	"strings"
)

// The functions that most declarations call are not inlined: the initialization of the package would be one huge
// function, which a browser compiles for a second.

//go:noinline
func single(p Param) part { return func(*Family, Variant) []Param { return []Param{p} } }

func several(parts ...part) part {
	return func(f *Family, v Variant) []Param {
		var list []Param
		for _, p := range parts {
			list = append(list, p(f, v)...)
		}
		return list
	}
}

// byValue declares an argument that is passed by value: an integer, an enumeration or a real. It has the usual name of
// its slot.
//
//go:noinline
func byValue(s Slot, kind Kind, about string) part {
	return single(Param{Name: slotName(s), Slot: s, Kind: kind, About: about})
}

// dim declares a size.
func dim(s Slot, about string) part { return byValue(s, Int32, about) }

// rowsAndColumns declares the sizes of a general matrix.
func rowsAndColumns(matrix string) part {
	return several(dim(M, "rows of "+matrix), dim(N, "columns of "+matrix))
}

func side(about string) part { return byValue(Side, SideKind, about) }

func uplo(about string) part { return byValue(Uplo, Fill, about) }

func diag() part {
	return withDefault(DiagonalNonUnit, byValue(Diag, Diagonal, "whether the diagonal is taken as ones"))
}

// evect declares whether eigenvectors of a full matrix are computed.
func evect() part {
	return accepting(byValue(Evect, EigenvectorJob, "whether eigenvectors are computed"), EvectOriginal, EvectNone)
}

func erange() part { return byValue(Erange, EigenvalueRange, "which eigenvalues") }

func abstol() part { return byValue(Abstol, Real, "tolerance") }

// rangeBounds declares the range of eigenvalues or singular values, by value and by index.
func rangeBounds() part {
	return several(byValue(LowerBound, Real, "lower end"), byValue(UpperBound, Real, "upper end"),
		withDefault(0, dim(LowerIndex, "first index")), withDefault(0, dim(UpperIndex, "last index")))
}

// jacobiSweeps declares the arguments of Jacobi's method.
func jacobiSweeps() part {
	return several(abstol(), flat(contiguous(Residual, OfReal, length1, Out, "norm of the residual")),
		withDefault(100, dim(MaxSweeps, "sweeps at most")), flat(contiguous(Sweeps, OfInt, length1, Out, "sweeps")))
}

// unconverged declares the list of vectors that did not converge.
func unconverged(length Extent) part {
	return flat(contiguous(Ifail, OfInt, length, Out, "vectors that did not converge"))
}

func direct() part {
	return withDefault(DirectForward, byValue(Direct, Direction, "order of the reflections in the product"))
}

func storev() part {
	return withDefault(StorevColumns, byValue(Storev, Storage, "whether the vectors are columns or rows"))
}

func operation(name string, s Slot, about string) part {
	return withDefault(OperationNone, named(name, byValue(s, Operation, about)))
}

//go:noinline
func scalar(s Slot, elem Element, about string) part {
	p := Param{Name: slotName(s), Slot: s, Kind: Scalar, Access: In, Elem: elem, About: about}
	p.fallback.rule = scalarZero
	if s == Alpha || s == Cosine {
		p.fallback.rule = scalarOne
	}
	return single(p)
}

func alpha() part { return scalar(Alpha, OfType, "factor of the product") }

func beta() part { return scalar(Beta, OfType, "factor of the old result; 0 means it is not read") }

// batchCount declares the number of problems, which plain routines do not have.
func batchCount() part {
	count := withDefault(1, byValue(BatchCount, Int32, "number of problems"))
	return func(f *Family, v Variant) []Param {
		if v == Plain {
			return nil
		}
		return count(f, v)
	}
}

// object declares a handle of an object of the library, with its C type.
func object(s Slot, cType, about string) part {
	return single(Param{Name: slotName(s), Slot: s, Kind: Object, Object: cType, About: about})
}

// edit returns a part whose first parameter is changed.
//
//go:noinline
func edit(p part, change func(*Param)) part {
	return func(f *Family, v Variant) []Param {
		list := p(f, v)
		change(&list[0])
		return list
	}
}

// named gives the first parameter of a part another name than the usual one.
//
//go:noinline
func named(name string, p part) part { return edit(p, func(q *Param) { q.Name = name }) }

// withDefault gives an argument a default.
//
//go:noinline
func withDefault(v int64, p part) part {
	return edit(p, func(q *Param) { q.fallback = fallback{rule: fixed, value: v} })
}

// accepting restricts an enumeration to some of its values.
func accepting(p part, values ...int64) part { return edit(p, func(q *Param) { q.Values = values }) }

// following gives a datatype argument the datatype of another argument as its default.
func following(s Slot, p part) part {
	return edit(p, func(q *Param) { q.fallback = fallback{rule: follows, slot: s} })
}

// followingReal gives a datatype argument the real type of another argument's datatype as its default.
func followingReal(s Slot, p part) part {
	return edit(p, func(q *Param) { q.fallback = fallback{rule: followsReal, slot: s} })
}

// matrix declares a column-major matrix: the array, its leading dimension, and its stride in the strided form.
//
//go:noinline
func matrix(s Slot, layout Layout, rows, cols Extent, access Access, about string) part {
	return func(f *Family, v Variant) []Param {
		name := f.arrayName(s)
		p := Param{Name: name, Slot: s, Access: access, Layout: layout, Rows: rows, Cols: cols, About: about}
		list := []Param{completeArray(p, v)}
		if layout != Packed {
			ld := "ld" + name
			if len(name) == 1 {
				ld = strings.ToLower(ld)
			}
			list = append(list, Param{Name: ld, Slot: slots[s].ld, Kind: Int32, Role: LeadingDimension, Of: s,
				About: "leading dimension of " + name})
		}
		return appendStride(list, f, v, s)
	}
}

// spread gives the elements of a column of a matrix an increment, which the header puts behind the array.
func spread(s Slot, p part) part {
	return func(f *Family, v Variant) []Param {
		list := p(f, v)
		name := strings.ToLower(list[0].Name)
		return slices.Insert(list, 1, Param{Name: "inc" + name, Slot: slots[s].inc, Kind: Int32, Role: Increment,
			Of: s, About: "distance of two elements of a column of " + list[0].Name})
	}
}

// vector declares a vector: the array, its increment, and its stride in the strided form.
func vector(s Slot, length Extent, access Access, about string) part {
	return func(f *Family, v Variant) []Param {
		name := f.arrayName(s)
		list := []Param{
			completeArray(Param{Name: name, Slot: s, Access: access, Layout: Vector, Rows: length, About: about}, v),
			{Name: "inc" + name, Slot: slots[s].inc, Kind: Int32, Role: Increment, Of: s,
				About: "distance of two elements of " + name},
		}
		return appendStride(list, f, v, s)
	}
}

// contiguous declares an array without gaps, with a stride between problems in the strided form if its slot has one.
//
//go:noinline
func contiguous(s Slot, elem Element, length Extent, access Access, about string) part {
	return func(f *Family, v Variant) []Param {
		p := Param{Name: f.arrayName(s), Slot: s, Access: access, Elem: elem, Layout: Contiguous, Rows: length,
			About: about}
		return appendStride([]Param{completeArray(p, v)}, f, v, s)
	}
}

// flat declares an array that has a stride in both batch forms: it never is an array of pointers.
//
//go:noinline
func flat(p part) part {
	return func(f *Family, v Variant) []Param {
		if v == Batched {
			v = StridedBatched
		}
		return p(f, v)
	}
}

// withStride gives the stride of an array another name than the usual one.
func withStride(name string, p part) part {
	return func(f *Family, v Variant) []Param {
		list := p(f, v)
		if last := &list[len(list)-1]; last.Role == Stride {
			last.Name = name
		}
		return list
	}
}

// completeArray completes an array parameter: in the batched form it is an array of pointers.
func completeArray(p Param, v Variant) Param {
	p.Kind = Array
	if v == Batched {
		p.Kind = ArrayOfArrays
	}
	return p
}

func appendStride(list []Param, f *Family, v Variant, s Slot) []Param {
	if v != StridedBatched || slots[s].stride == 0 {
		return list
	}
	array := f.arrayName(s)
	name := slots[s].strideName
	if name == "" {
		name = f.strides.name(array)
	}
	return append(list, Param{Name: name, Slot: slots[s].stride, Kind: Int64, Role: Stride, Of: s,
		About: "distance of two problems' " + array + ", in elements"})
}

// pivots declares ipiv.
//
//go:noinline
func pivots(elem Element, length Extent, access Access, about string) part {
	return flat(contiguous(Ipiv, elem, length, access, about))
}

// result declares the result of a reduction, one per problem.
func result(plain, batch string, elem Element, about string) part {
	return func(_ *Family, v Variant) []Param {
		name := plain
		if v != Plain {
			name = batch
		}
		return []Param{{Name: name, Slot: Result, Kind: Output, Access: Out, Elem: elem, Layout: Contiguous,
			Rows:  length1,
			About: about}}
	}
}

// typed inserts the argument that gives an array's datatype behind the array.
func typed(s Slot, p part) part {
	return func(f *Family, v Variant) []Param {
		list := ofArgument(s, p)(f, v)
		datatype := Param{Name: strings.ToLower(list[0].Name) + "_type", Slot: s, Kind: Datatype,
			About: "datatype of " + list[0].Name}
		return slices.Insert(list, 1, datatype)
	}
}

// typedAs is typed for an array that has by default the datatype of another argument.
func typedAs(s, other Slot, p part) part {
	return func(f *Family, v Variant) []Param {
		list := typed(s, p)(f, v)
		list[1].fallback = fallback{rule: follows, slot: other}
		return list
	}
}

// ofArgument says that a datatype argument decides the type of an array, a scalar or a result.
func ofArgument(s Slot, p part) part {
	return edit(p, func(q *Param) { q.Elem, q.Type = OfArgument, s })
}

// partly declares when a call reads only a part of an array.
func partly(test func(*Args) bool, p part) part {
	return edit(p, func(q *Param) { q.hasUnread = test })
}

// unreadWhenZero names the scalar that, if zero, leaves a matrix unread, where that is not alpha.
func unreadWhenZero(s Slot, p part) part {
	return edit(p, func(q *Param) { q.Factor = s })
}

// The arguments of several families.
var (
	// scalarsOut are the scalars of the reflections of a factorization.
	scalarsOut = named("tau", pivots(OfType, smaller(M, N), Out, "the reflections' scalars"))

	// tridiagonalOut are the results of sytrd.
	tridiagonalOut = several(contiguous(VecD, OfReal, n, Out, "diagonal"),
		contiguous(VecE, OfReal, minusOne(N), Out, "other diagonal"),
		contiguous(Tau, OfType, minusOne(N), Out, "the reflections' scalars"))

	// scalarsOfSide are the scalars of the reflections of one side of gebrd.
	scalarsOfSide = named("tau", pivots(OfType, Extent{"min(side is left ? m : n, k)", func(a *Args) int64 {
		if a.Int(Side) == SideRight {
			return min(a.Int(N), a.Int(K))
		}
		return min(a.Int(M), a.Int(K))
	}}, In, "the reflections' scalars"))

	// bufferOnly is the buffer of a hipSOLVER call.
	bufferOnly = named("work", single(Param{Slot: Work, Kind: Array, Access: InOut, Layout: Contiguous,
		Rows: layerBuffer, About: "the buffer; the call provides one if it is null"}))

	layerBuffer = Extent{"lwork", func(a *Args) int64 { return a.Int(Lwork) }}
)

// scalarsOfOrder declares the scalars of reflections, as many as an order.
func scalarsOfOrder(length Extent) part {
	return named("tau", pivots(OfType, length, In, "the reflections' scalars"))
}

var (
	m, n, k, nrhs = sizeOf(M), sizeOf(N), sizeOf(K), sizeOf(NRHS)

	length1 = Extent{"1", func(*Args) int64 { return 1 }}

	// lessThanSmaller is the length of the other diagonal of a bidiagonal matrix.
	lessThanSmaller = Extent{"min(m, n)-1", func(a *Args) int64 { return min(a.Int(M), a.Int(N)) - 1 }}

	// orderBySide is the order of a square factor of a matrix of m rows and n columns.
	orderBySide = bySide(M, N)
)

// sizeOf is a dimension that an argument gives.
func sizeOf(s Slot) Extent { return Extent{slotName(s), func(a *Args) int64 { return a.Int(s) }} }

// plusOne is a dimension that is one larger than an argument.
func plusOne(s Slot) Extent {
	return Extent{slotName(s) + "+1", func(a *Args) int64 { return a.Int(s) + 1 }}
}

// minusOne is a dimension that is one smaller than an argument.
func minusOne(s Slot) Extent {
	return Extent{slotName(s) + "-1", func(a *Args) int64 { return a.Int(s) - 1 }}
}

// twice is a dimension that is two times an argument.
func twice(s Slot) Extent {
	return Extent{"2*" + slotName(s), func(a *Args) int64 { return 2 * a.Int(s) }}
}

// smaller is the smaller of two dimensions.
func smaller(s, t Slot) Extent {
	return Extent{
		"min(" + slotName(s) + ", " + slotName(t) + ")",
		func(a *Args) int64 { return min(a.Int(s), a.Int(t)) },
	}
}

// larger is the larger of two dimensions.
func larger(s, t Slot) Extent {
	return Extent{
		"max(" + slotName(s) + ", " + slotName(t) + ")",
		func(a *Args) int64 { return max(a.Int(s), a.Int(t)) },
	}
}

// byOperation is one dimension when an operand is taken as it is, another when it is transposed.
func byOperation(trans, asIs, transposed Slot) Extent {
	text := slotName(trans) + " is none ? " + slotName(asIs) + " : " + slotName(transposed)
	return Extent{text, func(a *Args) int64 {
		if a.Int(trans) == OperationNone {
			return a.Int(asIs)
		}
		return a.Int(transposed)
	}}
}

// bySide is one dimension when the matrix is the left factor, another when it is the right one.
func bySide(left, right Slot) Extent {
	return Extent{"side is left ? " + slotName(left) + " : " + slotName(right), func(a *Args) int64 {
		if a.Int(Side) == SideLeft {
			return a.Int(left)
		}
		return a.Int(right)
	}}
}

// byStorage is one dimension when the vectors of reflections are columns, another when they are rows.
func byStorage(text string, columns, rows Extent) Extent {
	return Extent{text, func(a *Args) int64 {
		if a.Int(Storev) == StorevRows {
			return rows.Of(a)
		}
		return columns.Of(a)
	}}
}
