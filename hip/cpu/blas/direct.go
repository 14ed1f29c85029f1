package blas

import "roclua/hip/cpu/vector"

// directSize is the largest number of multiplications of a product that reads B, and A unless it is transposed, in
// place: copying them to panels would take longer than it saves.
const directSize = 1 << 19

// addDirectly adds alpha op(A) op(B) to C.
func addDirectly[T Number](opA, opB Op, m, n, k int, alpha float64, a, b, c Matrix[T]) {
	f := vector.Factor[T]{Data: b.Data, Down: 1, Right: b.LD, Conj: opB == ConjTrans && IsComplex[T]()}
	if opB != None {
		f.Down, f.Right = f.Right, f.Down
	}
	if opA == None {
		vector.Update(m, n, k, alpha, a.Data, a.LD, f, c.Data, c.LD)
		return
	}
	WithScratch(m*k, func(memory []T) {
		transpose(memory, m, a.Data, a.LD, m, k)
		if opA == ConjTrans && IsComplex[T]() {
			conjugate(m, k, Matrix[T]{memory, m})
		}
		vector.Update(m, n, k, alpha, memory, m, f, c.Data, c.LD)
	})
}
