package behavior

import "roclua/hip/routine"

// searches are the arrays that the library searches for unusual numbers, before and after it computes, in its order,
// as ROCBLAS_CHECK_NUMERICS requests. It searches neither matrices in band or packed storage nor arrays of rocSOLVER.
type searches struct {
	first, last []routine.Slot
	not         func(a *routine.Args, onDevice bool) bool // calls that search nothing

	failed bool           // a call of a batch that failed searches its result too
	slow   bool           // a batched call that returns perf_degraded searches its result in some releases
	narrow routine.Layout // of arrays whose length is computed with 32 bits; 0 for none
}

// noNumbers is for a family whose calls search nothing.
var noNumbers = &searches{}

// before searches arrays before a call computes.
func before(arrays ...routine.Slot) *searches { return &searches{first: arrays} }

// after searches arrays after a call computed.
func (s *searches) after(arrays ...routine.Slot) *searches {
	s.last = arrays
	return s
}

func (s *searches) unless(not func(a *routine.Args, onDevice bool) bool) *searches {
	s.not = not
	return s
}

func (s *searches) afterErrors() *searches {
	s.failed = true
	return s
}

func (s *searches) afterSlowSolve() *searches {
	s.slow = true
	return s
}

func (s *searches) narrowed(layout routine.Layout) *searches {
	s.narrow = layout
	return s
}

// onHost holds for rotations that are computed on the host, and whose numbers are in its memory.
func onHost(_ *routine.Args, onDevice bool) bool { return !onDevice }

// Numbers are the searches of a call for unusual numbers.
type Numbers struct {
	Before, After []routine.Slot // arrays

	AfterErrors bool // a call that failed searches its result too
	Degraded    bool // a call that returns perf_degraded searches its result in some releases
}

// NumbersOf returns the searches of a call.
func NumbersOf(a *routine.Args, onDevice bool) Numbers {
	s := familyOf(a.Routine).numbers
	if s.not != nil && s.not(a, onDevice) {
		return Numbers{}
	}
	v := a.Routine.Variant
	return Numbers{s.first, s.last, s.failed && v != routine.Plain, s.slow && v == routine.Batched}
}

// Searched reports whether an array of a call is searched: it has elements. Some routines compute its length with 32
// bits.
func Searched(a *routine.Args, p *routine.Param) bool {
	rows, cols := p.Rows.Of(a), int64(1)
	if !p.Cols.IsZero() {
		cols = p.Cols.Of(a)
	}
	if p.Layout == familyOf(a.Routine).numbers.narrow {
		switch p.Layout {
		case routine.Vector:
			rows = int64(int32(rows))
		case routine.Upper:
			rows = int64(uint32(rows))
		}
	}
	return rows > 0 && cols > 0 && a.Batch() > 0 && !a.Null(p.Slot)
}
