package nvidia

import "roclua/hip/routine"

// choleskyMethods are factorizations of positive definite matrices, solutions and inverses.
func choleskyMethods() map[routine.FamilyID]method {
	return map[routine.FamilyID]method{
		routine.Potrf: potrfMethod,
		routine.Potf2: potrfMethod,
		routine.Potrs: solverMethod("", potrsStep),
		routine.Posv:  solverMethod("", potrfStep, potrsStep),
		routine.Potri: solverMethod("", step{name: "cusolverDn<t>potri", args: potrfStep.args}),
		routine.Lauum: solverMethod("", step{name: "cusolverDn<t>lauum", args: potrfStep.args}),
	}
}

// wideCholesky are factorizations and solutions with 64-bit integers.
func wideCholesky() map[routine.FamilyID]method {
	return map[routine.FamilyID]method{
		routine.Potrf: widePotrf, routine.Potf2: widePotrf,
		routine.Potrs: solverMethod("", step{name: "cusolverDnXpotrs", args: []routine.Slot{routine.Uplo, routine.N,
			routine.NRHS, elementType, routine.A, routine.LDA, elementType, routine.B, routine.LDB},
			scratch: noScratch, options: true}),
	}
}

var (
	potrfStep = step{name: "cusolverDn<t>potrf",
		args: []routine.Slot{routine.Uplo, routine.N, routine.A, routine.LDA}}
	potrsStep = step{name: "cusolverDn<t>potrs", args: []routine.Slot{routine.Uplo, routine.N, routine.NRHS, routine.A,
		routine.LDA, routine.B, routine.LDB}, scratch: noScratch}

	potrfMethod = batchedPotrf(solverMethod("; cusolverDn<t>potrfBatched for small batches", potrfStep))

	widePotrf = solverMethod("", step{name: "cusolverDnXpotrf", args: []routine.Slot{routine.Uplo, routine.N,
		elementType, routine.A, routine.LDA, elementType}, scratch: hostScratch, options: true})
)

// choleskyOrder is the largest order of matrices that cuSOLVER factorizes as a batch.
const choleskyOrder = 256

// batchedPotrf factorizes batches of small matrices in one call.
func batchedPotrf(m method) method {
	single := m.run
	m.run = func(x *execution) {
		if x.args.Routine.Variant != routine.Batched || x.args.Int(routine.N) > choleskyOrder {
			single(x)
			return
		}
		c := solverCall{name: "cusolverDn<t>potrfBatched", scratch: noScratch,
			args: append(values(x.args, append(potrfStep.args, routine.Info)...), x.args.Batch())}
		x.solve(c, noInfo)
	}
	return m
}

// indefiniteMethods are Bunch-Kaufman factorizations.
func indefiniteMethods() map[routine.FamilyID]method {
	return map[routine.FamilyID]method{routine.Sytrf: sytrfMethod, routine.Sytf2: sytrfMethod}
}

var sytrfMethod = solverMethod("", step{name: "cusolverDn<t>sytrf",
	args:    []routine.Slot{routine.Uplo, routine.N, routine.A, routine.LDA, routine.Ipiv},
	sizedBy: []routine.Slot{routine.N, routine.A, routine.LDA}})
