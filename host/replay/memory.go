package replay

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"roclua/hip/driver"
	"roclua/hip/function"
	"roclua/host/recording"
)

// block is memory of the recorded program, and where it is on the modelled devices.
type block struct {
	at, bytes uint64 // in the recording
	size      uint64 // on the devices, see buffers
	made      time.Duration
	ptr       driver.Ptr // 0 if the device had no memory for it
	device    int
	freed     bool // by the program; later uses of its addresses are found
	standIn   bool // no allocation of it is in the recording
}

// holds reports whether an address is in the block. The end of a block can be the end of the address space.
func (b *block) holds(address uint64) bool { return address >= b.at && address-b.at < max(b.bytes, 1) }

// memory is the memory of the recorded program, in the order of its addresses. Blocks do not overlap.
type memory []block

// search returns the index of the first block that ends behind an address, and whether it contains it.
func (m memory) search(address uint64) (int, bool) {
	i, _ := slices.BinarySearchFunc(m, address, func(b block, address uint64) int {
		if b.at < address && !b.holds(address) {
			return -1
		}
		return 1
	})
	return i, i < len(m) && m[i].holds(address)
}

// add adds a block in the place of those that it overlaps, and returns the ones that are not freed: their end is
// missing in the recording.
func (m *memory) add(b block) (left []block) {
	from, _ := m.search(b.at)
	to := from
	for ; to < len(*m) && ((*m)[to].at < b.at || b.holds((*m)[to].at)); to++ {
		if old := (*m)[to]; !old.freed {
			left = append(left, old)
		}
	}
	*m = slices.Replace(*m, from, to, b)
	return left
}

// follow notes an allocation or a release that succeeded when it was recorded.
func (m *memory) follow(c *recording.Call) {
	device, _ := allocates(c.Name)
	address := allocatedAt(c)
	switch {
	case c.Status != 0:
	case device && address != 0:
		bytes, _ := sizeOf(c)
		m.add(block{at: address, bytes: bytes, size: bytes, made: c.Start, device: c.Device})
	case c.Name == "hipFree" || c.Name == "hipFreeAsync":
		if b, _ := m.atAddress(uint64(argument(c, function.Address))); b != nil {
			b.freed = true
		}
	}
}

// forget removes freed blocks whose addresses are used again, by memory that the program did not allocate.
func (m *memory) forget(address, bytes uint64) {
	used := block{at: address, bytes: bytes}
	for i, _ := m.search(address); i < len(*m) && ((*m)[i].at < address || used.holds((*m)[i].at)); {
		if !(*m)[i].freed {
			i++
			continue
		}
		*m = slices.Delete(*m, i, i+1)
	}
}

// atAddress returns the block that contains an address, and its bytes from there on the devices; nil for none.
func (m memory) atAddress(address uint64) (b *block, left uint64) {
	i, ok := m.search(address)
	if !ok {
		return nil, 0
	}
	return &m[i], m[i].size - min(m[i].size, address-m[i].at)
}

// onDevice returns the address on the device of an address of the recording. One in no known memory stays as it is: it
// is no address of a device.
func (m memory) onDevice(address uint64) uint64 {
	b, _ := m.atAddress(address)
	if b == nil || b.ptr == 0 {
		return address
	}
	return uint64(b.ptr) + address - b.at
}

// allocates reports whether a function of HIP allocates device memory, and whether in the order of a stream.
func allocates(name string) (device, inOrder bool) {
	switch name {
	case "hipMalloc", "hipMallocManaged", "hipExtMallocWithFlags", "hipMallocPitch", "hipMemAllocPitch",
		"hipMalloc3D", "hipMemMap":
		return true, false
	case "hipMallocAsync", "hipMallocFromPoolAsync":
		return true, true
	}
	return false, false
}

// allocatedAt returns the address that a call allocated; 0 for none.
func allocatedAt(c *recording.Call) uint64 {
	address, _ := c.Result(0)
	if c.Status != 0 {
		return 0
	}
	if c.Name == "hipMemMap" {
		return uint64(arg(c, 0).Int)
	}
	return address
}

func sizeOf(c *recording.Call) (uint64, bool) {
	var sizes []uint64
	for i := range c.Args {
		if c.Args[i].Letter == function.Size {
			sizes = append(sizes, uint64(c.Args[i].Int))
		}
	}
	switch pitch, ok := c.Result(1); {
	case sizes == nil:
		return 0, false
	case ok && len(sizes) == 2: // of rows
		return pitch * sizes[1], true
	case c.Name == "hipMalloc3D" && len(sizes) == 3:
		return sizes[0] * sizes[1] * sizes[2], true
	}
	return sizes[0], true
}

// malloc makes an allocation of the program, which has the recorded addresses.
func (r *replay) malloc(c *recording.Call) error {
	bytes, _ := sizeOf(c)
	address, recorded := allocatedAt(c), bytes
	if r.buffers != nil {
		bytes = cmp.Or(r.buffers.blocks[allocation{address, c.Start}], bytes)
	}
	d, p, err := r.rt.Device(), driver.Ptr(0), error(nil)
	switch _, inOrder := allocates(c.Name); {
	case inOrder:
		p, err = d.MallocAsync(bytes, r.streamOf(c))
		d = r.streamOf(c).Device()
	case c.Name == "hipMallocManaged":
		p, err = d.MallocManaged(bytes)
	default:
		p, err = d.Malloc(bytes)
	}
	if err != nil && c.Status == 0 && driver.CodeOf(err) == driver.ErrorOutOfMemory {
		r.find(NoMemory, nil, c, bytes, strings.TrimPrefix(err.Error(), c.Name+": "))
	}
	switch {
	case address != 0: // without memory of the device it is memory that the device does not know
		r.release(r.memory.add(block{at: address, bytes: recorded, size: bytes, ptr: p, device: d.Index()}))
	case err == nil && p != 0: // the program has no such memory
		r.release([]block{{ptr: p, device: d.Index()}})
	}
	return err
}

// release frees blocks that the recorded program has no more.
func (r *replay) release(list []block) {
	for _, b := range list {
		if b.ptr != 0 {
			r.rt.Devices()[b.device].Free(b.ptr)
		}
	}
}

// unmap frees the memory that hipMemMap put at addresses.
func (r *replay) unmap(c *recording.Call) error {
	from, bytes := uint64(arg(c, 0).Int), uint64(arg(c, 1).Int)
	for i, _ := r.memory.search(from); i < len(r.memory) && r.memory[i].at-from < bytes; i++ {
		if b := &r.memory[i]; !b.freed {
			r.freedInCapture(b, c)
			r.release([]block{*b})
			b.freed = true
		}
	}
	return nil
}

// free frees memory of the program.
func (r *replay) free(c *recording.Call) error {
	address := uint64(argument(c, function.Address))
	d := r.rt.Device()
	b, _ := r.memory.atAddress(address)
	if address == 0 || b == nil || b.at != address || b.freed {
		if c.Status != 0 && address != 0 {
			return d.Free(driver.Ptr(address)) // it fails, too
		}
		return d.Synchronize() // memory whose allocation is not in the recording
	}
	r.freedInCapture(b, c)
	r.freedBuffers(b)
	if b.ptr == 0 {
		b.freed = true
		return d.Synchronize()
	}
	err := error(nil)
	if c.Name == "hipFreeAsync" {
		err = r.rt.Devices()[b.device].FreeAsync(b.ptr, r.streamOf(c))
	} else {
		err = r.rt.Devices()[b.device].Free(b.ptr)
	}
	b.freed = err == nil
	return err
}
