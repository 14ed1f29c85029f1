package routine

import "roclua/hip/routine/buffer"

// QR factorization.
const (
	Geqrf FamilyID = endOfCholesky + iota

	endOfQR
)

func qr() []*Family {
	return []*Family{
		{
			ID: Geqrf, Name: "geqrf", Library: RocSOLVER, Level: SolverLevel, types: sdcz, wide: true,
			About: "QR factorization by Householder reflections",
			Buffers: []buffer.ID{
				buffer.Scalars, buffer.ReflectionOrPointers, buffer.AppliedReflectionOrNorms, buffer.Diagonal,
				buffer.ReflectionOrPanel, buffer.ReflectionOrSolve, buffer.InvertedBlocks, buffer.TriangularFactor,
				buffer.BlockReflection, buffer.Pointers,
			},
			params: []part{dim(M, "rows of A"), dim(N, "columns of A"),
				matrix(A, Dense, m, n, InOut, "the matrix; R and the reflections"),
				pivots(OfType, smaller(M, N), Out, "the reflections' scalars"), batchCount()},
			narrowBatched: true,
		},
	}
}
