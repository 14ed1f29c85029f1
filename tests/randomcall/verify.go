package randomcall

import (
	"bytes"
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"roclua/hip/number"
	"roclua/hip/routine"
)

// definition compares the result of one problem of a call with the definition of its family.
type definition func(c *Call, b int64) error

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

	routine.Geqrf: factorsInto(qr), routine.Geqr2: factorsInto(qr), routine.Geqlf: factorsInto(ql),
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
	routine.Orgtr: matrixOfReflections, routine.Orgbr: matrixOfReflections,
	routine.Ormtr: productWithReflections, routine.Ormbr: productWithReflections,

	routine.Syev: eigenproblem, routine.Syevd: eigenproblem, routine.Syevj: eigenproblem,
	routine.Syevdj: eigenproblem, routine.Sygv: eigenproblem, routine.Sygvd: eigenproblem,
	routine.Sygvj: eigenproblem, routine.Sygvdj: eigenproblem,
	routine.Syevx: someEigenvalues, routine.Syevdx: someEigenvalues, routine.Sygvx: someEigenvalues,
	routine.Sygvdx: someEigenvalues,
	routine.Sterf:  tridiagonalProblem, routine.Steqr: tridiagonalProblem, routine.Stedc: tridiagonalProblem,

	routine.Gesvd: singularProblem, routine.Gesdd: singularProblem, routine.Gesvdj: singularProblem,
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
	if p := c.Param(routine.Info); p != nil {
		if info := real(c.get(c.Arrays[routine.Info].Data(), p, b, 0)); info != 0 {
			return fmt.Errorf("info is %v", info)
		}
	}
	return verify(c, b)
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

func abs1(z complex128) float64 { return math.Abs(real(z)) + math.Abs(imag(z)) }

func asum(c *Call, b int64) error {
	var want complex128
	for _, v := range c.oldColumn(routine.X, b).v {
		want += complex(abs1(v), 0)
	}
	return c.sameResult(b, want)
}

func nrm2(c *Call, b int64) error {
	sum := 0.0
	for _, v := range c.oldColumn(routine.X, b).v {
		sum += real(v)*real(v) + imag(v)*imag(v)
	}
	return c.sameResult(b, complex(math.Sqrt(sum), 0))
}

func extremum(better func(v, best float64) bool) definition {
	return func(c *Call, b int64) error {
		x := c.oldColumn(routine.X, b)
		best := 0
		for i, v := range x.v {
			if better(abs1(v), abs1(x.v[best])) {
				best = i
			}
		}
		return c.sameResult(b, complex(float64(best+1), 0))
	}
}

func dot(c *Call, b int64) error {
	y := c.oldColumn(routine.Y, b)
	var want complex128
	for i, v := range c.oldColumn(routine.X, b).v {
		if c.Args.Routine.Family.Conjugated {
			v = cmplx.Conj(v)
		}
		want += v * y.v[i]
	}
	return c.sameResult(b, want)
}

func (c *Call) oldColumn(s routine.Slot, b int64) dense { return c.column(c.Before[s], s, b) }
func (c *Call) newColumn(s routine.Slot, b int64) dense { return c.column(c.Arrays[s].Data(), s, b) }

// sameResult compares the result of a reduction.
func (c *Call) sameResult(b int64, want complex128) error {
	n := float64(c.Args.Int(routine.N))
	have := dense{1, 1, []complex128{c.Result(b)}}
	return c.same("result", have, dense{1, 1, []complex128{want}}, cmplx.Abs(want)+n)
}

// Result reads the result of a reduction.
func (c *Call) Result(b int64) complex128 {
	p := c.Param(routine.Result)
	at := uint64(c.Launch.Result)
	if c.Launch.OnDevice {
		at = c.Args.Ptr(routine.Result)
	}
	size := c.Args.ElementBytes(p)
	raw, err := c.Memory.Bytes(at+uint64(b*size), size)
	if err != nil {
		c.t.Fatal(err)
	}
	return number.Load(c.Args.Datatype(p), raw)
}

// scalars returns alpha, beta and the operation on A.
func (c *Call) scalars() (alpha, beta complex128, op int64) {
	return c.Args.Scalar(routine.Alpha), c.Args.Scalar(routine.Beta), c.Args.Int(routine.TransA)
}

func matrixVector(c *Call, b int64) error {
	alpha, beta, op := c.scalars()
	m := c.oldStored(b)
	if c.Param(routine.Uplo) != nil {
		m = c.symmetric(m, c.Args.Routine.Family.Hermitian)
	} else {
		m = m.op(op)
	}
	want := m.times(c.oldColumn(routine.X, b)).plus(alpha, c.oldColumn(routine.Y, b), beta)
	return c.same("y", c.newColumn(routine.Y, b), want, m.largest()*float64(m.cols)*(1+cmplx.Abs(alpha)))
}

func triangularVector(c *Call, b int64) error {
	m := c.triangular(b).op(c.Args.Int(routine.TransA))
	want := m.times(c.oldColumn(routine.X, b))
	return c.same("x", c.newColumn(routine.X, b), want, m.largest()*float64(m.cols))
}

func vectorSolve(c *Call, b int64) error {
	m := c.triangular(b).op(c.Args.Int(routine.TransA))
	x := c.newColumn(routine.X, b)
	return c.same("A x", m.times(x), c.oldColumn(routine.X, b), m.largest()*x.largest()*float64(m.cols))
}

// product multiplies a square matrix from the side that the call names.
func (c *Call) product(square, other dense) dense {
	if c.Args.Int(routine.Side) == routine.SideLeft {
		return square.times(other)
	}
	return other.times(square)
}

// scale3 is the size of the terms of a level 3 product.
func (c *Call) scale3(b int64) float64 {
	alpha, _, _ := c.scalars()
	m := c.old(routine.A, b)
	return (1 + cmplx.Abs(alpha)) * (1 + m.largest()) * 10 * float64(m.rows+m.cols)
}

func generalProduct(c *Call, b int64) error {
	alpha, beta, op := c.scalars()
	factor := c.old(routine.B, b).op(c.Args.Int(routine.TransB))
	want := c.old(routine.A, b).op(op).times(factor).plus(alpha, c.old(routine.C, b), beta)
	result := routine.C
	if c.Param(routine.D) != nil {
		result = routine.D
	}
	return c.same("the result", c.now(result, b), want, c.scale3(b))
}

func symmetricProduct(c *Call, b int64) error {
	alpha, beta, _ := c.scalars()
	m := c.symmetric(c.old(routine.A, b), c.Args.Routine.Family.Hermitian)
	want := c.product(m, c.old(routine.B, b)).plus(alpha, c.old(routine.C, b), beta)
	return c.same("C", c.now(routine.C, b), want, c.scale3(b))
}

func triangularProduct(c *Call, b int64) error {
	alpha, _, op := c.scalars()
	want := c.product(c.triangular(b).op(op), c.old(routine.B, b)).plus(alpha, dense{}, 0)
	return c.same("C", c.now(routine.C, b), want, c.scale3(b))
}

func matrixSolve(c *Call, b int64) error {
	alpha, _, op := c.scalars()
	x := c.now(routine.B, b)
	want := c.old(routine.B, b).plus(alpha, dense{}, 0)
	return c.same("op(A) X", c.product(c.triangular(b).op(op), x), want, c.scale3(b)*(1+x.largest()))
}

func triangularInverse(c *Call, b int64) error {
	inverse := c.triangleOf(c.now(routine.InvA, b))
	product := c.triangular(b).times(inverse)
	return c.same("A inv(A)", product, identity(inverse.rows), c.scale3(b)*(1+inverse.largest()))
}

// triangleOf clears the triangle that does not belong to a triangular result.
func (c *Call) triangleOf(d dense) dense {
	upper := c.Args.Int(routine.Uplo) == routine.FillUpper
	return build(d.rows, d.cols, func(i, j int64) complex128 {
		if i == j || (i < j) == upper {
			return d.at(i, j)
		}
		return 0
	})
}

// rankUpdate is a rank-k update; with twice it adds both products of its two factors.
func rankUpdate(twice bool) definition {
	return func(c *Call, b int64) error {
		hermitian := c.Args.Routine.Family.Hermitian
		alpha, beta, op := c.scalars()
		flip := dense.transposed
		if hermitian {
			flip = dense.adjoint
		}
		A := c.old(routine.A, b).op(op)
		B := A
		if c.Param(routine.B) != nil {
			B = c.old(routine.B, b).op(op)
		}
		want := A.times(flip(B)).plus(alpha, c.symmetric(c.old(routine.C, b), hermitian), beta)
		if twice {
			other := alpha
			if hermitian {
				other = cmplx.Conj(alpha)
			}
			want = B.times(flip(A)).plus(other, want, 1)
		}
		for i := range want.rows {
			if hermitian {
				want.set(i, i, complex(real(want.at(i, i)), 0))
			}
		}
		return c.sameTriangle(b, want, c.scale3(b)*(1+A.largest()))
	}
}
