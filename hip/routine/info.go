package routine

import "slices"

// infos say what an info that is not 0 means, by families of rocSOLVER.
var infos = []struct {
	meaning string
	of      []FamilyID
}{
	{"the 1-based place of the first zero pivot", []FamilyID{Getrf, Getf2, GetrfNpvt, Getf2Npvt, Getri, GetriNpvt,
		GetriOutOfPlace, GetriNpvtOutOfPlace, Gesv, GesvOutOfPlace, Sytrf, Sytf2, Lasyf, GetrfInfo32,
		GetrfNpvtInfo32}},
	{"the order of the first leading minor that is not positive definite", []FamilyID{Potrf, Potf2, Posv,
		PotrfInfo32}},
	{"the 1-based place of the first zero on the diagonal", []FamilyID{Potri, SolverTrtri}},
	{"the 1-based place of the first zero on the diagonal of A's triangular factor: A does not have full rank",
		[]FamilyID{Gels, GelsOutOfPlace}},
	{"a positive number if a block is singular", []FamilyID{GeblttrfNpvt, GeblttrfNpvtInterleaved}},
	{"the number of elements of E that did not converge to zero", []FamilyID{Sterf, Steqr, Syev, Sygv, Gesvd, Bdsqr}},
	{"a positive number if an eigenvalue did not converge", []FamilyID{Stedc, Syevd, Sygvd}},
	{"1 if the method did not converge", []FamilyID{Syevj, Syevdj, Sygvj, Sygvdj, Gesvdj, GesvdjNotTransposed,
		Gesdd}},
	{"1 if some eigenvalues did not converge", []FamilyID{Stebz}},
	{"the number of vectors that did not converge, which ifail lists", []FamilyID{Stein, Syevx, Sygvx, Bdsvdx,
		Gesvdx, GesvdxNotTransposed}},
	{"the number of vectors that did not converge", []FamilyID{Syevdx, Sygvdx, SyevdxInPlace,
		SygvdxInPlace}},
}

// info declares info. Generalized problems also report that the other matrix is not positive definite.
func info() part {
	return func(f *Family, v Variant) []Param {
		about := "0"
		for _, i := range infos {
			if slices.Contains(i.of, f.ID) {
				about += ", or " + i.meaning
			}
		}
		switch f.ID {
		case Sygv, Sygvd, Sygvj, Sygvdj, Sygvx, Sygvdx, SygvdxInPlace:
			about += ", or n + i if the leading minor of order i of B is not positive definite"
		}
		if v != Plain {
			about += "; one per problem"
		}
		return flat(contiguous(Info, OfInt, length1, Out, about))(f, v)
	}
}
