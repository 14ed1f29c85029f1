package routine

import "roclua/hip/routine/buffer"

// Inverses and products of triangular matrices.
func inverseFamilies() []*Family {
	return []*Family{
		{
			ID: SolverTrtri, Name: "trtri", Buffers: inversionBuffers, About: "inverse of a triangular matrix",
			params: []part{uplo("triangle that A is"), diag(), dim(N, "order of A"),
				matrix(A, Upper, n, n, InOut, "the triangular matrix; its inverse"), info(), batchCount()},
		},
		{
			ID: Lauum, Name: "lauum", forms: plainOnly, Buffers: []buffer.ID{buffer.MatrixCopy}, RunsInQueries: true,
			About: "U U^H or L^H L of a triangular matrix",
			params: []part{uplo("triangle of A"), dim(N, "order of A"),
				matrix(A, Upper, n, n, InOut, "the triangular matrix; the product")},
		},
	}
}
