package blas

// at returns op(A)(i, j).
func (m Matrix[T]) at(op Op, i, j int) T {
	if op == None {
		return m.At(i, j)
	}
	return m.At(j, i)
}

// Add stores alpha op(A) + beta op(B) in C, m x n, which may be A or B. A matrix whose factor is 0 is not read.
func Add[T Number](opA, opB Op, m, n int, alpha T, a Matrix[T], beta T, b, c Matrix[T]) {
	for j := range n {
		for i := range m {
			var sum T
			if alpha != 0 {
				sum = alpha * conjIf(opA == ConjTrans, a.at(opA, i, j))
			}
			if beta != 0 {
				sum += beta * conjIf(opB == ConjTrans, b.at(opB, i, j))
			}
			c.Set(i, j, sum)
		}
	}
}

// MultiplyDiagonal stores A with its rows on the left, or its columns on the right, multiplied by the elements of x in
// C, m x n, which may be A.
func MultiplyDiagonal[T Number](side Side, m, n int, a Matrix[T], x []T, c Matrix[T]) {
	for j := range n {
		for i := range m {
			factor := j
			if side == Left {
				factor = i
			}
			c.Set(i, j, a.At(i, j)*x[factor])
		}
	}
}
