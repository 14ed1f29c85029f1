package routine

// operations counts the floating-point operations of a call on one problem of real numbers, a product and a sum each.
// The counts of BLAS are those that benchmarks of BLAS use. The counts of LAPACK are the terms of highest order in
// LAPACK Working Note 41; gels and ormbr count their parts. A family without a count has no standard one, such as an
// iteration whose steps depend on the numbers.
type operations func(a *Args) float64

// Operations returns the floating-point operations of a call with all its problems; 0 if there is no standard count. A
// complex product and sum count as four of each.
func (a *Args) Operations() float64 {
	count := a.Routine.Family.operations
	if count == nil {
		return 0
	}
	n := count(a) * float64(a.Batch())
	if IsComplexDatatype(a.Operands()) {
		n *= 4
	}
	return n
}

// Operands returns the datatype of the first array of the call; 0 for a call without arrays.
func (a *Args) Operands() int64 {
	for i := range a.Routine.Params {
		if p := &a.Routine.Params[i]; p.Kind == Array || p.Kind == ArrayOfArrays {
			return a.Datatype(p)
		}
	}
	return 0
}

func size(a *Args, s Slot) float64 { return float64(a.Int(s)) }
func square(n float64) float64     { return n * n }

// perElement is a number of operations for each element of a vector.
func perElement(n float64) operations {
	return func(a *Args) float64 { return n * size(a, N) }
}

// perEntry is a number of operations for each entry of an m x n matrix.
func perEntry(n float64) operations {
	return func(a *Args) float64 { return n * size(a, M) * size(a, N) }
}

// ofOrder is a number of operations for each entry of a square matrix.
func ofOrder(n float64) operations {
	return func(a *Args) float64 { return n * square(size(a, N)) }
}

// cubic is a multiple of the cube of the order.
func cubic(factor float64) operations {
	return func(a *Args) float64 { return factor * square(size(a, N)) * size(a, N) }
}

func product(a *Args) float64 { return 2 * size(a, M) * size(a, N) * size(a, K) }

// triangleOfProduct is a product of n x k and k x n matrices in one triangle.
func triangleOfProduct(a *Args) float64 { return size(a, K) * size(a, N) * (size(a, N) + 1) }

// rank2KProduct is the sum of two such products.
func rank2KProduct(a *Args) float64 { return 2 * size(a, N) * size(a, N) * size(a, K) }

// bySquare is a number of operations for each entry of the square matrix and each row or column that it multiplies.
func bySquare(n float64) operations {
	return func(a *Args) float64 { return n * square(sideOrder(a)) * otherSide(a) }
}

// together is the sum of two counts.
func together(first, second operations) operations {
	return func(a *Args) float64 { return first(a) + second(a) }
}

// sideOrder returns the order of the square matrix of a product or a solve.
func sideOrder(a *Args) float64 {
	if a.Int(Side) == SideLeft {
		return size(a, M)
	}
	return size(a, N)
}

// otherSide returns the other dimension of the matrix that sideOrder's is multiplied with.
func otherSide(a *Args) float64 {
	if a.Int(Side) == SideLeft {
		return size(a, N)
	}
	return size(a, M)
}

func solve(a *Args) float64 { return 2 * square(size(a, N)) * size(a, NRHS) }

// lu and qr count for the longer and the shorter side.
func lu(a *Args) float64 { return getrf(size(a, M), size(a, N)) }

func qr(a *Args) float64 { return 2 * lu(a) }

func getrf(m, n float64) float64 {
	short := min(m, n)
	return square(short) * (max(m, n) - short/3)
}

func formQ(a *Args) float64 { return orgqr(size(a, M), size(a, N), size(a, K)) }

// orgqr counts for m x n elements of a product of k reflections.
func orgqr(m, n, k float64) float64 { return 4*m*n*k - 2*(m+n)*k*k + 4*k*k*k/3 }

func productWithQ(a *Args) float64 { return ormqr(sideOrder(a), otherSide(a), size(a, K)) }

// ormqr counts for a product of Q, of an order and of k reflections, with a matrix whose other side is given.
func ormqr(order, other, k float64) float64 { return 4*order*other*k - 2*other*k*k }

func formOfTridiagonal(a *Args) float64 {
	order := size(a, N) - 1
	return orgqr(order, order, order)
}

func productOfTridiagonal(a *Args) float64 {
	order := sideOrder(a) - 1
	return ormqr(order, otherSide(a), order)
}

// formOfBidiagonal counts for Q or P of gebrd, which lacks a row and a column if the matrix was not long enough.
func formOfBidiagonal(a *Args) float64 {
	m, n, k := size(a, M), size(a, N), size(a, K)
	order := m
	if a.Int(Storev) != StorevColumns {
		order = n
	}
	if order >= k && (a.Int(Storev) == StorevColumns || order > k) {
		return orgqr(m, n, k)
	}
	return orgqr(order-1, order-1, order-1)
}

func productOfBidiagonal(a *Args) float64 {
	order, k := sideOrder(a), size(a, K)
	if order > k || order == k && a.Int(Storev) == StorevColumns {
		return ormqr(order, otherSide(a), k)
	}
	return ormqr(order-1, otherSide(a), order-1)
}

// leastSquares counts a factorization, a product with Q and a triangular solve.
func leastSquares(a *Args) float64 {
	long, short := max(size(a, M), size(a, N)), min(size(a, M), size(a, N))
	return qr(a) + ormqr(long, size(a, NRHS), short) + square(short)*size(a, NRHS)
}

// band counts a product and a sum for each entry of an m x n matrix with kl diagonals below the main one and ku above.
func band(a *Args) float64 {
	m, n := size(a, M), size(a, N)
	return 2 * (m*n - corner(m-size(a, KL)-1, n) - corner(n-size(a, KU)-1, m))
}

// corner returns the entries of a triangular corner with a number of rows, in a matrix with a number of columns.
func corner(rows, cols float64) float64 {
	rows = max(0, rows)
	cols = min(rows, cols)
	return cols*rows - cols*(cols-1)/2
}

// bandEntries returns the entries in one triangle of a matrix with k diagonals next to the main one.
func bandEntries(a *Args) float64 {
	n := size(a, N)
	return n*(n+1)/2 - corner(n-size(a, K)-1, n)
}

func symmetricBand(a *Args) float64 { return 4*bandEntries(a) - 2*size(a, N) }

func triangularBand(a *Args) float64 { return 2*bandEntries(a) - size(a, N) }
