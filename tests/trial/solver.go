package trial

import (
	"fmt"

	"roclua/hip/routine"
)

// verifySolver multiplies back: factors must give the matrix again, solutions the right-hand sides.
func (tr *Trial) verifySolver(b int64) error {
	a := tr.Args
	name := a.Routine.Family.Name
	if p := tr.Param(routine.Info); p != nil {
		if info := real(tr.get(tr.Arrays[routine.Info].Data(), p, b, 0)); info != 0 {
			return fmt.Errorf("info is %v", info)
		}
	}
	A, now := tr.old(routine.A, b), tr.now(routine.A, b)
	scale := (1 + A.largest()) * float64(10*(A.rows+A.cols))
	switch name {
	case "getrf", "getf2", "getrf_npvt":
		return tr.same("P A", tr.luProduct(now, b, true), A, scale)
	case "getrs":
		X := tr.now(routine.B, b)
		return tr.same("A X", tr.luProduct(A, b, true).op(a.Int(routine.TransA)).times(X), tr.old(routine.B, b), scale*(1+X.largest())*100)
	case "getri":
		product := tr.luProduct(A, b, true).times(now)
		return tr.same("A inv(A)", product, identity(A.rows), scale*(1+now.largest())*100)
	case "gesv":
		X := tr.now(routine.B, b)
		return tr.same("A X", A.times(X), tr.old(routine.B, b), scale*(1+X.largest())*100)
	case "geqrf":
		R := build(A.rows, A.cols, func(i, j int64) complex128 {
			if i > j {
				return 0
			}
			return now.at(i, j)
		})
		return tr.same("R^H R", R.adjoint().times(R), A.adjoint().times(A), scale*scale)
	}
	return tr.verifyCholesky(b, name, A, scale)
}

func (tr *Trial) verifyCholesky(b int64, name string, A dense, scale float64) error {
	factor := tr.symmetricOff(tr.now(routine.A, b))
	if name == "potrs" {
		factor = tr.symmetricOff(A)
	}
	product := factor.times(factor.adjoint())
	if tr.Args.Int(routine.Uplo) == routine.FillUpper {
		product = factor.adjoint().times(factor)
	}
	if name != "potrs" {
		if err := tr.same("L L^H", product, tr.symmetric(A, true), scale); err != nil || name == "potrf" {
			return err
		}
	}
	X := tr.now(routine.B, b)
	return tr.same("A X", product.times(X), tr.old(routine.B, b), (1+product.largest())*(1+X.largest())*scale)
}

func identity(n int64) dense {
	return build(n, n, func(i, j int64) complex128 {
		if i == j {
			return 1
		}
		return 0
	})
}

// luProduct multiplies the factors in a matrix, and undoes the row exchanges.
func (tr *Trial) luProduct(lu dense, b int64, exchange bool) dense {
	d := min(lu.rows, lu.cols)
	L := build(lu.rows, d, func(i, j int64) complex128 {
		switch {
		case i == j:
			return 1
		case i > j:
			return lu.at(i, j)
		}
		return 0
	})
	U := build(d, lu.cols, func(i, j int64) complex128 {
		if i <= j {
			return lu.at(i, j)
		}
		return 0
	})
	product := L.times(U)
	p := tr.Param(routine.Ipiv)
	if p == nil || !exchange {
		return product
	}
	for i := d - 1; i >= 0; i-- {
		other := int64(real(tr.get(tr.Arrays[routine.Ipiv].Data(), p, b, i))) - 1
		for j := range product.cols {
			x, y := product.at(i, j), product.at(other, j)
			product.set(i, j, y)
			product.set(other, j, x)
		}
	}
	return product
}
