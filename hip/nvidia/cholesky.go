package nvidia

import "roclua/hip/routine"

var (
	potrfStep = step{name: "cusolverDn<t>potrf",
		args: []routine.Slot{routine.Uplo, routine.N, routine.A, routine.LDA}}
	potrsStep = step{name: "cusolverDn<t>potrs", args: []routine.Slot{routine.Uplo, routine.N, routine.NRHS, routine.A,
		routine.LDA, routine.B, routine.LDB}, scratch: noScratch}
	potrfSteps = []step{potrfStep}
)

// choleskyOrder is the largest order of matrices that cuSOLVER factorizes as a batch.
const choleskyOrder = 256

// potrf factorizes batches of small matrices in one call.
func potrf(x *execution) {
	if x.args.Routine.Variant != routine.Batched || x.args.Int(routine.N) > choleskyOrder {
		solveSteps(x, potrfSteps)
		return
	}
	c := solverCall{name: "cusolverDn<t>potrfBatched", scratch: noScratch,
		args: append(values(x.args, append(potrfStep.args, routine.Info)...), x.args.Batch())}
	x.solve(c, noInfo)
}
