package trial

import (
	"math"
	"math/cmplx"
	"strings"

	"roclua/hip/number"
	"roclua/hip/routine"
)

// verify holds what a call left behind for one problem against the definition of its family.
func (tr *Trial) Verify(b int64) error {
	switch family := tr.Args.Routine.Family; family.Level {
	case 1:
		return tr.verifyReduction(b)
	case 2:
		return tr.verifyLevel2(b)
	case 3:
		return tr.verifyLevel3(b)
	}
	return tr.verifySolver(b)
}

// plainName is the family whose mathematics an _ex routine has.
func (tr *Trial) plainName() string { return strings.TrimSuffix(tr.Args.Routine.Family.Name, "_ex") }

func (tr *Trial) verifyReduction(b int64) error {
	x := tr.column(tr.Before[routine.X], routine.X, b)
	have := tr.result(b)
	var want complex128
	abs1 := func(z complex128) float64 { return math.Abs(real(z)) + math.Abs(imag(z)) }
	switch name := tr.plainName(); name {
	case "asum":
		for _, v := range x.v {
			want += complex(abs1(v), 0)
		}
	case "nrm2":
		sum := 0.0
		for _, v := range x.v {
			sum += real(v)*real(v) + imag(v)*imag(v)
		}
		want = complex(math.Sqrt(sum), 0)
	case "iamax", "iamin":
		best := int64(0)
		for i, v := range x.v {
			if name == "iamax" && abs1(v) > abs1(x.v[best]) || name == "iamin" && abs1(v) < abs1(x.v[best]) {
				best = int64(i)
			}
		}
		want = complex(float64(best+1), 0)
	default:
		y := tr.column(tr.Before[routine.Y], routine.Y, b)
		for i, v := range x.v {
			if name == "dotc" {
				v = cmplx.Conj(v)
			}
			want += v * y.v[i]
		}
	}
	return tr.same("result", dense{1, 1, []complex128{have}}, dense{1, 1, []complex128{want}}, cmplx.Abs(want)+float64(x.rows))
}

// result reads what a reduction stored.
func (tr *Trial) result(b int64) complex128 {
	p := tr.Param(routine.Result)
	at := uint64(tr.Launch.Result)
	if tr.Launch.OnDevice {
		at = tr.Args.Ptr(routine.Result)
	}
	size := tr.Args.ElementBytes(p)
	raw, err := tr.Memory.Bytes(at+uint64(b*size), size)
	if err != nil {
		tr.t.Fatal(err)
	}
	return number.Load(tr.Args.Datatype(p), raw)
}

func (tr *Trial) verifyLevel2(b int64) error {
	a := tr.Args
	alpha, beta, op := a.Scalar(routine.Alpha), a.Scalar(routine.Beta), a.Int(routine.TransA)
	x := tr.column(tr.Before[routine.X], routine.X, b)
	switch a.Routine.Family.Name {
	case "gemv", "symv", "hemv":
		m := tr.old(routine.A, b).op(op)
		if a.Routine.Family.Name != "gemv" {
			m = tr.symmetric(tr.old(routine.A, b), a.Routine.Family.Name == "hemv")
		}
		y := tr.column(tr.Before[routine.Y], routine.Y, b)
		want := m.times(x).plus(alpha, y, beta)
		return tr.same("y", tr.column(tr.Arrays[routine.Y].Data(), routine.Y, b), want, m.largest()*float64(m.cols)*(1+cmplx.Abs(alpha)))
	case "trsv":
		m := tr.triangular(b).op(op)
		solution := tr.column(tr.Arrays[routine.X].Data(), routine.X, b)
		return tr.same("A x", m.times(solution), x, m.largest()*solution.largest()*float64(m.cols))
	}
	m := tr.triangular(b).op(op)
	return tr.same("x", tr.column(tr.Arrays[routine.X].Data(), routine.X, b), m.times(x), m.largest()*float64(m.cols))
}

func (tr *Trial) verifyLevel3(b int64) error {
	a := tr.Args
	alpha, beta, op := a.Scalar(routine.Alpha), a.Scalar(routine.Beta), a.Int(routine.TransA)
	left := a.Int(routine.Side) == routine.SideLeft
	product := func(m, o dense) dense {
		if left {
			return m.times(o)
		}
		return o.times(m)
	}
	A := tr.old(routine.A, b)
	scale := (1 + cmplx.Abs(alpha)) * (1 + A.largest()) * 10 * float64(A.rows+A.cols)
	switch name := tr.plainName(); name {
	case "gemm":
		want := A.op(op).times(tr.old(routine.B, b).op(a.Int(routine.TransB))).plus(alpha, tr.old(routine.C, b), beta)
		result := routine.C
		if tr.Param(routine.D) != nil {
			result = routine.D
		}
		return tr.same("the result", tr.now(result, b), want, scale)
	case "symm", "hemm":
		want := product(tr.symmetric(A, name == "hemm"), tr.old(routine.B, b)).plus(alpha, tr.old(routine.C, b), beta)
		return tr.same("C", tr.now(routine.C, b), want, scale)
	case "trmm":
		want := product(tr.triangular(b).op(op), tr.old(routine.B, b)).plus(alpha, dense{}, 0)
		return tr.same("C", tr.now(routine.C, b), want, scale)
	case "trsm":
		x := tr.now(routine.B, b)
		want := tr.old(routine.B, b).plus(alpha, dense{}, 0)
		return tr.same("op(A) X", product(tr.triangular(b).op(op), x), want, scale*(1+x.largest()))
	case "trtri":
		inverse := tr.symmetricOff(tr.now(routine.InvA, b))
		n := inverse.rows
		identity := build(n, n, func(i, j int64) complex128 {
			if i == j {
				return 1
			}
			return 0
		})
		return tr.same("A inv(A)", tr.triangular(b).times(inverse), identity, scale*(1+inverse.largest()))
	default:
		return tr.sameTriangle(b, tr.rankUpdate(b, name), scale*(1+A.largest()))
	}
}

// symmetricOff clears the triangle that an inverse does not have.
func (tr *Trial) symmetricOff(d dense) dense {
	upper := tr.Args.Int(routine.Uplo) == routine.FillUpper
	return build(d.rows, d.cols, func(i, j int64) complex128 {
		if i == j || (i < j) == upper {
			return d.at(i, j)
		}
		return 0
	})
}

// rankUpdate is the result of the rank-k updates, whole.
func (tr *Trial) rankUpdate(b int64, name string) dense {
	a := tr.Args
	alpha, beta, op := a.Scalar(routine.Alpha), a.Scalar(routine.Beta), a.Int(routine.TransA)
	hermitian := name[0] == 'h'
	flip := dense.transposed
	if hermitian {
		flip = dense.adjoint
	}
	A := tr.old(routine.A, b).op(op)
	B := A
	if tr.Param(routine.B) != nil {
		B = tr.old(routine.B, b).op(op)
	}
	C := tr.symmetric(tr.old(routine.C, b), hermitian)
	want := A.times(flip(B)).plus(alpha, C, beta)
	if name == "syr2k" || name == "her2k" {
		other := alpha
		if hermitian {
			other = cmplx.Conj(alpha)
		}
		want = B.times(flip(A)).plus(other, want, 1)
	}
	if hermitian {
		for i := range want.rows {
			want.set(i, i, complex(real(want.at(i, i)), 0))
		}
	}
	return want
}
