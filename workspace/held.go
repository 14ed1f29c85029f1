package workspace

import (
	"fmt"

	"roclua/internal/units"
	"roclua/workspace/behavior"
)

// Held is the device memory that a handle under a scheme holds after a sequence of calls.
type Held struct {
	Scheme string
	Bytes  uint64
	About  string // how the size is determined
	Skip   string // why the release does not have the scheme; "" when it has
}

// HeldAfter returns the bytes that a handle holds under every scheme after a sequence of calls. needs are the bytes of
// each call, in order. In the schemes where the user chooses the size, the size is the need of the calls.
func HeldAfter(p *Profile, arch string, needs []uint64) []Held {
	most := uint64(0)
	for _, n := range needs {
		most = max(most, n)
	}
	var list []Held
	for _, scheme := range Schemes {
		h := Held{Scheme: scheme, Skip: p.SkipScheme(scheme)}
		if h.Skip == "" {
			h.Bytes, h.About = heldUnder(p, scheme, arch, needs, most)
		}
		list = append(list, h)
	}
	return list
}

func heldUnder(p *Profile, scheme, arch string, needs []uint64, most uint64) (bytes uint64, about string) {
	initial := p.DefaultBytes(arch)
	switch {
	case scheme == SchemePreallocated && most == 0:
		return 0, EnvDeviceMemorySize + "=0 makes a managed handle that holds no memory until a call needs some"
	case scheme == SchemePreallocated:
		return most, fmt.Sprintf("%s=%d", EnvDeviceMemorySize, most)
	case scheme == SchemeManual:
		return behavior.Round(most), fmt.Sprintf("set_device_memory_size(%d), rounded up to a multiple of %d", most,
			behavior.Granule)
	case scheme == SchemeUserOwned:
		return most, fmt.Sprintf("set_workspace(p, %d)", most)
	case scheme == SchemeStreamOrdered || p.Release.ManagedStreamOrdered:
		about = "each call allocates from the device's memory pool, which was warmed with " + units.FormatBytes(initial)
		return max(initial, most), about
	}
	return grown(initial, needs)
}

// grown computes the memory of a managed handle after a sequence of calls.
func grown(initial uint64, needs []uint64) (bytes uint64, about string) {
	g := Growing{Default: initial, Held: initial}
	growths := 0
	for _, n := range needs {
		if g.Call(n) {
			growths++
		}
	}
	switch growths {
	case 0:
		return g.Held, "the default size is enough"
	case 1:
		return g.Held, "grows once, to need + default; the device waits"
	}
	return g.Held, fmt.Sprintf("grows %d times, to need + default; the device waits each time", growths)
}

// Growing is the memory of a managed handle whose calls are made one after the other.
type Growing struct {
	Default uint64 // the size of a new handle
	Held    uint64 // bytes that the handle holds now
}

// NewGrowing returns a new handle of a profile on an architecture.
func NewGrowing(p *Profile, arch string) Growing {
	initial := p.DefaultBytes(arch)
	return Growing{initial, initial}
}

// Call makes a call that needs memory. It reports whether the handle grows: for a call that needs more than the handle
// holds, to the need of the call plus the default size.
func (g *Growing) Call(need uint64) bool {
	if need <= g.Held {
		return false
	}
	g.Held = need + g.Default
	return true
}
