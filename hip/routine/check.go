package routine

import (
	"fmt"
	"math"
)

// CheckRange checks that a value fits the C type of an integer parameter.
func (r *Routine) CheckRange(p *Param, v int64) error {
	low, high := r.bounds(p.Kind)
	if v >= low && v <= high {
		return nil
	}
	hint := ""
	if _, ok := Find(r.Library, r.Name+"_64"); ok && p.Kind == Int32 {
		hint = fmt.Sprintf("; %s.%s_64 takes 64-bit sizes", r.Library, r.Name)
	}
	if v < low && low == 0 {
		return fmt.Errorf("%d is negative, and %s is unsigned", v, r.CType(p))
	}
	return fmt.Errorf("%d does not fit the %s of %s (%d to %d)%s", v, r.CType(p), r.CName(), low, high, hint)
}

func (r *Routine) bounds(k Kind) (low, high int64) {
	switch {
	case k == Int32 && !r.Wide, k == FixedInt32:
		return math.MinInt32, math.MaxInt32
	case k == Uint32:
		return 0, math.MaxUint32
	case k == Size:
		return 0, math.MaxInt64
	}
	return math.MinInt64, math.MaxInt64
}
