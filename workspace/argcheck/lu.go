package argcheck

import "roclua/hip/routine"

func lu() map[routine.FamilyID]builder {
	return map[routine.FamilyID]builder{
		routine.Getrf: solverChecks{dims: rectangle,
			null: []condition{rectangular(matA), rectangular(pivots), nullInfo}}.rules,
		routine.Getf2: solverChecks{dims: rectangle,
			null: []condition{rectangular(matA), rectangular(pivots), nullInfo}}.rules,
		routine.GetrfNpvt: solverChecks{dims: rectangle, null: []condition{rectangular(matA), nullInfo}}.rules,
		routine.Getri: solverChecks{dims: square, null: []condition{quadratic(matA), quadratic(pivots),
			nullInfo}}.rules,
		routine.Getrs: solverChecks{enums: trans, dims: system,
			null: []condition{quadratic(matA), quadratic(pivots), nullB}}.rules,
		routine.Gesv: solverChecks{dims: system,
			null: []condition{quadratic(matA), quadratic(pivots), nullB, nullInfo}}.rules,
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
