package randomcall

import (
	"roclua/hip/routine"
)

// givenReflections are the families that read reflections, with their form. larft and larfb have an argument for it.
var givenReflections = map[routine.FamilyID]form{
	routine.Org2r: qr, routine.Orgqr: qr, routine.Org2l: ql, routine.Orgql: ql, routine.Orgl2: lq, routine.Orglq: lq,
	routine.Orm2r: qr, routine.Ormqr: qr, routine.Orm2l: ql, routine.Ormql: ql, routine.Orml2: lq, routine.Ormlq: lq,
	routine.Larft: qr,
}

// formOf returns the form of a call's reflections.
func (c *problem) formOf() form {
	if c.Param(routine.Storev) == nil {
		return givenReflections[c.Args.Routine.Family.ID]
	}
	return form{c.Args.Int(routine.Storev) == routine.StorevRows,
		c.Args.Int(routine.Direct) == routine.DirectBackward}
}

// given returns the reflections that a call reads.
func (c *problem) given() product {
	vectors, scalars := routine.A, routine.Ipiv
	if c.Param(routine.MatV) != nil {
		vectors, scalars = routine.MatV, routine.Tau
	}
	return c.formOf().productOf(c.old(vectors), c.Args.Int(routine.K), c.before.list(scalars))
}

func generatesQ(c *problem) {
	q, f, now := c.given(), c.formOf(), c.now(routine.A)
	if f.rows {
		now = now.adjoint()
	}
	shift := int64(0)
	if f.backward {
		shift = now.rows - now.cols
	}
	unit := build(now.rows, now.cols, func(i, j int64) complex128 {
		if i == j+shift {
			return 1
		}
		return 0
	})
	c.same("Q", now, q.times(unit, false), 10)
}

// multipliesByQ expects op(Q) C or C op(Q).
func multipliesByQ(c *problem) {
	adjoint := (c.Args.Int(routine.TransA) != routine.OperationNone) != c.formOf().rows
	old := c.old(routine.C)
	scale := (1 + old.largest()) * float64(old.rows+old.cols)
	if c.Args.Int(routine.Side) == routine.SideLeft {
		c.same("C", c.now(routine.C), c.given().times(old, adjoint), scale)
		return
	}
	c.same("C", c.now(routine.C), c.given().times(old.adjoint(), !adjoint).adjoint(), scale)
}

// givenReflectors returns the reflectors of routines that form or apply the orthogonal matrices of sytrd and gebrd.
func (c *problem) givenReflectors() reflectors {
	order := c.Args.Int(routine.M)
	if c.Param(routine.Side) != nil {
		if c.Args.Int(routine.Side) == routine.SideRight {
			order = c.Args.Int(routine.N)
		}
	} else if c.Param(routine.Storev) == nil || c.Args.Int(routine.Storev) == routine.StorevRows {
		order = c.Args.Int(routine.N)
	}
	if c.Param(routine.Storev) == nil {
		return c.reflectorsOfSytrd(routine.Ipiv, order)
	}
	count := c.Args.Int(routine.K)
	k := reflectors{matrix: routine.A, scalars: routine.Ipiv, count: count, order: order}
	k.rows = c.Args.Int(routine.Storev) == routine.StorevRows
	if count > order || k.rows && count == order {
		k.count, k.shift = order-1, 1
	}
	return k
}

// matrixOfReflections is the definition of routines that make Q or P^H.
func matrixOfReflections(c *problem) {
	k := c.givenReflectors()
	q := c.reflected(k, c.old(routine.A), c.before)
	if k.rows {
		q = q.adjoint()
	}
	have := c.now(routine.A)
	c.same("Q", have, build(have.rows, have.cols, q.at), float64(k.order))
}

// productWithReflections is the definition of routines that multiply by Q or P.
func productWithReflections(c *problem) {
	k := c.givenReflectors()
	q := c.reflected(k, c.old(routine.A), c.before).op(c.Args.Int(routine.TransA))
	c.same("the product", c.now(routine.C), c.product(q, c.old(routine.C)), float64(10*k.order))
}
