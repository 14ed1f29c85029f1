package routine

import "roclua/hip/routine/buffer"

// Refactorization of sparse matrices.
func sparseFamilies() []*Family {
	return []*Family{
		sparseFamily(&Family{ID: CsrrfAnalysis, Name: "csrrf_analysis", Buffers: sparseWork,
			About: "analyses the factors T of a sparse matrix M for refactorizations",
			params: joinParts([]part{order(), dim(NRHS, "right-hand sides")}, csr(NnzA, "M", In, "the matrix"),
				csr(NnzT, "T", In, "its factors"), rowsAndColumns(), rightSides(In), analysis())}),
		sparseFamily(&Family{ID: CsrrfSumlu, Name: "csrrf_sumlu",
			About: "bundles the factors L and U of a sparse matrix in T",
			params: joinParts([]part{order()}, csr(NnzA, "L", In, "the lower factor, with its unit diagonal"),
				csr(NnzU, "U", In, "the upper factor"),
				csrOf(NnzT, "T", bundled, Out, "both factors, with nnzL-n+nnzU elements"))}),
		sparseFamily(&Family{ID: CsrrfSplitlu, Name: "csrrf_splitlu", Buffers: []buffer.ID{buffer.RowCounts},
			About: "splits the bundled factors T of a sparse matrix into L and U",
			params: joinParts([]part{order()}, csr(NnzT, "T", In, "both factors"),
				csrOf(NnzA, "L", n, Out, "the lower factor, with its unit diagonal"),
				csrOf(NnzU, "U", none, Out, "the upper factor"))}),
		sparseFamily(&Family{ID: CsrrfRefactlu, Name: "csrrf_refactlu", Buffers: sparseWork,
			About: "LU factorization of a sparse matrix A with the pattern of an earlier one",
			params: joinParts([]part{order()}, csr(NnzA, "A", In, "the matrix"), csr(NnzT, "T", InOut, "the factors"),
				rowsAndColumns(), analysis())}),
		sparseFamily(&Family{ID: CsrrfRefactchol, Name: "csrrf_refactchol", Buffers: sparseWork,
			About: "Cholesky factorization of a sparse matrix A with the pattern of an earlier one",
			params: joinParts([]part{order()}, csr(NnzA, "A", In, "the matrix"), csr(NnzT, "T", InOut, "the factor"),
				rowsAndColumns()[1:], analysis())}),
		sparseFamily(&Family{ID: CsrrfSolve, Name: "csrrf_solve", Buffers: sparseWork,
			About: "solves with the factors of a sparse matrix; the solution overwrites B",
			params: joinParts([]part{order(), dim(NRHS, "right-hand sides")}, csr(NnzT, "T", In, "the factors"),
				rowsAndColumns(), rightSides(InOut), analysis())}),
	}
}

var sparseWork = []buffer.ID{buffer.SparseWork}

// What sumlu writes. How splitlu distributes the elements is known only on the device; L has the diagonal at least.
var bundled = Extent{"nnzL-n+nnzU", func(a *Args) int64 { return a.Int(NnzA) - a.Int(N) + a.Int(NnzU) }}

var none = Extent{"elements above and on the diagonal", func(*Args) int64 { return 0 }}

func sparseFamily(f *Family) *Family {
	f.Library, f.Level, f.types, f.forms = RocSOLVER, SolverLevel, sd, plainOnly
	return f
}

func joinParts(groups ...[]part) (list []part) {
	for _, g := range groups {
		list = append(list, g...)
	}
	return list
}

func order() part { return dim(N, "order of the matrices") }

// csr declares a sparse matrix by rows: its number of elements, and the arrays of row offsets, of columns and of
// values. Its slots are adjacent, and name is its letter in the header.
func csr(nnz Slot, name string, access Access, about string) []part {
	count := named("nnz"+name, dim(nnz, "elements of "+name+": "+about))
	elements := of(nnz)
	elements.Text = "nnz" + name
	return append([]part{count}, csrOf(nnz, name, elements, access, about)...)
}

// csrOf declares the arrays of a sparse matrix, whose number of elements no argument gives.
func csrOf(nnz Slot, name string, elements Extent, access Access, about string) []part {
	return []part{
		named("ptr"+name, contiguous(nnz+1, OfInt, plusOne(N), access, "offsets of the rows of "+name+": "+about)),
		named("ind"+name, contiguous(nnz+2, OfInt, elements, access, "columns of the elements of "+name)),
		named("val"+name, contiguous(nnz+3, OfType, elements, access, "elements of "+name)),
	}
}

// rowsAndColumns declares the permutations of rows and columns.
func rowsAndColumns() []part {
	return []part{contiguous(PivP, OfInt, n, In, "the permutation of rows"),
		contiguous(PivQ, OfInt, n, In, "the permutation of columns")}
}

func rightSides(access Access) []part {
	return []part{matrix(B, Dense, n, nrhs, access, "right-hand sides")}
}

func analysis() []part { return []part{object(Rfinfo, "rocsolver_rfinfo", "result of the analysis")} }
