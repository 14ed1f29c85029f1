package routine

import "roclua/hip/routine/buffer"

// Refactorization of sparse matrices.
func sparseFamilies() []*Family {
	return []*Family{
		refactorization(&Family{ID: CsrrfAnalysis, Name: "csrrf_analysis", Buffers: sparseWork,
			About: "analyses the factors T of a sparse matrix M for refactorizations"},
			dim(NRHS, "right-hand sides"), csr(NnzA, "M", In, "the matrix"),
			csr(NnzT, "T", In, "its factors"), permutationOfRows, permutationOfColumns,
			matrix(B, Dense, n, nrhs, In, "right-hand sides"), analysisInfo),
		refactorization(&Family{ID: CsrrfSumlu, Name: "csrrf_sumlu",
			About: "bundles the factors L and U of a sparse matrix in T"},
			csr(NnzA, "L", In, "the lower factor, with its unit diagonal"), csr(NnzU, "U", In, "the upper factor"),
			csrOf(NnzT, "T", bundledElements, Out, "both factors, with nnzL-n+nnzU elements")),
		refactorization(&Family{ID: CsrrfSplitlu, Name: "csrrf_splitlu", Buffers: []buffer.ID{buffer.RowCounts},
			About: "splits the bundled factors T of a sparse matrix into L and U"},
			csr(NnzT, "T", In, "both factors"),
			csrOf(NnzA, "L", n, Out, "the lower factor, with its unit diagonal"),
			csrOf(NnzU, "U", ofUpper, Out, "the upper factor")),
		refactorization(&Family{ID: CsrrfRefactlu, Name: "csrrf_refactlu", Buffers: sparseWork,
			About: "LU factorization of a sparse matrix A with the pattern of an earlier one"},
			csr(NnzA, "A", In, "the matrix"), csr(NnzT, "T", InOut, "the factors"),
			permutationOfRows, permutationOfColumns, analysisInfo),
		refactorization(&Family{ID: CsrrfRefactchol, Name: "csrrf_refactchol", Buffers: sparseWork,
			About: "Cholesky factorization of a sparse matrix A with the pattern of an earlier one"},
			csr(NnzA, "A", In, "the matrix"), csr(NnzT, "T", InOut, "the factor"),
			permutationOfColumns, analysisInfo),
		refactorization(&Family{ID: CsrrfSolve, Name: "csrrf_solve", Buffers: sparseWork,
			About: "solves with the factors of a sparse matrix; the solution overwrites B"},
			dim(NRHS, "right-hand sides"), csr(NnzT, "T", In, "the factors"),
			permutationOfRows, permutationOfColumns, matrix(B, Dense, n, nrhs, InOut, "right-hand sides"),
			analysisInfo),
	}
}

var (
	sparseWork = []buffer.ID{buffer.SparseWork}

	orderOfAll = dim(N, "order of the matrices")

	permutationOfRows    = contiguous(PivP, OfInt, n, In, "the permutation of rows")
	permutationOfColumns = contiguous(PivQ, OfInt, n, In, "the permutation of columns")

	analysisInfo = object(Rfinfo, "rocsolver_rfinfo", "result of the analysis; in a size query, null ends the process")

	// bundledElements is the number of elements that sumlu writes. Only the device knows how splitlu distributes them;
	// L has at least the diagonal.
	bundledElements = Extent{"nnzL-n+nnzU", func(a *Args) int64 { return a.Int(NnzA) - a.Int(N) + a.Int(NnzU) }}
	ofUpper         = Extent{"elements above and on the diagonal", func(*Args) int64 { return 0 }}
)

// refactorization completes a family for sparse matrices.
func refactorization(f *Family, arguments ...part) *Family {
	f.types, f.forms = sd, plainOnly
	f.params = append([]part{orderOfAll}, arguments...)
	return f
}

// csr declares a sparse matrix by rows: its number of elements, and the arrays of row offsets, of columns and of
// values. Its slots are adjacent, and name is its letter in the header.
func csr(nnz Slot, name string, access Access, about string) part {
	count := named("nnz"+name, dim(nnz, "elements of "+name+": "+about))
	elements := sizeOf(nnz)
	elements.Text = "nnz" + name
	return several(count, csrOf(nnz, name, elements, access, about))
}

// csrOf declares the arrays of a sparse matrix, whose number of elements no argument gives.
func csrOf(nnz Slot, name string, elements Extent, access Access, about string) part {
	return several(
		named("ptr"+name, contiguous(nnz+1, OfInt, plusOne(N), access, "offsets of the rows of "+name+": "+about)),
		named("ind"+name, contiguous(nnz+2, OfInt, elements, access, "columns of the elements of "+name)),
		named("val"+name, contiguous(nnz+3, OfType, elements, access, "elements of "+name)),
	)
}
