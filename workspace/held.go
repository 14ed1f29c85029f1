package workspace

import (
	"fmt"

	"roclua/workspace/sizing"
)

// Held is the device memory that a handle under a scheme comes to hold over a sequence of calls.
type Held struct {
	Scheme string
	Bytes  uint64
	About  string // how it comes to that
	Skip   string // why the release has no such scheme; "" when it has
}

// HeldAfter tells what a handle holds after calls that need so many bytes each, in order, under every scheme. The user gives the
// schemes whose size is the user's just what the calls need.
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
	initial := sizing.DefaultBytes(arch)
	switch {
	case scheme == SchemePreallocated && most == 0:
		return 0, EnvDeviceMemorySize + "=0 gives a managed handle that holds nothing until a call needs memory"
	case scheme == SchemePreallocated:
		return most, fmt.Sprintf("%s=%d", EnvDeviceMemorySize, most)
	case scheme == SchemeManual:
		return sizing.Round(most), fmt.Sprintf("set_device_memory_size(%d), rounded up to a multiple of %d", most, sizing.Granule)
	case scheme == SchemeUserOwned:
		return most, fmt.Sprintf("set_workspace(p, %d)", most)
	case scheme == SchemeStreamOrdered || p.Release.ManagedStreamOrdered:
		return max(initial, most), "nothing of its own: each call borrows from the device's pool, which was warmed with " + FormatBytes(initial)
	}
	return grown(initial, needs)
}

// grown follows a managed handle: a call that needs more than it holds makes it hold that and the default size more.
func grown(initial uint64, needs []uint64) (bytes uint64, about string) {
	held, growths := initial, 0
	for _, n := range needs {
		if n > held {
			held, growths = n+initial, growths+1
		}
	}
	switch growths {
	case 0:
		return held, "the default size is enough"
	case 1:
		return held, "grows once, to need + default; the device waits"
	}
	return held, fmt.Sprintf("grows %d times, to need + default; the device waits each time", growths)
}
