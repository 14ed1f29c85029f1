package replay

import (
	"fmt"
	"strings"
	"time"

	"roclua/hip/driver"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/host/recording"
	"roclua/internal/units"
	"roclua/workspace"
	"roclua/workspace/footprint"
	"roclua/workspace/hipsolver"
)

// buffers are the buffers of hipSOLVER on another release than the recorded one. A program that asks for their sizes
// would allocate other sizes there, so a block that is only for a buffer gets the other size.
type buffers struct {
	from, to *release.Release
	inBytes  bool              // the variable of the program is set
	answers  map[answer]uint64 // bytes on the other release
	blocks   map[allocation]uint64
	moved    map[uint64]block // buffers in larger blocks of the program, by their recorded addresses
	changed  int              // calls
}

// answer is the size that a function returned in its unit, or no function in bytes.
type answer struct {
	function string
	number   uint64
}

// allocation is an allocation of the program by its address and time.
type allocation struct {
	address uint64
	at      time.Duration
}

// layerBlock is a block whose beginning is a buffer of hipSOLVER.
type layerBlock struct{ bytes, recorded, other uint64 }

// slack is how much larger a block can be than the buffer that it is for.
const slack = 256

// findBuffers reads the recording for the blocks that are only for buffers of hipSOLVER.
func (r *replay) findBuffers(f *recording.File) {
	w, _ := Source(&f.Process)
	if w.Profile == r.Options.Profile || w.Profile.Release == nil || r.Options.Profile.Release == nil {
		return
	}
	_, inBytes := r.Process.Facts["env."+workspace.EnvLayerBytes]
	b := &buffers{from: w.Profile.Release, to: r.Options.Profile.Release, inBytes: inBytes,
		answers: map[answer]uint64{}, blocks: map[allocation]uint64{}, moved: map[uint64]block{}}
	r.buffers = b
	var m memory
	found := map[allocation]*layerBlock{}
	var follow func(*recording.Call)
	follow = func(c *recording.Call) {
		m.follow(c)
		if c.Status != 0 || !strings.HasPrefix(c.Name, "hipsolver") {
			return
		}
		r.answered(c)
		for _, inner := range c.Inside {
			follow(inner)
			at, bytes := workspaceOf(inner)
			block, _ := m.atAddress(at)
			if bytes == 0 || block == nil || block.freed {
				continue
			}
			key, offset := allocation{block.at, block.made}, at-block.at
			if found[key] == nil {
				found[key] = &layerBlock{bytes: block.bytes}
			}
			of, other := found[key], bytes
			if on, answered := b.bound(c, bytes); answered {
				other = on
			}
			of.recorded = max(of.recorded, offset+bytes)
			of.other = max(of.other, offset+other)
		}
	}
	for c := range inEffect(f.Calls()) {
		follow(c)
	}
	for key, of := range found {
		for _, each := range []uint64{1, 4, 8, 16} { // a size in bytes is often multiplied by the one of an element
			if whole := each * of.recorded; of.bytes >= whole && of.bytes-whole < slack && of.other != of.recorded {
				b.blocks[key] = each*of.other + of.bytes - whole
			}
		}
	}
	clear(b.answers)
}

// workspaceOf returns the workspace that a call binds, without bytes if it binds none.
func workspaceOf(c *recording.Call) (address, bytes uint64) {
	if c.Name != "rocblas_set_workspace" || arg(c, 1).Int == 0 {
		return 0, 0
	}
	return uint64(arg(c, 1).Int), uint64(arg(c, 2).Int)
}

// answered notes the size of a buffer that a function returned, and its size on the other release.
func (r *replay) answered(c *recording.Call) {
	f, ok := routine.LayerNamed(c.Name)
	if !ok || !f.IsSize() || c.Status != 0 || len(c.Args) != len(f.Params)+1 || len(c.Results) == 0 {
		return
	}
	arch := r.Devices[r.device(c.Device)].Arch
	need, err := footprint.NeedOf(footprint.Target{Profile: r.Options.Profile, Arch: arch, Tuning: r.Tuning[arch]},
		numbers(f, c))
	if err != nil || need.Unknown != "" {
		return
	}
	b, number := r.buffers, c.Results[0]
	b.answers[answer{f.CName(), number}] = need.Bytes
	b.answers[answer{"", number * b.unit(b.from, f)}] = need.Bytes
}

// unit returns the bytes of the unit that a function counts the size of a buffer in.
func (b *buffers) unit(on *release.Release, f *routine.Routine) uint64 {
	if b.inBytes {
		return 1
	}
	return hipsolver.ResultOf(on, f, 0).Each
}

// bound returns the bytes of the buffer that a hipSOLVER call binds on the other release, and whether the program
// asked for its size. recorded are those that it bound when it was recorded. Without an answer of this size the
// program's own number is passed, in the unit of the other release.
func (b *buffers) bound(layer *recording.Call, recorded uint64) (bytes uint64, answered bool) {
	f, ok := routine.LayerNamed(layer.Name)
	if !ok || f.Library != routine.HipSOLVER {
		return recorded, false
	}
	number := recorded / b.unit(b.from, f)
	for _, a := range []answer{{f.CName() + "_bufferSize", number}, {"", recorded}} {
		if bytes, ok := b.answers[a]; ok {
			return bytes, true
		}
	}
	return number * b.unit(b.to, f), false
}

// buffer returns the bytes that a hipSOLVER call binds at an address of a block, on another release than the
// recorded one. A buffer in a block that is also for something else gets a separate block.
func (r *replay) buffer(of *block, address, recorded uint64) (p driver.Ptr, bytes uint64) {
	b := r.buffers
	if b == nil || r.layer == nil {
		return 0, recorded
	}
	bytes, answered := b.bound(r.layer, recorded)
	if bytes == recorded {
		return 0, recorded
	}
	b.changed++
	if !answered || bytes < recorded || of != nil && of.size != of.bytes {
		return 0, bytes
	}
	moved := b.moved[address]
	if moved.bytes < bytes {
		r.release([]block{moved})
		moved = block{at: address, bytes: bytes, device: r.rt.Device().Index()}
		moved.ptr, _ = r.rt.Device().Malloc(bytes)
		b.moved[address] = moved
	}
	return moved.ptr, bytes
}

// freedBuffers frees the buffers that were in a block of the program.
func (r *replay) freedBuffers(of *block) {
	if r.buffers == nil {
		return
	}
	for address, moved := range r.buffers.moved {
		if address >= of.at && address-of.at < of.bytes {
			r.release([]block{moved})
			delete(r.buffers.moved, address)
		}
	}
}

// note counts the calls that have other buffers than when they were recorded.
func (b *buffers) note() []string {
	if b == nil || b.changed == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%s of hipSOLVER bind buffers of other sizes than when they were recorded: those that "+
		"hipSOLVER of %s returns", units.Count(b.changed, "call"), b.to.Name)}
}
