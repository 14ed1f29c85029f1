package routine

import "roclua/hip/routine/buffer"

// QR, QL, LQ and RQ factorizations.
func qrFamilies() []*Family {
	return []*Family{
		{
			ID: Geqrf, Name: "geqrf", wide: true, narrowBatched: true,
			About:   "QR factorization by Householder reflections",
			Buffers: qrFactorization,
			params: []part{rowsAndColumns("A"),
				matrix(A, Dense, m, n, InOut, "the matrix; R and the reflections"),
				pivots(OfType, smaller(M, N), Out, "the reflections' scalars"), batchCount()},
		},
		factorQR(&Family{ID: Geqlf, Name: "geqlf", About: "QL factorization by Householder reflections"}, panelBuffers),
		factorQR(&Family{ID: Gelqf, Name: "gelqf", About: "LQ factorization by Householder reflections"}, panelBuffers),
		factorQR(&Family{ID: Gerqf, Name: "gerqf", About: "RQ factorization by Householder reflections"}, panelBuffers),
		factorQR(&Family{ID: Geqr2, Name: "geqr2", wide: true, About: "QR factorization, unblocked"},
			reflectionBuffers),
		factorQR(&Family{ID: Geql2, Name: "geql2", About: "QL factorization, unblocked"}, reflectionBuffers),
		factorQR(&Family{ID: Gelq2, Name: "gelq2", About: "LQ factorization, unblocked"}, reflectionBuffers),
		factorQR(&Family{ID: Gerq2, Name: "gerq2", About: "RQ factorization, unblocked"}, reflectionBuffers),
	}
}

var (
	reflectionBuffers = []buffer.ID{
		buffer.Scalars, buffer.ReflectionOrPointers, buffer.AppliedReflectionOrNorms, buffer.Diagonal,
	}
	panelBuffers = buffer.Join(reflectionBuffers, []buffer.ID{
		buffer.ReflectionOrPanel, buffer.TriangularFactor, buffer.BlockReflection, buffer.Pointers,
	})
)

// factorQR completes a factorization like geqrf.
func factorQR(f *Family, buffers []buffer.ID) *Family {
	f.Buffers = buffers
	f.params = []part{rowsAndColumns("A"),
		matrix(A, Dense, m, n, InOut, "the matrix; the triangle and the reflections"),
		pivots(OfType, smaller(M, N), Out, "the reflections' scalars"), batchCount()}
	return f
}

// qrFactorization are the buffers of geqrf.
var qrFactorization = []buffer.ID{buffer.Scalars, buffer.ReflectionOrPointers, buffer.AppliedReflectionOrNorms,
	buffer.Diagonal, buffer.ReflectionOrPanel, buffer.ReflectionOrSolve, buffer.InvertedBlocks,
	buffer.TriangularFactor, buffer.BlockReflection, buffer.Pointers}
