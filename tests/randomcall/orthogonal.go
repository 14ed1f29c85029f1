package randomcall

import (
	"roclua/hip/routine"
)

// givenForms are the forms of families that have no argument for it.
var givenForms = map[routine.FamilyID]form{
	routine.Org2r: qr, routine.Orgqr: qr, routine.Org2l: ql, routine.Orgql: ql, routine.Orgl2: lq, routine.Orglq: lq,
	routine.Orm2r: qr, routine.Ormqr: qr, routine.Orm2l: ql, routine.Ormql: ql, routine.Orml2: lq, routine.Ormlq: lq,
}

// given returns the reflections that a call reads.
func (c *problem) given() reflections {
	a := c.Args
	rows := a.Int(routine.Storev) == routine.StorevRows
	if c.Param(routine.MatV) != nil {
		f := form{rows: rows, backward: a.Int(routine.Direct) == routine.DirectBackward}
		return reflections{f, routine.MatV, routine.Tau, a.Int(routine.K)}
	}
	if f, ok := givenForms[a.Routine.Family.ID]; ok {
		return reflections{f, routine.A, routine.Ipiv, a.Int(routine.K)}
	}
	order := a.Int(routine.M) // of sytrd or gebrd
	if c.Param(routine.Side) != nil && a.Int(routine.Side) == routine.SideRight ||
		c.Param(routine.Side) == nil && (rows || c.Param(routine.Storev) == nil) {
		order = a.Int(routine.N)
	}
	if c.Param(routine.Storev) == nil {
		return c.reflectionsOfSytrd(routine.Ipiv, order-1)
	}
	k := reflections{form{rows: rows}, routine.A, routine.Ipiv, a.Int(routine.K)}
	if k.count > order || k.rows && k.count == order {
		k.count, k.shift = order-1, 1
	}
	return k
}

// generatesQ is the definition of routines that make Q or P^H, or their first or last columns or rows.
func generatesQ(c *problem) {
	k, have := c.given(), c.now(routine.A)
	q := k.product(c.old(routine.A), c.before)
	if k.rows {
		q = q.adjoint()
	}
	first := int64(0)
	if k.backward {
		first = q.cols - have.cols
	}
	c.same("Q", have, build(have.rows, have.cols, func(i, j int64) complex128 { return q.at(i, first+j) }), 10)
}

// multipliesByQ is the definition of routines that multiply C by Q or P. LQ stores the reflections of the adjoint.
func multipliesByQ(c *problem) {
	k, old := c.given(), c.old(routine.C)
	q := k.product(c.old(routine.A), c.before)
	if k.rows && c.Param(routine.Storev) == nil {
		q = q.adjoint()
	}
	scale := min(float64(10*q.rows), (1+old.largest())*float64(old.rows+old.cols))
	c.same("C", c.now(routine.C), c.product(q.op(c.Args.Int(routine.TransA)), old), scale)
}
