package dense

// Orthogonal returns a random matrix with orthonormal columns, or with orthonormal rows if it has more columns than
// rows. Square ones are distributed evenly over the orthogonal or unitary group if normal returns independent numbers
// with a normal distribution.
func Orthogonal[T Number](rows, cols int, normal func() T, m Meter) Matrix[T] {
	if rows < cols {
		return Transposed(Orthogonal(cols, rows, normal, m), true, m)
	}
	a := random(rows, cols, normal, m)
	tau := Factor(a, m)
	q := FormQ(a, tau, cols, m)
	for j := range cols {
		// The factorization is unique if the diagonal of R is positive. Its diagonal is real.
		if Real(a.At(j, j)) < 0 {
			column := q.Column(j)
			for i := range column {
				column[i] = -column[i]
			}
		}
	}
	return q
}

// PositiveDefinite returns G G^H / n + I for a random G of order n: a Hermitian matrix whose eigenvalues are between 1
// and a small number.
func PositiveDefinite[T Number](n int, next func() T, m Meter) Matrix[T] {
	g, a := random(n, n, next, m), identity[T](n, m)
	Multiply(FromReal[T](1/float64(max(n, 1))), None, g, ConjTrans, g, 1, a, m)
	return Hermitian(a, false, m)
}

// random returns a matrix of random numbers, column by column.
func random[T Number](rows, cols int, next func() T, m Meter) Matrix[T] {
	a := New[T](rows, cols, m)
	for i := range a.Data {
		if i%1024 == 0 {
			m.Step(1024)
		}
		a.Data[i] = next()
	}
	return a
}
