package nvidia

import "roclua/hip/routine"

// indefiniteMethods are Bunch-Kaufman factorizations.
var indefiniteMethods = map[routine.FamilyID]method{routine.Sytrf: sytrfMethod, routine.Sytf2: sytrfMethod}

var sytrfMethod = solverMethod("", step{name: "cusolverDn<t>sytrf",
	args:    []routine.Slot{routine.Uplo, routine.N, routine.A, routine.LDA, routine.Ipiv},
	sizedBy: []routine.Slot{routine.N, routine.A, routine.LDA}})
