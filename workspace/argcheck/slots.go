package argcheck

import "roclua/hip/routine"

// Short names of the arguments, for the lists of rules.
const (
	m          = routine.M
	n          = routine.N
	k          = routine.K
	nrhs       = routine.NRHS
	batchCount = routine.BatchCount
	alpha      = routine.Alpha
	beta       = routine.Beta
	matA       = routine.A
	matB       = routine.B
	matC       = routine.C
	matD       = routine.D
	matInvA    = routine.InvA
	vecX       = routine.X
	vecY       = routine.Y
	incX       = routine.IncX
	incY       = routine.IncY
	pivots     = routine.Ipiv
	info       = routine.Info
	result     = routine.Result
)
