package sizing

import "roclua/hip/routine"

// inverseByIdentity solves with the factors for the columns of the identity.
func (w *waiting) inverseByIdentity() { w.solve(2, w.Int(routine.N), w.Int(routine.N)) }

// inverseSteps returns the steps of the inverse of a triangle of order n, which consist of products: for squares, whose
// number of blocks is a power of two, and for the rest.
func inverseSteps(n int64) (squares, rest int64) {
	if n <= inverseBlock {
		return 0, 0
	}
	square := int64(inverseBlock)
	for ; square*2 <= n; square *= 2 {
		squares++
	}
	whole := powerOfTwo(n/inverseBlock*inverseBlock - square)
	odd := n - square - whole
	for _, part := range []int64{whole, odd} {
		if part > 0 {
			rest++
		}
	}
	for ; odd > inverseBlock; odd -= powerOfTwo(odd) {
		rest++
	}
	return squares, rest
}

// inverse adds the waits of trtri. A step has two products for each problem, or two for a batch of pointers whose
// addresses it copies to the host. In device pointer mode the products copy their scalars.
func (w *waiting) inverse() {
	squares, rest := inverseSteps(w.Int(routine.N))
	s := WaitingStep{ScalarBytes: w.scalarBytes()}
	each := int64(0)
	if w.onDevice {
		each = 2 * scalarsOfProduct
	}
	s.Times, s.Scalars = squares, each*w.Batch()
	if w.batched() {
		s.ListBytes = addressBytes * w.Batch()
	} else if !w.onDevice {
		return
	}
	s.Kernel = true
	w.step(s)
	if s.Times, s.Kernel = rest, false; w.batched() {
		s.Scalars = each
	}
	w.step(s)
}

// inverseOfTriangle adds the waits of an inverse that rocSOLVER leaves to the trtri of rocBLAS.
func (w *waiting) inverseOfTriangle() {
	n := w.Int(routine.N)
	if !w.batched() || invertsByBlocks(w.Args, n) {
		return
	}
	defer w.begin()()
	squares, rest := inverseSteps(n)
	w.lists(squares, w.Batch())
	w.lists(rest, w.Batch())
}

// inverseOfFactors inverts a triangle and then solves from the right, panel by panel.
func (w *waiting) inverseOfFactors() {
	n := w.Int(routine.N)
	w.inverseOfTriangle()
	if n <= 64 {
		return
	}
	panel := getriPanel(n, w.Routine.Variant != routine.Plain)
	for at := int64(0); at < n; at += panel {
		s := systemOf(w.Args, n, min(panel, n-at), true)
		s.left = false
		w.blasSolve(s)
	}
}
