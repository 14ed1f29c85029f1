package workspace

import (
	"fmt"

	"roclua/hip"
	"roclua/hip/arch"
	"roclua/hip/driver"
	"roclua/hip/routine"
	"roclua/hip/trace"
	"roclua/internal/units"
	"roclua/workspace/behavior"
	"roclua/workspace/status"
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

	defects examiner
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
	b := &base{dev: dev, current: dev, profile: c.Profile, stream: dev.NullStream(), target: target,
		unknownScalars: c.UnknownScalars}
	h := newModel(b)
	h.defects = newExaminer(c)
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

// Call calls one routine of the table. In a size query it records the size; otherwise it runs the routine with memory
// of the handle's workspace, or without any if the size is not known.
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
	} else if !h.IsQuery() && h.profile.Modelled() {
		h.defects.examine(a, h.target.Arch.Name, h)
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

// base is the state that all parts of a modelled handle share.
type base struct {
	dev     *hip.Device // the device that was current when the handle was created
	current *hip.Device // when the handle was last used
	profile *Profile
	target  behavior.Target
	stream  *hip.Stream // see follow
	holds   hip.Holder
	owner   Owner

	numerics int32 // value of ROCBLAS_CHECK_NUMERICS; 0 checks nothing

	unknownScalars bool // see Config

	number int // for marks in the runtime's history
	state  lifetime
}

// lifetime is whether there is a handle.
type lifetime uint8

const (
	alive lifetime = iota
	null
	destroyed
)

// setCause sets the cause of the handle's HIP calls until restore is called.
func (b *base) setCause(cause string) (restore func()) { return b.dev.SetCause(cause, b.number) }

// follow makes the null stream the one of the current device: the library passes the null stream to HIP, whichever
// device the handle belongs to. Some sizes depend on the current device, too.
func (b *base) follow() {
	d := b.dev.Current()
	if b.stream != nil && d != b.stream.Device() {
		b.stream = b.stream.For(d)
	}
	if d != b.current {
		b.current, b.target.Current = d, arch.Of(d.Arch())
	}
}

// enter makes the handle's device the current one until leave is called, as the library does to allocate memory.
func (b *base) enter() (leave func()) {
	if b.dev.Current() == b.dev {
		return func() {}
	}
	restore := b.dev.MakeCurrent()
	b.follow()
	return func() {
		restore()
		b.follow()
	}
}

func (b *base) runsOn() *hip.Device { return b.stream.Device() }

// check returns an error with invalid_handle for a null or destroyed handle.
func (b *base) check(function string) error {
	switch b.state {
	case null:
		return &Error{Status: status.InvalidHandle, Func: function, Reason: "the handle is null"}
	case destroyed:
		return &Error{Status: status.InvalidHandle, Func: function, Reason: "the handle was destroyed"}
	}
	b.follow()
	return nil
}

func (b *base) refusal(function string, st status.Status, reason string) *Error {
	return &Error{Status: st, Func: function, Reason: reason, Scheme: b.owner.String()}
}

// failure returns the error of a function that failed because of an error of HIP.
func (b *base) failure(function string, err error) *Error {
	return &Error{Status: statusOf(err), Func: function, Scheme: b.owner.String(), Cause: err}
}

// Destroyed reports whether the handle was destroyed.
func (b *base) Destroyed() bool { return b.state == destroyed }

// Device returns the device of the handle.
func (b *base) Device() *hip.Device { return b.dev }

// Profile returns the release that the handle behaves like.
func (b *base) Profile() *Profile { return b.profile }

// Owner returns who controls the memory.
func (b *base) Owner() Owner { return b.owner }

// SetStream implements rocblas_set_stream. It does not wait or allocate. The workspace may still be in use by the
// previous stream, so the caller synchronizes when it changes streams, unless allocations are stream-ordered.
func (b *base) SetStream(s *hip.Stream) error {
	if err := b.check("rocblas_set_stream"); err != nil {
		return err
	}
	if s == nil {
		s = b.dev.Current().NullStream()
	}
	if s != b.stream && s.Destroyed() {
		return &Error{Status: status.InvalidValue, Func: "rocblas_set_stream", Reason: "the stream was destroyed"}
	}
	if s != b.stream && b.dev.Capturing() {
		if err := b.checkCapture(s); err != nil {
			return &Error{Status: status.InvalidValue, Func: "rocblas_set_stream", Scheme: b.owner.String(), Cause: err}
		}
	}
	b.stream = s
	b.holds.Hold(s)
	return nil
}

// ReleaseStream implements Handle.
func (b *base) ReleaseStream() { b.holds.Hold(nil) }

// checkCapture makes the HIP calls that the library checks a new stream with. It is used only while a stream is
// captured, because the calls have no effect otherwise. The query, which the library makes unless the old or the new
// stream is captured, invalidates the capture of a third one.
func (b *base) checkCapture(s *hip.Stream) error {
	defer b.setCause("set_stream")()
	captured, null := driver.CaptureNone, b.dev.Current().NullStream()
	if s != null {
		var err error
		if captured, err = s.IsCapturing(); err != nil {
			return err
		}
	}
	if b.stream != null {
		if old, err := b.stream.IsCapturing(); err == nil && old != driver.CaptureNone {
			return nil
		}
	}
	if captured == driver.CaptureNone && s != null {
		s.Query() // it ignores errors; an invalid stream was refused above
	}
	return nil
}

// Stream implements rocblas_get_stream.
func (b *base) Stream() (*hip.Stream, error) {
	if err := b.check("rocblas_get_stream"); err != nil {
		return nil, err
	}
	return b.stream, nil
}
