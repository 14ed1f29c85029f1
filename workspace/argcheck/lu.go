package argcheck

import "roclua/hip/routine"

func lu() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Getrf:               standard,
		routine.GetrfNpvt:           standard,
		routine.GetrfInfo32:         standard,
		routine.GetrfNpvtInfo32:     standard,
		routine.Getf2:               standard,
		routine.Getf2Npvt:           standard,
		routine.Getrs:               standard,
		routine.Getri:               standard,
		routine.GetriNpvt:           standard,
		routine.GetriOutOfPlace:     standard,
		routine.GetriNpvtOutOfPlace: standard,
		routine.Gesv:                standard,
		routine.GesvOutOfPlace:      standard,
		routine.Laswp: solverChecks{freeLD: true, special: []condition{quadratic(matA), null(pivots)},
			sizes: []condition{none(routine.LDA), none(routine.K1), none(routine.K2), exceeds(routine.K1, routine.K2),
				zeroIncrement(incX)}}.rules,
	}
}

// Inverses of triangular matrices, and the product of a triangular matrix and its transpose.
func inverse() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.SolverTrtri: standard,
		routine.Lauum:       standard,
	}
}

func blockTridiagonal() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.GeblttrfNpvt:            blocks(matA, matB, matC),
		routine.GeblttrfNpvtInterleaved: blocks(matA, matB, matC),
		routine.GeblttrsNpvt:            blocks(matA, matB, matC, routine.MatX),
		routine.GeblttrsNpvtInterleaved: blocks(matA, matB, matC, routine.MatX),
	}
}

// blocks checks a routine for block tridiagonal matrices with the given arrays.
func blocks(arrays ...routine.Slot) builder {
	return func(o operands) []rule {
		c := solverChecks{dims: []routine.Slot{routine.NB, routine.NBlocks, batchCount}, freeLD: true}
		if _, ok := o.r.ParamAt(nrhs); ok {
			c.dims = append(c.dims, nrhs)
		}
		for _, array := range arrays {
			inc, interleaved := o.r.Companion(array, routine.Increment)
			if interleaved {
				c.sizes = append(c.sizes, none(inc.Slot))
			}
			ld, _ := o.r.Companion(array, routine.LeadingDimension)
			c.sizes = append(c.sizes, ldBelow(ld.Slot, func(a *routine.Args) int64 {
				if interleaved {
					return in32Bits(a.Int(routine.NB) * a.Int(inc.Slot))
				}
				return a.Int(routine.NB)
			}))
		}
		return c.rules(o)
	}
}
