package argcheck

import "roclua/hip/routine"

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
