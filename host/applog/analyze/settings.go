package analyze

import (
	"errors"
	"strings"

	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/number"
	"roclua/hip/routine"
	"roclua/host/applog/lines"
	"roclua/host/files"
	"roclua/workspace"
	"roclua/workspace/footprint"
	"roclua/workspace/status"
	"roclua/workspace/tuning"
)

// needs computes the memory that a call allocates on each target with settings, and how it ends if these decide.
func (l *Log) needs(c *lines.Call, s *files.Settings) []Need {
	list := make([]Need, len(l.targets))
	for i, t := range l.targets {
		t.Modes = ModesOf(s)
		list[i] = needOn(t, c)
		if n := &list[i]; s.OnDevice && s.OnHost && n.Status == "" && n.Bytes == 0 {
			t.Modes.DevicePointers = true // it may not know that it has nothing to do
			*n = needOn(t, c)
		}
		if n := &list[i]; n.Status == "" && (s.Workspace > 0 || s.Captured || s.XF32) {
			n.Ends, n.Why = l.ends(i, c.Args, s)
		}
	}
	return list
}

// ModesOf returns the modes of a handle with settings.
func ModesOf(s *files.Settings) footprint.Modes {
	m := footprint.Modes{DevicePointers: s.OnDevice && !s.OnHost, Atomics: s.Atomics, XF32: s.XF32}
	if s.HipBLASLt {
		m.Unknown = "use_hipblaslt=1 changes the kernels of products, which is not modelled"
	}
	return m
}

// deviceBytes is the memory of a device that makes calls.
const deviceBytes = 1 << 40

// device is a device of a target, with memory for a scalar of each parameter.
type device struct {
	*hip.Device
	runtime *hip.Runtime
	scalars driver.Ptr
	stream  *hip.Stream // for captures
}

func (l *Log) deviceOf(i int) (*device, error) {
	if l.devices == nil {
		l.devices = make([]*device, len(l.targets))
	}
	if l.devices[i] != nil {
		return l.devices[i], nil
	}
	rt, err := hip.Open("cpu", driver.Config{Arch: l.targets[i].Arch, MemoryBytes: deviceBytes, Unchecked: true,
		Kernels: driver.KernelsIdle})
	if err != nil {
		return nil, err
	}
	d := &device{Device: rt.Device(), runtime: rt}
	if d.scalars, err = d.Malloc(scalarBytes * uint64(routine.SlotCount)); err == nil {
		d.stream, err = d.NewStream(false)
	}
	l.devices[i] = d
	return d, err
}

// scalarBytes are enough for a number.
const scalarBytes = 64

func (l *Log) closeDevices() {
	for _, d := range l.devices {
		if d != nil {
			d.runtime.Close()
		}
	}
	l.devices = nil
}

// ends makes a call on a handle with settings, in each pointer mode, and returns the status and the error of the first
// that does not end with success; "" if all do. A test captures a call only in a pointer mode that does not wait.
func (l *Log) ends(i int, a *routine.Args, s *files.Settings) (ends, why string) {
	d, err := l.deviceOf(i)
	if err != nil {
		return "", ""
	}
	for _, mode := range []int64{routine.PointerModeHost, routine.PointerModeDevice} {
		if mode == routine.PointerModeHost && s.OnDevice && !s.OnHost ||
			mode == routine.PointerModeDevice && !s.OnDevice {
			continue
		}
		of := *a
		switch end, reason := d.call(l.targets[i], &of, s, mode); {
		case end == "" && s.Captured:
			return "", ""
		case end != "" && ends == "":
			ends, why = end, reason
		}
	}
	return ends, why
}

// call makes a call on a new handle.
func (d *device) call(t footprint.Target, a *routine.Args, s *files.Settings, mode int64) (ends, why string) {
	c := workspace.Config{Profile: t.Profile, Environment: map[string]string{},
		Tuning: tuning.Libraries{t.Arch: t.Tuning}}
	scheme := workspace.SchemeManaged
	if s.Workspace > 0 {
		scheme = workspace.SchemeUserOwned
	}
	if s.Captured {
		c.Environment[workspace.EnvStreamOrderAlloc] = "1"
	}
	h, err := workspace.Open(d.Device, c, scheme, s.Workspace)
	if err != nil {
		return failure(err)
	}
	defer h.Close()
	if s.XF32 {
		err = h.SetMathMode(routine.XF32Math)
	}
	if s.Atomics != 0 && err == nil {
		err = h.SetAtomicsMode(map[int8]int64{1: routine.AtomicsAllowed, -1: routine.AtomicsNotAllowed}[s.Atomics])
	}
	if err == nil {
		err = h.SetPointerMode(mode)
	}
	if err != nil {
		return failure(err)
	}
	if mode == routine.PointerModeDevice {
		d.place(a)
	}
	if !s.Captured {
		out, err := h.Call(a)
		return result(out, err)
	}
	if err = h.SetStream(d.stream); err == nil {
		err = d.stream.BeginCapture(driver.CaptureGlobal)
	}
	if err != nil {
		return failure(err)
	}
	out, called := h.Call(a)
	graph, err := d.stream.EndCapture()
	if err == nil {
		err = graph.Destroy()
	}
	d.ResetLastError()
	if ends, why := result(out, called); ends != "" {
		return ends, why
	}
	return failure(err)
}

// place stores the scalars of a call in device memory.
func (d *device) place(a *routine.Args) {
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		bytes, ok := routine.SizeofDatatype(a.Datatype(p))
		switch {
		case a.Null(p.Slot):
		case p.Kind == routine.Output:
			a.SetPtr(p.Slot, routine.ArrayAddress(p.Slot))
		case p.Kind == routine.Scalar && ok:
			text := make([]byte, bytes)
			number.Store(a.Datatype(p), text, a.Scalar(p.Slot))
			at := d.scalars + driver.Ptr(scalarBytes*uint64(p.Slot))
			if d.Write(at, text) == nil {
				a.SetPtr(p.Slot, uint64(at))
			}
		}
	}
}

// result returns the status of a call and its explanation; "" for success.
func result(out workspace.Outcome, err error) (ends, why string) {
	if err == nil && out.Status != status.Success && out.Unknown == "" {
		return out.Status.Short(), ""
	}
	return failure(err)
}

func failure(err error) (ends, why string) {
	var unknown *workspace.Unknown
	if refused := (*workspace.Error)(nil); errors.As(err, &refused) {
		return refused.Status.Short(), strings.TrimPrefix(err.Error(), refused.Func+": "+refused.Status.Short()+": ")
	}
	if err == nil || errors.As(err, &unknown) {
		return "", ""
	}
	return "fails", err.Error()
}
