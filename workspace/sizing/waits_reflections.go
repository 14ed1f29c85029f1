package sizing

import (
	"slices"

	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// reflectionRules list the fills of complex routines that make reflections and have no other waits. A reflection of
// one element divides by the norm of no elements, which rocBLAS sets to zero by a call of HIP. Devices whose wavefronts
// have 64 lanes compute short reflections in one kernel instead (rocauxiliary_larfg.hpp).
var reflectionRules = [routine.FamilyCount]func(w *waiting){
	routine.Larfg: func(w *waiting) { w.reflectIf(w.Int(routine.N) == 1, buffer.ReflectionNorms) },
	routine.Labrd: (*waiting).bidiagonalPanel,
	routine.Latrd: (*waiting).tridiagonalPanel,
	routine.Sytd2: func(w *waiting) { w.lastOfTridiagonal(buffer.ReflectionNorms) },

	routine.Geqr2:         (*waiting).qr,
	routine.Geqrf:         (*waiting).qr,
	routine.GeqrfPointers: (*waiting).qr,
	routine.Geql2:         (*waiting).byColumns,
	routine.Geqlf:         (*waiting).byColumns,
	routine.Gelq2:         (*waiting).byRows,
	routine.Gelqf:         (*waiting).byRows,
	routine.Gerq2:         (*waiting).byRows,
	routine.Gerqf:         (*waiting).byRows,

	routine.Gebd2:               (*waiting).bidiagonal,
	routine.Gebrd:               (*waiting).bidiagonal,
	routine.Gesvdx:              (*waiting).singularValues,
	routine.GesvdxNotTransposed: (*waiting).singularValues,
}

// reflectIf adds the fill of a reflection of one element, if a call makes one.
func (w *waiting) reflectIf(oneElement bool, norms buffer.ID) {
	runsOn := w.Arch
	if w.Release.ReflectsByCurrent {
		runsOn = w.RunsOn()
	}
	if !oneElement || !w.Routine.Type.IsComplex() || runsOn.Wavefront == 64 {
		return
	}
	w.fill(Fill{ID: norms, Bytes: product(w.Routine.Type.Size(), w.Batch()).n, Ignored: true})
}

// qr is byColumns, but newer releases leave out the last element of a square matrix.
func (w *waiting) qr() {
	if w.Release.ReflectsLast || w.Int(routine.M) != w.Int(routine.N) {
		w.byColumns()
	}
}

// byColumns is a factorization with a reflection for each column, whose shortest one has one element if there are as
// many columns as rows. byRows is one with a reflection for each row.
func (w *waiting) byColumns() { w.factorize(w.Int(routine.M), w.Int(routine.N)) }
func (w *waiting) byRows()    { w.factorize(w.Int(routine.N), w.Int(routine.M)) }

func (w *waiting) factorize(length, reflected int64) {
	norms := buffer.AppliedReflectionOrNorms
	inPanels := slices.Contains(w.Routine.Family.Buffers, buffer.TriangularFactor)
	if inPanels && min(length, reflected) > reflectionUnblocked {
		norms = buffer.TriangularFactor
	}
	w.reflectIf(length != 0 && length <= reflected, norms)
}

// squareFactorization is geqrf or gelqf of a matrix by its longer side.
func (w *waiting) squareFactorization(norms buffer.ID) {
	m := w.Int(routine.M)
	w.reflectIf(w.Release.ReflectsLast && m > 0 && m == w.Int(routine.N), norms)
}

// bidiagonal is the whole reduction to bidiagonal form.
func (w *waiting) bidiagonal() {
	m, n := w.Int(routine.M), w.Int(routine.N)
	w.bidiagonalOf(m, n, min(m, n), buffer.AppliedReflectionOrNorms)
}

// singularValues reduces a matrix, or the triangle of one that is much longer than wide, to bidiagonal form.
func (w *waiting) singularValues() {
	m, n := w.Int(routine.M), w.Int(routine.N)
	k := min(m, n)
	if isNarrow(m, n) {
		m, n = k, k
	}
	w.bidiagonalOf(m, n, k, buffer.EigenWork2)
}

// bidiagonalPanel is labrd, which reduces the first k rows and columns.
func (w *waiting) bidiagonalPanel() {
	w.bidiagonalOf(w.Int(routine.M), w.Int(routine.N), w.Int(routine.K), buffer.ReflectionNorms)
}

// bidiagonalOf reflects columns below the diagonal and rows right of the superdiagonal, or, of a wide matrix, rows
// right of the diagonal and columns below the subdiagonal.
func (w *waiting) bidiagonalOf(m, n, k int64, norms buffer.ID) {
	least := min(m, n)
	w.reflectIf(least > 1 && k >= least-1, norms)
	w.reflectIf(least > 0 && m == n && k == n, norms)
}

// tridiagonalPanel is latrd.
func (w *waiting) tridiagonalPanel() {
	n := w.Int(routine.N)
	w.reflectIf(n > 1 && w.Int(routine.K) >= n-1, buffer.ReflectionNorms)
}

// lastOfTridiagonal is the last reflection of sytd2.
func (w *waiting) lastOfTridiagonal(norms buffer.ID) {
	w.reflectIf(w.Release.ReflectsLast && w.least() > 1, norms)
}
