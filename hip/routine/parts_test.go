package routine

import "testing"

// These families use every part that solver routines need. They are not in the table; the test compares them with the
// libraries' headers. The slots have other uses in the table and get the names of the headers here.
var headerFamilies = []*Family{
	{
		Name: "sygvx", types: sd, Library: RocSOLVER,
		arrays: map[Slot]string{X: "W", D: "Z", InvA: "ifail"},
		params: []part{
			enumerationOf("rocblas_eform", named("itype", byValue(Side, SideKind, "form of the problem"))),
			enumerationOf("rocblas_evect", named("evect", byValue(TransA, Operation, "whether vectors are computed"))),
			enumerationOf("rocblas_erange", named("erange", byValue(TransB, Operation, "range of eigenvalues"))),
			uplo("triangle of A and B"), dim(N, "order of A and B"), matrix(A, Upper, n, n, InOut, "the matrix"),
			matrix(B, Upper, n, n, InOut, "the other matrix"),
			named("vl", byValue(Flags, Real, "lower end")), named("vu", byValue(Algo, Real, "upper end")),
			named("il", byValue(M, Int32, "first index")), named("iu", byValue(K, Int32, "last index")),
			named("abstol", byValue(SolutionIndex, Real, "tolerance")),
			named("nev", flat(contiguous(Result, OfInt, length1, Out, "number of eigenvalues"))),
			flat(contiguous(X, OfReal, n, Out, "eigenvalues")),
			matrix(D, Dense, n, n, Out, "eigenvectors"),
			withStride("strideF", flat(contiguous(InvA, OfInt, n, Out, "vectors that did not converge"))),
			info(), batchCount(),
		},
	},
	{
		Name: "larfb", types: sdcz, Library: RocSOLVER,
		arrays: map[Slot]string{B: "V", C: "T"},
		params: []part{
			side("side of the product on which the reflector is"), operation("trans", TransA, "op"),
			enumerationOf("rocblas_direct", named("direct", byValue(Diag, Diagonal, "order of the reflectors"))),
			enumerationOf("rocblas_storev", named("storev", byValue(TransB, Operation, "how vectors are stored"))),
			dim(M, "rows of A"), dim(N, "columns of A"), dim(K, "reflectors"),
			matrix(B, Dense, m, sizeOf(K), In, "the vectors"), matrix(C, Upper, sizeOf(K), sizeOf(K), In, "the factor"),
			matrix(A, Dense, m, n, InOut, "the matrix"),
		},
	},
	{
		Name: "csrrf_solve", types: sd, Library: RocSOLVER,
		arrays: map[Slot]string{A: "valT", X: "pivP", Y: "pivQ"},
		params: []part{
			dim(N, "order"), dim(NRHS, "right-hand sides"), named("nnzT", byValue(K, Int32, "elements")),
			named("ptrT", contiguous(C, OfInt, plusOne(N), In, "row pointers")),
			named("indT", contiguous(D, OfInt, sizeOf(K), In, "column indices")),
			contiguous(A, OfType, sizeOf(K), In, "values"),
			contiguous(X, OfInt, n, In, "row permutation"), contiguous(Y, OfInt, n, In, "column permutation"),
			matrix(B, Dense, n, nrhs, InOut, "right-hand sides and solution"),
			named("rfinfo", object(InvASize, "rocsolver_rfinfo", "the analysis")),
		},
	},
}

// enumerationOf notes the C type of an enumeration that the table does not have yet.
func enumerationOf(cType string, p part) part {
	return edit(p, func(q *Param) { q.Kind, q.Object = Object, cType })
}

// TestPartsOfSolverRoutines expands declarations of solver routines and compares them with the headers.
func TestPartsOfSolverRoutines(t *testing.T) {
	headers := signatures(t)
	compared := 0
	for _, f := range headerFamilies {
		for _, letter := range f.types {
			for _, v := range []Variant{Plain, StridedBatched, Batched} {
				r := f.routine(Type(letter), v, false)
				r.Params = f.expand(v)
				want, ok := headers[r.CName()]
				if !ok {
					continue
				}
				compareSignature(t, &r, want.Args[1:])
				compared++
			}
		}
	}
	if compared < 12 {
		t.Errorf("%d routines compared, want at least 12", compared)
	}
}
