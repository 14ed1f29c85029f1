package workspace

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roclua/hip"
	"roclua/hip/defect"
	"roclua/hip/driver"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/internal/nearest"
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

// The schemes for a handle's memory that rocBLAS documents, under the names that scenarios use.
const (
	SchemeManaged       = "managed"
	SchemePreallocated  = "preallocated"
	SchemeManual        = "manual"
	SchemeUserOwned     = "user_owned"
	SchemeStreamOrdered = "stream_ordered"
)

// Schemes lists every scheme.
var Schemes = []string{SchemeManaged, SchemePreallocated, SchemeManual, SchemeUserOwned, SchemeStreamOrdered}

// CheckScheme returns an error for an unknown scheme; it contains the nearest name. others are known, too.
func CheckScheme(name string, others ...string) error {
	all := slices.Concat(others, Schemes)
	if slices.Contains(all, name) {
		return nil
	}
	return fmt.Errorf("unknown scheme %q%s (have %s)", name, nearest.DidYouMean(name, all), strings.Join(all, ", "))
}

// SkipScheme returns why a scheme cannot run under the profile, or "" when it can.
func (p *Profile) SkipScheme(scheme string) string {
	if !p.Release.ManagedStreamOrdered {
		return ""
	}
	switch scheme {
	case SchemePreallocated:
		return fmt.Sprintf("rocBLAS %s only warms its memory pool with %s; the handle stays managed",
			p.RocBLAS, EnvDeviceMemorySize)
	case SchemeManual:
		return "rocblas_set_device_memory_size does nothing in rocBLAS " + p.RocBLAS
	}
	return ""
}

// Opened is a handle under a scheme, with the memory that the scheme needs.
type Opened struct {
	Handle
	workspace driver.Ptr // the user-owned scheme's memory
}

// Open creates a handle under a scheme. bytes is the size for schemes where the user chooses it; 0 means the default
// size of the architecture.
func Open(dev *hip.Device, c Config, scheme string, bytes uint64) (*Opened, error) {
	if err := CheckScheme(scheme); err != nil {
		return nil, err
	}
	if bytes == 0 {
		bytes = c.Profile.DefaultBytes(dev.Properties().Arch)
	}
	switch scheme {
	case SchemePreallocated:
		c.Environment = withVariable(c.Environment, EnvDeviceMemorySize, strconv.FormatUint(bytes, 10))
	case SchemeStreamOrdered:
		c.Environment = withVariable(c.Environment, EnvStreamOrderAlloc, "1")
	}
	h, err := Create(dev, c)
	if err != nil {
		return nil, err
	}
	o := &Opened{Handle: h}
	switch scheme {
	case SchemeManual:
		err = h.SetDeviceMemorySize(bytes)
	case SchemeUserOwned:
		if o.workspace, err = dev.Malloc(bytes); err == nil {
			err = h.SetWorkspace(o.workspace, bytes)
		}
	}
	if err != nil {
		o.Close()
		return nil, err
	}
	return o, nil
}

// Close destroys the handle, unless that was done already, and frees the user-owned memory.
func (o *Opened) Close() error {
	var err error
	if !o.Destroyed() {
		err = o.Destroy()
	}
	if o.workspace != 0 {
		if e := o.Device().Free(o.workspace); err == nil {
			err = e
		}
		o.workspace = 0
	}
	return err
}

func withVariable(environment map[string]string, name, value string) map[string]string {
	all := map[string]string{name: value}
	for n, v := range environment {
		if n != name {
			all[n] = v
		}
	}
	return all
}

// DefectsAround returns the known defects of programs whose handles have a scheme, in versions of the libraries. The
// environment can make managed memory stream-ordered, or of a fixed size.
func DefectsAround(p *Profile, v release.Versions, scheme, arch string,
	environment map[string]string) []defect.Finding {
	s := defect.State{StreamOrdered: defect.No, Managed: defect.No}
	fixed := wholeNumber(environment[EnvDeviceMemorySize]) > 0 && !p.Release.ManagedStreamOrdered
	if (scheme == SchemeManaged || scheme == SchemeStreamOrdered) && !fixed {
		s.Managed = defect.Yes
		s.StreamOrdered = truth(scheme == SchemeStreamOrdered || p.Release.ManagedStreamOrdered ||
			StreamOrdered(environment[EnvStreamOrderAlloc]))
	}
	return defect.For(v, arch).Around(s)
}

// examiner reports the known defects that concern a handle's calls.
type examiner struct {
	found    func([]defect.Finding, string) // see Config.Found
	versions release.Versions               // see Config.Versions
	rows     *defect.Rows                   // of these and the architecture; nil before examine needs them
	call     defect.Call                    // kept, so that an examination allocates no host memory
}

// newExaminer returns the examiner of a new handle. The versions of libraries that are not modelled are known as far
// as their names say them.
func newExaminer(c Config) examiner {
	e := examiner{found: c.Found, versions: c.Profile.Release.Versions}
	switch p := c.Profile; {
	case c.Versions != nil:
		e.versions = *c.Versions
	case p == cuda:
		e.found = nil
	case !p.Modelled():
		e.versions = release.Versions{RocBLAS: p.RocBLAS, RocSOLVER: p.RocSOLVER}
	}
	return e
}

// examine reports the defects that concern a call of a handle that succeeded on an architecture.
func (e *examiner) examine(a *routine.Args, arch string, h Handle) {
	if e.found == nil {
		return
	}
	if e.rows == nil {
		e.rows = defect.For(e.versions, arch)
	}
	if !e.rows.Any(a.Routine) {
		return
	}
	e.call.Args = a
	if list := e.rows.Of(&e.call, DefectState(h)); list != nil {
		e.found(list, a.Routine.Name)
	}
}

// DefectState returns the state of a handle for the conditions of known defects, as far as it is known without HIP
// calls.
func DefectState(h Handle) defect.State {
	managed, ordered := false, false
	var s *hip.Stream
	switch h := h.(type) {
	case *Model:
		managed, ordered, s = h.owner == Managed, h.streamOrdered, h.stream
	case *library:
		managed, ordered, s = h.IsManaging(), h.ordered, h.stream
	}
	state := defect.State{Managed: truth(managed), StreamOrdered: truth(managed && ordered)}
	if s.Captures() {
		state.Capturing = defect.Yes
	} else if !h.Device().Capturing() { // else the stream may have joined the capture
		state.Capturing = defect.No
	}
	return state
}

func truth(is bool) defect.Truth {
	if is {
		return defect.Yes
	}
	return defect.No
}
