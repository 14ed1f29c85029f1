package randomcall

import (
	"bytes"
	"fmt"
	"slices"

	"roclua/hip/routine"
)

// definition compares the results of a problem with the definition of its family.
type definition func(c *problem)

// definitions holds the definition of every family that a platform computes.
var definitions = map[routine.FamilyID]definition{
	routine.Asum: asum, routine.Nrm2: nrm2, routine.Dot: dot, routine.Dotu: dot, routine.Dotc: dot,
	routine.Iamax: extremum(func(v, best float64) bool { return v > best }),
	routine.Iamin: extremum(func(v, best float64) bool { return v < best }),
	routine.DotEx: dot, routine.DotcEx: dot, routine.Nrm2Ex: nrm2,

	routine.Axpy: addition, routine.AxpyEx: addition, routine.Copy: copied, routine.Swap: swapped,
	routine.Scal: scaling, routine.RealScal: scaling, routine.ScalEx: scaling,
	routine.Rot: rotation, routine.RealRot: rotation, routine.RotEx: rotation, routine.Rotm: modifiedRotation,
	routine.Rotg: makesRotation, routine.Rotmg: makesModifiedRotation,

	routine.Gemv: matrixVector, routine.Symv: matrixVector, routine.Hemv: matrixVector,
	routine.Trmv: triangularVector, routine.Tpmv: triangularVector, routine.Tbmv: triangularVector,
	routine.Trsv: vectorSolve, routine.Tpsv: vectorSolve, routine.Tbsv: vectorSolve,
	routine.Gbmv: matrixVector, routine.Sbmv: matrixVector, routine.Hbmv: matrixVector, routine.Spmv: matrixVector,
	routine.Hpmv: matrixVector, routine.HalfGemv: matrixVector, routine.HalfSingleGemv: matrixVector,
	routine.Ger: vectorUpdate, routine.Geru: vectorUpdate, routine.Gerc: vectorUpdate,
	routine.Syr: vectorUpdate, routine.Her: vectorUpdate, routine.Spr: vectorUpdate, routine.Hpr: vectorUpdate,
	routine.Syr2: vectorUpdate, routine.Her2: vectorUpdate, routine.Spr2: vectorUpdate, routine.Hpr2: vectorUpdate,

	routine.Gemm: generalProduct, routine.GemmEx: generalProduct, routine.Symm: symmetricProduct,
	routine.Hemm: symmetricProduct, routine.Trmm: triangularProduct, routine.Trsm: matrixSolve,
	routine.TrsmEx: matrixSolve, routine.Trtri: triangularInverse,
	routine.Syrk: rankUpdate(false), routine.SyrkEx: rankUpdate(false),
	routine.Herk: rankUpdate(false), routine.Syrkx: rankUpdate(false),
	routine.Herkx: rankUpdate(false), routine.Syr2k: rankUpdate(true), routine.Her2k: rankUpdate(true),

	routine.Dgmm: diagonalProduct, routine.Geam: matrixSum, routine.Gemmt: triangleOfProduct,
	routine.GeamEx: minimumOfSums,

	routine.Getrf: factorsLU, routine.Getf2: factorsLU, routine.GetrfNpvt: factorsLU,
	routine.Getrs: solvesWithLU, routine.Getri: generalInverse, routine.Gesv: systemLU,
	routine.Potrf: factorsCholesky, routine.Potrs: solvesWithCholesky, routine.Posv: systemCholesky,

	routine.Geqrf: factorsInto(qr), routine.GeqrfPointers: factorsInto(qr), routine.Geqr2: factorsInto(qr),
	routine.Geqlf: factorsInto(ql),
	routine.Geql2: factorsInto(ql), routine.Gelqf: factorsInto(lq), routine.Gelq2: factorsInto(lq),
	routine.Gerqf: factorsInto(rq), routine.Gerq2: factorsInto(rq),
	routine.Orgqr: generatesQ, routine.Org2r: generatesQ, routine.Orgql: generatesQ, routine.Org2l: generatesQ,
	routine.Orglq: generatesQ, routine.Orgl2: generatesQ, routine.Ormqr: multipliesByQ, routine.Orm2r: multipliesByQ,
	routine.Ormql: multipliesByQ, routine.Orm2l: multipliesByQ, routine.Ormlq: multipliesByQ,
	routine.Orml2: multipliesByQ, routine.Larfg: makesReflection, routine.Larf: appliesReflection,
	routine.Larft: triangularFactor, routine.Larfb: appliesBlock, routine.Lacgv: conjugates,
	routine.Laswp: exchangesRows, routine.Gels: leastSquares,

	routine.Potf2: factorsCholesky, routine.Potri: positiveInverse, routine.SolverTrtri: invertsTriangle,
	routine.Lauum: multipliesTriangle, routine.Getf2Npvt: factorsLU, routine.GetriNpvt: generalInverse,
	routine.GetriOutOfPlace: inverseElsewhere, routine.GetriNpvtOutOfPlace: inverseElsewhere,
	routine.Sytf2: factorsIndefinite, routine.Sytrf: factorsIndefinite, routine.Lasyf: factorsIndefinite,
	routine.Sygs2: standardForm, routine.Sygst: standardForm,
	routine.GeblttrfNpvt: factorsBlocks, routine.GeblttrfNpvtInterleaved: factorsBlocks,
	routine.GeblttrsNpvt: solvesBlocks, routine.GeblttrsNpvtInterleaved: solvesBlocks,

	routine.Sytrd: tridiagonalForm, routine.Sytd2: tridiagonalForm, routine.Latrd: tridiagonalPart,
	routine.Gebrd: bidiagonalForm, routine.Gebd2: bidiagonalForm, routine.Labrd: bidiagonalPart,
	routine.Orgtr: generatesQ, routine.Orgbr: generatesQ,
	routine.Ormtr: multipliesByQ, routine.Ormbr: multipliesByQ,

	routine.Syev: eigenproblem, routine.Syevd: eigenproblem, routine.Syevj: eigenproblem,
	routine.Syevdj: eigenproblem, routine.Sygv: eigenproblem, routine.Sygvd: eigenproblem,
	routine.Sygvj: eigenproblem, routine.Sygvdj: eigenproblem,
	routine.Syevx: someEigenvalues, routine.Syevdx: someEigenvalues, routine.Sygvx: someEigenvalues,
	routine.Sygvdx: someEigenvalues,
	routine.Sterf:  tridiagonalProblem, routine.Steqr: tridiagonalProblem, routine.Stedc: tridiagonalProblem,

	routine.Gesvd: singularProblem, routine.Gesdd: singularProblem, routine.Gesvdj: singularProblem,
	routine.GesvdjNotTransposed: singularProblem, routine.GesvdxNotTransposed: someSingularValues,
	routine.Bdsqr: bidiagonalProblem, routine.Bdsvdx: someOfBidiagonal, routine.Gesvdx: someSingularValues,
	routine.Stebz: someOfTridiagonal, routine.Stein: vectorsOfPairs, routine.Lasr: rotates,
}

// Verify compares the result of problem b with the definition of the family.
func (c *Call) Verify(b int64) error {
	family := c.Args.Routine.Family
	verify, ok := definitions[family.ID]
	if !ok {
		return fmt.Errorf("package randomcall has no definition of %s", family.Name)
	}
	if err := c.inputsUnchanged(); err != nil {
		return err
	}
	of := c.problem(b)
	if c.Args.Empty() {
		verify = onlyZeroed
	} else if c.Param(routine.Info) != nil {
		if info := of.after.integer(routine.Info, 0); info != 0 {
			return fmt.Errorf("info is %v", info)
		}
	}
	verify(of)
	return of.err
}

// onlyZeroed is the definition of an empty call: it changes only what it sets to zeros.
func onlyZeroed(c *problem) {
	for i := range c.Args.Routine.Params {
		p := &c.Args.Routine.Params[i]
		if p.Kind != routine.Array && p.Kind != routine.ArrayOfArrays {
			continue
		}
		ld := max(1, c.companion(p.Slot, routine.LeadingDimension))
		zeroed := func(i int64) bool { return c.Args.Zeroed(p) && (ld == 1 || i%ld < p.Rows.Of(c.Args)) }
		c.unchanged(p, func(i int64) bool { return !zeroed(i) })
		for i := range c.inner[p.Slot] {
			if v := c.after.number(p.Slot, i); zeroed(i) && v != 0 {
				c.fail("element %d of %s is %v, want 0", i, p.Name, v)
			}
		}
	}
}

// inputsUnchanged requires that arrays that are only read are as before, except one that is also the result.
func (c *Call) inputsUnchanged() error {
	for i := range c.Args.Routine.Params {
		p := &c.Args.Routine.Params[i]
		before, block := c.Before[p.Slot], c.Arrays[p.Slot]
		if p.Access == routine.In && before != nil && !c.overwritten(block) &&
			!bytes.Equal(before, block.Data()) {
			return fmt.Errorf("%s, which is only read, changes", p.Name)
		}
	}
	return nil
}

// overwritten reports whether a block is an array that the routine writes.
func (c *Call) overwritten(block *Block) bool {
	return slices.ContainsFunc(c.Args.Routine.Params, func(p routine.Param) bool {
		return p.Access.Writes() && c.Arrays[p.Slot] == block
	})
}
