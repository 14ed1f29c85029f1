package routine

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
