package sequence

import (
	"math/rand/v2"

	"roclua/hip/driver"
)

// Names of operations that take the memory of the current device, but some bytes, and free the last part.
const (
	fill  = "fill"
	drain = "drain"
)

// takesRoom reports whether the operation only changes how much memory a device has left.
func (op *Operation) takesRoom() bool { return op.Name == fill || op.Name == drain }

// drawRoom sometimes leaves a device little memory, or frees it again. The current device may be another one then.
func drawRoom(r *rand.Rand, devices int) []*Operation {
	switch r.IntN(16) {
	case 0:
		sizes := []uint64{0, 64, 1 << 20, 16 << 20, 32 << 20, 128 << 20, uint64(r.IntN(64 << 20))}
		return []*Operation{SetDevice(r.IntN(devices)), {Name: fill, Size: sizes[r.IntN(len(sizes))]}}
	case 1, 2:
		return []*Operation{{Name: drain}}
	}
	return nil
}

// fill allocates the memory of the current device, but left bytes. The memory pool first returns what it does not
// use.
func (s *Side) fill(left uint64) error {
	dev := s.Runtime.Device()
	if err := dev.TrimPool(0); err != nil {
		return err
	}
	free, _, err := dev.MemInfo()
	if err != nil || free <= left {
		return err
	}
	p, err := dev.Malloc(free - left)
	if err == nil {
		s.taken = append(s.taken, p)
	}
	return err
}

// drain frees what the last fill allocated.
func (s *Side) drain() error {
	p, last := driver.Ptr(0), len(s.taken)-1
	if last >= 0 {
		p = s.taken[last]
	}
	err := s.Runtime.Device().Free(p)
	if err == nil && last >= 0 {
		s.taken = s.taken[:last]
	}
	return err
}
