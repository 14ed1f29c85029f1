package workspace

import (
	"fmt"

	"roclua/hip"
	"roclua/hip/arch"
	"roclua/hip/defect"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/hip/trace"
	"roclua/internal/units"
	"roclua/workspace/behavior"
	"roclua/workspace/tuning"
)

// Model is a modelled handle: a stream, and the workspace that calls allocate their buffers from. It is used by one
// goroutine at a time.
type Model struct {
	*base
	modes
	query
	memory
	current call // kept, so that a call allocates no host memory

	layerBytes bool // see LayerBytes

	found    func([]defect.Finding, string) // see Config.Found
	versions release.Versions               // see Config.Versions
	defects  *defect.Rows                   // of these and its architecture; nil before findDefects needs them
	examined defect.Call                    // by findDefects, kept as current is
}

// newModel returns a handle without memory.
func newModel(b *base) *Model {
	h := &Model{base: b, modes: modes{base: b}, query: query{base: b}, memory: memory{base: b}}
	h.current = call{base: b, modes: &h.modes, query: &h.query, memory: &h.memory}
	return h
}

// createModel reads the environment, allocates the first memory and returns the handle. When the allocation fails it
// returns no handle.
func createModel(dev *hip.Device, c Config) (*Model, error) {
	props := dev.Properties()
	target := behavior.Target{Release: c.Profile.Release, Arch: arch.Of(props.Arch), TrsmLimit: trsmLimit(c.getenv)}
	target.Products = behavior.Products{Tuning: c.Tuning[target.Arch.Name],
		Device: tuning.Device{Arch: target.Arch.Name, ComputeUnits: props.Multiprocessors}}
	setProducts(&target.Products, c.getenv)
	b := &base{dev: dev, current: dev, profile: c.Profile, stream: dev.NullStream(), target: target}
	b.policy = policyOf(dev, c.Profile, &b.target)
	h := newModel(b)
	if h.found, h.versions = c.Found, c.Profile.Release.Versions; c.Versions != nil {
		h.versions = *c.Versions
	}
	h.atomics = initialAtomicsMode(c.Profile.Release, c.getenv)
	if c.Profile.Modelled() {
		b.numerics = numericsMode(c.getenv)
	}
	_, h.layerBytes = c.getenv(EnvLayerBytes)
	h.number = dev.NewHandleNumber()
	h.holds.Handle = h.number
	defer h.setCause("create_handle")()
	if err := h.allocateFirst(c); err != nil {
		return nil, err
	}
	h.recordHeld()
	return h, nil
}

// LayerBytes reports whether EnvLayerBytes was set when a modelled handle was created.
func LayerBytes(h Handle) bool {
	m, ok := h.(*Model)
	return ok && m.layerBytes
}

// policyOf returns the policy of a handle with a profile. Its target may change later.
func policyOf(dev *hip.Device, p *Profile, t *behavior.Target) policy {
	if p.Modelled() {
		return modelled{t}
	}
	return reported{dev}
}

// Destroy implements rocblas_destroy_handle: it frees memory that the library allocated and leaves the user's. With an
// allocation that was not released the library would end the process, so the error is an Abort.
func (h *Model) Destroy() error {
	const function = "rocblas_destroy_handle"
	if err := h.check(function); err != nil {
		return err
	}
	if h.inUse != 0 {
		return &Abort{function,
			fmt.Sprintf("handle object destroyed while %s of its device memory are still in use",
				units.FormatBytes(h.inUse))}
	}
	defer h.setCause("destroy_handle")()
	h.state = destroyed
	h.ReleaseStream()
	defer h.dev.Mark(trace.Mark{Handle: h.number})
	return h.freeForGood(function)
}

// Call calls one routine of the table. In a size query it records what the routine needs; otherwise it runs the routine
// with memory of the handle's workspace, or without any if it is not known what the routine needs.
func (h *Model) Call(a *routine.Args) (Outcome, error) {
	out, err := h.Repeat(a, nil)
	return *out, err
}

// Repeat is Call for a call that is made again and again.
func (h *Model) Repeat(a *routine.Args, p *Plan) (*Outcome, error) {
	switch h.state {
	case null:
		d := behavior.Decide(a, behavior.Mode{NoHandle: true})
		return &Outcome{Status: d.Status}, &Error{Status: d.Status, Func: a.Routine.CName(), Reason: d.Reason()}
	case destroyed:
		return &Outcome{}, h.check(a.Routine.CName())
	}
	h.follow()
	err := h.current.run(a, p)
	if err != nil {
		h.dev.Mark(trace.Mark{Handle: h.number, Bytes: h.heldBytes(), Text: err.Error()})
	} else {
		h.findDefects(a)
	}
	return &h.current.out, err
}

// String returns a description of the handle: "rocblas_handle(rocblas_managed, 33554432 bytes (32.0 MiB))".
func (h *Model) String() string {
	if h.Destroyed() {
		return "rocblas_handle(destroyed)"
	}
	return fmt.Sprintf("rocblas_handle(%s, %s)", h.owner, units.FormatBytes(h.size))
}
