package sizing

import (
	"roclua/hip/routine"
	"roclua/hip/routine/buffer"
)

// Fill is workspace that the library sets to zero by a call of HIP.
type Fill struct {
	ID      buffer.ID // whose memory begins with the bytes
	Bytes   uint64
	Checked bool // the call returns the error of HIP
	Ignored bool // a solve continues after an error
}

// places are the buffers of a routine that have the memory of the solver of symmetric eigenvalues by division.
var places = map[routine.FamilyID][8]buffer.ID{
	routine.Syevd: {buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3, buffer.RankOneUpdate, buffer.SplitMap,
		buffer.EigenWork4, buffer.EigenScalars, buffer.Pointers},
	routine.Sygvd: {buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3, buffer.RankOneUpdate, buffer.SplitMap,
		buffer.EigenWork4, buffer.EigenScalars, buffer.EigenWork5},
	routine.Gesdd: {buffer.EigenWork1, buffer.EigenWork2, buffer.EigenWork3, buffer.SecondCopy, buffer.SplitMap,
		buffer.EigenWork5, buffer.EigenScalars, buffer.Pointers},
}

// eigenvaluesByDivision fills its memory and then computes eigenvalues and vectors. If a fill fails, it ends.
func (w *waiting) eigenvaluesByDivision() {
	id, n := w.Routine.Family.ID, w.least()
	if n == 0 && id != routine.Syevd { // syevd fills its empty memory first
		return
	}
	at := places[id]
	r := reflectionsOf(w.Target, w.Args)
	if id == routine.Gesdd { // it solves for its own copy of the matrices, without their addresses
		r.arrays = zero
	}
	s := r.spectrum(w.Target, w.Args, n)
	defer w.begin()()
	for i, bytes := range [...]amount{s.work1, s.work2, s.work3, s.rankOne, s.splits, s.triangle, s.tau, s.pointers} {
		w.fill(Fill{ID: at[i], Bytes: bytes.n, Checked: id == routine.Syevd})
		if id == routine.Syevd && i == 2 && !w.Release.StedcKeepsFewArrays {
			w.fill(Fill{Checked: true}) // memory that no call of the routine needs
		}
	}
	w.tridiagonal()
	if _, jobs := w.Routine.ParamAt(routine.Evect); !jobs || w.vectors() || !w.HostSterf {
		w.divide(buffer.EigenWork1, false)
	}
}

// stedc divides problems for vectors.
func (w *waiting) stedc() {
	if w.vectors() {
		w.divide(buffer.DividedProducts, true)
	}
}

// divide fills the memory for the products of a divided problem.
func (w *waiting) divide(at buffer.ID, isChecked bool) {
	if n := w.least(); n >= Divided {
		w.fill(Fill{ID: at, Bytes: product(2, n, n, w.Routine.Type.RealSize(), w.Batch()).n, Checked: isChecked})
	}
}

// pivots fills the pivots of potf2, if it needs any.
func (w *waiting) pivots() {
	if w.Int(routine.N) > CholeskyBlock(w.Routine.Type) {
		w.fill(Fill{ID: buffer.Pivots, Bytes: product(w.Routine.Type.Size(), w.Batch()).n})
	}
}

func (w *waiting) fill(f Fill) { w.step(WaitingStep{Times: 1, Fill: f, Fills: true}) }
