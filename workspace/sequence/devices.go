package sequence

import (
	"math/rand/v2"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/workspace"
)

const setDevice = "set_device"

// SetDevice makes a device the current one.
func SetDevice(device int) *Operation { return &Operation{Name: setDevice, Device: device} }

// CreateHandles creates a handle on each device, in an environment. The first device is the current one afterwards.
func CreateHandles(devices int, env map[string]string) []*Operation {
	first := CreateHandle(env)
	if devices < 2 {
		return []*Operation{first}
	}
	first.Devices = devices
	ops := []*Operation{first}
	for i := 1; i < devices; i++ {
		create := CreateHandle(env)
		create.Handle = i
		ops = append(ops, SetDevice(i), create)
	}
	return append(ops, SetDevice(0))
}

// drawDevice lets operations use the handle of any device, while any device is the current one. Sometimes the program
// names a device that does not exist.
func drawDevice(r *rand.Rand, devices int, ops []*Operation) []*Operation {
	if devices < 2 {
		return ops
	}
	ops = WithDevice(r, devices, ops)
	switch r.IntN(12) {
	case 0:
		ops[0] = SetDevice(devices)
	case 1, 2, 3, 4:
	default:
		ops = ops[1:]
	}
	return ops
}

// WithDevice makes operations use the handle of any device, while any device is the current one.
func WithDevice(r *rand.Rand, devices int, ops []*Operation) []*Operation {
	if devices < 2 {
		return ops
	}
	handle := r.IntN(devices)
	for _, op := range ops {
		op.Handle = handle
	}
	return append([]*Operation{SetDevice(r.IntN(devices))}, ops...)
}

// OnDevices makes other devices the current one at any point of a sequence with one handle, also before the handle is
// created.
func OnDevices(r *rand.Rand, devices int, ops []*Operation) []*Operation {
	if devices < 2 {
		return ops
	}
	first := SetDevice(r.IntN(devices))
	first.Devices = devices
	list := []*Operation{first}
	for _, op := range ops {
		list = append(list, op)
		if !op.Direct && r.IntN(4) == 0 {
			list = append(list, SetDevice(r.IntN(devices)))
		}
	}
	return list
}

// DestroyHandles destroys the handles of all devices.
func DestroyHandles(devices int) []*Operation {
	var ops []*Operation
	for i := range max(1, devices) {
		destroy := DestroyHandle()
		destroy.Handle = i
		ops = append(ops, destroy)
	}
	return ops
}

// deviceOf returns the device of a stream or of an event of a sequence, by its index from 0.
func deviceOf(index, devices int) int { return index % max(1, devices) }

// handles are the handles of a Side that have been created, but for the one that it uses, which is in Side.Handle.
type handles struct {
	list []handle
	used int
}

type handle struct {
	workspace.Handle
	ones bool
}

// use makes a handle the one that operations use.
func (s *Side) use(number int) {
	h := &s.others
	for len(h.list) <= max(number, h.used) {
		h.list = append(h.list, handle{})
	}
	h.list[h.used] = handle{s.Handle, s.ones}
	h.used = number
	s.Handle, s.ones = h.list[number].Handle, h.list[number].ones
}

// Lacks reports whether an operation needs a handle that does not exist.
func (s *Side) Lacks(op *Operation) bool {
	if op.IsCreate() || op.IsHIP() {
		return false
	}
	s.use(op.Handle)
	return s.Handle == nil || s.Handle.Destroyed()
}

// stream returns a stream of sequences. A name of HIP is of the current device's stream.
func (s *Side) stream(number int) *hip.Stream { return s.streams[number].For(s.Runtime.Device()) }

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

// fill allocates the memory of the current device, but left bytes. The memory pool first returns its unused memory.
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

// drain frees the memory of the last fill.
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
