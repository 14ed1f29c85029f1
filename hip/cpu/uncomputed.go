package cpu

import (
	"roclua/hip/cpu/kernel"
	"roclua/hip/routine"
)

// platform is the name under which the simulated devices are registered.
const platform = "cpu"

// computed reports whether the simulated device computes a call. It does not compute the routines without a kernel,
// except calls that have nothing to compute. A copy has no arguments.
func computed(a *routine.Args) bool {
	return a == nil || kernel.Has(a.Routine) || a.Empty()
}

// markUncomputed records that a region has no values because its routine has no kernel.
func (i *inspection) markUncomputed(u *use) {
	s := stretch{state: uncomputed, by: i.site, routine: i.args.Routine.Name}
	if u.region.Cols*u.region.Count > intervalLimit {
		low, n := u.region.Bounds()
		s.low, s.high = low, low+n
		u.block.contents.set(s)
		return
	}
	u.region.Intervals(func(low, high uint64) bool {
		s.low, s.high = low, high
		u.block.contents.set(s)
		return true
	})
}

// leaveUncomputed fills the arrays that a routine without a kernel should write with the pattern of unwritten memory.
func (rt *runtime) leaveUncomputed(uses []use) (err error) {
	for _, u := range uses {
		if u.region.Param == nil || !u.region.Access.Writes() {
			continue
		}
		u.region.Intervals(func(low, high uint64) bool {
			for ; low < high && err == nil && !rt.givenUp.Load(); low += fillPart {
				var data []byte
				if data, err = u.block.slice(low, min(high-low, fillPart)); err == nil {
					fillPattern(data, low)
				}
			}
			return err == nil && !rt.givenUp.Load()
		})
	}
	return err
}
